// Answering a review. Who answers is the one that the daemon knows to ask, never a name in the input; the answer is about the commits that
// were read, and is refused when others are ready meanwhile. What asks for changes goes back to the task's agent by a later round
// (core/tasks/assigning/send-back.ts).

import { Refusal } from "../../protocol/errors.ts";
import type { answerReview } from "../../protocol/operations/reviews.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { ReviewsTable } from "../../store/tables/tasks.ts";
import type { Context } from "../context.ts";
import { isBelieved, signedRow, standingOf } from "../signed-row.ts";
import { noteReview } from "../tasks/note-review.ts";
import { insertReview, readyHead, refuseOwnWork } from "./ask.ts";
import type { Head } from "./head.ts";
import { reviewsOf, taskWithSpaces, updateReview } from "./reviews.sql.ts";
import { isPerson } from "./rules.ts";
import { whoWorked } from "./who-worked.ts";

type Answer = ParsedInputOf<typeof answerReview>;

export async function answerForReview(context: Context, input: Answer): Promise<OutputOf<typeof answerReview>> {
  const { store, constellation, actor } = context;
  if (input.verdict === "changes" && input.text === "" && input.comments.length === 0)
    throw new Refusal("review.says-nothing", "a review that asks for changes says which", { task: input.task });
  return await store.write(async (tx) => {
    const about = await taskWithSpaces(tx.db, constellation, input.task);
    const head = readyHead(about);
    refuseOwnWork(input.task, actor, await whoWorked(tx.db, constellation, about));
    if (!head.name.startsWith(input.read)) throw stale(input, head);
    const row = await rowOf(context, tx, input.task, head);
    const answered = signedRow<ReviewsTable>(tx, context, "review", {
      ...row,
      state: input.verdict,
      answered_ms: tx.nowMs,
      text: input.text === "" ? null : input.text,
      comments: JSON.stringify(input.comments),
    });
    await updateReview(tx.db, row.id, answered);
    const { id } = row;
    const data = { task: input.task, reviewer: actor, verdict: input.verdict, head: head.name };
    await tx.record({ type: "review.answered", subject: `review:${id}`, actor, data });
    const told = { reviewer: actor, verdict: input.verdict, head: head.name, comments: input.comments.length };
    const words = input.text === "" ? {} : { text: input.text.slice(0, 300) };
    await noteReview(context, tx, input.task, { type: "reviewed", data: { ...told, ...words } });
    return { id, task: input.task, verdict: input.verdict, head: head.name };
  });
}

/** The review that was asked of whoever answers. A person needs not be asked. */
async function rowOf(context: Context, tx: Tx, task: number, head: Head): Promise<ReviewsTable> {
  const { constellation, actor, audit } = context;
  const asked = (await reviewsOf(tx.db, constellation, task)).filter(
    (row) => row.head === head.name && row.reviewer === actor && row.state !== "withdrawn",
  );
  const row = asked.find((one) => isBelieved(standingOf(audit?.verify, "review", one)));
  if (row !== undefined) return row;
  if (isPerson(actor)) return await insertReview(context, tx, { task, head, reviewer: actor, by: actor });
  throw new Refusal("review.not-asked", `${actor} was not asked to review task ${task}`, { task, agent: actor });
}

const stale = ({ task, read }: Answer, head: Head): Refusal =>
  new Refusal(
    "review.stale",
    `what was read (${read.slice(0, 12)}) is not what task ${task} has ready now (${head.name.slice(0, 12)})`,
    { task, read, head: head.name },
  );
