// Starts one agent in a terminal of its own, in an order in which a death between any two steps is mended by starting it
// again: what is wanted is on disk before the terminal is made, the terminal's name is the one key that keeps a second agent
// out, and a terminal whose process we have not written down is made anew: anybody who reaches tmux can make one of an agent's name.

import { testedWith } from "../../ports/tested-with.ts";
import { existsSync } from "node:fs";
import type { AgentLaunch, RestartKind } from "../../ports/agent-launch.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Drive, DriveLimit } from "../../ports/drive.ts";
import type { Launch, McpServer, Permissions, Prepared, Runtime } from "../../ports/runtime.ts";
import type { AgentTree } from "../../ports/process-trees.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { writeTrusted } from "../../files/trusted-files.ts";
import { agentIdentity } from "../../protocol/agent-id.ts";
import { type PromptInput, promptText, writePrompt } from "../prompts/prompt.ts";
import { usualAccount } from "../../settings/accounts.ts";
import { sessionOf } from "../restart/resume-id.ts";
import { agentEnvironment } from "./agent-environment.ts";
import { roleOf } from "./agent-names.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { layLinks } from "./lay-links.ts";
import { confinedCommand, layOwnFiles, refuseUnlessConfinable } from "./confine-agent.ts";
import { isLaunchGenuine, readLaunch, writeLaunch } from "./launch-files.ts";
import { openTerminal, type Opened } from "./open-terminal.ts";
import { step } from "./steps.ts";
import { putMarker, removeMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";

export interface AgentWish {
  readonly agent: string;
  readonly runtime: Runtime;
  /** The reason for the start: `up`, `agent`, `restart`, `crash`, `hang`. */
  readonly because: string;
  readonly opening?: string;
  readonly model?: string;
  readonly resume?: string;
  /** Of a `script` agent: what it ran before. Absent: the setting. */
  readonly command?: readonly string[];
  readonly restart?: RestartKind;
  readonly confined?: boolean;
  /** Over a pipe instead of its terminal. */
  readonly drive?: Drive;
  /** Instead of the setting. */
  readonly permissions?: Permissions;
  /** The name of one of the owner's further accounts. Absent: the one that the program uses by itself. */
  readonly account?: string;
}

/** Everything that can be refused, asked before anything is done: the program is there, the prompt has no holes. */
export async function checkWish(ports: AgentPorts, wish: AgentWish): Promise<void> {
  await programOf(ports, wish.runtime);
  promptText(promptInput(ports, wish));
  if (wish.confined === true) await refuseUnlessConfinable(ports, wish.agent, wish.runtime);
  refuseUnlessDrivable(wish);
  accountOf(ports, wish);
}

function refuseUnlessDrivable({ agent, runtime, drive, confined }: AgentWish): void {
  const isDriven = drive !== undefined || runtime.drives === "only";
  if (!isDriven) return;
  const unheld = limits.find((limit) => isWished(drive, limit) && runtime.holdsTo?.includes(limit) !== true);
  if (runtime.drives !== undefined && confined !== true && unheld === undefined) return;
  const why = confined === true ? "in constel's sandbox" : unheld === undefined ? "over a pipe" : unheldWords[unheld];
  throw new Refusal("agent.cannot-drive", `${agent} cannot run ${runtime.name} ${why}`, {
    agent,
    runtime: runtime.name,
  });
}

const isWished = (drive: AgentWish["drive"], limit: DriveLimit): boolean =>
  limit === "fork" ? drive?.context === "fork" : drive?.[limit] !== undefined;

const limits: readonly DriveLimit[] = ["readOnly", "tools", "fork"];
const unheldWords: Readonly<Record<DriveLimit, string>> = {
  readOnly: "so that it only reads: constel knows no way to hold that program to it",
  tools: "with some of its tools only: constel knows no way to hold that program to it",
  fork: "from a copy of its conversation: that program makes none over its pipe",
};

/** The caller knows that no living terminal has this name; `terminals` is what it saw, a dead one of the name included. */
export async function startAgent(
  ports: AgentPorts,
  wish: AgentWish,
  terminals: readonly Terminal[],
  before: AgentLaunch | undefined,
  isThere?: (tree: AgentTree) => boolean,
): Promise<Opened & { readonly notes: readonly string[] }> {
  const { home, root } = ports;
  const program = await programOf(ports, wish.runtime);
  ports.makeKey(wish.agent);
  const promptFile = writePrompt(promptInput(ports, wish));
  step("agents.start.prompt-written");
  const launch = launchOf(ports, wish, program, promptFile);
  const prepared = await wish.runtime.prepare(launch, ports.machine);
  for (const file of prepared.files) writeTrusted(home, file.path, file.content);
  layLinks(home, prepared.links ?? []);
  step("agents.start.files-written");
  const wanted: AgentLaunch = {
    agent: wish.agent,
    role: roleOf(wish.agent),
    wanted: "up",
    runtime: wish.runtime.name,
    launch,
    ...(launch.sessionId === undefined ? {} : { sessionId: launch.resume ?? launch.sessionId }),
    tmuxSocket: ports.tmuxSocket,
    sinceMs: ports.clock.nowMs(),
    because: wish.because,
    // Its messages are gathered into turns by the daemon (core/workers).
    ...(launch.drive?.worker === true ? { mail: "drain" as const } : {}),
    ...(wish.confined === true ? { confined: true } : {}),
    ...restartOf(wish, before),
  };
  if (wanted.role === "watchdog") removeMarker(home, markers.watchdogReady);
  const env = agentEnvironment(wish.agent, { inherited: inheritedBy(wish, ports), prepared, home, root });
  const command = argvOf(prepared, wish);
  const argv = wish.confined === true ? confinedCommand(ports, launch, env, command) : command;
  const carry = carrying(ports, wish, launch, before);
  // Once now, while nothing is ended yet if it cannot be done; and once more when the program has written its last.
  await carry?.();
  const plan = { wanted, argv, env, enclosed: true, ...(carry === undefined ? {} : { carry }) };
  const opened = await openTerminal(ports, plan, terminals, before, isThere);
  putMarker(home, markers.runtime(wish.agent), wish.runtime.name);
  step("agents.start.runtime-remembered");
  return { ...opened, notes: wish.confined === true ? [...prepared.notes, "confined"] : prepared.notes };
}

/** The owner's settings may stand in variables, the database's password among them: they are not for a confined agent. */
function inheritedBy({ confined }: AgentWish, { machine }: AgentPorts): Readonly<Record<string, string>> {
  if (confined !== true) return machine.env;
  return Object.fromEntries(Object.entries(machine.env).filter(([name]) => !ownersSettings.test(name)));
}

const ownersSettings = /^(CONSTEL_|PGPASSWORD$|PGPASSFILE$|PGSERVICEFILE$)/;

/** Tells whether the process that leads this terminal is the one that the agent's file names. */
export const isLedAsWritten = (terminal: Terminal, launch: AgentLaunch | undefined): boolean =>
  launch?.leader?.pid === terminal.pid;

/**
 * A living terminal is left alone. How it is to be restarted is written down, when that was asked for anew; but a file that constel did not
 * write is not given constel's seal.
 */
export function keepWishes(ports: AgentPorts, launch: AgentLaunch): void {
  const isAsKept = readLaunch(ports.home, launch.agent)?.restart === launch.restart;
  if ((isAsKept && launch.wanted !== "down") || !isLaunchGenuine(ports.home, launch.agent, ports.isGenuine)) return;
  writeLaunch(ports.home, { ...launch, wanted: launch.wanted === "down" ? "up" : launch.wanted }, ports.seal);
}

async function programOf(ports: AgentPorts, runtime: Runtime): Promise<string> {
  const { installed, path } = await ports.detect(runtime);
  if (installed) return path ?? "";
  const checked = testedWith(runtime.checkedVersions);
  throw new Refusal("runtime.not-installed", `${runtime.name} is not on the PATH (${checked})`, {
    runtime: runtime.name,
    checked: runtime.checkedVersions,
  });
}

function promptInput(ports: AgentPorts, wish: AgentWish): PromptInput {
  const { home, root, constellation } = ports;
  return { home, root, constellation, identity: agentIdentity(wish.agent), runtime: wish.runtime.name };
}

function launchOf(ports: AgentPorts, wish: AgentWish, program: string, promptFile: string): Launch {
  const { self, scriptCommand } = ports.wishes;
  const { runtime } = wish;
  const permissions = wish.permissions ?? ports.wishes.permissions;
  const drive = wish.drive ?? (runtime.drives === "only" ? {} : undefined);
  const account = accountOf(ports, wish);
  const ownFiles = wish.confined === true ? { ownFiles: layOwnFiles(ports, wish.agent, runtime, account) } : {};
  const isShutIn = runtime.isShutIn?.({ permissions, ...ownFiles }) === true;
  return {
    agent: wish.agent,
    home: ports.home,
    cwd: ports.root,
    program,
    promptFile,
    permissions,
    hookCommand: [...self, "hook", runtime.name],
    waitCommand: [...self, "hook", "wait"],
    // The owner made this the root directory of their agents.
    trusted: true,
    command: wish.command ?? (scriptCommand.length > 0 ? scriptCommand : [...self, "script-agent"]),
    ...ownFiles,
    ...(account === undefined ? {} : { account }),
    ...(drive === undefined ? {} : { drive }),
    ...(isShutIn ? { mcp: { constel: toolServer(ports, wish.agent) } } : {}),
    ...(wish.opening === undefined ? {} : { opening: wish.opening }),
    ...(wish.model === undefined ? {} : { model: wish.model }),
    ...(wish.resume === undefined ? {} : { resume: wish.resume }),
    ...(runtime.abilities.ownSessionId ? { sessionId: uuidFrom(ports.random.bytes(16)) } : {}),
  };
}

/** constel's tools, for a program whose shell cannot reach the daemon. The server is no more than a caller: without it the agent still works. */
function toolServer({ home, root, wishes: { self } }: AgentPorts, agent: string): McpServer {
  const [command = "constel", ...args] = self;
  const env = { CONSTEL_AGENT: agent, CONSTEL_HOME: home, CONSTEL_ROOT: root };
  return { command, args: [...args, "mcp"], env, optional: true };
}

/** What an agent is to use instead of its program's own account. */
function accountOf(ports: AgentPorts, { agent, runtime, account: name }: AgentWish): Launch["account"] {
  if (name === undefined || name === usualAccount) return undefined;
  const known = ports.wishes.accounts.filter((one) => one.runtime === runtime.name);
  const found = runtime.accounts === undefined ? undefined : known.find((one) => one.name === name);
  if (found === undefined) {
    const names = known.map((one) => one.name);
    throw new Refusal("account.unknown", `${runtime.name} has no account ${name}`, { agent, account: name, names });
  }
  if (!existsSync(found.directory))
    throw new Refusal("account.no-directory", `the account ${name} has no directory ${found.directory}`, {
      account: name,
      directory: found.directory,
    });
  return { name, directory: found.directory };
}

/** Its conversation lies with the account that it had: it is taken along once the program that writes it has ended. */
function carrying(
  ports: AgentPorts,
  { runtime, resume }: AgentWish,
  launch: Launch,
  before: AgentLaunch | undefined,
): (() => Promise<void>) | undefined {
  const { accounts } = runtime;
  if (before === undefined || resume === undefined || accounts === undefined) return undefined;
  const isSame = before.launch.account?.directory === launch.account?.directory;
  if (isSame || before.runtime !== runtime.name || launch.ownFiles !== undefined) return undefined;
  return () => accounts.carry({ ...sessionOf(before), sessionId: resume }, launch, ports.machine);
}

/** As asked for now, else as it was. */
function restartOf(wish: AgentWish, before: AgentLaunch | undefined): Pick<AgentLaunch, "restart"> {
  const restart = wish.restart ?? before?.restart;
  return restart === undefined ? {} : { restart };
}

function argvOf(prepared: Prepared, wish: AgentWish): readonly [string, ...string[]] {
  const [program, ...rest] = prepared.argv;
  if (program === undefined) throw new Error(`${wish.runtime.name} prepared no command`);
  return [program, ...rest];
}

/** RFC 9562, version 4. */
function uuidFrom(bytes: Uint8Array): string {
  const given = [...bytes];
  given[6] = ((given[6] ?? 0) & 0x0f) | 0x40;
  given[8] = ((given[8] ?? 0) & 0x3f) | 0x80;
  const hex = given.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
