// Names a message among the items that a session is to hear.

import { createHash } from "node:crypto";
import type { Envelope } from "../../protocol/envelope.ts";

/** The same for the same message, whoever asks; a number follows it. */
export function messageItemBase(envelope: Envelope): string {
  const whole = JSON.stringify([envelope.origin ?? "", envelope.from, envelope.id ?? "", envelope.ts, envelope.text]);
  return `message-${createHash("sha256").update(whole).digest("hex").slice(0, 32)}-`;
}
