// The owner's screen when the database cannot be read: why, what to do about it, and who is there as far as files and terminals
// tell.

import type { ListedAgent } from "../../../floor/agents/list-agents.ts";
import type { Output } from "./output.ts";
import { floorTable } from "./agents-table.ts";

export interface FloorStatus {
  /** The problem with the database. */
  readonly problem: { readonly code: string; readonly message: string; readonly hint: string };
  readonly agents: readonly ListedAgent[];
}

export function floorScreen(
  { problem, agents }: FloorStatus,
  output: Pick<Output, "columns" | "paint">,
  nowMs: number,
): string {
  const { paint } = output;
  return [
    paint.red(problem.message),
    problem.hint,
    `[${problem.code}]`,
    "",
    agents.length === 0 ? "No agents." : floorTable(agents, output, nowMs),
    "Tasks, collisions and messages are in the database. `constel doctor` looks at everything else.",
  ].join("\n");
}
