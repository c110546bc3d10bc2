// Reviews as lists: those that wait, or all of a task.

import type { listReviews } from "../../protocol/operations/reviews.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { ReadContext } from "../context.ts";
import { headOf } from "./head.ts";
import { type Review, reviewOf } from "./review.ts";
import { listedReviews, reviewsOf, taskWithSpaces } from "./reviews.sql.ts";

export async function reviewList(
  context: ReadContext,
  { task, reviewer, all, limit }: ParsedInputOf<typeof listReviews>,
): Promise<OutputOf<typeof listReviews>> {
  const { db, constellation } = context.store;
  const rows = await listedReviews(db, constellation, { task, reviewer, open: !all });
  const reviews: Review[] = [];
  for (const row of rows.slice(0, limit)) reviews.push(reviewOf(row, await headNow(context, row.task), context));
  return { total: rows.length, reviews };
}

/** Oldest first. */
export async function reviewsOfTask(context: ReadContext, task: number): Promise<Review[]> {
  const { db, constellation } = context.store;
  const head = await headNow(context, task);
  return (await reviewsOf(db, constellation, task)).map((row) => reviewOf(row, head, context));
}

async function headNow({ store: { db, constellation } }: ReadContext, number: number): Promise<string | undefined> {
  const { task, spaces } = await taskWithSpaces(db, constellation, number);
  return headOf(task, spaces)?.name;
}
