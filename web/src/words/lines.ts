// Lines of work as people call them: a task with its title and agent, or a branch with whoever works on it.

import type { Answer } from "../live/ask.ts";
import { taskOfBranch } from "./text.ts";

type Seen = Answer<"status.look">;

export interface Line {
  readonly name: string;
  readonly task: number | undefined;
  readonly title: string | undefined;
  readonly agent: string | undefined;
  readonly runtime: string | undefined;
}

export function lineOf(label: string, seen: Seen | undefined): Line {
  const number = taskOfBranch(label);
  const task = seen?.tasks.find((one) => one.number === number);
  const agent = task?.agent ?? undefined;
  return {
    name: number === undefined ? label : `task ${number}`,
    task: number,
    title: task?.title,
    agent,
    runtime: seen?.agents.find((one) => one.agent === agent)?.runtime,
  };
}
