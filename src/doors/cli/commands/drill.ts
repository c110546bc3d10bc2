// `constel drill`: ends an agent, the daemon or the ticker as a crash would, does nothing to help, and says what came back and in how long.

import type { AgentPorts } from "../../../floor/agents/agent-ports.ts";
import { agentNamed, tickerAgent } from "../../../floor/agents/agent-names.ts";
import { listLaunches } from "../../../floor/agents/launch-files.ts";
import { listAgents, type ListedAgent } from "../../../floor/agents/list-agents.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { markOf } from "../../../host/process/liveness.ts";
import { counted } from "../../../protocol/counted.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { CliContext } from "../context.ts";
import { askYes, canAsk } from "../input/ask.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import { withAgents } from "../machine/agent-machine.ts";
import type { Output } from "../present/output.ts";
import { table } from "../present/table.ts";
import { agentsNow } from "../reach/agents-now.ts";
import { daemonNow } from "../reach/daemon-now.ts";
import { daemonPid } from "../reach/daemon-pid.ts";

const usualWithinSeconds = 180;
const betweenLooksMs = 100;

/** A part that is to end: how it is called, the process, and how one sees that another took its place. */
interface Part {
  readonly name: string;
  readonly pid: number;
  /** The process that is there now; undefined where there is none. */
  readonly now: () => Promise<number | undefined>;
  /** Whether the one that is there does its work again; undefined where nobody can tell. */
  readonly works: (pid: number) => Promise<boolean | undefined>;
}

interface Came {
  readonly what: string;
  readonly ended_pid: number;
  readonly pid: number | null;
  /** Until another process stood in its place; null when none did in time. */
  readonly started_ms: number | null;
  /** Until it did its work again; null when that was not seen. */
  readonly back_ms: number | null;
}

export const drill: RunCommand = async (context, input) => {
  const withinMs = withinOf(input);
  return withAgents(context, { lenient: true, creates: false }, async (ports) => {
    const parts = await partsOf(context, ports, input.rest("what"));
    const names = parts.map(({ name }) => name).join(", ");
    const isAsked = !input.has("yes") && canAsk(context.output);
    const isMeant = input.has("yes") || (isAsked && askYes(context.output, `End ${names} now, as a crash would?`));
    if (!isMeant) {
      const text = isAsked ? "Nothing was ended." : `Nothing was ended: add --yes to end ${names}.`;
      return { json: { done: false, parts: [] }, text, exit: exitCodes.negative };
    }
    const came: Came[] = [];
    for (const part of parts) came.push(await rehearse(context, part, withinMs));
    const missing = came.filter(({ back_ms: back }) => back === null);
    return {
      json: { done: true, parts: came },
      text: () => textOf(came, missing, withinMs, context.output),
      ...(missing.length === 0 ? {} : { exit: exitCodes.negative }),
    };
  });
};

function withinOf(input: CommandInput): number {
  const text = input.flag("within") ?? String(usualWithinSeconds);
  const seconds = Number(text);
  if (!/^\d{1,5}$/.test(text) || seconds < 1)
    throw new Refusal("usage.bad-value", `--within takes a number of seconds, not ${JSON.stringify(text)}`);
  return seconds * 1_000;
}

async function partsOf(context: CliContext, ports: AgentPorts, words: readonly string[]): Promise<readonly Part[]> {
  if (words.length === 0)
    throw new Refusal("usage.missing-argument", "say what is to end: agent3, daemon, ticker or all", {});
  const agents = await listed(ports);
  const wanted = words.includes("all") ? ["daemon", "ticker", await idleAgent(context, agents)] : [...new Set(words)];
  return wanted.map((word) => {
    if (word === "daemon") return daemonPart(context);
    return agentPart(context, ports, agents, word === "ticker" ? tickerAgent : agentNamed(word));
  });
}

/** A clone that has nothing in hand loses nothing. */
async function idleAgent(context: CliContext, agents: readonly ListedAgent[]): Promise<string> {
  const now = await agentsNow(context);
  const clones = agents.filter(({ role, seen, wanted }) => role === "clone" && seen === "up" && wanted === "up");
  const idle = clones.find(({ agent }) => now?.get(agent)?.state === "idle" && now.get(agent)?.tasks.length === 0);
  const one = idle ?? clones.find(({ agent }) => now?.get(agent)?.state === "idle");
  if (one === undefined) throw new Refusal("agent.unknown", "no agent is idle: name one, such as agent1", {});
  return one.agent;
}

const listed = async ({ home, terminals }: AgentPorts): Promise<readonly ListedAgent[]> =>
  listAgents(listLaunches(home), await terminals.list());

function agentPart(context: CliContext, ports: AgentPorts, agents: readonly ListedAgent[], agent: string): Part {
  const one = agents.find((each) => each.agent === agent);
  const name = agent === tickerAgent ? "ticker" : agent;
  if (one?.pid === undefined || one.wanted !== "up")
    throw new Refusal("agent.unknown", `${name} is not up, or is not wanted to be`, { agent });
  return {
    name,
    pid: one.pid,
    now: async () => (await listed(ports)).find((each) => each.agent === agent)?.pid,
    works: async () => {
      // The ticker shows by its life alone.
      if (agent === tickerAgent) return true;
      const now = (await agentsNow(context))?.get(agent);
      return now === undefined ? undefined : now.state !== "starting" && now.state !== "dead";
    },
  };
}

function daemonPart(context: CliContext): Part {
  const { home } = context.places;
  const pid = daemonPid(home);
  if (pid === undefined || markOf(pid) === undefined)
    throw new Refusal("daemon.unreachable", "the daemon does not run: there is nothing to end", {});
  return {
    name: "daemon",
    pid,
    now: () => Promise.resolve(daemonPid(home)),
    works: async () => (await daemonNow(home, context.signal)) === "answers",
  };
}

async function rehearse(context: CliContext, part: Part, withinMs: number): Promise<Came> {
  const { output, signal } = context;
  output.say(`constel: ${part.name} (process ${part.pid}) is ended`);
  process.kill(part.pid, "SIGKILL");
  const began = systemClock.monotonicMs();
  const sinceBegan = (): number => Math.round(systemClock.monotonicMs() - began);
  const came = { what: part.name, ended_pid: part.pid };
  let startedMs: number | null = null;
  let pid: number | undefined;
  while (sinceBegan() < withinMs && !signal.aborted) {
    const now = await part.now();
    const isAnother = now !== undefined && now !== part.pid;
    if (isAnother) {
      startedMs ??= sinceBegan();
      pid = now;
      if ((await part.works(now)) !== false) {
        output.say(`constel: ${part.name} is back after ${seconds(sinceBegan())}`);
        return { ...came, pid: now, started_ms: startedMs, back_ms: sinceBegan() };
      }
    }
    await systemClock.sleep(betweenLooksMs, signal);
  }
  return { ...came, pid: pid ?? null, started_ms: startedMs, back_ms: null };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

function textOf(came: readonly Came[], missing: readonly Came[], withinMs: number, { columns, paint }: Output): string {
  const rows = came.map(({ what, ended_pid: ended, pid, started_ms: started, back_ms: back }) => [
    what,
    String(ended),
    started === null ? "no other process" : `process ${pid} after ${seconds(started)}`,
    back === null ? `not within ${seconds(withinMs)}` : seconds(back),
  ]);
  const end =
    missing.length === 0
      ? `${counted(came.length, "part")} ended on purpose, all back.`
      : `Not back: ${missing.map(({ what }) => what).join(", ")}. Look at it: constel doctor`;
  return `${table(["ended", "process", "in its place", "at work again"], rows, { columns, paint })}\n${end}`;
}
