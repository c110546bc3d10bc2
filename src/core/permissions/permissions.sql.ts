// Holds the database queries for judging a request.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";

/** The newest open assignment of an agent, with the workspaces that stand. */
export async function workInHand(
  db: Kysely<Tables>,
  constellation: string,
  agent: string,
): Promise<{ task: number | null; workspaces: { path: string; branch: string }[] }> {
  const row = await db
    .selectFrom("dispatches")
    .select("task")
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("ended_ms", "is", null)
    .orderBy("asked_ms", "desc")
    .executeTakeFirst();
  if (row === undefined) return { task: null, workspaces: [] };
  const workspaces = await db
    .selectFrom("workspaces")
    .select(["path", "branch"])
    .where("constellation", "=", constellation)
    .where("task", "=", row.task)
    .where("state", "=", "ready")
    .orderBy("name")
    .execute();
  return { task: row.task, workspaces };
}

/** The same of every agent that has one, in two questions. */
export async function allWorkInHand(
  db: Kysely<Tables>,
  constellation: string,
): Promise<Map<string, { task: number; workspaces: { path: string; branch: string }[] }>> {
  const open = await db
    .selectFrom("dispatches")
    .select(["agent", "task"])
    .where("constellation", "=", constellation)
    .where("agent", "is not", null)
    .where("ended_ms", "is", null)
    .orderBy("asked_ms", "asc")
    .execute();
  // The newest comes last and stays.
  const found = new Map(
    open.map(({ agent, task }) => [agent ?? "", { task, workspaces: [] as { path: string; branch: string }[] }]),
  );
  if (found.size === 0) return found;
  const ready = await db
    .selectFrom("workspaces")
    .select(["path", "branch", "task"])
    .where("constellation", "=", constellation)
    .where("state", "=", "ready")
    .orderBy("name")
    .execute();
  for (const work of found.values())
    work.workspaces.push(
      ...ready.filter(({ task }) => task === work.task).map(({ path, branch }) => ({ path, branch })),
    );
  return found;
}
