// Where the work of a task begins. One that waits for another begins before that one has landed where it can stand on its work: a single
// other is left, and its pull request is open in the same repository. The branch of that pull request is then its beginning; harvest opens
// its own pull request on it, and moves that to the target when the other lands.

import type { PullRequestsTable } from "../../store/tables/pulls.ts";
import type { TasksTable } from "../../store/tables/tasks.ts";
import { openPullsOf } from "../pulls/propose.ts";
import type { TaskContext } from "./task-context.ts";
import { edgesOf, findTask } from "./tasks.sql.ts";

export interface Footing {
  /** The tasks that must land before it can begin. */
  readonly waiting: number[];
  /** The pull request that it begins on. */
  readonly onto: Pick<PullRequestsTable, "task" | "branch" | "target"> | undefined;
}

export async function footingOf(context: TaskContext, task: TasksTable): Promise<Footing> {
  const left = await notLanded(context, task.number);
  const [other] = left;
  const onto = other === undefined || left.length > 1 ? undefined : await openBelow(context, task, other);
  return { waiting: onto === undefined ? left.map(({ number }) => number) : [], onto };
}

async function notLanded({ store, constellation }: TaskContext, number: number): Promise<TasksTable[]> {
  const left: TasksTable[] = [];
  for (const { task, after } of await edgesOf(store.db, constellation)) {
    if (task !== number) continue;
    const other = await findTask(store.db, constellation, after);
    if (other.state !== "closed" && other.state !== "cancelled") left.push(other);
  }
  return left;
}

async function openBelow(context: TaskContext, task: TasksTable, other: TasksTable): Promise<Footing["onto"]> {
  // Of several repositories each would have a footing of its own; and one that pushes to the target cannot land before the other does.
  if (task.land_by === "push" || task.repositories !== "[]" || other.repositories !== "[]") return undefined;
  const { identityOf } = context.machine;
  const [mine, theirs] = await Promise.all([task, other].map((one) => identityOf(one.repository ?? one.root)));
  if (mine === undefined || mine !== theirs) return undefined;
  const open = await openPullsOf(context.store.db, context.constellation, other.number);
  return open.find(({ opened_ms: openedMs, target }) => openedMs !== null && target === (task.target ?? target));
}
