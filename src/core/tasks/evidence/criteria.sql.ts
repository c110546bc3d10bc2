// Acceptance criteria in the database.

import type { Kysely } from "kysely";
import { Refusal } from "../../../protocol/errors.ts";
import type { Tx } from "../../../store/group-commit.ts";
import type { Tables } from "../../../store/tables.ts";
import type { TaskCriteriaTable } from "../../../store/tables/tasks.ts";
import type { Criterion } from "../../../protocol/acceptance.ts";
import type { NewCriterion } from "./criteria.ts";

type Db = Kysely<Tables>;

export async function criteriaOf(db: Db, constellation: string, task: number): Promise<TaskCriteriaTable[]> {
  return await db
    .selectFrom("task_criteria")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .orderBy("place")
    .execute();
}

/** Inside a job: these, and none that were there before. */
export async function setCriteria(
  tx: Tx,
  { constellation, task }: { readonly constellation: string; readonly task: number },
  criteria: readonly NewCriterion[],
): Promise<void> {
  await tx.db.deleteFrom("task_criteria").where("constellation", "=", constellation).where("task", "=", task).execute();
  for (const [at, { kind, text }] of criteria.entries()) {
    const verdict = { state: "not-shown", commit_sha: null, detail: null, judged_by: null, judged_ms: null };
    await tx.insert("task_criteria", {
      constellation,
      task,
      place: at + 1,
      kind,
      text,
      ...verdict,
      created_ms: tx.nowMs,
    });
  }
}

/** Inside a job: new work is ready, and nothing has been shown of it yet. */
export async function forgetVerdicts(tx: Tx, constellation: string, task: number): Promise<void> {
  await tx.db
    .updateTable("task_criteria")
    .set({ state: "not-shown", commit_sha: null, detail: null, judged_by: null, judged_ms: null })
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .execute();
}

export interface Verdict {
  readonly task: number;
  readonly place: number;
  readonly state: Criterion["state"];
  readonly by: string;
  readonly commit?: string | undefined;
  readonly detail?: string | undefined;
}

/** Inside a job. */
export async function judge(tx: Tx, constellation: string, verdict: Verdict): Promise<void> {
  const { task, place, state, by, commit, detail } = verdict;
  await tx.db
    .updateTable("task_criteria")
    .set({ state, judged_by: by, commit_sha: commit ?? null, detail: detail ?? null, judged_ms: tx.nowMs })
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .where("place", "=", place)
    .execute();
}

/** Inside a job: the word of a person on a sentence. A command is judged by being run. */
export async function judgeSentence(tx: Tx, constellation: string, verdict: Verdict): Promise<void> {
  const { task, place } = verdict;
  const rows = await criteriaOf(tx.db, constellation, task);
  const row = rows.find((one) => one.place === place);
  if (row?.kind === "sentence") return await judge(tx, constellation, verdict);
  const why =
    row === undefined ? `task ${task} has no acceptance criterion ${place}` : `criterion ${place} is a command`;
  throw new Refusal("task.no-criterion", why, { task, place, has: rows.length });
}
