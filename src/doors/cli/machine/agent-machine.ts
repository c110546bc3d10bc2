// The real machine behind the agent verbs: one tmux client for this process, the process table, the agent programs.

import { join } from "node:path";
import { inheritedEnvironment } from "../../../floor/agents/agent-environment.ts";
import { isConstels, sealForConstel } from "../../../host/keys/seal-for-constel.ts";
import type { AgentPorts } from "../../../floor/agents/agent-ports.ts";
import { systemClock, systemRandom } from "../../../host/clock/system-clock.ts";
import { signingKey } from "../../../host/keys/key-files.ts";
import { bubblewrap } from "../../../host/confine/bubblewrap.ts";
import { sandboxExec } from "../../../host/confine/sandbox-exec.ts";
import { agentTrees } from "../../../host/process/agent-trees.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { usualRuntime } from "../../../host/runtime/usual-runtime.ts";
import { runtimeNamed, runtimes } from "../../../host/runtime/all.ts";
import { TmuxTerminals } from "../../../host/tmux/tmux-terminals.ts";
import { messageOf, Outage, Refusal } from "../../../protocol/errors.ts";
import type { Detected, Permissions, Runtime, RuntimeMachine } from "../../../ports/runtime.ts";
import { type Account, accountsIn } from "../../../settings/accounts.ts";
import { type Config, defaultConfig } from "../../../settings/declarations.ts";
import { inHome } from "../../../settings/paths.ts";
import { tmuxSocket } from "../../../settings/tmux-socket.ts";
import { makeTrustedDirectory } from "../../../files/trusted-files.ts";
import { agentsTurn } from "./agents-turn.ts";
import type { CliContext } from "../context.ts";
import { daemonPid } from "../reach/daemon-pid.ts";
import { mayActForOwner, ownWholeCommand } from "../reach/start-daemon.ts";

/** Agents are asked to end before they are killed. */
const graceMs = 3_000;

/**
 * Runs work with the machine, and lets go of tmux afterwards. `lenient`: a malformed config costs the settings in it, not the
 * verb; for verbs that look or end, because they must work when something is broken. `creates`: looking makes no home.
 */
export async function withAgents<T>(
  context: CliContext,
  options: { readonly lenient: boolean; readonly creates: boolean },
  work: (ports: AgentPorts) => Promise<T>,
): Promise<T> {
  const config = await configOf(context, options.lenient);
  if (options.creates) makeTrustedDirectory(context.places.home, inHome.state);
  const ports = agentPorts(context, config, options.lenient);
  try {
    return await work(ports);
  } finally {
    await ports.terminals.close();
  }
}

export function runtimeMachine(context: CliContext): RuntimeMachine {
  const env = inheritedEnvironment(childEnvironment(context.env), context.places.home);
  return { processes: systemProcesses, clock: systemClock, env };
}

/** For agents of which nobody says what they run on. */
export const usualProgram = (context: CliContext, config: Config): string =>
  usualRuntime(config["agents.runtime"], runtimes, runtimeMachine(context).env["PATH"] ?? "");

export function knownRuntime(name: string): Runtime {
  const runtime = runtimeNamed(name);
  if (runtime !== undefined) return runtime;
  const known = runtimes.map((one) => one.name).join(", ");
  if (name === "")
    throw new Refusal("runtime.not-installed", `no agent program is on the PATH; constel knows ${known}`, { name });
  throw new Refusal("runtime.unknown", `there is no runtime ${JSON.stringify(name)}; known are ${known}`, { name });
}

/** The agent programs that are installed, each with its version as far as it tells. */
export async function programVersions(context: CliContext): Promise<{ name: string; version: string | undefined }[]> {
  const machine = runtimeMachine(context);
  const found = await Promise.all(
    runtimes.map(async (runtime) => ({ name: runtime.name, ...(await runtime.detect(machine)) })),
  );
  // A script is any command, and always there.
  return found
    .filter(({ installed, path }) => installed && path !== undefined)
    .map(({ name, version }) => ({ name, version: version ?? "of unknown version" }));
}

async function configOf(context: CliContext, lenient: boolean): Promise<Config> {
  try {
    return (await context.settings()).config;
  } catch (cause) {
    if (!lenient) throw cause;
    context.output.say(`constel: ignoring config.toml: ${messageOf(cause)}`);
    return defaultConfig;
  }
}

function agentPorts(context: CliContext, config: Config, lenient: boolean): AgentPorts {
  const { home, root } = context.places;
  const machine = runtimeMachine(context);
  const socket = tmuxSocket(config["tmux.socket"], home);
  const detected = new Map<string, Promise<Detected>>();
  return {
    home,
    root,
    constellation: config["constellation.name"],
    clock: systemClock,
    random: systemRandom,
    tmuxSocket: socket,
    terminals: new TmuxTerminals({
      socket,
      env: serverEnvironment(machine.env),
      clock: systemClock,
      lockPath: join(home, inHome.tmuxLock),
    }),
    trees: agentTrees({
      clock: systemClock,
      graceMs,
      spare: () => [daemonPid(home) ?? 0],
      adopting: [...ownWholeCommand(), "adopt-orphans", "--"],
    }),
    machine,
    confinement: (process.platform === "darwin" ? sandboxExec : bubblewrap)({
      processes: systemProcesses,
      env: machine.env,
      self: ownWholeCommand(),
    }),
    runtimeNamed: knownRuntime,
    detect(runtime) {
      const known = detected.get(runtime.name) ?? runtime.detect(machine);
      detected.set(runtime.name, known);
      return known;
    },
    wishes: {
      runtime: usualProgram(context, config),
      runtimeOfRoot: context.env.AGENT_RUNTIME === "" ? undefined : context.env.AGENT_RUNTIME,
      root: config["agents.root"],
      permissions: permissionsOf(config["agents.permissions"]),
      scriptCommand: config["agents.script_command"],
      self: ownWholeCommand(),
      umask: context.umask,
      confined: config["agents.confined"],
      confinedReads: config["agents.confined_reads"],
      accounts: accountsOf(config, lenient),
    },
    makeKey: (agent) => keepKey(context, agent),
    seal: sealForConstel(home),
    isGenuine: isConstels(home),
    mayActForOwner: () => mayActForOwner(home),
    exclusively: (work) => agentsTurn(home, systemClock, work),
  };
}

/** Agents must come back, and end, whatever stands in the settings; whoever starts one is refused. */
function accountsOf(config: Config, lenient: boolean): readonly Account[] {
  try {
    return accountsIn(config["agents.accounts"]);
  } catch (cause) {
    if (!lenient || !(cause instanceof Refusal)) throw cause;
    return [];
  }
}

/** Agents are started even where no key can be made: then nothing they say is verified, and that is said. */
function keepKey({ places, output }: CliContext, agent: string): void {
  try {
    signingKey(places.home, agent, systemClock);
  } catch (cause) {
    if (!(cause instanceof Refusal || cause instanceof Outage)) throw cause;
    output.say(`constel: ${agent} has no key, so nothing it says is verified: ${messageOf(cause)}`);
  }
}

/**
 * Returns the environment that the tmux server itself lives with. All else is said for each agent, because a server's environment cannot
 * be unset.
 */
function serverEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TMUX_TMPDIR)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => kept.test(name)));
}

function permissionsOf(value: string): Permissions {
  if (value === "ask" || value === "edits" || value === "all") return value;
  throw new Refusal("usage.bad-value", `agents.permissions must be ask, edits or all, not ${JSON.stringify(value)}`, {
    value,
  });
}
