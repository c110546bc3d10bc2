// Waits until an assignment was delivered: its workspace made, its brief sent.

import { Refusal } from "../../../protocol/errors.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { CliContext } from "../context.ts";
import { withProgress } from "../present/progress.ts";
import { watchUntil } from "./watch-until.ts";

export type Assignment = OutputOf<(typeof operations)["task.assignment"]>;

const phases: Readonly<Record<string, string>> = { leased: "making the workspace", prepared: "sending the brief" };

export async function waitForAssignment(context: CliContext, task: number, dispatch: string): Promise<Assignment> {
  const caller = await context.caller();
  const what = `dispatching task ${task}`;
  const assignment = await withProgress(context.output, what, ({ tell }) =>
    watchUntil(context, {
      ask: () => caller.call("task.assignment", { dispatch }),
      // One with a problem that could not be written down is tried again, but nobody knows for how long.
      isOver: ({ settled, problem }) => settled || problem !== null,
      tell: ({ state }) => tell(`${what}: ${phases[state] ?? state}`),
    }),
  );
  if (assignment.problem !== null)
    throw new Refusal("task.not-given-out", `task ${task} was not given out: ${assignment.problem}`, {
      task,
      problem: assignment.problem,
    });
  return assignment;
}
