// The workspaces of a task whose work can land. Pure.

import type { WorkspacesTable } from "../../../store/tables/tasks.ts";

/** Those that stand, and for each name that has none the newest that somebody deleted and of which something was kept. */
export function landableOf(spaces: readonly WorkspacesTable[]): WorkspacesTable[] {
  const standing = spaces.filter(({ state }) => state === "ready");
  const isGone = (one: WorkspacesTable): boolean =>
    one.state === "removed" && one.rescue === null && one.kept_ms !== null;
  const gone = new Map(spaces.filter(isGone).map((one) => [one.name, one]));
  for (const { name } of spaces.filter(({ state }) => state !== "removed")) gone.delete(name);
  return [...standing, ...gone.values()];
}
