// Brings up what is wanted: ticker, root (unless the owner wants none), clones, watchdog, each unless it lives already. Whoever was taken down with
// all the others, or went with the machine, comes back as it was, in its conversation. Asking twice changes nothing. All that can be
// refused is refused before the first one is started.
//
// `start-agent.ts` starts one: prompt and the program's files, what is wanted into the launch file, the terminal, its leader into the
// launch file. The terminal's name keeps a second one out; `steps.ts` names the places where a death is tested. `stop-agent.ts` goes
// the other way: unwanted first, then the whole process tree (`host/process/agent-trees.ts`), then the terminal. `confine-agent.ts`
// says what a confined one sees.

import type { AgentLaunch, AgentRole, RestartKind } from "../../ports/agent-launch.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Drive } from "../../ports/drive.ts";
import type { AgentTree } from "../../ports/process-trees.ts";
import type { Launch, Permissions } from "../../ports/runtime.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { rootAgent, watchdogAgent } from "../../protocol/agent-id.ts";
import { clearGiveUp } from "../markers/give-up.ts";
import { launchedRuntime } from "../markers/launched-runtime.ts";
import { byPlace, numberOf, roleOf, tickerAgent } from "./agent-names.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { chooseRuntime } from "./choose-runtime.ts";
import { isLaunchGenuine, listLaunches } from "./launch-files.ts";
import { resumeId } from "../restart/resume-id.ts";
import { writeOwnProgram } from "./own-program.ts";
import { type AgentWish, checkWish, isLedAsWritten, keepWishes, startAgent } from "./start-agent.ts";
import { stopAgent } from "./stop-agent.ts";
import { startTicker } from "./ticker.ts";

export interface UpRequest {
  /** Clones 1 to this; those that are wanted already come too. */
  readonly clones?: number;
  readonly type?: string | undefined;
  /** Of those that are started now. */
  readonly restart?: RestartKind | undefined;
  /** Clones that are started now run confined. */
  readonly confined?: boolean;
  /** Of clones that are started now. */
  readonly account?: string | undefined;
  /** Whoever was taken down stays down, and every start is a new conversation. */
  readonly fresh?: boolean;
}

export interface AgentUp {
  readonly agent: string;
  readonly role: AgentRole;
  readonly runtime: string;
  /**
   * `foreign`: a terminal of this name lives that constel has no record of; it is left alone. `ended`: it was started, and its
   * program refused to run; its words are in the notes.
   */
  readonly outcome: "started" | "replaced" | "running" | "foreign" | "ended";
  readonly pid: number;
  readonly notes: readonly string[];
  /** The launch that it comes back from; absent when it never ran, or begins anew. */
  readonly from?: AgentLaunch;
  /** The conversation that it goes on with. */
  readonly resumed?: string;
}

const mostClones = 999;

/** A session that is about to be started: a program of its own, which may use tokens of its own. */
export interface ComingSession {
  readonly agent: string;
  readonly role: AgentRole;
  readonly runtime: string;
}

/** Called when all is checked and before the first start: the place to say what comes, and to start the daemon. */
type First = (coming: readonly ComingSession[]) => Promise<void>;

export function up(ports: AgentPorts, request: UpRequest, first: First): Promise<readonly AgentUp[]> {
  const clones = request.clones ?? 0;
  if (clones > mostClones) throw new Refusal("agents.too-many", `${clones} clones are too many`, { clones });
  return ports.exclusively(async () => {
    const { launches } = listLaunches(ports.home);
    const wanted = launches.filter((launch) => isWanted(launch, request));
    const numbered = Array.from({ length: clones }, (_, index) => `agent${index + 1}`);
    const root = ports.wishes.root ? [rootAgent] : [];
    // The root may start agents, but not what acts for the owner.
    const ticker = ports.mayActForOwner() ? [tickerAgent] : [];
    const agents = new Set([...root, ...numbered, ...wanted.map(({ agent }) => agent), watchdogAgent, ...ticker]);
    return bringUp(
      ports,
      [...agents].sort(byPlace),
      {
        because: "up",
        type: request.type,
        restart: request.restart,
        clonesConfined: request.confined === true,
        ...(request.account === undefined ? {} : { clonesAccount: request.account }),
        fresh: request.fresh === true,
      },
      first,
    );
  });
}

/** It was never taken down, or was taken down with all the others; of these, as many as are asked for. */
function isWanted({ role, agent, wanted, returns }: AgentLaunch, { clones, fresh }: UpRequest): boolean {
  if (role !== "clone" && role !== "root" && role !== "worker") return false;
  if (wanted !== "down") return true;
  return returns === true && fresh !== true && (clones === undefined || (numberOf(agent) ?? 0) <= clones);
}

