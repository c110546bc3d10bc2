// What of a task's declared scope is being worked on already: by other tasks, and in open findings.

import type { TasksTable } from "../../store/tables/tasks.ts";
import { listFindings } from "../conflicts/look.ts";
import { scopeOverlap } from "./rules.ts";
import type { TaskContext } from "./task-context.ts";
import { listTasks } from "./tasks.sql.ts";

export async function collisions(context: TaskContext, task: TasksTable): Promise<string[]> {
  const scope = JSON.parse(task.scope) as string[];
  if (scope.length === 0) return [];
  const busy = await listTasks(context.store.db, context.constellation, { states: ["in_progress", "ready"] });
  const tasks = busy.flatMap((other) => {
    const shared = other.number === task.number ? [] : scopeOverlap(scope, JSON.parse(other.scope) as string[]);
    return shared.length === 0 ? [] : [`task ${other.number} works on ${shared.join(", ")} too`];
  });
  const findings = (await listFindings(context, { all: false, limit: 500 })).findings.flatMap(({ title, files }) => {
    const shared = scopeOverlap(scope, files);
    return shared.length === 0 ? [] : [`an open finding is about ${shared.join(", ")}: ${title}`];
  });
  return [...tasks, ...findings];
}
