// `constel install`: what sessions that people start themselves need to hear constel, put into the programs' own settings, and constel's
// /up and /down. Everything is planned and shown first; nothing is written before somebody said yes.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  applyCommandFiles,
  type CommandFilePlan,
  planCommandFiles,
  removeHalfWritten,
} from "../../../floor/command-files.ts";
import { guestInstructions } from "../../../floor/install/instructions.ts";
import { readInstallRecord } from "../../../floor/install/install-records.ts";
import { refuseOtherHome } from "../../../floor/install/other-home.ts";
import {
  applyInstall,
  applyUndo,
  type FilePlan,
  forgetUndone,
  missingDirectories,
  planInstall,
  planUndo,
  refuseChanged,
  removeEmptied,
} from "../../../floor/install/plan-install.ts";
import { refuseClosedDirectory, refuseUnwritable, removeLeftOver } from "../../../floor/install/settings-file.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { markOf } from "../../../host/process/liveness.ts";
import { openTemporary } from "../../../host/process/temporary-directory.ts";
import { runtimes } from "../../../host/runtime/all.ts";
import { shellLine } from "../../../protocol/shell-line.ts";
import { listed } from "../../../protocol/listed.ts";
import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { CommandFile, InstallTarget, InstallWish, Runtime } from "../../../ports/runtime.ts";
import { knownRuntime, runtimeMachine } from "../machine/agent-machine.ts";
import { askYes, canAsk } from "../input/ask.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { ownCommand } from "../reach/start-daemon.ts";
import { repositoryAround } from "../input/repository-around.ts";

interface Plans {
  readonly files: readonly FilePlan[];
  readonly commands: readonly CommandFilePlan[];
  readonly notes: readonly string[];
}

export const install: RunCommand = async (context, input) => {
  const undo = input.has("undo");
  const plans = await planAll(context, input, undo);
  if (input.has("print")) return { json: { files: filesAfter(plans) }, text: () => printedText(plans) };
  const all = [...plans.files, ...plans.commands];
  const changes = all.some(isChange);
  const shown = [summaryOf(all, undo), ...all.map((plan) => planText(plan, undo, context)), ...plans.notes].join("\n");
  const isAsked = changes && !input.has("yes") && canAsk(context.output);
  if (isAsked) context.output.data(`${shown}\n`);
  const isMeant = changes && (input.has("yes") || (isAsked && askYes(context.output, undo ? "Undo it?" : "Do it?")));
  if (isMeant || !changes) tidy(plans);
  if (isMeant || (undo && !changes)) carryOut(context, plans, undo);
  const done = !changes
    ? "Nothing to do."
    : isMeant
      ? doneText(plans, undo)
      : "Nothing was changed yet: add --yes to do it.";
  return {
    json: { done: isMeant, files: jsonOf(plans), notes: plans.notes },
    text: isAsked ? done : `${shown}\n${done}`,
    ...(all.some(({ change }) => change === "not-ours") ? { exit: exitCodes.negative } : {}),
  };
};

/** A program may still not read what lies in its settings: only a hook that ran proves it. */
function doneText({ files }: Plans, undo: boolean): string {
  if (undo) return "Done.";
  const runtimes = [...new Set(files.map(({ target }) => target.runtime))];
  return `Done. Installed, not yet seen: start a new session of ${listed(runtimes)} and send one prompt; \`constel doctor\` then says whether its hooks were seen to run.`;
}

/** Removes what an install left when it was killed. */
function tidy({ files, commands }: Plans): void {
  for (const { file } of files) removeLeftOver(file);
  removeHalfWritten(
    commands.map(({ path }) => path),
    (pid) => markOf(pid) !== undefined,
  );
}

