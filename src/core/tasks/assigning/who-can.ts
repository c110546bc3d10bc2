// Who can take a task: an assignee that cannot is refused before anything is written, and those who can are named.

import { Refusal } from "../../../protocol/errors.ts";
import { abilityOf } from "../../agents/ability.ts";
import { findFree } from "./lease-clone.ts";
import type { TaskContext } from "../task-context.ts";
import { workspacesOf } from "../workspaces/workspaces.sql.ts";

/** What is known of a task that may not have been created yet. */
export interface Assignable {
  readonly number: number | undefined;
  readonly root: string;
}

export async function refuseUnableAgent(context: TaskContext, task: Assignable, agent: string): Promise<void> {
  const why = await whyItCannot(context, task, agent);
  if (why === undefined) return;
  const { free, up } = await findFree(context, {});
  const able: string[] = [];
  for (const other of [...new Set([...free, ...up])].filter((one) => one !== agent))
    if ((await whyItCannot(context, task, other)) === undefined) able.push(other);
  const who = able.map((one) => (free.includes(one) ? `${one} is free` : `${one} can when it is done`));
  const instead = who.length === 0 ? "nobody else is up that could" : who.slice(0, 5).join(", ");
  const what = task.number === undefined ? "this" : `task ${task.number}`;
  throw new Refusal("task.agent-cannot", `${agent} cannot take ${what}: ${why}; ${instead}`, {
    task: task.number ?? null,
    agent,
    why,
    can: able,
    free: able.filter((one) => free.includes(one)),
  });
}

/** Undefined when it can, now or once it has finished what it does. */
async function whyItCannot(context: TaskContext, task: Assignable, agent: string): Promise<string | undefined> {
  const { store, constellation, clock, machine } = context;
  const budget = machine.deliver?.budget ?? { tokensPerDay: 0, microsPerDay: 0 };
  const { cwd, why } = await abilityOf(store.db, { constellation, budget, nowMs: clock.nowMs() }, agent);
  return why ?? (await outOfSight(context, task, { agent, cwd }));
}

/** A confined agent sees its own workspaces below the root directory it was started in, and nothing else. */
async function outOfSight(
  { store, constellation, machine }: TaskContext,
  { number, root }: Assignable,
  { agent, cwd }: { readonly agent: string; readonly cwd: string },
): Promise<string | undefined> {
  const own = machine.ownWorkspaces?.(agent);
  if (own === undefined) return undefined;
  if (cwd !== root && !cwd.startsWith(`${root}/`)) return `it is confined to ${cwd}, and the task's root is ${root}`;
  const standing = number === undefined ? [] : await workspacesOf(store.db, constellation, { task: number });
  const foreign = standing.find(({ state, place }) => state === "ready" && !place.startsWith(`${own}/`));
  return foreign === undefined ? undefined : `it is confined, and cannot see the task's workspace ${foreign.path}`;
}
