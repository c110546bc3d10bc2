// The id under which a message is marked in an agent's input, and the text it is given. The mark is what proves arrival, so it
// must be there once, be plain, and not be something that another message's words could contain.

import { createHash } from "node:crypto";
import type { Envelope } from "../../protocol/envelope.ts";
import { type Framed, frameForAgent } from "../../protocol/frame-for-agent.ts";

/** The same for the same envelope, whoever asks and whenever. */
export function deliveryId(envelope: Envelope): string {
  const { id } = envelope;
  if (id !== undefined && /^[A-Za-z0-9_.:-]{1,100}$/.test(id)) return id;
  const whole = JSON.stringify([envelope.origin ?? "", envelope.from, id ?? "", envelope.ts, envelope.text]);
  return `msg-${createHash("sha256").update(whole).digest("hex").slice(0, 32)}`;
}

/** A mark that somebody quotes in a message must not prove that another message arrived. */
export function deliveryText(message: Framed): string {
  return frameForAgent([message]).replaceAll(/\[(?=constel:)/gi, "(");
}
