// The head of a task: the commits that were called ready, by one name. Of one workspace it is the commit itself; of several, a digest of all.

import { createHash } from "node:crypto";
import { landableOf } from "../tasks/landing/landable.ts";
import type { TasksTable, WorkspacesTable } from "../../store/tables/tasks.ts";
import type { ReadyWork } from "./review.ts";

export interface Head {
  readonly name: string;
  readonly works: readonly ReadyWork[];
}

/** Undefined while nothing is ready. */
export function headOf(task: Pick<TasksTable, "ready_sha">, spaces: readonly WorkspacesTable[]): Head | undefined {
  const landable = landableOf(spaces);
  const works: ReadyWork[] = landable.flatMap(({ id, name, ready_sha: commit }) =>
    commit === null ? [] : [{ workspace: id, name, commit }],
  );
  if (landable.length === 0 && task.ready_sha !== null)
    works.push({ workspace: null, name: "", commit: task.ready_sha });
  const [first, ...more] = works;
  if (first === undefined) return undefined;
  return { name: more.length === 0 ? first.commit : digestOf(works), works };
}

function digestOf(works: readonly ReadyWork[]): string {
  const lines = works.map(({ name, commit }) => `${name} ${commit}\n`).sort();
  return createHash("sha256").update(lines.join("")).digest("hex").slice(0, 40);
}
