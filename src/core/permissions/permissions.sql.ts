// What the judgement of a request asks of the database.

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
