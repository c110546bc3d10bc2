// The repository that a new task is about when none is named: the one that its author stands in.

import { join } from "node:path";
import { inRoot } from "../../../settings/paths.ts";
import type { CliContext } from "../context.ts";
import { repositoryAround } from "./repository-around.ts";

/** Undefined in the root directory, which a task is about anyway, and in an agent's workspace, which is a copy of some other repository. */
export function repositoryHere({ cwd, places }: Pick<CliContext, "cwd" | "places">): string | undefined {
  const workspaces = join(places.root, inRoot.workspaces);
  if (cwd === workspaces || cwd.startsWith(`${workspaces}/`)) return undefined;
  const here = repositoryAround(cwd);
  return here === places.root ? undefined : here;
}
