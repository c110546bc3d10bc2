// The queue: tasks that wait for a free clone, for others to land or to be stood on, or for a collision to pass. They leave it by priority, then
// by age, each when it can.

import { Refusal } from "../../../protocol/errors.ts";
import type { ReadContext } from "../../context.ts";
import { footingOf } from "../footing.ts";
import { findFree, leaseClone } from "./lease-clone.ts";
import { collisions } from "../collisions.ts";
import { tasksWithOpenPull } from "../../pulls/queries.ts";
import { putInQueue, queueRows } from "./dispatches.sql.ts";
import { listAll, type TaskRow } from "../queries.ts";
import { byUrgency } from "../rules.ts";
import type { TaskContext } from "../task-context.ts";
import { moveOf } from "../task.ts";
import { findTask, recordTask, updateTask } from "../tasks.sql.ts";

export interface QueueWish {
  readonly agent?: string | undefined;
  readonly runtime?: string | undefined;
  readonly hold: boolean;
}

/** Queued already: only what it asks for is changed. */
export async function enqueue(context: TaskContext, number: number, wish: QueueWish): Promise<string> {
  const { constellation } = context;
  return context.store.write(async (tx) => {
    const task = await findTask(tx.db, constellation, number);
    const state = task.state === "queued" ? task.state : moveOf(task, "queue");
    const agent = wish.agent ?? null;
    const runtime = wish.runtime ?? null;
    await putInQueue(tx, {
      constellation,
      task: number,
      agent,
      runtime,
      hold: wish.hold ? 1 : 0,
      queued_ms: tx.nowMs,
    });
    if (task.state === "queued") return state;
    await updateTask(tx.db, task, { state, updated_ms: tx.nowMs });
    await recordTask(context, tx, number, "queued", { agent, runtime, hold: wish.hold });
    return state;
  });
}

export interface Queued extends TaskRow {
  wanted_agent: string | null;
  wanted_runtime: string | null;
  hold: boolean;
}

/** In the order in which they would leave it. */
export async function listQueue(context: ReadContext): Promise<{ tasks: Queued[] }> {
  const { tasks } = await listAll(context, { states: ["queued"], all: false, limit: 100_000 });
  const wishes = new Map(
    (await queueRows(context.store.db, context.store.constellation)).map((row) => [row.task, row]),
  );
  return {
    tasks: tasks.sort(byUrgency).map((task) => {
      const wish = wishes.get(task.number);
      return {
        ...task,
        wanted_agent: wish?.agent ?? null,
        wanted_runtime: wish?.runtime ?? null,
        hold: wish?.hold === 1,
      };
    }),
  };
}

/** Leases clones for what can be given out now. */
export async function drainQueue(context: TaskContext, signal: AbortSignal): Promise<void> {
  const { store, clock, constellation } = context;
  const { tasks } = await listQueue({ store, clock });
  // Asked once for all: most of what waits waits for something of which there is none.
  const open = new Set(await tasksWithOpenPull(store.db, constellation));
  for (const queued of tasks) {
    if (signal.aborted || (await findFree(context, {})).free.length === 0) return;
    if (!queued.blocked_by.every((one) => open.has(one))) continue;
    const task = await findTask(store.db, constellation, queued.number);
    if (queued.blocked_by.length > 0 && (await footingOf(context, task)).waiting.length > 0) continue;
    if (queued.hold && (await collisions(context, task)).length > 0) continue;
    const wish = { agent: queued.wanted_agent ?? undefined, runtime: queued.wanted_runtime ?? undefined };
    await giveQueued(context, queued.number, wish);
  }
}

/** Gives a queued task to a clone. A refusal stays on the task as its reason; the next in the queue must not suffer for it. */
async function giveQueued(
  context: TaskContext,
  task: number,
  wish: { agent?: string | undefined; runtime?: string | undefined },
): Promise<void> {
  try {
    await leaseClone(context, task, wish);
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
  }
}
