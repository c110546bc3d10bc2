// Changes of a request, each with a number of its own: those who follow it are told all of them, in order, also after they were away.

import { createHash } from "node:crypto";
import { type A2aArtefact, type A2aMessage, type A2aPart, type A2aState, isOver } from "../../protocol/a2a.ts";
import { makeId } from "../../protocol/ids.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { A2aMessagesTable, A2aRequestsTable } from "../../store/tables/a2a.ts";
import type { Context } from "../context.ts";
import { putArtefact, updateMessages, updateRequest } from "./a2a.sql.ts";

type Changing = Pick<Context, "actor" | "random" | "constellation">;

/** Inside a job. Answers the row as it is then. Without words a state that it has already is no change. */
export async function moveTo(
  context: Changing,
  tx: Tx,
  row: A2aRequestsTable,
  to: { readonly state: A2aState; readonly text?: string | undefined; readonly alone?: boolean },
): Promise<A2aRequestsTable> {
  if (to.text === undefined && to.state === row.state) return row;
  const said = to.text === undefined ? null : await say(context, tx, row, to.text, to.alone);
  const saidText = said === null ? null : JSON.stringify(said);
  const ended_ms = isOver(to.state) ? tx.nowMs : null;
  const changed = await number(
    context,
    tx,
    row,
    { state: to.state, said },
    { state: to.state, said: saidText, ended_ms },
  );
  // What was still held is nobody's any more.
  if (ended_ms !== null) await updateMessages(tx, { ...ofRow(row), from: "held", to: "refused" });
  return changed;
}

export async function handOverArtefact(
  context: Changing,
  tx: Tx,
  row: A2aRequestsTable,
  artefact: A2aArtefact,
): Promise<A2aRequestsTable> {
  const { id, name, parts } = artefact;
  const isNew = await putArtefact(tx, { ...ofRow(row), id, name, parts: JSON.stringify(parts), at_ms: tx.nowMs });
  return isNew ? await number(context, tx, row, { artefact }, {}) : row;
}

const ofRow = ({ constellation, id: request }: A2aRequestsTable) => ({ constellation, request });

async function number(
  { actor }: Changing,
  tx: Tx,
  row: A2aRequestsTable,
  data: object,
  more: Partial<A2aRequestsTable>,
): Promise<A2aRequestsTable> {
  const seq = row.seq + 1;
  const change = { seq, updated_ms: tx.nowMs, ...more };
  await tx.insert("a2a_changes", { ...ofRow(row), seq, data: JSON.stringify(data), at_ms: tx.nowMs });
  await updateRequest(tx, row.id, change);
  await tx.record({
    type: "a2a.changed",
    subject: `a2a:${row.id}`,
    actor,
    data: { sender: row.sender, state: more.state ?? row.state, task: row.task },
  });
  return { ...row, ...change };
}

/** Our own words, kept among its messages. */
async function say(context: Changing, tx: Tx, row: A2aRequestsTable, text: string, alone = false): Promise<A2aMessage> {
  const id = makeId("a2m", tx.nowMs, context.random.bytes(10));
  const parts = [{ text }];
  await keepMessage(context, tx, row, { id, messageId: id, role: "agent", parts, state: "told" });
  return { id, role: "agent", parts, at_ms: tx.nowMs, ...(alone ? { alone } : {}) };
}

export async function keepMessage(
  { constellation }: Changing,
  tx: Tx,
  { id: request, sender }: Pick<A2aRequestsTable, "id" | "sender">,
  message: {
    readonly id: string;
    readonly messageId: string;
    readonly role: "user" | "agent";
    readonly parts: readonly A2aPart[];
    readonly state: string;
    readonly digest?: string;
  },
): Promise<void> {
  const { id, messageId: message_id, role, parts, state, digest = digestOf(parts) } = message;
  const row: A2aMessagesTable = {
    id,
    constellation,
    request,
    sender,
    message_id,
    role,
    parts: JSON.stringify(parts),
    digest,
    state,
    at_ms: tx.nowMs,
  };
  await tx.insert("a2a_messages", row);
}

export const digestOf = (content: unknown): string =>
  createHash("sha256").update(JSON.stringify(content)).digest("hex");