/** One agent. `fresh` ends it first if it lives, and so does `again`, which goes on with its conversation. */
export function upOne(
  ports: AgentPorts,
  agent: string,
  request: {
    readonly type?: string | undefined;
    readonly fresh?: boolean;
    readonly again?: boolean;
    readonly restart?: RestartKind | undefined;
    readonly confined?: boolean;
    readonly drive?: Drive;
    readonly model?: string;
    readonly permissions?: Permissions;
    readonly account?: string;
  },
): Promise<AgentUp> {
  return ports.exclusively(async () => {
    const { type, restart, confined } = request;
    const fresh = request.fresh === true;
    const { drive, model, permissions, account } = request;
    const order: Order = {
      because: "agent",
      type,
      restart,
      fresh,
      ...(confined === true ? { confined } : {}),
      ...(drive === undefined ? {} : { drive }),
      ...(model === undefined ? {} : { model }),
      ...(permissions === undefined ? {} : { permissions }),
      ...(account === undefined ? {} : { account }),
    };
    if (fresh || request.again === true) {
      const launch = launchesByAgent(ports).get(agent);
      // A wish that would be refused must be refused while the old agent still runs.
      await checkWish(ports, await wishFor(ports, agent, order, launch));
      await stopAgent(ports, agent, await ports.terminals.list(), launch);
    }
    const [answer] = await bringUp(ports, [agent], order, async () => {});
    if (answer === undefined) throw new Error(`${agent} was asked for and not answered for`);
    return answer;
  });
}

interface Order {
  readonly because: string;
  readonly type: string | undefined;
  readonly restart: RestartKind | undefined;
  /** Whoever it is: refused where it cannot be. */
  readonly confined?: boolean;
  readonly clonesConfined?: boolean;
  readonly fresh: boolean;
  readonly drive?: Drive;
  readonly model?: string;
  readonly permissions?: Permissions;
  readonly account?: string;
  readonly clonesAccount?: string;
}

async function bringUp(
  ports: AgentPorts,
  agents: readonly string[],
  order: Order,
  first: First,
): Promise<readonly AgentUp[]> {
  const terminals = await ports.terminals.list();
  const launches = launchesByAgent(ports);
  const living = new Map(
    terminals
      .filter((terminal) => !terminal.dead && isKept(terminal, launches.get(terminal.name)))
      .map((terminal) => [terminal.name, terminal]),
  );
  const wishes = new Map<string, AgentWish>();
  for (const agent of agents) {
    if (living.has(agent) || agent === tickerAgent) continue;
    const wish = await wishFor(ports, agent, order, launches.get(agent));
    await checkWish(ports, wish);
    wishes.set(agent, wish);
  }
  writeOwnProgram(ports.home, ports.wishes.self);
  await first([...wishes].map(([agent, { runtime }]) => ({ agent, role: roleOf(agent), runtime: runtime.name })));
  // One look at the machine's processes for all of them: with a look for each, a hundred agents would cost a hundred times a hundred.
  const isThere = wishes.size > 1 ? ports.trees.look() : undefined;
  const answers: AgentUp[] = [];
  for (const agent of agents) {
    const terminal = living.get(agent);
    const launch = launches.get(agent);
    answers.push(
      terminal === undefined
        ? await start(ports, agent, wishes.get(agent), terminals, launch, isThere, order.fresh)
        : leave(ports, terminal, launch, order),
    );
  }
  return answers;
}

/**
 * One that constel has no record of is left to whoever made it, and named. One of ours with a process that is not written down, because its start
 * was cut short or because somebody made a terminal of that name, is made anew: its process would be given the agent's rights.
 */
const isKept = (terminal: Terminal, launch: AgentLaunch | undefined): boolean =>
  launch === undefined || isLedAsWritten(terminal, launch);

async function start(
  ports: AgentPorts,
  agent: string,
  wish: AgentWish | undefined,
  terminals: readonly Terminal[],
  launch: AgentLaunch | undefined,
  isThere: ((tree: AgentTree) => boolean) | undefined,
  isFresh: boolean,
): Promise<AgentUp> {
  const outcome = terminals.some(({ name }) => name === agent) ? "replaced" : "started";
  const { pid, notes } =
    wish === undefined
      ? { ...(await startTicker(ports, terminals, launch)), notes: [] }
      : await startAgent(ports, wish, terminals, launch, isThere);
  // Whoever starts an agent by hand takes it out of quarantine: the watchdog must not go on leaving it alone.
  if (wish !== undefined) clearGiveUp(ports.home, agent);
  const started = { agent, role: roleOf(agent), runtime: wish?.runtime.name ?? "script", outcome, pid, notes } as const;
  if (launch === undefined || wish === undefined || isFresh) return started;
  return { ...started, from: launch, ...(wish.resume === undefined ? {} : { resumed: wish.resume }) };
}

