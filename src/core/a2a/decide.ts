// The owner's word about what an outside agent asks: it becomes a task, its further words go on to the agent that has the task, or it is
// refused. A task is made in the same transaction as the decision, by a key: there is never a second one.

import { type A2aPart } from "../../protocol/a2a.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { acceptRequest, refuseRequest } from "../../protocol/operations/a2a.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { A2aMessagesTable, A2aRequestsTable } from "../../store/tables/a2a.ts";
import type { Context } from "../context.ts";
import { mustShow } from "../tasks/for-requests.ts";
import { importInto, refuseUnlessRepository } from "../tasks/create.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { messagesOf, updateMessages } from "./a2a.sql.ts";
import { moveTo } from "./change.ts";
import { isGenuine, refuseIfOver, requestNamed, rewrite } from "./request.ts";
import { acceptedText, directiveOf } from "./words.ts";

interface Wish {
  readonly root: string;
  readonly repository?: string | undefined;
  readonly agent?: string | undefined;
  readonly title?: string | undefined;
  readonly accept: readonly string[];
}

export async function accept(
  context: TaskContext,
  input: ParsedInputOf<typeof acceptRequest>,
): Promise<OutputOf<typeof acceptRequest>> {
  if (input.repository !== undefined) await refuseUnlessRepository(context, input.repository);
  return context.store.write(async (tx) => {
    const row = await heldRequest(context, tx, input.id);
    const done = row.decision === "held" ? await becomeTask(context, tx, row, input) : await passOn(context, tx, row);
    if (done.task === null) throw new Error("an accepted request has a task");
    return { id: done.id, task: done.task, state: done.state };
  });
}

/** Inside a job. */
export async function becomeTask(
  context: TaskContext,
  tx: Tx,
  row: A2aRequestsTable,
  { root, repository, agent, title, accept: criteria }: Wish,
): Promise<A2aRequestsTable> {
  const { constellation, actor } = context;
  const words = (await heldMessages(tx, row)).flatMap(({ parts }) => JSON.parse(parts) as A2aPart[]);
  const task = {
    key: `a2a:${row.id}`,
    title: title ?? row.title,
    directive: directiveOf(row, words),
    priority: "P2",
  };
  const { number } = await importInto(context, tx, { root, repository, task });
  await mustShow(tx, { constellation, task: number }, criteria);
  await updateMessages(tx, { constellation, request: row.id, from: "held", to: "told" });
  const decided = await rewrite(tx, context, row, {
    decision: "accepted",
    decided_by: actor,
    decided_ms: tx.nowMs,
    task: number,
    agent: agent ?? null,
  });
  await tx.record({
    type: "a2a.accepted",
    subject: `a2a:${row.id}`,
    actor,
    data: { sender: row.sender, task: number },
  });
  return await moveTo(context, tx, decided, { state: "submitted", text: acceptedText });
}

async function passOn(context: Context, tx: Tx, row: A2aRequestsTable): Promise<A2aRequestsTable> {
  const { constellation, actor } = context;
  await updateMessages(tx, { constellation, request: row.id, from: "held", to: "passed" });
  await tx.record({
    type: "a2a.passed",
    subject: `a2a:${row.id}`,
    actor,
    data: { sender: row.sender, task: row.task },
  });
  return row;
}

export async function refuse(
  context: Context,
  input: ParsedInputOf<typeof refuseRequest>,
): Promise<OutputOf<typeof refuseRequest>> {
  const { store, constellation, actor } = context;
  return store.write(async (tx) => {
    const row = await heldRequest(context, tx, input.id);
    const reason = input.reason === "" ? "The owner of this constellation does not agree." : input.reason;
    const data = { sender: row.sender, reason: input.reason.slice(0, 200) };
    await tx.record({ type: "a2a.refused", subject: `a2a:${row.id}`, actor, data });
    if (row.decision === "held") {
      const decided = await rewrite(tx, context, row, { decision: "refused", decided_by: actor, decided_ms: tx.nowMs });
      const { id, state } = await moveTo(context, tx, decided, { state: "rejected", text: reason });
      return { id, state };
    }
    await updateMessages(tx, { constellation, request: row.id, from: "held", to: "refused" });
    const { id, state } = await moveTo(context, tx, row, { state: row.state as "working", text: reason });
    return { id, state };
  });
}

/** The request, if something of it waits for the owner. */
async function heldRequest(context: Context, tx: Tx, id: string): Promise<A2aRequestsTable> {
  const row = await requestNamed(tx.db, context.constellation, id);
  refuseIfOver(row);
  const isHeld = row.decision === "held" || (await heldMessages(tx, row)).length > 0;
  if (!isHeld || !isGenuine(context.audit?.verify, row))
    throw new Refusal("a2a.decided", `nothing of ${row.id} waits for the owner`, {
      id: row.id,
      decision: row.decision,
    });
  return row;
}

async function heldMessages(tx: Tx, { constellation, id }: A2aRequestsTable): Promise<A2aMessagesTable[]> {
  return (await messagesOf(tx.db, constellation, [id])).filter(({ state }) => state === "held");
}
