// Starting, ending and showing agents. All of it is floor: tmux and files, no daemon needed.

import { counted, nounFor } from "../../../protocol/counted.ts";
import { rootAgent, watchdogAgent } from "../../../protocol/agent-id.ts";
import { agentNamed } from "../../../floor/agents/agent-names.ts";
import { down as endAgents } from "../../../floor/agents/down.ts";
import type { Stopped } from "../../../floor/agents/stop-agent.ts";
import type { AgentPorts } from "../../../floor/agents/agent-ports.ts";
import { earlyEnds } from "../../../floor/agents/early-ends.ts";
import { readLaunch } from "../../../floor/agents/launch-files.ts";
import { signOfLife } from "../../../floor/restart/sign-of-life.ts";
import { type AgentUp, up as bringUp, upOne } from "../../../floor/agents/up.ts";
import { type RestartKind, restartKinds } from "../../../ports/agent-launch.ts";
import { pushInbox } from "../../../floor/push/push-inbox.ts";
import { systemLiveness } from "../../../host/process/liveness.ts";
import { attachOrder } from "../../../host/runtime/driving/held.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { messageOf, Refusal } from "../../../protocol/errors.ts";
import { withAgents, knownRuntime } from "../machine/agent-machine.ts";
import { attachTo } from "../machine/attach.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { listed } from "../../../protocol/listed.ts";
import { handBack } from "../../../floor/restart/hand-back.ts";
import { workInHand } from "../machine/work-in-hand.ts";
import { dayAndTime } from "../present/time.ts";
import { agentsNow } from "../reach/agents-now.ts";
import { lookAtAgents } from "../machine/look-at-agents.ts";
import { agentsTable } from "../present/agents-table.ts";
import { comingSessions } from "../present/coming-sessions.ts";
import { startDaemon } from "../reach/start-daemon.ts";
import { untilSeen } from "../reach/until-seen.ts";
import { endDaemon } from "../reach/stop-daemon.ts";
import { hooksOf, restartPorts } from "../machine/watch-machine.ts";

const starting = { lenient: false, creates: true };
const ending = { lenient: true, creates: true };
const looking = { lenient: true, creates: false };

export const up: RunCommand = async (context, input) => {
  const clones = countOf(input.optional("clones"));
  refuseUnknownType(input);
  await refuseUnclearSettings(context);
  const sinceMs = systemClock.nowMs();
  const { agents, daemon, attach } = await withAgents(context, starting, async (ports) => {
    let daemon: DaemonStart = { running: false };
    const agents = await bringUp(
      ports,
      {
        ...(clones === undefined ? {} : { clones }),
        type: input.flag("type"),
        restart: restartOf(input),
        confined: input.has("confined"),
        account: input.flag("account"),
        fresh: input.has("fresh"),
      },
      async (coming) => {
        const said = comingSessions(coming);
        if (said !== undefined) context.output.say(`constel: ${said}`);
        daemon = await tryStartDaemon(context);
      },
    );
    const shown = agents.find(({ role }) => role === "root") ?? agents.find(({ role }) => role === "clone");
    const checked = await withReturns(context, ports, await withEarlyEnds(context, ports, agents));
    return { agents: checked, daemon, attach: shown && ports.terminals.attachCommand(shown.agent) };
  });
  if (daemon.running) await untilSeen(context, agents, sinceMs);
  const attaches = context.output.interactive && !context.output.json && !input.has("no-attach");
  const exit = exitOf(agents);
  if (!attaches || attach === undefined || "exit" in exit)
    return {
      json: { daemon, agents: agents.filter(isAgent), ticker: agents.find((one) => !isAgent(one)) ?? null },
      text: () => upText(agents, daemon),
      ...exit,
    };
  context.output.data(`${upText(agents, daemon)}\n`);
  return attachTo(attach, context.env);
};

export const agent: RunCommand = async (context, input) => {
  const name = agentNamed(input.argument("agent"));
  if (!/\d$/.test(name))
    throw new Refusal("agent.bad-id", `${name} is not one of the numbered agents`, { agent: name });
  return startOne(context, input, name);
};

export const agentinfinity: RunCommand = (context, input) => startOne(context, input, watchdogAgent);

async function startOne(context: CliContext, input: CommandInput, name: string): ReturnType<RunCommand> {
  await refuseUnclearSettings(context);
  const sinceMs = systemClock.nowMs();
  const [answer] = await withAgents(context, starting, async (ports) => {
    const one = await upOne(ports, name, {
      type: input.flag("type"),
      fresh: input.has("fresh"),
      restart: restartOf(input),
      confined: input.has("confined"),
      ...(input.has("driven") ? { drive: {} } : {}),
      ...modelOf(input),
      ...accountOf(input),
    });
    return withReturns(context, ports, await withEarlyEnds(context, ports, [one]));
  });
  if (answer === undefined) throw new Error(`${name} was started and not answered for`);
  await untilSeen(context, [answer], sinceMs);
  return { json: answer, text: () => agentLines(answer).join("\n"), ...exitOf([answer]) };
}

