// Title and body of a pull request, from what is known of its task now: its words, what it had to show, the gate, who has reviewed it
// and what it collides with. What looks like a secret goes to no forge.

import type { PullRequestsTable } from "../../store/tables/pulls.ts";
import { listFindings } from "../findings/queries.ts";
import { issuesOf } from "../issues/follows.ts";
import { reviewWords } from "../reviews/verdict.ts";
import type { TaskOfPull } from "../tasks/for-pulls.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { pullBody, pullTitle, type PullWords } from "./text.ts";

export interface PullText {
  readonly title: string;
  readonly body: string;
}

const mostFindings = 20;

export async function textOfPull(context: TaskContext, row: PullRequestsTable, of: TaskOfPull): Promise<PullText> {
  const words = await wordsOf(context, row, of);
  const { hasSecrets } = context.machine;
  const title = hasSecrets(words.title) ? `Task ${words.task}` : pullTitle(words);
  const body = pullBody(words);
  const bare = { directive: "", brief: "", evidence: null, criteria: [], reviews: [], findings: [], notes: [] };
  return { title, body: hasSecrets(body) ? pullBody({ ...words, ...bare }) : body };
}

async function wordsOf(
  context: TaskContext,
  row: PullRequestsTable,
  { task, brief, criteria, gate, notes, workspace }: TaskOfPull,
): Promise<PullWords> {
  const { number, title, directive, evidence } = task;
  const { findings } = await listFindings(context, { all: false, limit: 1_000 });
  const path = workspace?.path;
  const mine = findings.filter(
    ({ state, ours, theirs }) =>
      state === "open" && path !== undefined && (ours.worktree === path || theirs.worktree === path),
  );
  return {
    task: number,
    title,
    directive,
    brief,
    evidence,
    criteria,
    gate,
    notes,
    reviews: await reviewWords(context, number, { workspace: row.workspace, commit: row.source_sha }),
    findings: mine.slice(0, mostFindings).map((one) => one.title),
    onTask: row.on_task,
    issues: await issuesOf(context, context.machine.forges, row),
  };
}
