// Changing a task: its words and numbers, cancelling it, opening it again, sending it back for rework.

import { Refusal } from "../../protocol/errors.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { TasksTable } from "../../store/tables/tasks.ts";
import type { Context } from "../context.ts";
import { judgeSentence, setCriteria } from "./evidence/criteria.sql.ts";
import { readCriterion } from "./evidence/criteria.ts";
import { refuseUnlessRepository } from "./create.ts";
import { endDispatches, mayHear, takeFromQueue } from "./assigning/dispatches.sql.ts";
import { waitsFor } from "./rules.ts";
import { repositoryColumns } from "./repositories.ts";
import type { TaskContext } from "./task-context.ts";
import { moveOf } from "./task.ts";
import { callOffWaiting, refuseIfLanding } from "./landing/harvests.sql.ts";
import { edgesOf, findTask, recordTask, removeEdgesOf, updateTask } from "./tasks.sql.ts";

export interface TaskChange {
  readonly task: number;
  readonly title?: string | undefined;
  readonly directive?: string | undefined;
  readonly brief?: string | undefined;
  readonly priority?: string | undefined;
  readonly estimate_ms?: number | undefined;
  readonly target?: string | undefined;
  readonly by?: string | undefined;
  readonly repositories?: readonly string[] | undefined;
  readonly scope?: readonly string[] | undefined;
  readonly after?: readonly number[] | undefined;
  /** What it must show; replaces what it had to show before. */
  readonly accept?: readonly string[] | undefined;
  /** Criteria, by number, of which the owner or the root says how they stand. */
  readonly passed?: readonly number[] | undefined;
  readonly failed?: readonly number[] | undefined;
  readonly move?: "reopen" | "rework" | "release" | undefined;
}

export async function changeTask(context: TaskContext, input: TaskChange): Promise<{ state: string }> {
  const { constellation } = context;
  for (const repository of input.repositories ?? []) await refuseUnlessRepository(context, repository);
  return context.store.write(async (tx) => {
    const task = await findTask(tx.db, constellation, input.task);
    if (task.state === "closed") {
      throw new Refusal("task.not-allowed", `task ${task.number} has landed and can no longer be changed`, {
        task: task.number,
        state: task.state,
      });
    }
    const change: Partial<TasksTable> = { updated_ms: tx.nowMs };
    for (const key of ["title", "directive", "priority", "estimate_ms", "target"] as const)
      if (input[key] !== undefined) Object.assign(change, { [key]: input[key] });
    if (input.by !== undefined) change.land_by = input.by;
    if (input.repositories !== undefined) Object.assign(change, repositoryColumns(input.repositories));
    if (input.scope !== undefined) change.scope = JSON.stringify(input.scope);
    if (input.brief !== undefined) change.brief = context.machine.readBrief(task.root, input.brief).path;
    if (input.move !== undefined) await callOffWaiting(tx, constellation, task.number);
    if (input.move !== undefined) await refuseIfLanding(tx.db, constellation, task.number);
    if (input.move !== undefined) Object.assign(change, { state: moveOf(task, input.move), reason: null });
    if (input.move === "reopen") change.agent = null;
    if (input.move === "release") {
      change.agent = null;
      await endDispatches(tx, constellation, task.number, {
        state: "released",
        problem: `taken back by ${context.actor}`,
      });
      await takeFromQueue(tx, constellation, task.number);
    }
    if (input.after !== undefined) {
      await removeEdgesOf(tx.db, task);
      const edges = await edgesOf(tx.db, constellation);
      for (const after of new Set(input.after)) {
        await findTask(tx.db, constellation, after);
        if (waitsFor(edges, after, task.number))
          throw new Refusal("task.waits-for-itself", `task ${after} already waits for task ${task.number}`, {
            task: task.number,
            after,
          });
        await tx.insert("task_after", { constellation, task: task.number, after });
      }
    }
    await changeCriteria(context, tx, input);
    await updateTask(tx.db, task, change);
    const { updated_ms: _, ...told } = change;
    await recordTask(context, tx, task.number, eventOf(input.move), {
      ...told,
      ...(input.after === undefined ? {} : { after: input.after }),
      ...(input.accept === undefined ? {} : { accept: input.accept }),
      ...(input.passed === undefined ? {} : { passed: input.passed }),
      ...(input.failed === undefined ? {} : { failed: input.failed }),
      ...(told.title === undefined ? {} : { title: told.title.slice(0, 200) }),
    });
    return { state: change.state ?? task.state };
  });
}

async function changeCriteria({ constellation, actor: by }: Context, tx: Tx, change: TaskChange): Promise<void> {
  const { task, accept, passed = [], failed = [] } = change;
  if (accept !== undefined) await setCriteria(tx, { constellation, task }, accept.map(readCriterion));
  for (const place of passed) await judgeSentence(tx, constellation, { task, place, by, state: "passed" });
  for (const place of failed) await judgeSentence(tx, constellation, { task, place, by, state: "failed" });
}

const eventOf = (move: TaskChange["move"]): string =>
  move === "reopen" ? "reopened" : move === "release" ? "released" : "updated";

export async function cancelTask(
  context: Context,
  input: { task: number; reason: string },
): Promise<{ state: string; told: string[] }> {
  const { task: number, reason } = input;
  return context.store.write(async (tx) => {
    const task = await findTask(tx.db, context.constellation, number);
    const state = moveOf(task, "cancel");
    await callOffWaiting(tx, context.constellation, number);
    await refuseIfLanding(tx.db, context.constellation, number);
    await updateTask(tx.db, task, { state, reason: reason === "" ? null : reason, updated_ms: tx.nowMs });
    const had = await endDispatches(tx, context.constellation, number, { state: "cancelled", problem: null });
    await takeFromQueue(tx, context.constellation, number);
    await recordTask(context, tx, number, "cancelled", reason === "" ? {} : { reason });
    return { state, told: had.flatMap((row) => (row.agent !== null && mayHear(row) ? [row.agent] : [])) };
  });
}
