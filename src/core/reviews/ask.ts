// Asking for a review. The row is the request; the reviewer is told by a later round (tell-reviewers.ts).

import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { askReview } from "../../protocol/operations/reviews.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { ReviewsTable } from "../../store/tables/tasks.ts";
import type { Context } from "../context.ts";
import { signedRow } from "../signed-row.ts";
import { noteReview } from "../tasks/note-review.ts";
import { type Head, headOf } from "./head.ts";
import { askedOf, capableAgents, isAgent, reviewsOf, type TaskWithSpaces, taskWithSpaces } from "./reviews.sql.ts";
import { whoWorked } from "./who-worked.ts";

export async function askForReview(
  context: Context,
  input: ParsedInputOf<typeof askReview>,
): Promise<OutputOf<typeof askReview>> {
  const { store, constellation, actor } = context;
  return await store.write(async (tx) => {
    const about = await taskWithSpaces(tx.db, constellation, input.task);
    const head = readyHead(about);
    const reviewer = await reviewerFor(context, tx, about, input);
    const known = (await reviewsOf(tx.db, constellation, input.task)).find(
      (row) => row.head === head.name && row.reviewer === reviewer && row.state === "asked",
    );
    const row =
      known ?? (await insertReview(context, tx, { task: input.task, head, reviewer, by: actor, note: input.note }));
    return { id: row.id, task: input.task, reviewer, head: head.name, state: row.state };
  });
}

/** Refused unless its work is ready, or came back after it was. */
export function readyHead({ task, spaces }: TaskWithSpaces): Head {
  if (task.state !== "ready" && task.state !== "needs_review")
    throw new Refusal("task.not-allowed", `task ${task.number} is ${task.state}; only what is ready can be reviewed`, {
      task: task.number,
      state: task.state,
    });
  const head = headOf(task, spaces);
  if (head !== undefined) return head;
  throw new Refusal("review.nothing-ready", `task ${task.number} has no commits that were called ready`, {
    task: task.number,
  });
}

export interface NewReview {
  readonly task: number;
  readonly head: Head;
  readonly reviewer: string;
  readonly by: string;
  readonly note?: string | undefined;
}

/** Inside a job. */
export async function insertReview(context: Context, tx: Tx, about: NewReview): Promise<ReviewsTable> {
  const { constellation, random } = context;
  const { task, head, reviewer, by, note } = about;
  const row = signedRow<ReviewsTable>(tx, context, "review", {
    id: makeId("rvw", tx.nowMs, random.bytes(10)),
    constellation,
    task,
    head: head.name,
    works: JSON.stringify(head.works),
    reviewer,
    state: "asked",
    asked_by: by,
    asked_ms: tx.nowMs,
    note: note ?? null,
    told_ms: null,
    stale_ms: null,
    answered_ms: null,
    text: null,
    comments: "[]",
    signature: null,
  });
  await tx.insert("task_reviews", row);
  const data = { task, reviewer, head: head.name };
  await tx.record({ type: "review.asked", subject: `review:${row.id}`, actor: by, data });
  await noteReview(context, tx, task, { type: "review_asked", data: { reviewer, head: head.name } });
  return row;
}

type Wish = ParsedInputOf<typeof askReview>;

async function reviewerFor(context: Context, tx: Tx, about: TaskWithSpaces, wish: Wish): Promise<string> {
  const { constellation, actor } = context;
  const worked = await whoWorked(tx.db, constellation, about);
  const { number } = about.task;
  if (wish.capability !== undefined && wish.by === undefined) {
    const able = await capableAgents(tx.db, constellation, wish.capability);
    const free = await leastAsked(
      context,
      tx,
      able.filter(({ agent, seen }) => !worked.has(agent) && seen !== "dead"),
    );
    if (free !== undefined) return free;
    const why =
      able.length === 0
        ? `no agent that is up has the capability ${JSON.stringify(wish.capability)}`
        : "everybody with this capability worked on it, or is down";
    throw new Refusal("review.nobody", `nobody can review task ${number}: ${why}`, { task: number });
  }
  const reviewer = wish.by ?? actor;
  refuseOwnWork(number, reviewer, worked);
  if (wish.by !== undefined && !(await isAgent(tx.db, constellation, wish.by)))
    throw new Refusal("review.nobody", `there is no agent ${wish.by}`, { task: number, agent: wish.by });
  return reviewer;
}

export function refuseOwnWork(task: number, reviewer: string, worked: ReadonlyMap<string, string>): void {
  const why = worked.get(reviewer);
  if (why === undefined) return;
  const who = reviewer === "owner" ? "you" : reviewer;
  throw new Refusal("review.own-work", `${who} cannot review task ${task}: ${who} ${why}`, {
    task,
    reviewer,
    why,
  });
}

/** An idle one before others, and whoever has fewer reviews to do. */
async function leastAsked(
  { constellation }: Context,
  tx: Tx,
  able: readonly { readonly agent: string; readonly seen: string }[],
): Promise<string | undefined> {
  const asked = await askedOf(tx.db, constellation);
  const weight = ({ agent, seen }: (typeof able)[number]): number =>
    (asked.get(agent) ?? 0) * 2 + (seen === "idle" ? 0 : 1);
  return [...able].sort((a, b) => weight(a) - weight(b) || (a.agent < b.agent ? -1 : 1))[0]?.agent;
}
