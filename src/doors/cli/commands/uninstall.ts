// `constel uninstall`: takes back, in this order, what constel set up: agents, daemon, units, hooks, workspaces, home, program. Each step is a verb that
// there is anyway, or removes what is certainly constel's. What holds work is kept and named, and so is what could not be undone.

import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { TrustedDirectory } from "../../../files/trusted-directory.ts";
import { readTrusted } from "../../../files/trusted-files.ts";
import { listLaunches } from "../../../floor/agents/launch-files.ts";
import { readInstallRecords } from "../../../floor/install/install-records.ts";
import { filesOf, type InstalledAs, installedAs, recordBelow } from "../../../floor/release/installed-as.ts";
import { namesIn, type ProgramFiles, removeTree } from "../../../floor/release/program-files.ts";
import { managers } from "../../../floor/service/service.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { oneChange } from "../../../host/release/one-change.ts";
import { isConstels } from "../../../host/keys/seal-for-constel.ts";
import { holdsWork } from "../../../host/workspace/holds-work.ts";
import { removeLaid, workspacesLaid } from "../../../host/workspace/laid-out.ts";
import { cloneOfSources } from "../../../ports/clone.ts";
import { messageOf } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { inHome, inRoot } from "../../../settings/paths.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { ownCommand } from "../reach/start-daemon.ts";

interface Step {
  readonly what: string;
  /** Answers what is left all the same. */
  readonly act: () => Promise<string | undefined>;
}

interface Kept {
  readonly path: string;
  readonly why: string;
}

const deadlineMs = 300_000;

export const uninstall: RunCommand = async (context, input) => {
  const kept = await workKept(context);
  const as = installedAs({ program: process.execPath, clone: cloneOfSources(), exists: existsSync });
  const keepsProgram = input.has("keep-program");
  const steps = [...stepsOf(context, input, kept), ...(keepsProgram ? [] : programSteps(as))];
  const next = keepsProgram ? undefined : nextFor(as);
  const isMeant = input.has("yes");
  const done = isMeant ? await aloneBelow(as, () => doSteps(steps)) : [];
  const isWhole = done.every(({ left }) => left === null) && done.length === (isMeant ? steps.length : 0);
  const lines = isMeant
    ? done.map(({ what, left }) => (left === null ? `done  ${what}` : `left  ${what}: ${left}`))
    : steps.map(({ what }) => `      ${what}`);
  const held = kept.map(({ path, why }) => `kept  ${path}: ${why}`);
  const last = isMeant
    ? []
    : ["Nothing was changed yet: add --yes to do it. `constel audit export` first keeps the history."];
  return {
    json: {
      done: isMeant,
      steps: isMeant ? done : steps.map(({ what }) => ({ what, left: null })),
      kept,
      next: next ?? null,
    },
    text: [...lines, ...held, ...(next === undefined ? [] : [`then  ${next}`]), ...last].join("\n"),
    ...(isWhole ? {} : { exit: exitCodes.negative }),
  };
};

interface Done {
  readonly what: string;
  readonly left: string | null;
}

async function doSteps(steps: readonly Step[]): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const { what, act } of steps) {
    const left = await act().catch(messageOf);
    done.push({ what, left: left ?? null });
    // Nothing is taken from under what still runs.
    if (left !== undefined && done.length <= mustEnd) break;
  }
  return done;
}

/** An upgrade that goes on meanwhile would lay a program where nobody knows of it. */
const aloneBelow = <T>(as: InstalledAs, work: () => Promise<T>): Promise<T> =>
  as.way === "script" ? oneChange(filesOf(as, process.execPath), work) : work();

/** The first steps: agents and daemon. */
const mustEnd = 2;

function stepsOf(context: CliContext, input: CommandInput, kept: readonly Kept[]): readonly Step[] {
  const { home } = context.places;
  const ran =
    (...words: readonly string[]): (() => Promise<string | undefined>) =>
    async () => {
      const { code, said } = await runOwn(context, words);
      return code === 0 ? undefined : `\`constel ${words.join(" ")}\` ended with ${code}: ${said}`;
    };
  const records = readInstallRecords(home);
  const hooked = [...new Set(records.map(({ runtime }) => runtime))].toSorted();
  const workspaces = workspaceTops(context.places).flatMap((top) =>
    workspacesLaid(top).flatMap((path) => (kept.some((one) => one.path === path) ? [] : [{ top, path }])),
  );
  // Without a home nothing was started and nothing set up.
  if (!existsSync(home)) return [];
  const isHomeHeld = kept.some(({ path }) => path === home);
  return [
    { what: "end the agents", act: ran("down", "--all") },
    { what: "end the daemon", act: ran("daemon", "stop") },
    { what: "take back the units of the machine's scheduler", act: () => services(context) },
    ...hooked.map((name) => ({ what: `take back the hooks of ${name}`, act: ran("install", name, "--undo", "--yes") })),
    ...workspaces.map(({ top, path }) => ({
      what: `remove ${path}, which holds nothing unlanded`,
      act: async () => void removeLaid(top, path),
    })),
    ...(input.has("keep-home") || isHomeHeld
      ? []
      : [{ what: `remove the home ${home}, with its messages, tasks and history`, act: () => removed(home) }]),
  ];
}

