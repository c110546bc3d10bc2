// The verdict on what a task has ready now, and why work is held for want of one. Landing asks here, by push and by pull request alike.

import type { OutputOf } from "../../protocol/operation.ts";
import type { showReview } from "../../protocol/operations/reviews.ts";
import type { ReviewsTable } from "../../store/tables/tasks.ts";
import type { ReadContext } from "../context.ts";
import { isBelieved, standingOf } from "../signed-row.ts";
import { headOf } from "./head.ts";
import type { ReadyWork } from "./review.ts";
import { reviewsOf, taskWithSpaces } from "./reviews.sql.ts";
import { countVerdicts } from "./rules.ts";

export type HeadVerdict = OutputOf<typeof showReview>["verdict"];

type Reading = Pick<ReadContext, "store" | "audit">;

/** The verdict on the commits that are ready now. */
export async function verdictOf({ store, audit }: Reading, number: number): Promise<HeadVerdict> {
  const { db, constellation } = store;
  const { task, spaces } = await taskWithSpaces(db, constellation, number);
  const head = headOf(task, spaces);
  const rows = believed(await reviewsOf(db, constellation, number), audit);
  return said(rows, (row) => row.head === head?.name, head?.name ?? null);
}

/** A commit that is about to land, and the workspace it is from. */
export type Landing = Pick<ReadyWork, "workspace" | "commit">;

/** The reason why this commit of a task may not land without a review, in words. Undefined when it was approved. */
export async function whyUnreviewed(
  { store, audit }: Reading,
  number: number,
  landing: Landing,
): Promise<string | undefined> {
  const rows = believed(await reviewsOf(store.db, store.constellation, number), audit);
  const isOfIt = (row: ReviewsTable): boolean => isAbout(row, landing);
  const { verdict, reviewer, text } = said(rows, isOfIt, landing.commit);
  if (verdict === "approved") return undefined;
  return `${heldForReview}: ${reasons[verdict](reviewer ?? "", text ?? "", landing.commit.slice(0, 12))}`;
}

const answers: Readonly<Record<string, string>> = { approved: "approves", changes: "asks for changes" };

/** The reviewers' answers about exactly these commits, as sentences, the first first. */
export async function reviewWords({ store, audit }: Reading, number: number, landing: Landing): Promise<string[]> {
  const rows = believed(await reviewsOf(store.db, store.constellation, number), audit);
  return rows
    .filter((row) => isAbout(row, landing))
    .flatMap(({ reviewer, state, text }) => {
      const says = answers[state];
      return says === undefined ? [] : `${reviewer} ${says}${text === null || text === "" ? "" : `: ${text}`}`;
    });
}

function isAbout({ works }: ReviewsTable, { workspace, commit }: Landing): boolean {
  return (JSON.parse(works) as ReadyWork[]).some((one) => one.workspace === workspace && one.commit === commit);
}

/** The beginning of every reason that says so. */
export const heldForReview = "it is held for review";

const reasons: Readonly<
  Record<Exclude<HeadVerdict["verdict"], "approved">, (who: string, text: string, commit: string) => string>
> = {
  none: (_, __, commit) => `nobody has reviewed ${commit}`,
  waiting: (who, _, commit) => `${who} has not answered about ${commit}`,
  stale: (who, _, commit) => `${who} reviewed earlier commits, and nobody has reviewed ${commit}`,
  changes: (who, text) => `${who} asks for changes${text === "" ? "" : `: ${text.split("\n")[0]?.slice(0, 300)}`}`,
};

/** Rows that constel wrote: an agent that reaches the database's file signs nothing. */
const believed = (rows: readonly ReviewsTable[], audit: ReadContext["audit"]): ReviewsTable[] =>
  rows.filter((row) => isBelieved(standingOf(audit?.verify, "review", row)));

function said(
  rows: readonly ReviewsTable[],
  isOfHead: (row: ReviewsTable) => boolean,
  head: string | null,
): HeadVerdict {
  const { verdict, row } = countVerdicts(rows.filter(isOfHead));
  const about = (one: ReviewsTable | undefined) => ({
    head,
    review: one?.id ?? null,
    reviewer: one?.reviewer ?? null,
    text: one?.text ?? null,
    answered_ms: one?.answered_ms ?? null,
  });
  if (verdict !== "none") return { verdict, ...about(row) };
  const earlier = countVerdicts(rows.filter((one) => !isOfHead(one)));
  if (earlier.verdict === "approved" || earlier.verdict === "changes")
    return { verdict: "stale", ...about(earlier.row) };
  return { verdict: "none", ...about(undefined) };
}
