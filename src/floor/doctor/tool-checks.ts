// The programs constel runs: there, and new enough.

import { accessSync, constants, existsSync, lstatSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { builtAs } from "../../ports/build.ts";
import { cloneOfSources } from "../../ports/clone.ts";
import { toolchainPrograms } from "../../protocol/compilers.ts";
import { Outage, systemCode } from "../../protocol/errors.ts";
import type { Check, CheckResult, DoctorContext } from "./check.ts";

interface Tool {
  readonly name: string;
  readonly versionFlag: string;
  readonly oldest: readonly [number, number];
  readonly why: string;
  readonly needed: boolean;
}

const tools: readonly Tool[] = [
  {
    name: "git",
    versionFlag: "--version",
    oldest: [2, 38],
    why: "merges are foreseen with `git merge-tree --write-tree`",
    needed: true,
  },
  { name: "tmux", versionFlag: "-V", oldest: [3, 2], why: "agents run in tmux sessions", needed: false },
];

export const toolChecks: readonly Check[] = [
  { code: "tool.constel", look: async () => [ownProgram(builtAs(), cloneOfSources())] },
  { code: "tool.compilers", look: async (context) => [await compilers(context)] },
  ...tools.map((tool): Check => ({ code: `tool.${tool.name}`, look: (context) => lookAt(tool, context) })),
  { code: "tool.temporary", look: async ({ env }) => [temporary(env["TMPDIR"] || tmpdir())] },
  { code: "tool.tmux-sockets", look: async ({ env }) => [tmuxSockets(env["TMUX_TMPDIR"] ?? "/tmp")] },
  {
    code: "tool.agent-programs",
    async look(context) {
      const found = (await context.agentPrograms()).filter((program) => program.version !== undefined);
      const saw = found.map((program) => `${program.name} ${program.version}`).join(", ");
      return [
        found.length > 0
          ? { code: "tool.agent-programs", state: "well", saw }
          : {
              code: "tool.agent-programs",
              state: "note",
              saw: "no agent program is installed",
              means: "Only `script` agents can be started; looking for collisions works without any.",
              mend: "Install one of the agent programs and log in to it.",
            },
      ];
    },
  },
];

async function lookAt(tool: Tool, context: DoctorContext): Promise<readonly CheckResult[]> {
  const code = `tool.${tool.name}`;
  const [major, minor] = tool.oldest;
  const missing = tool.needed ? "broken" : "warning";
  const mend = `Install ${tool.name} ${major}.${minor} or newer with the system's package manager.`;
  let output: string;
  try {
    const outcome = await context.processes.run([tool.name, tool.versionFlag], {
      env: plainEnv(context),
      deadlineMs: 5_000,
    });
    output = new TextDecoder().decode(outcome.stdout).trim();
  } catch (cause) {
    if (!(cause instanceof Outage)) throw cause;
    return [{ code, state: missing, saw: `${tool.name} is not installed`, means: `It is needed: ${tool.why}.`, mend }];
  }
  const version = /(?<!\d)(\d+)\.(\d+)/.exec(output);
  const isOld =
    version === null || Number(version[1]) < major || (Number(version[1]) === major && Number(version[2]) < minor);
  if (!isOld) return [{ code, state: "well", saw: output }];
  return [
    {
      code,
      state: missing,
      saw: `${output} is older than ${major}.${minor}`,
      means: `It is needed: ${tool.why}.`,
      mend,
    },
  ];
}

/** The kernel is asked, so that a read-only file system is seen too, also by root. */
function temporary(path: string): CheckResult {
  const code = "tool.temporary";
  const problem = problemOf(path);
  if (problem === undefined) return { code, state: "well", saw: path };
  return {
    code,
    state: "broken",
    saw: `${path} ${problem}`,
    means: "`constel try`, `check`, `demo` and the commands of repositories keep their scratch files there, and fail.",
    mend: "Set TMPDIR to a directory that you may write to.",
  };
}

function problemOf(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return "is not a directory";
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (cause) {
    return systemCode(cause) === "ENOENT" ? "does not exist" : "cannot be written by this account";
  }
}

/** Its name is known to everybody, and where it lies all accounts may write: another one can be there first. tmux then starts nothing. */
function tmuxSockets(above: string): CheckResult {
  const code = "tool.tmux-sockets";
  const own = process.getuid?.() ?? 0;
  const path = join(above, `tmux-${own}`);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const isFit = stats === undefined || (stats.isDirectory() && stats.uid === own && (stats.mode & 0o007) === 0);
  if (isFit) return { code, state: "well", saw: path };
  return {
    code,
    state: "broken",
    saw: `${path} is not a directory of this account's that is closed to others`,
    means: "tmux keeps its sockets there, and refuses to; no agent can be started or reached.",
    mend: "Remove it, or set TMUX_TMPDIR to a directory of your own.",
  };
}

/** A clone whose sources were edited, or that was never built, works and is slow; nothing else would say so. */
export function ownProgram(build: string | undefined, clone: string | undefined): CheckResult {
  const code = "tool.constel";
  if (build !== undefined || clone === undefined) return { code, state: "well", saw: `build ${build}` };
  return {
    code,
    state: "note",
    saw: `it runs from its sources in ${clone}`,
    means: "A command takes two to four times as long to start, and agents wait for it at every tool call.",
    mend: `\`${clone}/scripts/install.sh\` builds the quick program.`,
  };
}

/** Only looked for, not run: some of them take settings from where one stands, and run what those name. */
async function compilers(context: DoctorContext): Promise<CheckResult> {
  const directories = (context.env["PATH"] ?? "").split(":").filter(isAbsolute);
  const isThere = (program: string): boolean => directories.some((one) => existsSync(join(one, program)));
  const all = Object.entries(toolchainPrograms);
  const told = (some: typeof all): string => some.map(([language, program]) => `${program} (${language})`).join(", ");
  const [found, missing] = [all.filter(([, one]) => isThere(one)), all.filter(([, one]) => !isThere(one))];
  const saw = [
    ...(found.length === 0 ? [] : [`found and asked for second opinions: ${told(found)}`]),
    ...(missing.length === 0 ? [] : [`not on the PATH: ${told(missing)}`]),
    ...(found.length === 0 ? [] : [await confined(isThere("bwrap"), context)]),
  ];
  return { code: "tool.compilers", state: "well", saw: saw.join("; ") };
}

/** Tried, because that the program is there says little: many machines forbid ordinary accounts what it needs. */
async function confined(isThere: boolean, context: DoctorContext): Promise<string> {
  if (!isThere) return "they run without a sandbox: bubblewrap (`bwrap`) is not on the PATH";
  const words = "bwrap --unshare-user --unshare-pid --unshare-net --ro-bind / / --dev /dev --proc /proc -- true";
  const options = { env: plainEnv(context), deadlineMs: 5_000 };
  const { code, stderr } = await context.processes.run(words.split(" "), options);
  if (code === 0) return "they run inside bubblewrap: no network, read-only except for their scratch directory";
  const said = stderr.trim().split("\n").at(-1) ?? "";
  return `they run without a sandbox: bubblewrap cannot make one here (${said})`;
}

function plainEnv(context: DoctorContext): Record<string, string> {
  return { PATH: context.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };
}
