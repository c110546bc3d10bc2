// An answer is a cost of the task that its agent had then. A task is an agent's from the assignment until the turn is over in
// which the assignment ended; what an agent uses between tasks is nobody's.

import type { Kysely } from "kysely";
import type { Store } from "../../store/open.ts";
import type { Tables } from "../../store/tables.ts";
import { dispatchesAt, endedButNotLeft, usageOfTask } from "./costs.sql.ts";
import { updateDispatchEvenEnded } from "./assigning/dispatches.sql.ts";
import type { TaskContext } from "./task-context.ts";
import { leaveTask } from "../agents/take-brief.ts";

/** The task as text, or null. */
export async function taskAt(
  db: Kysely<Tables>,
  at: { readonly constellation: string; readonly agent: string; readonly atMs: number },
): Promise<string | null> {
  const rows = await dispatchesAt(db, at);
  // An agent that is given a task is idle, so all it does from then on is for it. Work that comes back for review may find it busy.
  const begun = rows.flatMap(({ task, about, asked_ms: asked, delivered_ms: delivered }) => {
    const fromMs = about === null ? asked : delivered;
    return fromMs === null || fromMs > at.atMs ? [] : [{ task, fromMs }];
  });
  const last = begun.toSorted((a, b) => a.fromMs - b.fromMs).at(-1);
  return last === undefined ? null : String(last.task);
}

/** Of assignments that have ended: once the agent's turn is over, the task is not its any more. */
export async function leaveEnded({ store, constellation }: TaskContext): Promise<void> {
  const ended = await endedButNotLeft(store.db, constellation);
  for (const row of ended) {
    const { id, agent } = row;
    if (agent === null) continue;
    await store.write(async (tx) => {
      const left_ms = Math.max(row.ended_ms ?? 0, row.since_ms);
      await updateDispatchEvenEnded(tx.db, id, { left_ms });
      await leaveTask(tx, { constellation, agent, task: String(row.task) });
    });
  }
}

export async function costOfTask(store: Pick<Store, "db" | "constellation">, task: number): Promise<TaskCost> {
  const { answers, input, output, micros, priced } = await usageOfTask(store.db, store.constellation, task);
  return {
    answers,
    input_tokens: input,
    output_tokens: output,
    cost_micros: micros,
    unpriced_answers: answers - priced,
  };
}

export interface TaskCost {
  answers: number;
  input_tokens: number;
  output_tokens: number;
  cost_micros: number;
  unpriced_answers: number;
}