function modelOf(input: CommandInput): { readonly model?: string } {
  const model = input.flag("model");
  return model === undefined ? {} : { model };
}

function accountOf(input: CommandInput): { readonly account?: string } {
  const account = input.flag("account");
  return account === undefined ? {} : { account };
}

/** Whoever starts agents means its rules to hold for them: one that says `dney` would let them ask. */
async function refuseUnclearSettings(context: CliContext): Promise<void> {
  const complaint = await context.backstage.settingsComplaint(await context.settings());
  if (complaint !== undefined) throw new Refusal("config.malformed", `nothing was started: ${complaint}`);
}

/** The time a program is given to refuse to run; on a busy machine real ones take seconds to read their settings. */
const refusesWithinMs = 8_000;
const scriptRefusesWithinMs = 200;
/** Codex shows its input line for a second before it asks for a login. */
const settlesMs = 2_000;

/** Those that ended as soon as they were started are told of as such, in their own words. */
async function withEarlyEnds(
  context: CliContext,
  ports: AgentPorts,
  agents: readonly AgentUp[],
): Promise<readonly AgentUp[]> {
  const now = agents.filter(
    ({ outcome, role }) => role !== "ticker" && (outcome === "started" || outcome === "replaced"),
  );
  const started = new Map(
    now.map(({ agent, runtime }) => [agent, runtime === "script" ? scriptRefusesWithinMs : refusesWithinMs]),
  );
  const signs = new Map<string, string>();
  const idleSince = new Map<string, number>();
  const lives = async (agent: string): Promise<boolean> => {
    const launch = readLaunch(ports.home, agent);
    if (launch === undefined) return true; // somebody took it down meanwhile
    if ((hooksOf(ports.home, agent)?.lastMs ?? 0) >= launch.sinceMs) return true;
    if (launch.runtime === "script") return false;
    const { state, says } = await signOfLife(ports, launch, Infinity);
    signs.set(agent, says);
    if (!says.startsWith("idle: the screen")) return state === "alive";
    const sinceMs = idleSince.get(agent) ?? systemClock.monotonicMs();
    idleSince.set(agent, sinceMs);
    return systemClock.monotonicMs() - sinceMs >= settlesMs;
  };
  const { ended, silent } = await earlyEnds(ports, { started, lives, signal: context.signal });
  return agents.map((one): AgentUp => {
    const words = ended.get(one.agent);
    if (words !== undefined) return { ...one, outcome: "ended", notes: [...one.notes, words] };
    const waits = waitsFor(one, signs.get(one.agent), silent);
    return waits === undefined ? one : { ...one, notes: [...one.notes, waits] };
  });
}

/** Those that come back are told of the tasks they have in hand; what they go on with is said. */
async function withReturns(
  context: CliContext,
  ports: AgentPorts,
  agents: readonly AgentUp[],
): Promise<readonly ToldUp[]> {
  const told: ToldUp[] = [];
  for (const { from, ...one } of agents) {
    if (from === undefined || one.outcome === "ended") {
      told.push(one);
      continue;
    }
    const parts = { ...restartPorts(context, ports), workOf: () => workInHand(context, one.agent, undefined) };
    const tasks = await handBack(parts, from, one.resumed !== undefined);
    const lastMs = Math.max(hooksOf(ports.home, one.agent)?.lastMs ?? 0, from.sinceMs);
    const talk =
      one.resumed === undefined ? [] : [`goes on with its conversation of ${dayAndTime(lastMs, Date.now())}`];
    const work = tasks.length === 0 ? [] : [`is told of ${nounFor(tasks.length, "task")} ${listed(tasks)}`];
    told.push({ ...one, tasks, notes: [...one.notes, ...talk, ...work] });
  }
  return told;
}

/** `tasks`: those it was told of. */
type ToldUp = Omit<AgentUp, "from"> & { readonly tasks?: readonly string[] };

/** A program that is there and goes no further by itself: without a login, at a dialog, or before its first screen. */
function waitsFor(
  { agent, runtime }: AgentUp,
  sign: string | undefined,
  silent: ReadonlySet<string>,
): string | undefined {
  const [, state = "", says = ""] = /^(logged-out|waiting-permission|waiting-answer): (.*)$/s.exec(sign ?? "") ?? [];
  if (state === "logged-out") return `it is not logged in: ${says}. Log in: constel attach ${agent}`;
  if (state !== "") return `it waits for you: ${says}. Look: constel attach ${agent}`;
  const isSilent = silent.has(agent) && runtime !== "script";
  return isSilent
    ? `it has shown no prompt yet, after ${refusesWithinMs / 1000} s. Look: constel attach ${agent}`
    : undefined;
}

const exitOf = (agents: readonly ToldUp[]): { readonly exit?: number } =>
  agents.some(({ outcome }) => outcome === "ended") ? { exit: exitCodes.negative } : {};