function leave(ports: AgentPorts, terminal: Terminal, launch: AgentLaunch | undefined, order: Order): AgentUp {
  const { name: agent, pid } = terminal;
  const role = roleOf(agent);
  if (launch === undefined) {
    const note = `a tmux session of this name is running that constel has no record of; \`constel down ${agent}\` ends it`;
    return { agent, role, runtime: "unknown", outcome: "foreign", pid, notes: [note] };
  }
  keepWishes(ports, order.restart === undefined ? launch : { ...launch, restart: order.restart });
  const { runtime } = launch;
  const isOther = role !== "ticker" && order.type !== undefined && order.type !== runtime;
  const notes = isOther ? [`runs on ${runtime}; \`constel down ${agent}\` first, to have it on ${order.type}`] : [];
  if (isConfined(ports, agent, order, launch) && launch.confined !== true)
    notes.push(`runs UNCONFINED; \`constel down ${agent}\` first, to have it confined`);
  return { agent, role, runtime, outcome: "running", pid, notes };
}

async function wishFor(
  ports: AgentPorts,
  agent: string,
  order: Order,
  launch: AgentLaunch | undefined,
): Promise<AgentWish> {
  const { runtime, runtimeOfRoot } = ports.wishes;
  const isBack = launch !== undefined && comesBack(launch, order);
  const name = chooseRuntime({
    role: roleOf(agent),
    type: order.type,
    runtimeOfRoot,
    launched: launchedRuntime(ports.home, agent),
    recovering: isBack,
    configured: runtime,
  });
  const { because, restart } = order;
  const chosen = ports.runtimeNamed(name);
  // The watchdog's conversation is about what it saw then.
  const goesOn = launch !== undefined && !order.fresh && agent !== watchdogAgent;
  const resume = goesOn ? await resumeId(chosen, launch, ports.machine) : undefined;
  return {
    agent,
    runtime: chosen,
    because,
    ...(restart === undefined ? {} : { restart }),
    ...(resume === undefined ? {} : { resume }),
    ...(isBack ? asBefore(ports, launch, chosen.name) : {}),
    ...(order.drive === undefined ? {} : { drive: order.drive }),
    ...(order.model === undefined ? {} : { model: order.model }),
    ...(order.permissions === undefined ? {} : { permissions: order.permissions }),
    ...accountFor(agent, order),
    confined: isConfined(ports, agent, order, launch),
  };
}

const accountFor = (agent: string, { account, clonesAccount }: Order): Pick<AgentWish, "account"> => {
  const wanted = account ?? (roleOf(agent) === "clone" ? clonesAccount : undefined);
  return wanted === undefined ? {} : { account: wanted };
};

const comesBack = ({ wanted, returns }: AgentLaunch, { fresh }: Order): boolean =>
  wanted !== "down" || (returns === true && !fresh);

/** On the same program: with the model and the command it had. What somebody else wrote into its file is not run in its name. */
function asBefore(ports: AgentPorts, { agent, runtime, launch }: AgentLaunch, chosen: string): Partial<AgentWish> {
  if (runtime !== chosen) return {};
  const isGenuine = isLaunchGenuine(ports.home, agent, ports.isGenuine);
  const isSet = ports.wishes.scriptCommand.length > 0 || !isGenuine;
  return {
    ...(launch.model === undefined ? {} : { model: launch.model }),
    ...drivenAsBefore(launch, isGenuine),
    ...accountAsBefore(ports, runtime, launch),
    ...(isSet || launch.command === undefined ? {} : { command: launch.command }),
  };
}

/** Kept over restarts. If somebody else wrote its file, it may only read: what was taken away is not known. */
export function drivenAsBefore(
  { drive, permissions }: Launch,
  isGenuine: boolean,
): Pick<AgentWish, "drive" | "permissions"> {
  if (drive === undefined) return {};
  return isGenuine ? { drive, permissions } : { drive: { ...drive, readOnly: true } };
}

/** Kept over restarts, for as long as the settings have it. */
export function accountAsBefore(
  { wishes }: AgentPorts,
  runtime: string,
  { account }: Launch,
): Pick<AgentWish, "account"> {
  const isKept = wishes.accounts.some((one) => one.runtime === runtime && one.name === account?.name);
  return account === undefined || !isKept ? {} : { account: account.name };
}

/** As asked for, as set, or as it was when it is only brought back: never less. */
function isConfined(ports: AgentPorts, agent: string, order: Order, launch: AgentLaunch | undefined): boolean {
  if (order.confined === true) return true;
  if (roleOf(agent) !== "clone") return false;
  const wasConfined = launch?.confined === true && comesBack(launch, order);
  return order.clonesConfined === true || ports.wishes.confined || wasConfined;
}

function launchesByAgent(ports: AgentPorts): Map<string, AgentLaunch> {
  return new Map(listLaunches(ports.home).launches.map((launch) => [launch.agent, launch]));
}