async function planAll(context: CliContext, input: CommandInput, undo: boolean): Promise<Plans> {
  if (input.has("project") && input.has("global"))
    throw new Refusal("usage.bad-value", "give either --project or --global, not both", {});
  const project = input.has("project") ? (repositoryAround(context.cwd) ?? context.cwd) : undefined;
  const machine = runtimeMachine(context);
  const notes: string[] = [];
  const targets: InstallTarget[] = [];
  const commands: CommandFile[] = [];
  const named = await chosen(context, input.argument("runtime"), notes);
  for (const runtime of named) {
    const wish = { ...wishFor(context, runtime, project), undo };
    const own = runtime.installs(wish).filter((target) => !undo || !isSharedByOther(context, target, named, wish));
    targets.push(...own, ...(await trustFor(context, runtime, own, wish, notes)));
    if (project === undefined) commands.push(...runtime.commands(machine.env));
  }
  const { home } = context.places;
  const distinct = [...new Map(targets.map((target) => [target.path, target])).values()];
  const files = distinct.map((target) => (undo ? planUndo : planInstall)(home, target));
  for (const plan of files) refuseOtherHome(plan, { home, usual: usualHome(machine.env) });
  if (!undo) refuseOccupied(files);
  const plans = { files, commands: planCommandFiles(commands, undo), notes };
  if (!input.has("print")) {
    for (const { file } of files.filter(isChange)) refuseUnwritable(file);
    for (const { path } of plans.commands.filter(isChange)) refuseClosedDirectory(path);
  }
  return plans;
}

const isChange = ({ change }: Pick<FilePlan | CommandFilePlan, "change">): boolean =>
  change === "write" || change === "remove";

/** Two programs may read one file of instructions: it stays while the other one's hooks are installed. */
function isSharedByOther(
  { places: { home } }: CliContext,
  { kind, path }: InstallTarget,
  undone: readonly Runtime[],
  wish: InstallWish,
): boolean {
  if (kind !== "instructions") return false;
  return runtimes.some((runtime) => {
    if (undone.includes(runtime)) return false;
    const targets = runtime.installs(wish);
    const isRead = targets.some((target) => target.path === path);
    return isRead && targets.some((one) => one.path !== path && readInstallRecord(home, one.path) !== undefined);
  });
}

/** Without its hooks, instructions to heed them would promise what never comes. */
function refuseOccupied(files: readonly FilePlan[]): void {
  const occupied = files.find(({ change }) => change === "not-ours");
  if (occupied === undefined) return;
  const { path } = occupied.target;
  throw new Refusal("install.occupied", `${path} is not constel's, or was changed since`, { path });
}

const usualHome = (env: InstallWish["env"]): string => join(env["HOME"] ?? "/", ".constel");

/** One, or all that are installed. Those that have no settings for hooks are driven over a pipe: nothing is left out of them. */
async function chosen(context: CliContext, named: string, notes: string[]): Promise<readonly Runtime[]> {
  if (named !== "all") return [knownRuntime(named)];
  const machine = runtimeMachine(context);
  const found: Runtime[] = [];
  const hooked = runtimes.filter(
    (one) => one.installs({ ...wishFor(context, one, undefined), undo: false }).length > 0,
  );
  for (const runtime of hooked) {
    if ((await runtime.detect(machine)).installed) found.push(runtime);
    else notes.push(`${runtime.name} is not installed: left out`);
  }
  return found;
}

/** Codex runs only hooks that somebody trusted: it is asked by what it would know ours. */
async function trustFor(
  context: CliContext,
  runtime: Runtime,
  targets: readonly InstallTarget[],
  wish: InstallWish,
  notes: string[],
): Promise<readonly InstallTarget[]> {
  const hooks = targets.find(({ kind }) => kind === "hooks");
  if (runtime.trusts === undefined || hooks === undefined) return [];
  const { home } = context.places;
  const content = wish.undo ? "{}" : planInstall(home, hooks).content;
  // Not in the home: a mere look makes none.
  const name = `constel-install-${crypto.randomUUID()}`;
  using temporary = openTemporary((place) => place.make(name));
  try {
    using scratch = temporary.child(name);
    scratch.write("hooks.json", content, { sync: false });
    const planned = { path: hooks.path, text: content.toString() };
    const found = await runtime.trusts(planned, wish, runtimeMachine(context), scratch.path);
    if (found.length === 0)
      notes.push(`${runtime.name} could not be asked about trust: open it and trust constel's hooks with /hooks`);
    return found;
  } finally {
    temporary.removeTree(name);
  }
}

function wishFor(context: CliContext, { name }: Runtime, project: string | undefined): Omit<InstallWish, "undo"> {
  const { env } = runtimeMachine(context);
  const program = ownProgram();
  const home =
    context.places.home === usualHome(env) ? "" : `export ${shellLine([`CONSTEL_HOME=${context.places.home}`])}; `;
  const [first = ""] = program;
  // If constel was removed, or the directory is gone, a session goes on as if it had no hooks.
  const line = `cd /; [ -x ${shellLine([first])} ] || exit 0; ${home}exec ${shellLine([...program, "hook", name, "--guest"])}`;
  return { env, project, line, instructions: guestInstructions };
}

