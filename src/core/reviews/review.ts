// A review: one reading of what a task made ready, by somebody who did not do it. Its answer counts for the commits that were read and
// for no others, so a new commit needs a new reading.
//
//   asked ──► approved      (may land, where a review is required)
//     │  └──► changes       (goes back to the task's agent, as one message)
//     └─────► withdrawn     (could not be given to the reviewer)
//
// A reviewer may answer again for the same commits; the last answer counts. What counts is asked in `verdictOf` (verdict.ts); a row that
// constel did not sign counts for nothing.

import type { OutputOf } from "../../protocol/operation.ts";
import type { showReview } from "../../protocol/operations/reviews.ts";
import type { ReviewsTable } from "../../store/tables/tasks.ts";
import type { ReadContext } from "../context.ts";
import { standingOf } from "../signed-row.ts";

export type Packet = OutputOf<typeof showReview>;
export type Review = Packet["reviews"][number];
export type Comment = Review["comments"][number];

/** One commit that lies in a workspace; without one it was pushed by somebody. */
export interface ReadyWork {
  readonly workspace: string | null;
  readonly name: string;
  readonly commit: string;
}

/** As everybody is shown it. `head`: of what is ready now. */
export function reviewOf(row: ReviewsTable, head: string | undefined, { audit }: Pick<ReadContext, "audit">): Review {
  const { constellation: _, works: __, stale_ms: ___, comments, ...rest } = row;
  return {
    ...rest,
    state: row.state as Review["state"],
    stale: row.head !== head,
    comments: JSON.parse(comments) as Comment[],
    signature: standingOf(audit?.verify, "review", row),
  };
}
