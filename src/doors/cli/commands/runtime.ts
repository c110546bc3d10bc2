// The agent programs: which are there, and constel's /up and /down in their own commands.

import { describeRuntime, type RuntimeDescription } from "../../../host/runtime/describe.ts";
import { runtimes } from "../../../host/runtime/all.ts";
import { applyCommandFiles, type CommandFilePlan, planCommandFiles } from "../../../floor/command-files.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { knownRuntime, runtimeMachine } from "../agent-machine.ts";
import type { RunCommand } from "../command.ts";
import type { CliContext } from "../context.ts";
import { table } from "../present/table.ts";

export const list: RunCommand = async (context) => {
  const found = await describeAll(context);
  return {
    json: found,
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
    json: found,
    text: () =>
      table(["runtime", "version", "path", "verdict"], found.map(rowOf), { ...context.output, middle: new Set([2]) }),
    ...(bad ? { exit: exitCodes.negative } : {}),
  };
};

export const install: RunCommand = async (context, input) => {
  const runtime = knownRuntime(input.argument("runtime"));
  const undo = input.has("undo");
  const plans = planCommandFiles(runtime.commands(runtimeMachine(context).env), undo);
  const changes = plans.filter(({ change }) => change === "write" || change === "remove");
  const shown = plans.map((plan) => planText(plan, context)).join("\n");
  if (changes.length > 0 && input.has("yes")) applyCommandFiles(plans);
  const done =
    changes.length === 0
      ? "Nothing to do."
      : input.has("yes")
        ? "Done."
        : "Nothing was changed yet: add --yes to do it.";
  return {
    json: { done: input.has("yes"), files: plans.map(({ path, change, invokedBy }) => ({ path, change, invokedBy })) },
    text: `${shown}\n${done}`,
    ...(plans.some(({ change }) => change === "not-ours") ? { exit: exitCodes.negative } : {}),
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

function planText(plan: CommandFilePlan, { output: { paint } }: CliContext): string {
  const head = {
    write: `${plan.path}  (${plan.invokedBy})`,
    remove: `${plan.path}  goes`,
    same: `${plan.path}  is there already`,
    absent: `${plan.path}  is not there`,
    "not-ours": `${plan.path}  is not constel's, or was changed since: left alone`,
  }[plan.change];
  const lines = plan.diff.map((line) => (line.startsWith("+") ? paint.green(line) : paint.red(line)));
  return [paint.bold(head), ...lines].join("\n");
}
