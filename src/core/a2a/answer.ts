// Words to the outside agent that asked: from the owner, the root, or the agent that has the task.

import { askerNamed } from "../../protocol/authority.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { answerRequest } from "../../protocol/operations/a2a.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { A2aRequestsTable } from "../../store/tables/a2a.ts";
import type { Context } from "../context.ts";
import { taskOfRequest } from "../tasks/for-requests.ts";
import { requestOfTask } from "./a2a.sql.ts";
import { handOverArtefact, moveTo } from "./change.ts";
import { refuseIfOver, requestNamed } from "./request.ts";

type Input = ParsedInputOf<typeof answerRequest>;

export async function answer(context: Context, input: Input): Promise<OutputOf<typeof answerRequest>> {
  return context.store.write(async (tx) => {
    const row = await named(context, tx, input);
    await refuseUnlessOwn(context, tx, row, input);
    refuseIfOver(row);
    const state = isEnd(input) ? "completed" : input.asks ? "input-required" : (row.state as "working");
    let now = row;
    for (const artefact of input.artefacts) now = await handOverArtefact(context, tx, now, artefact);
    // Words about a task, or with a file beside them, are not the whole answer.
    const alone = input.alone && row.task === null && input.artefacts.length === 0;
    const after = await moveTo(context, tx, now, { state, text: input.text, alone });
    return { id: row.id, state: after.state };
  });
}

const isEnd = ({ done, alone }: Input): boolean => done || alone;

async function named(
  { constellation }: Context,
  tx: Tx,
  { id, task }: Pick<Input, "id" | "task">,
): Promise<A2aRequestsTable> {
  if (id !== undefined) return await requestNamed(tx.db, constellation, id);
  const row = task === undefined ? undefined : await requestOfTask(tx.db, constellation, task);
  if (row !== undefined) return row;
  const says =
    task === undefined ? "name a request, or a task with --task" : `task ${task} was asked for by no outside agent`;
  throw new Refusal("a2a.request-unknown", says, {});
}

async function refuseUnlessOwn(
  { actor, constellation }: Context,
  tx: Tx,
  row: A2aRequestsTable,
  input: Input,
): Promise<void> {
  const done = isEnd(input);
  if (askerNamed(actor).role !== "clone") return;
  const task = row.task === null ? undefined : await taskOfRequest(tx.db, constellation, row.task);
  if (task?.agent === actor && !done) return;
  const why = done ? `${actor} ends a request by doing its task` : `the task of ${row.id} is not ${actor}'s`;
  throw new Refusal("a2a.not-yours", why, { id: row.id });
}