export const down: RunCommand = async (context, input) => {
  const named = input.optional("agent");
  if (named !== undefined && input.has("all")) {
    throw new Refusal("usage.extra-argument", "give either an agent or --all, not both", { extra: named });
  }
  const only = named === undefined ? {} : { agent: agentNamed(named) };
  // An agent may end itself: when its terminal goes, this process goes on to the end.
  process.on("SIGHUP", () => undefined);
  let daemon = false;
  const ended = await withAgents(context, ending, (ports) =>
    endAgents(ports, { ...only, all: input.has("all") }, async () => {
      daemon = await endDaemon(context);
    }),
  );
  return {
    json: { ended, ...(input.has("all") ? { daemon: { stopped: daemon } } : {}) },
    text: () => downText(ended, named, daemon),
  };
};

export const attach: RunCommand = async (context, input) => {
  const name = agentNamed(input.optional("agent") ?? rootAgent);
  const command = await withAgents(context, looking, async (ports) => {
    if (await ports.terminals.has(name)) {
      if (readLaunch(ports.home, name)?.launch.drive !== undefined) await letGoOfPipe(context, ports, name);
      return ports.terminals.attachCommand(name);
    }
    throw new Refusal(
      "terminal.unknown",
      `${name} has no terminal`,
      { agent: name },
      "`constel agents` shows who is there.",
    );
  });
  return attachTo(command, context.env);
};

/** Driven over a pipe, its conversation is opened in the program's own interface; what it is at ends as interrupted. */
async function letGoOfPipe(context: CliContext, ports: AgentPorts, agent: string): Promise<void> {
  await pushInbox(ports.home, agent, systemLiveness).put(attachOrder, attachOrder);
  context.output.say(
    `constel: ${agent} is driven over a pipe; its program opens here. Leave the program and it goes on.`,
  );
}

export const agents: RunCommand = async (context, input) => {
  const listed = (await lookAtAgents(context)).filter((one) => input.has("all") || isAgent(one));
  const now = listed.length === 0 ? undefined : await agentsNow(context);
  const missing = listed.some(({ wanted, seen }) => wanted === "up" && seen !== "up");
  return {
    json: { agents: listed.map((one) => ({ ...one, now: now?.get(one.agent) ?? null })) },
    text: () =>
      listed.length === 0
        ? "No agents yet: `constel up` starts them."
        : agentsTable(listed, now, context.output, Date.now()),
    ...(missing ? { exit: exitCodes.negative } : {}),
  };
};

/** The ticker is a process of constel's own. */
const isAgent = ({ role }: { readonly role: string }): boolean => role !== "ticker";

interface DaemonStart {
  readonly running: boolean;
  readonly started?: boolean;
  readonly problem?: string;
}

/** Agents run without a daemon: one that cannot start is said and does not stop them. */
async function tryStartDaemon(context: CliContext): Promise<DaemonStart> {
  try {
    return { running: true, ...(await startDaemon(context)) };
  } catch (cause) {
    context.output.say(`constel: continuing without the daemon: ${messageOf(cause)}`);
    return { running: false, problem: messageOf(cause) };
  }
}

function upText(agents: readonly ToldUp[], daemon: DaemonStart): string {
  const changed = agents.some(({ outcome }) => outcome === "started" || outcome === "replaced");
  const lines = agents.filter(isAgent).flatMap(agentLines);
  return changed || daemon.started === true
    ? lines.join("\n")
    : [...lines, "Nothing changed: all of them are running already."].join("\n");
}

function agentLines({ agent, runtime, outcome, pid, notes }: ToldUp): string[] {
  const said = {
    started: "started",
    replaced: "started over",
    running: "already up",
    foreign: "left alone",
    ended: "did not start",
  }[outcome];
  return [
    `${agent.padEnd(14)} ${said.padEnd(13)} ${runtime.padEnd(9)} pid ${pid}`,
    ...notes.map((note) => `  ${note}`),
  ];
}

function downText(ended: readonly Stopped[], named: string | undefined, daemon: boolean): string {
  const lines = ended.map(({ agent, outcome, processes }) =>
    outcome === "absent"
      ? `${agent} is not running.`
      : `${agent.padEnd(14)} ended, ${counted(processes, "process", "processes")}`,
  );
  if (daemon) lines.push("The daemon has ended.");
  return lines.length === 0 && named === undefined ? "No agent is running." : lines.join("\n");
}

function restartOf(input: CommandInput): RestartKind | undefined {
  const word = input.flag("restart");
  const kind = restartKinds.find((one) => one === word);
  if (word === undefined || kind !== undefined) return kind;
  const known = restartKinds.join(", ");
  throw new Refusal("usage.bad-value", `--restart must be one of ${known}, not ${JSON.stringify(word)}`, { word });
}

/** Also where every agent runs already, and nothing would be started on it. */
function refuseUnknownType(input: CommandInput): void {
  const type = input.flag("type");
  if (type !== undefined) knownRuntime(type);
}

function countOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d{1,6}$/.test(word)) return Number(word);
  throw new Refusal("usage.bad-value", `constel up takes a number of clones, not ${JSON.stringify(word)}`, { word });
}
