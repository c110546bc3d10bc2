// Work that a review sent back: which task, because of which review, and in which words its agent is told.

import type { Tx } from "../../store/group-commit.ts";
import type { ReviewsTable } from "../../store/tables/tasks.ts";
import type { ReadContext } from "../context.ts";
import { findReview, reviewedTasks } from "./reviews.sql.ts";
import { verdictOf } from "./verdict.ts";
import { changesFile } from "./words.ts";

export interface WantedChange {
  readonly task: number;
  readonly review: string;
  readonly answeredMs: number;
  /** One line that says why, for the task itself. */
  readonly reason: string;
}

/** Tasks whose ready commits are to be changed, as the last answer says. */
export async function wantedChanges(context: Pick<ReadContext, "store" | "audit">): Promise<WantedChange[]> {
  const { db, constellation } = context.store;
  const found: WantedChange[] = [];
  for (const task of await reviewedTasks(db, constellation)) {
    const { verdict, review, reviewer, text, answered_ms: answeredMs } = await verdictOf(context, task);
    if (verdict !== "changes" || review === null) continue;
    const first = text?.split("\n")[0]?.slice(0, 300) ?? "";
    const reason = `${reviewer} asks for changes${first === "" ? "" : `: ${first}`}`;
    found.push({ task, review, answeredMs: answeredMs ?? 0, reason });
  }
  return found;
}

export const isReviewId = (about: string): boolean => about.startsWith("rvw_");

/** Undefined when there is no such review. */
export async function changesText(
  { db, constellation }: { readonly db: Tx["db"]; readonly constellation: string },
  task: { readonly number: number; readonly title: string },
  id: string,
): Promise<string | undefined> {
  const row: ReviewsTable | undefined = await findReview(db, constellation, id);
  return row === undefined ? undefined : changesFile({ task: task.number, title: task.title }, row);
}
