// Finds the origin of a repository, as we noted it when a workspace of it was made. A workspace's own configuration can be written by its
// agent.

import type { ReadContext } from "../../context.ts";
import { observedClones } from "../../worktrees/list.ts";
import { workspacesOf } from "./workspaces.sql.ts";

/** undefined where no workspace of it is observed. */
export async function recordedOrigin(context: ReadContext, repository: string): Promise<string | undefined> {
  const { db, constellation } = context.store;
  const spaces = await workspacesOf(db, constellation);
  if (spaces.length === 0) return undefined;
  const paths = new Set((await observedClones(context)).get(repository));
  return spaces.findLast(({ path }) => paths.has(path))?.origin;
}
