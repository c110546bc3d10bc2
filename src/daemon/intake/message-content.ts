// Picks what the account of messages keeps of an envelope's content.

import type { MessageSighting } from "../../core/messages/account.ts";
import type { Envelope } from "../../protocol/envelope.ts";

export function contentOf(envelope: Envelope, textBytes: number | undefined): MessageSighting["content"] {
  return {
    message_id: envelope.id ?? null,
    kind: envelope.kind ?? null,
    thread: envelope.thread ?? null,
    in_reply_to: envelope.in_reply_to ?? null,
    task: envelope.task ?? null,
    text: envelope.text,
    text_bytes: textBytes ?? null,
  };
}