/** A scheduler that is not on this machine has nothing of ours. */
async function services(context: CliContext): Promise<string | undefined> {
  const { code, said } = await runOwn(context, ["service", "status", "--json"]);
  if (code !== 0 && code !== exitCodes.negative) return said;
  const { services: states } = JSON.parse(said) as { services: { manager: string; installed: string }[] };
  const left: string[] = [];
  for (const { manager, installed } of states.filter((one) => managers.some((name) => name === one.manager))) {
    if (installed === "no") continue;
    const outcome = await runOwn(context, ["service", "uninstall", "--manager", manager]);
    if (outcome.code !== 0) left.push(`${manager}: ${outcome.said}`);
  }
  return left.length === 0 ? undefined : left.join("; ");
}

async function workKept({ places, env }: CliContext): Promise<Kept[]> {
  const { home } = places;
  const variables = childEnvironment(env);
  const kept: Kept[] = [];
  for (const path of workspaceTops(places).flatMap(workspacesLaid)) {
    const why = await holdsWork(path, variables);
    if (why !== undefined) kept.push({ path, why });
  }
  const rescues = join(home, inHome.rescues);
  if (existsSync(rescues) && readdirSync(rescues).length > 0)
    kept.push({ path: rescues, why: "it has work that was saved from removed workspaces" });
  if (kept.some(({ path }) => path.startsWith(`${home}/`)))
    kept.push({ path: home, why: "that lies in it, and its history tells whose work it is" });
  return kept;
}

/** Below the root that is meant now, and below those in which agents were started. */
function workspaceTops({ home, root }: CliContext["places"]): string[] {
  const { launches, unproven } = listLaunches(home, isConstels(home));
  const roots = launches.flatMap(({ agent, launch }) => (unproven.includes(agent) ? [] : [launch.cwd]));
  return [...new Set([root, ...roots])].map((one) => join(one, inRoot.workspaces));
}

async function removed(path: string): Promise<undefined> {
  using parent = TrustedDirectory.open(dirname(path));
  parent.removeTree(basename(path));
}

function programSteps(as: InstalledAs): readonly Step[] {
  if (as.way !== "script") return [];
  return [{ what: `remove what install.sh put below ${as.prefix}`, act: async () => removeInstalled(as.prefix) }];
}

/** What is left to whoever installed the program. */
function nextFor(as: InstalledAs): string | undefined {
  switch (as.way) {
    case "script":
      return undefined;
    case "npm":
      return "npm uninstall --global constel";
    case "homebrew":
      return "brew uninstall constel";
    case "debian":
      return "sudo apt purge constel";
    case "clone":
      return `rm -r ${as.top}`;
    case "file":
      return ["rm -r", process.execPath, ...earlierBeside(filesOf(as, process.execPath))].join(" ");
  }
}

function earlierBeside({ prefix, keeping }: ProgramFiles): readonly string[] {
  const path = join(prefix, keeping);
  return existsSync(path) ? [path] : [];
}

/** As install.sh --uninstall does it. */
function removeInstalled(prefix: string): undefined {
  const names = namesIn(readTrusted(prefix, recordBelow)?.toString("utf8") ?? "");
  for (const name of names) removeFile(prefix, name);
  // The record last, with the version of before and what a change that was killed left: all of it is constel's.
  removeTree(prefix, dirname(recordBelow));
  const directories = new Set([...names, recordBelow].flatMap((name) => ancestors(name)));
  for (const name of [...directories].toSorted((a, b) => b.length - a.length)) {
    if (existsSync(join(prefix, name)) && readdirSync(join(prefix, name)).length === 0) removeTree(prefix, name);
  }
}

function removeFile(prefix: string, name: string): void {
  if (!existsSync(join(prefix, name))) return;
  using directory = TrustedDirectory.open(prefix, dirname(name));
  directory.remove(basename(name));
}

const ancestors = (name: string): string[] =>
  name
    .split("/")
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join("/"));

async function runOwn(context: CliContext, words: readonly string[]): Promise<{ code: number | null; said: string }> {
  const { home, root } = context.places;
  const command = [...ownCommand(), ...words, "--home", home, "--root", root];
  const env = childEnvironment(context.env);
  const cwd = existsSync(root) ? root : "/"; // agents are ended from inside it
  const { code, stdout, stderr } = await systemProcesses.run(command, {
    env,
    cwd,
    deadlineMs,
    leavesOthers: true,
  });
  return { code, said: (Buffer.from(stdout).toString("utf8").trim() || stderr.trim()).slice(0, 4_000) };
}
