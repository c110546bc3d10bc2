// For those who say so in the settings: a clone that pushed its task's branch and stands idle is done with it, without a word.
// Its workspace is looked at first, which costs little; the origin is asked only when that says that everything was pushed.

import { Outage, Refusal } from "../../../protocol/errors.ts";
import type { DispatchesTable, WorkspacesTable } from "../../../store/tables/tasks.ts";
import { isIdle } from "../../agents/free.ts";
import { openDispatches } from "./dispatches.sql.ts";
import { readyTask } from "../landing/ready.ts";
import type { TaskContext } from "../task-context.ts";
import { newestTaskEvent } from "../task-events.sql.ts";
import { workspacesOf } from "../workspaces/workspaces.sql.ts";

export async function takePushed(context: TaskContext): Promise<void> {
  const { store, constellation } = context;
  for (const row of await openDispatches(store.db, constellation)) {
    const { agent, task } = row;
    if (agent === null || row.delivered_ms === null) continue;
    if (!(await isIdle(store.db, constellation, agent))) continue;
    try {
      if (!(await isPushed(context, row))) continue;
      await readyTask({ ...context, actor: agent }, { task, because: "its branch was pushed, and it is idle" });
    } catch (cause) {
      // An origin that is away is asked again; who took the task back meanwhile was right.
      if (!(cause instanceof Outage || cause instanceof Refusal)) throw cause;
    }
  }
}

/** Every commit of the task is at the origin, and they are not those that were ready before. */
async function isPushed(context: TaskContext, { task }: DispatchesTable): Promise<boolean> {
  const { store, constellation, machine } = context;
  const spaces = (await workspacesOf(store.db, constellation, { task })).filter(({ state }) => state === "ready");
  const changed: { space: WorkspacesTable; tip: string }[] = [];
  const tips: string[] = [];
  for (const space of spaces) {
    const { ahead, tip, pushed } = await machine.workspaces.look(space.path, space.base_sha, space.branch);
    if (tip !== undefined) tips.push(tip);
    if (ahead === 0 || tip === undefined) continue;
    if (tip !== pushed) return false;
    changed.push({ space, tip });
  }
  if (changed.length === 0 || (await wereReady(context, task)) === JSON.stringify(tips)) return false;
  for (const { space, tip } of changed) {
    if ((await machine.workspaces.atOrigin(space.origin, space.branch)) !== tip) return false;
  }
  return true;
}

async function wereReady({ store, constellation }: TaskContext, task: number): Promise<string | undefined> {
  const event = await newestTaskEvent(store.db, constellation, { task, type: "ready" });
  const tips = event === undefined ? undefined : (JSON.parse(event.data) as { tips?: unknown }).tips;
  return tips === undefined ? undefined : JSON.stringify(tips);
}
