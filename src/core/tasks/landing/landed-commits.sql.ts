// Notes which commit of a branch became which on a target: written before each push, and the only thing that is asked about what
// landed earlier. An entry says what was to be pushed; whether the target has it is for the repository to say.

import type { Tx } from "../../../store/group-commit.ts";
import type { HarvestsTable } from "../../../store/tables/tasks.ts";
import type { ReadContext } from "../../context.ts";

type Where = Pick<HarvestsTable, "constellation" | "origin" | "target" | "task">;

/** By the branch's commit: all that it ever became, the last one last. */
export async function landedAs(
  { store }: ReadContext,
  { origin, target }: Pick<Where, "origin" | "target">,
  commits: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  // A database takes so many values at once.
  for (let at = 0; at < commits.length; at += 500) {
    const rows = await store.db
      .selectFrom("landed_commits")
      .select(["from_sha", "to_sha"])
      .where("origin", "=", origin)
      .where("target", "=", target ?? "main")
      .where("from_sha", "in", commits.slice(at, at + 500))
      .orderBy("at_ms")
      .execute();
    for (const { from_sha: from, to_sha: to } of rows) found.set(from, [...(found.get(from) ?? []), to]);
  }
  return found;
}

/** Inside a job. */
export async function noteLanded(
  tx: Tx,
  { constellation, origin, target, task }: Where,
  picks: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  for (const { from, to } of picks) {
    const row = { constellation, origin, target: target ?? "main", task, from_sha: from, to_sha: to, at_ms: tx.nowMs };
    await tx.db
      .insertInto("landed_commits")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The commits on a target that a task's work became, oldest first. */
export async function landedBy(
  { store }: ReadContext,
  { origin, target, task }: Pick<Where, "origin" | "target" | "task">,
): Promise<string[]> {
  const rows = await store.db
    .selectFrom("landed_commits")
    .select("to_sha")
    .distinct()
    .where("constellation", "=", store.constellation)
    .where("origin", "=", origin)
    .where("target", "=", target ?? "main")
    .where("task", "=", task)
    .execute();
  return rows.map(({ to_sha: sha }) => sha);
}
