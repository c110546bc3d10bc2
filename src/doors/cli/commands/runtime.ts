// The agent programs: which are there, and whether their versions are those that constel was tested with.

import { describeRuntime, type RuntimeDescription } from "../../../host/runtime/describe.ts";
import { runtimes } from "../../../host/runtime/all.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { knownRuntime, runtimeMachine } from "../machine/agent-machine.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { table } from "../present/table.ts";

export const list: RunCommand = async (context) => {
  const found = await describeAll(context);
  return {
    json: { runtimes: found },
    text: () =>
      table(["runtime", "version", "path", "verdict"], found.map(rowOf), { ...context.output, middle: new Set([2]) }),
  };
};

export const check: RunCommand = async (context, input) => {
  const named = input.optional("runtime");
  const found = await describeAll(context, named);
  // A program nobody has is no fault, unless it was asked about.
  const bad = found.some(
    ({ verdict }) => verdict !== "checked" && (verdict !== "not-installed" || named !== undefined),
  );
  return {
    json: { runtimes: found },
    text: () =>
      table(["runtime", "version", "path", "verdict"], found.map(rowOf), { ...context.output, middle: new Set([2]) }),
    ...(bad ? { exit: exitCodes.negative } : {}),
  };
};

function describeAll(context: CliContext, named?: string): Promise<readonly RuntimeDescription[]> {
  const machine = runtimeMachine(context);
  const chosen = named === undefined ? runtimes : [knownRuntime(named)];
  return Promise.all(chosen.map((runtime) => describeRuntime(runtime, machine)));
}

function rowOf(one: RuntimeDescription): string[] {
  return [one.name, one.version ?? "", one.path ?? "", one.advice];
}
