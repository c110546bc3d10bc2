// Decides which task pays for an answer: the task its agent had then. A task is an agent's from the assignment until the end of the turn in
// which the assignment ended; what an agent uses between tasks counts for no task.

import type { Kysely } from "kysely";
import type { Store } from "../../store/open.ts";
import type { Tables } from "../../store/tables.ts";
import type { TaskContext } from "./task-context.ts";
import { leaveTask } from "../agents/take-brief.ts";

/** The task as text, or null. */
export async function taskAt(
  db: Kysely<Tables>,
  at: { readonly constellation: string; readonly agent: string; readonly atMs: number },
): Promise<string | null> {
  const rows = await db
    .selectFrom("dispatches")
    .select(["task", "about", "asked_ms", "delivered_ms", "left_ms"])
    .where("constellation", "=", at.constellation)
    .where("agent", "=", at.agent)
    .where("state", "<>", "failed")
    .where((eb) => eb.or([eb("left_ms", "is", null), eb("left_ms", ">=", at.atMs)]))
    .where("asked_ms", "<=", at.atMs)
    .execute();
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
  const ended = await store.db
    .selectFrom("dispatches")
    .innerJoin("agents", (join) =>
      join
        .onRef("agents.agent", "=", "dispatches.agent")
        .onRef("agents.constellation", "=", "dispatches.constellation"),
    )
    .select(["dispatches.id", "dispatches.task", "dispatches.agent", "dispatches.ended_ms", "agents.since_ms"])
    .where("dispatches.constellation", "=", constellation)
    .where("dispatches.ended_ms", "is not", null)
    .where("dispatches.left_ms", "is", null)
    .where("agents.seen", "not in", ["busy", "waiting-permission", "waiting-answer", "starting", "unknown"])
    .execute();
  for (const row of ended) {
    const { id, agent } = row;
    if (agent === null) continue;
    await store.write(async (tx) => {
      const left_ms = Math.max(row.ended_ms ?? 0, row.since_ms);
      await tx.db.updateTable("dispatches").set({ left_ms }).where("id", "=", id).execute();
      await leaveTask(tx, { constellation, agent, task: String(row.task) });
    });
  }
}

export async function costOfTask(store: Pick<Store, "db" | "constellation">, task: number): Promise<TaskCost> {
  const row = await store.db
    .selectFrom("token_usage")
    .select((eb) => [
      eb.fn.countAll().as("answers"),
      eb.fn.sum("input").as("input"),
      eb.fn.sum("output").as("output"),
      eb.fn.sum("cost_micros").as("micros"),
      eb.fn.count("cost_micros").as("priced"),
    ])
    .where("constellation", "=", store.constellation)
    .where("task", "=", String(task))
    .executeTakeFirst();
  const answers = Number(row?.answers ?? 0);
  return {
    answers,
    input_tokens: Number(row?.input ?? 0),
    output_tokens: Number(row?.output ?? 0),
    cost_micros: Number(row?.micros ?? 0),
    unpriced_answers: answers - Number(row?.priced ?? 0),
  };
}

export interface TaskCost {
  answers: number;
  input_tokens: number;
  output_tokens: number;
  cost_micros: number;
  unpriced_answers: number;
}
