// One look at a followed label: new issues become tasks, and what was closed or opened again there is heard. Bounded: so many new
// tasks at a time, so many open ones in all, so many single questions. What does not fit waits for the next look, and the row says so.

import type { Forge, ForgeIssue, ForgePlace } from "../../ports/forge.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { IssueFollowsTable } from "../../store/tables/issues.ts";
import { pullsOf } from "../pulls/queries.ts";
import { importInto } from "../tasks/create.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { cancelTask, changeTask } from "../tasks/update.ts";
import { issueKey, mostAtOnce, mostOpen } from "./issue.ts";
import { type FollowedTask, isTaken, tasksOfFollow, updateFollow, updateIssueTask } from "./issues.sql.ts";
import { directiveOf, priorityOf, titleOf } from "./text.ts";

export interface Look {
  readonly found: readonly ForgeIssue[];
  /** The tasks that were made. */
  readonly created: readonly number[];
  readonly waiting: number;
}

export async function lookAtFollow(
  context: TaskContext,
  follow: IssueFollowsTable,
  at: { readonly forge: Forge; readonly place: ForgePlace },
): Promise<Look> {
  const { store, constellation, machine } = context;
  const found = [...(await at.forge.issues({ label: follow.label, state: "open" }))].sort(
    (a, b) => a.number - b.number,
  );
  machine.step("issue.listed");
  const known = await tasksOfFollow(store.db, constellation, follow.id);
  const fresh = found.filter(({ number }) => !known.some(({ issue }) => issue === number));
  const open = known.filter(({ task_state: state }) => state !== "closed" && state !== "cancelled").length;
  const now = fresh.slice(0, Math.max(0, Math.min(mostAtOnce, mostOpen - open)));
  const created = await takeIn(context, follow, at.place, now);
  machine.step("issue.taken");
  await hear(context, at.forge, found, known);
  const waiting = fresh.length - now.length;
  await store.write((tx) =>
    updateFollow(tx, follow.id, {
      waiting,
      outages: 0,
      looked_ms: tx.nowMs,
      waits_for: open + now.length >= mostOpen && waiting > 0 ? `${mostOpen} of its tasks are open` : null,
      // What is left over is not left for a minute.
      retry_ms: waiting > 0 && now.length > 0 ? null : tx.nowMs + lookEveryMs,
    }),
  );
  return { found, created, waiting };
}

const lookEveryMs = 60_000;

/** In one transaction: killed in it, none of them is there; after it, the next look finds them known. */
async function takeIn(
  context: TaskContext,
  { id: follow, root, repository }: IssueFollowsTable,
  place: ForgePlace,
  issues: readonly ForgeIssue[],
): Promise<number[]> {
  if (issues.length === 0) return [];
  const { constellation } = context;
  return await context.store.write(async (tx) => {
    const created: number[] = [];
    for (const issue of issues) {
      if (await isTaken(tx, { constellation, follow, issue: issue.number })) continue;
      const made = await importInto(context, tx, {
        root,
        repository: repository ?? undefined,
        task: taskOf(context, place, issue),
      });
      if (made.isNew) created.push(made.number);
      await tx.insert("issue_tasks", {
        constellation,
        follow,
        issue: issue.number,
        task: made.number,
        url: issue.url,
        author: issue.author.slice(0, 200),
        state: "open",
        told: null,
        seen_ms: 0,
        outages: 0,
        retry_ms: null,
        problem: null,
        created_ms: tx.nowMs,
      });
    }
    return created;
  });
}

export const taskOf = ({ machine }: Pick<TaskContext, "machine">, place: ForgePlace, issue: ForgeIssue) => ({
  key: issueKey(place, issue.number),
  title: machine.hasSecrets(issue.title) ? `Issue ${issue.number}` : titleOf(issue),
  directive: directiveOf(issue, place.repository, machine.hasSecrets),
  priority: priorityOf(issue),
});

/** An issue that is not on the list any more was closed, or has lost its label; one that is there again was opened again. */
async function hear(
  context: TaskContext,
  forge: Forge,
  found: readonly ForgeIssue[],
  known: readonly FollowedTask[],
): Promise<void> {
  const listed = new Set(found.map(({ number }) => number));
  let asked = 0;
  for (const row of known) {
    if (listed.has(row.issue)) {
      if (row.state !== "open") await openedAgain(context, row);
      continue;
    }
    if (row.state === "closing") await closed(context, row);
    if (row.state !== "open" || asked >= mostAtOnce) continue;
    asked += 1;
    const issue = await forge.issue(row.issue);
    if (issue?.state === "closed") await closed(context, row);
    else await context.store.write((tx) => updateIssueTask(tx, row, { state: "gone" }));
  }
}

/** Work that is on its way to landing is let finish; else the task ends with its issue. */
async function closed(context: TaskContext, row: FollowedTask): Promise<void> {
  const state = row.task_state;
  const pulls = await pullsOf(context, row.task);
  const isLanding = state === "ready" || pulls.some((one) => one.ended_ms === null);
  const isOver = state === "closed" || state === "cancelled" || state === "taken_back";
  if (!isOver && isLanding) {
    if (row.state !== "closing") await context.store.write((tx) => updateIssueTask(tx, row, { state: "closing" }));
    return;
  }
  if (!isOver) {
    try {
      await cancelTask(context, { task: row.task, reason: reasonOf(row) });
    } catch (cause) {
      // It has just moved on; the next look sees where to.
      if (!(cause instanceof Refusal)) throw cause;
      return;
    }
  }
  await context.store.write((tx) => updateIssueTask(tx, row, { state: "closed" }));
}

async function openedAgain(context: TaskContext, row: FollowedTask): Promise<void> {
  if (row.task_state === "cancelled" && row.task_reason === reasonOf(row))
    await changeTask(context, { task: row.task, move: "reopen" });
  await context.store.write((tx) => updateIssueTask(tx, row, { state: "open" }));
}

const reasonOf = ({ issue, url }: Pick<FollowedTask, "issue" | "url">): string =>
  `its issue ${url === "" ? issue : url} was closed`;
