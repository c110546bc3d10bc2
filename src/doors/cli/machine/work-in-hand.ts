// Finds what an agent was working on, for its successor: its tasks from the database, if that can be read without starting anything, and
// their workspaces as git shows them. Without a database, the task that its last messages named is the best that is known.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TaskInHand, WorkInHand } from "../../../floor/restart/handoff-text.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { uncommittedFiles } from "../../../host/workspace/uncommitted.ts";
import { WorkGit } from "../../../host/workspace/work-git.ts";
import { messageOf } from "../../../protocol/errors.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import { inRoot } from "../../../settings/paths.ts";
import type { CliContext } from "../context.ts";

type Listed = OutputOf<(typeof operations)["task.list"]>;
type Shown = OutputOf<(typeof operations)["task.show"]>;

/** Nobody works on more at once. */
const mostTasks = 10;
/** States in which a task is in an agent's hands. */
const inHandStates = ["in_progress", "needs_review"] as const;

export async function workInHand(context: CliContext, agent: string, hint: string | undefined): Promise<WorkInHand> {
  let known: readonly Known[];
  let problem: string | undefined;
  try {
    known = await fromDatabase(context, agent);
  } catch (cause) {
    problem = `the database could not be read: ${messageOf(cause)}`;
    known = fromHint(context.places.root, hint);
  }
  const tasks: TaskInHand[] = [];
  for (const one of known) {
    const { workspace } = one;
    try {
      const isThere = workspace !== undefined && existsSync(join(workspace, ".git"));
      tasks.push(isThere ? { ...one, ...(await lookAt(context, workspace)) } : one);
    } catch (cause) {
      problem ??= `the workspace ${workspace} could not be looked at: ${messageOf(cause)}`;
      tasks.push(one);
    }
  }
  return { tasks, problem };
}

interface Known {
  readonly task: string;
  readonly title?: string;
  readonly workspace?: string | undefined;
  readonly branch?: string | undefined;
}

/** A snapshot, in this process: nothing is started, and no daemon is needed. */
async function fromDatabase(context: CliContext, agent: string): Promise<Known[]> {
  const settings = await context.settings();
  const ask = (operation: string, input: unknown): Promise<unknown> =>
    context.backstage.readInProcess(settings, operation, input);
  const { tasks } = (await ask("task.list", { agent, states: inHandStates, all: false, limit: mostTasks })) as Listed;
  const known: Known[] = [];
  for (const { number, title } of tasks.toSorted((a, b) => a.number - b.number)) {
    const { workspaces } = (await ask("task.show", { task: number })) as Shown;
    const workspace = workspaces.find(({ state }) => state === "ready") ?? workspaces[0];
    known.push({ task: String(number), title, workspace: workspace?.path, branch: workspace?.branch });
  }
  return known;
}

/** A label of a message is only believed to be a number; where the workspace of a task lies is ours to say. */
function fromHint(root: string, hint: string | undefined): Known[] {
  if (hint === undefined || !/^\d{1,9}$/.test(hint)) return [];
  return [{ task: hint, workspace: join(root, inRoot.workspaces, hint, "repo") }];
}

async function lookAt(context: CliContext, path: string): Promise<Pick<TaskInHand, "branch" | "uncommitted">> {
  const git = new WorkGit({ processes: systemProcesses, environment: childEnvironment(context.env) });
  const variables = { GIT_DIR: join(path, ".git"), GIT_WORK_TREE: path };
  const word = async (...args: string[]): Promise<string | undefined> => {
    const outcome = await git.try({ args, variables, cwd: path });
    const text = Buffer.from(outcome.stdout).toString("utf8").trim();
    return outcome.code === 0 && text !== "" ? text : undefined;
  };
  const head = await word("rev-parse", "-q", "--verify", "HEAD");
  const branch = await word("symbolic-ref", "-q", "--short", "HEAD");
  return { branch: branch ?? head, uncommitted: await uncommittedFiles(git, path, head) };
}
