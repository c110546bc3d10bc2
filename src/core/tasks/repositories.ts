// The repositories a task is about: usually one, with the workspace `repo`; of several, each has a workspace of its own that is
// called like it, and the task's branch has the same name in all.

import type { TasksTable } from "../../store/tables/tasks.ts";
import { slugOf } from "./names.ts";

export interface TaskRepository {
  /** The workspace's name; undefined for the only one. */
  readonly name: string | undefined;
  readonly repository: string;
}

export function repositoriesOf(
  task: Pick<TasksTable, "repository" | "repositories" | "root">,
): readonly [TaskRepository, ...TaskRepository[]] {
  const all = JSON.parse(task.repositories) as string[];
  const only = { name: undefined, repository: task.repository ?? task.root };
  const taken = new Set<string>();
  const [first = only, ...rest] = all.map((repository) => {
    const plain = slugOf(
      repository
        .replace(/\/+$/, "")
        .split("/")
        .at(-1)
        ?.replace(/\.git$/, "") ?? "",
    );
    let name = plain;
    for (let more = 2; taken.has(name); more += 1) name = `${plain}-${more}`;
    taken.add(name);
    return { name, repository };
  });
  return [first, ...rest];
}

/** As the columns hold them. Naming one twice is naming it once. */
export function repositoryColumns(repositories: readonly string[]): Pick<TasksTable, "repository" | "repositories"> {
  const all = [...new Set(repositories)];
  return { repository: all[0] ?? null, repositories: JSON.stringify(all.length > 1 ? all : []) };
}
