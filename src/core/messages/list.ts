// Lists messages with the state of each delivery, for whoever runs the constellation.

import type { listMessages as listOperation } from "../../protocol/operations/messages.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { MessagesTable } from "../../store/tables/messages.ts";
import type { ReadContext } from "../context.ts";
import { countOf, newestOf } from "./messages.sql.ts";

type Listed = OutputOf<typeof listOperation>;

export async function listMessages(
  { store: { db, constellation } }: Pick<ReadContext, "store">,
  { limit, ...asked }: ParsedInputOf<typeof listOperation>,
): Promise<Listed> {
  const rows = await newestOf(db, constellation, asked, limit);
  return {
    messages: rows.map(asMessage),
    total: await countOf(db, constellation, asked),
    undelivered: await countOf(db, constellation, { undelivered: true }),
  };
}

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));

function asMessage(row: MessagesTable): Listed["messages"][number] {
  const { name, message_id: id, sender, receiver, kind, thread, in_reply_to, task, text, state, because } = row;
  return {
    name,
    id,
    sender,
    receiver,
    kind,
    thread,
    in_reply_to,
    task,
    text,
    cut: text !== null && row.text_bytes !== null && Buffer.byteLength(text) < Number(row.text_bytes),
    state,
    because,
    verified_by: row.verified_by,
    sent_ms: numberOrNull(row.sent_ms),
    delivered_ms: numberOrNull(row.delivered_ms),
    acked_ms: numberOrNull(row.acked_ms),
  };
}
