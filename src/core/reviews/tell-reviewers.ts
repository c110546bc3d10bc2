// One round of reviews: whoever reviewed a task is asked again when other commits are ready, and agents that were asked are told, each once.
// Safe to run twice: a message has its review's id, and putting the same one again is one message to the agent.

import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import { isWorkingAgent } from "../../protocol/agent-id.ts";
import type { ReviewsTable } from "../../store/tables/tasks.ts";
import { signedRow } from "../signed-row.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { insertReview, readyHead } from "./ask.ts";
import { reviewPacket } from "./packet.ts";
import { findReview, reviewedTasks, reviewsOf, taskWithSpaces, untoldReviews, updateReview } from "./reviews.sql.ts";
import { whoWorked } from "./who-worked.ts";
import { askingText } from "./words.ts";

export async function reviewsRound(context: TaskContext, log: (line: string) => void): Promise<void> {
  const { store, constellation } = context;
  for (const task of await reviewedTasks(store.db, constellation)) await askAgain(context, task);
  for (const row of await untoldReviews(store.db, constellation)) {
    if (!isWorkingAgent(row.reviewer)) continue;
    try {
      await tell(context, row);
    } catch (cause) {
      if (cause instanceof Refusal) await withdraw(context, row, messageOf(cause));
      else if (!(cause instanceof Outage)) throw cause;
      log(`telling ${row.reviewer} of review ${row.id}: ${messageOf(cause)}`);
    }
  }
}

/** Those who answered about what was ready last are asked about what is ready now. */
async function askAgain(context: TaskContext, number: number): Promise<void> {
  const { store, constellation } = context;
  await store.write(async (tx) => {
    const about = await taskWithSpaces(tx.db, constellation, number);
    if (about.task.state !== "ready") return;
    const rows = await reviewsOf(tx.db, constellation, number);
    const last = rows.at(-1);
    const head = readyHead(about);
    if (last === undefined || rows.some((row) => row.head === head.name)) return;
    const worked = await whoWorked(tx.db, constellation, about);
    const before = rows.filter((row) => row.head === last.head && row.state !== "withdrawn");
    for (const reviewer of new Set(before.map((row) => row.reviewer)))
      if (!worked.has(reviewer)) await insertReview(context, tx, { task: number, head, reviewer, by: last.asked_by });
  });
}

async function tell(context: TaskContext, review: ReviewsTable): Promise<void> {
  const { store, machine, constellation } = context;
  const { deliver } = machine;
  if (deliver === undefined) throw new Refusal("task.no-agents", "no agents can be asked here");
  const packet = await reviewPacket(context, { task: review.task });
  const text = askingText({
    review,
    packet,
    program: deliver.program,
    byTool: deliver.hasOnlyTools(review.reviewer),
    carries: (words) => deliver.carries(words),
  });
  // Between the reading and now other commits may have been called ready.
  const now = await findReview(store.db, constellation, review.id);
  if (now === undefined || now.state !== "asked" || now.stale_ms !== null) return;
  if (packet.verdict.head !== review.head) return;
  deliver.put({ id: review.id, to: review.reviewer, kind: "review", task: review.task, text });
  machine.step("review.put");
  await store.write((tx) => updateReview(tx.db, review.id, { told_ms: tx.nowMs }));
}

async function withdraw(context: TaskContext, { id }: ReviewsTable, why: string): Promise<void> {
  const { store, constellation } = context;
  await store.write(async (tx) => {
    const row = await findReview(tx.db, constellation, id);
    if (row === undefined || row.state !== "asked") return;
    await updateReview(
      tx.db,
      id,
      signedRow<ReviewsTable>(tx, context, "review", { ...row, state: "withdrawn", text: why }),
    );
    const data = { task: row.task, reviewer: row.reviewer, reason: why };
    await tx.record({ type: "review.withdrawn", subject: `review:${id}`, actor: context.actor, data });
  });
}
