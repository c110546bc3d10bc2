// What a reviewer reads: what was asked and what must be shown, the commits that are ready as they would land, and what is open about them.
// The commits are read in a repository of constel's own, each object checked: the workspace is its agent's, and could show one thing and
// land another.

import { Refusal } from "../../protocol/errors.ts";
import type { showReview } from "../../protocol/operations/reviews.ts";
import type { ParsedInputOf } from "../../protocol/operation.ts";
import type { TasksTable, WorkspacesTable } from "../../store/tables/tasks.ts";
import { listFindings } from "../findings/queries.ts";
import { showTask } from "../tasks/queries.ts";
import { keptOf } from "../tasks/landing/ready-refs.ts";
import { readPatch } from "../tasks/evidence/read-patch.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { headOf } from "./head.ts";
import { reviewsOfTask } from "./list.ts";
import type { Packet, ReadyWork } from "./review.ts";
import { taskWithSpaces } from "./reviews.sql.ts";
import { verdictOf } from "./verdict.ts";

const mostFindings = 50;

export async function reviewPacket(context: TaskContext, input: ParsedInputOf<typeof showReview>): Promise<Packet> {
  const { db, constellation } = context.store;
  const { task, spaces } = await taskWithSpaces(db, constellation, input.task);
  const head = headOf(task, spaces);
  if (head === undefined)
    throw new Refusal("review.nothing-ready", `task ${task.number} has no commits that were called ready`, {
      task: task.number,
    });
  const { criteria } = await showTask(context, { task: task.number });
  const works: Packet["works"] = [];
  for (const work of head.works)
    works.push(
      await readWork(
        context,
        task,
        work,
        spaces.find(({ id }) => id === work.workspace),
      ),
    );
  return {
    task: task.number,
    title: task.title,
    directive: task.directive,
    brief: briefOf(context, task),
    state: task.state,
    agent: task.agent,
    evidence: task.evidence,
    criteria,
    verdict: await verdictOf(context, task.number),
    works,
    findings: await findingsIn(context, spaces),
    reviews: await reviewsOfTask(context, task.number),
  };
}

/** The commits that are ready, each with its diff as git writes it. */
export async function readyPatches(
  context: TaskContext,
  number: number,
): Promise<{ readonly name: string; readonly commit: string; readonly patch: string }[]> {
  const { db, constellation } = context.store;
  const { task, spaces } = await taskWithSpaces(db, constellation, number);
  const patches = [];
  for (const { name, commit, workspace } of headOf(task, spaces)?.works ?? []) {
    const space = spaces.find(({ id }) => id === workspace);
    const { patch } = await readCommits(context, task, commit, space);
    patches.push({ name, commit, patch });
  }
  return patches;
}

/** A brief that is gone, or that cannot be shown, does not keep anybody from reading the work. */
function briefOf({ machine }: TaskContext, { brief, root }: TasksTable): string {
  if (brief === null) return "";
  try {
    return machine.readBrief(root, brief).text;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return `(${brief} cannot be shown: ${cause.message})`;
  }
}

async function readWork(
  context: TaskContext,
  task: TasksTable,
  { name, commit }: ReadyWork,
  space: WorkspacesTable | undefined,
): Promise<Packet["works"][number]> {
  const { tree, base, target, patch } = await readCommits(context, task, commit, space);
  return { name, commit, tree, base, target, files: readPatch(patch) };
}

async function readCommits(
  context: TaskContext,
  task: TasksTable,
  commit: string,
  space: WorkspacesTable | undefined,
): Promise<{ readonly tree: string; readonly base: string; readonly target: string; readonly patch: string }> {
  const { machine } = context;
  const facts = space === undefined ? await machine.workspaces.inspect(task.repository ?? task.root) : undefined;
  const target = space?.target ?? task.target ?? facts?.defaultTarget ?? "main";
  const read = await machine.grounds.read({
    origin: space?.origin ?? facts?.origin ?? "",
    source: space?.source ?? facts?.commonDirectory ?? "",
    target,
    task: task.number,
    branch: space?.branch ?? task.branch ?? "",
    commit,
    workspace: space?.state === "ready" ? space.path : undefined,
    kept: keptOf(context, space),
    base: space?.base_sha,
  });
  if (read.kind === "read") {
    const { tree, base, patch } = read;
    return { tree, base, target, patch };
  }
  const why = read.kind === "missing" ? "it is neither in a workspace nor at the origin" : read.why;
  throw new Refusal("review.unreadable", `${commit.slice(0, 12)} of task ${task.number} cannot be read: ${why}`, {
    task: task.number,
    commit,
  });
}

async function findingsIn(context: TaskContext, spaces: readonly WorkspacesTable[]): Promise<Packet["findings"]> {
  const paths = new Set(spaces.filter(({ state }) => state === "ready").map(({ path }) => path));
  const { findings } = await listFindings(context, { all: false, limit: 10_000 });
  return findings
    .filter(
      ({ ours, theirs, severity }) =>
        severity !== "context" && (paths.has(ours.worktree ?? "") || paths.has(theirs.worktree ?? "")),
    )
    .slice(0, mostFindings)
    .map(({ id, kind, severity, title, action }) => ({ id, kind, severity, title, action }));
}
