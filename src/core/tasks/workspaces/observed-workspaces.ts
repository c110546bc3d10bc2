// Chooses the workspaces that sensing should look at: those whose task is being worked on, each with the repository it was made from. Work
// that has landed, or was given up, would collide with everything that comes after it.

import type { ReadContext } from "../../context.ts";
import { listTasks } from "../tasks.sql.ts";
import { workspacesOf } from "./workspaces.sql.ts";

export interface ObservedWorkspace {
  readonly path: string;
  readonly source: string;
  readonly agent: string | undefined;
  readonly isAtWork: boolean;
}

export async function observedWorkspaces({ store }: ReadContext): Promise<ObservedWorkspace[]> {
  const { db, constellation } = store;
  const spaces = (await workspacesOf(db, constellation)).filter(({ state }) => state === "ready");
  if (spaces.length === 0) return [];
  const tasks = new Map((await listTasks(db, constellation, {})).map((task) => [task.number, task]));
  return spaces.map(({ path, source, task: number }) => {
    const task = tasks.get(number);
    const isAtWork = task !== undefined && task.state !== "closed" && task.state !== "cancelled";
    return { path, source, agent: task?.agent ?? undefined, isAtWork };
  });
}