/** The clone's own starter where there is one: it finds its way when the quick program is being built anew. */
function ownProgram(): readonly string[] {
  const own = ownCommand();
  const [first = ""] = own;
  const top =
    own.length === 1 ? first.replace(/\/node_modules\/\.constel\/quick$/, "") : dirname(dirname(own.at(-1) ?? ""));
  const starter = join(top, "bin/constel");
  return existsSync(starter) ? [starter] : own;
}

function carryOut({ places: { home } }: CliContext, { files, commands }: Plans, undo: boolean): void {
  for (const plan of files) refuseChanged(plan);
  const making = missingDirectories([...files.map(({ file }) => file.real), ...commands.map(({ path }) => path)]);
  const made = files.flatMap((plan) => {
    if (undo) return applyUndo(home, plan);
    applyInstall(home, plan, systemClock.nowMs(), making);
    return [];
  });
  applyCommandFiles(commands);
  removeEmptied(made);
  if (undo) for (const plan of files) forgetUndone(home, plan);
}

/** The files as they would be; null: not there. */
const filesAfter = ({ files, commands }: Plans): { readonly path: string; readonly content: string | null }[] => [
  ...files.map(({ target: { path }, file, change, content }) => {
    if (change === "remove") return { path, content: null };
    const isLeft = change === "absent" || change === "not-ours";
    return { path, content: isLeft ? (file.bytes?.toString() ?? null) : content.toString() };
  }),
  ...commands.map(({ path, change, content }) => ({
    path,
    content: change === "remove" || change === "absent" ? null : content,
  })),
];

function printedText(plans: Plans): string {
  const pages = filesAfter(plans).map(({ path, content }) =>
    content === null ? `==> ${path}  (no such file)` : `==> ${path}\n${content}`,
  );
  return [...pages, ...plans.notes].join("\n");
}

const jsonOf = ({ files, commands }: Plans): unknown[] => [
  ...files.map(({ target, file, change, diff, note }) => ({
    runtime: target.runtime,
    path: target.path,
    ...(file.real === target.path ? {} : { real: file.real }),
    change,
    diff,
    ...(note === undefined ? {} : { note }),
  })),
  ...commands.map(({ path, change, invokedBy }) => ({ path, change, invokedBy })),
];

/** Sums up the diffs below. */
function summaryOf(plans: readonly Pick<FilePlan | CommandFilePlan, "change">[], undo: boolean): string {
  const count = (...changes: readonly string[]): number =>
    plans.filter(({ change }) => changes.includes(change)).length;
  const parts = [
    [count("write"), undo ? "to put back" : "to write"],
    [count("remove"), "to remove"],
    [count("same", "absent"), "as it should be"],
    [count("not-ours"), "left alone"],
  ] as const;
  const said = parts.filter(([many]) => many > 0).map(([many, what]) => `${counted(many, "file")} ${what}`);
  return said.length === 0 ? "No file is concerned." : `${said.join(", ")}.`;
}

function planText(plan: FilePlan | CommandFilePlan, undo: boolean, { output: { paint } }: CliContext): string {
  const isFile = "target" in plan;
  const path = isFile ? plan.target.path : plan.path;
  const leadsTo = isFile && plan.file.real !== path ? `  (a link to ${plan.file.real})` : "";
  const about = isFile ? "" : `  (${plan.invokedBy})`;
  const head = {
    write: `${path}${leadsTo}${about}`,
    remove: `${path}  goes`,
    same: `${path}  is there already`,
    absent: `${path}  has nothing of constel's`,
    "not-ours": `${path}  is not constel's, or was changed since: left alone`,
  }[plan.change];
  const shown = undo || plan.change === "write" ? plan.diff : [];
  const lines = shown.map((line) =>
    line.startsWith("+") ? paint.green(line) : line.startsWith("-") ? paint.red(line) : paint.dim(line),
  );
  const note = isFile && plan.note !== undefined && plan.change === "write" ? [paint.yellow(plan.note)] : [];
  return [paint.bold(head), ...note, ...lines].join("\n");
}
