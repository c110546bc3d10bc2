// The restart itself, in a process of its own that outlives whoever asked for it: each agent is started again as it was (same
// runtime, same conversation where it can be resumed, same restart kind), is waited for until it shows life, and is given what
// its predecessor left. What is wanted stays `up` all the while, so that a death on the way is mended by the next tick.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { Liveness } from "../../ports/machine.ts";
import { watchdogAgent } from "../../protocol/agent-id.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";
import { numberOf } from "../agents/agent-names.ts";
import type { AgentPorts } from "../agents/agent-ports.ts";
import { isLaunchGenuine, readLaunch } from "../agents/launch-files.ts";
import { type AgentWish, checkWish, startAgent } from "../agents/start-agent.ts";
import { accountAsBefore, drivenAsBefore } from "../agents/up.ts";
import type { Bus } from "../bus/bus.ts";
import { addStartFailure } from "../markers/start-failures.ts";
import { tryAppendRecord } from "../records.ts";
import { sessionsSoFar } from "../session/session-count.ts";
import { leastGapMs } from "../watchdog/policy.ts";
import { deliverHandoffs } from "./deliver-handoffs.ts";
import { restartStep } from "./restart-steps.ts";
import { type AgentRestart, type RestartStatus, statusId, writeRestartStatus } from "./restart-status.ts";
import { resumeId } from "./resume-id.ts";
import { type Sign, signOfLife } from "./sign-of-life.ts";
import { putMarker, removeMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";
import { addToTally } from "../markers/tally.ts";

export interface RestartPorts extends AgentPorts {
  readonly bus: Bus;
  readonly liveness: Liveness;
}

export interface RestartOrder {
  readonly agents: readonly string[];
  readonly because: RestartStatus["because"];
  /** Begin a new conversation. */
  readonly fresh: boolean;
  /** The account to go on with. Absent: as it was. */
  readonly account?: string;
}

/** Agent programs take seconds, on a busy machine many. */
const readyWithinMs = 90_000;
const lookEveryMs = 250;
/** So many starts of the root without readiness, and the next session tells the owner. */
const mostInitFailures = 3;

export async function restartAgents(ports: RestartPorts, order: RestartOrder): Promise<RestartStatus> {
  const report = new Report(ports, order);
  const refused = await startAndFinish(ports, order, report);
  // A program that does not find a conversation ends at once. The agent begins another now, and has its handoff to go by.
  if (refused.length > 0) await startAndFinish(ports, { ...order, agents: refused, fresh: true }, report);
  const status = report.end();
  restartStep("restart.ended");
  return status;
}

/** Answers the agents whose program did not take their conversation up. */
async function startAndFinish(ports: RestartPorts, order: RestartOrder, report: Report): Promise<readonly string[]> {
  const started = new Map<string, Started>();
  for (const agent of order.agents) {
    try {
      const one = await ports.exclusively(() => start(ports, order, agent, report));
      if (one !== undefined) started.set(agent, one);
    } catch (cause) {
      report.say(agent, { phase: "failed", says: messageOf(cause) });
      cannotStart(ports, agent, cause);
    }
  }
  const refused: string[] = [];
  await Promise.all(
    [...started].map(async ([agent, one]) => {
      if ((await finish(ports, agent, one, report)) === "resume-refused") refused.push(agent);
    }),
  );
  return refused;
}

interface Started {
  readonly launch: AgentLaunch;
  /** Sessions it had had before. */
  readonly sessions: number;
  readonly resumed: string | undefined;
  readonly pid: number;
}

async function start(
  ports: RestartPorts,
  order: RestartOrder,
  agent: string,
  report: Report,
): Promise<Started | undefined> {
  const before = readLaunch(ports.home, agent);
  const terminals = await ports.terminals.list();
  const isLiving = terminals.some(({ name, dead }) => name === agent && !dead);
  const why = reasonToLeave(order, before, isLiving);
  if (before === undefined || why !== undefined) {
    report.say(agent, { phase: "skipped", says: why ?? "it has no launch file" });
    return undefined;
  }
  const runtime = ports.runtimeNamed(before.runtime);
  const resumed = order.fresh ? undefined : await resumeId(runtime, before, ports.machine);
  const { model } = before.launch;
  // An agent that an operator restarts follows the settings of today; one that crashed comes back as it was.
  const isAsSet = order.because === "restart" && ports.wishes.scriptCommand.length > 0;
  // A command that somebody else wrote into its file is not run in its name.
  const isOurs = isLaunchGenuine(ports.home, agent, ports.isGenuine);
  const command = isAsSet || !isOurs ? undefined : before.launch.command;
  const wish: AgentWish = {
    agent,
    runtime,
    because: order.because,
    ...(model === undefined ? {} : { model }),
    ...(resumed === undefined ? {} : { resume: resumed }),
    ...(command === undefined ? {} : { command }),
    ...drivenAsBefore(before.launch, isOurs),
    ...(order.account === undefined
      ? accountAsBefore(ports, before.runtime, before.launch)
      : { account: order.account }),
    confined: before.confined === true || (ports.wishes.confined && before.role === "clone"),
  };
  await checkWish(ports, wish); // nothing is ended when this refuses
  report.say(agent, { phase: "starting" });
  const sinceLaunchMs = ports.clock.nowMs() - before.sinceMs;
  if (sinceLaunchMs >= 0 && sinceLaunchMs < leastGapMs) await ports.clock.sleep(leastGapMs - sinceLaunchMs);
  const sessions = sessionsSoFar(ports.home, agent);
  const { pid } = await startAgent(ports, wish, terminals, before);
  const launch = readLaunch(ports.home, agent) ?? before;
  report.say(agent, { phase: "started", pid, ...(resumed === undefined ? {} : { resumed }) });
  restartStep("restart.agent-started");
  return { launch, sessions, resumed, pid };
}

/** Looked at again when nobody else can change it: somebody may have been faster. */
function reasonToLeave(order: RestartOrder, before: AgentLaunch | undefined, isLiving: boolean): string | undefined {
  if (before === undefined) return "it has no launch file";
  if (before.wanted !== "up") return `it is wanted ${before.wanted}`;
  if (before.role === "ticker") return "the ticker is not restarted so";
  return order.because === "crash" && isLiving ? "it is back already" : undefined;
}

async function finish(
  ports: RestartPorts,
  agent: string,
  one: Started,
  report: Report,
): Promise<"ended" | "resume-refused"> {
  const { home } = ports;
  const facts = { pid: one.pid, ...(one.resumed === undefined ? {} : { resumed: one.resumed }) };
  try {
    const sign = await untilReady(ports, agent, one);
    if (sign.byItself === true && one.resumed !== undefined) {
      event(ports, "agent.resume-refused", agent, sign.says, { resumed: one.resumed });
      report.say(agent, { pid: one.pid, phase: "waiting", says: `it begins a new conversation: ${sign.says}` });
      return "resume-refused";
    }
    if (sign.state !== "alive") {
      notReady(ports, agent, sign);
      report.say(agent, { ...facts, phase: "failed", says: sign.says });
      return "ended";
    }
    report.say(agent, { ...facts, phase: "ready", says: sign.says });
    restartStep("restart.agent-ready");
    clearCrashState(ports, agent);
    if (agent === watchdogAgent) putMarker(home, markers.watchdogReady, new Date(ports.clock.nowMs()).toISOString());
    restartStep("restart.crash-state-cleared");
    const given = deliverHandoffs(ports, agent).flatMap(({ message }) => message ?? []);
    report.say(agent, { ...facts, phase: "done", says: sign.says, handoffs: given });
    event(ports, "agent.restarted", agent, sign.says, { resumed: one.resumed ?? null, handoffs: given });
  } catch (cause) {
    report.say(agent, { ...facts, phase: "failed", says: messageOf(cause) });
  }
  return "ended";
}

async function untilReady(ports: RestartPorts, agent: string, one: Started): Promise<Sign> {
  const untilMs = ports.clock.monotonicMs() + readyWithinMs;
  for (;;) {
    const sign = await signOfLife(ports, one.launch, one.sessions);
    if (sign.state !== "none") return sign;
    if (ports.clock.monotonicMs() >= untilMs)
      return { state: "none", says: `${agent} runs, but showed no sign of life within ${readyWithinMs / 1000} s` };
    await ports.clock.sleep(lookEveryMs);
  }
}

/** Clears what the watchdog held against the agent's earlier run. Its attempts stay: they show a crash loop. */
function clearCrashState({ home }: RestartPorts, agent: string): void {
  removeMarker(home, markers.paged.hang(agent), markers.hang(agent));
  removeMarker(home, markers.paneHash(agent));
  removeMarker(home, markers.inboxState(agent));
  removeMarker(home, markers.startFailures(agent));
  removeMarker(home, ...Object.values(markers.paged).map((of) => of(agent)));
  if (numberOf(agent) === 0) removeMarker(home, markers.agentInitFailures);
}

/** A root that never gets ready is counted; the next one that does tells the owner. */
function notReady(ports: RestartPorts, agent: string, sign: Sign): void {
  event(ports, "agent.not-ready", agent, sign.says, {});
  if (numberOf(agent) !== 0) return;
  const failures = addToTally(ports.home, markers.agentInitFailures, ports.clock.nowMs());
  if (failures >= mostInitFailures)
    putMarker(
      ports.home,
      markers.agentInitEscalation,
      `${agent} was started ${failures} times and did not get ready: ${sign.says}`,
    );
}

/** A refusal would be the same at a second try; what the machine could not do a moment ago it may do at the next tick. */
function cannotStart(ports: RestartPorts, agent: string, cause: unknown): void {
  const says = messageOf(cause);
  const kind = cause instanceof Refusal ? "refused" : "outage";
  addStartFailure(ports.home, agent, { says, nowMs: ports.clock.nowMs(), kind });
  event(ports, "agent.cannot-start", agent, says, {});
}

function event(ports: RestartPorts, name: string, agent: string, says: string, data: object): void {
  tryAppendRecord(ports, "watchdog-events", { event: name, agent, says, data });
}

class Report {
  readonly #ports: RestartPorts;
  #status: RestartStatus;

  constructor(ports: RestartPorts, order: RestartOrder) {
    this.#ports = ports;
    const by = ports.liveness.self();
    const startedMs = ports.clock.nowMs();
    const waiting: AgentRestart = { phase: "waiting", at_ms: startedMs };
    this.#status = {
      id: statusId(startedMs, by.pid),
      by,
      because: order.because,
      started_ms: startedMs,
      ended_ms: null,
      agents: Object.fromEntries(order.agents.map((agent) => [agent, waiting])),
    };
    writeRestartStatus(ports.home, this.#status);
    restartStep("restart.status-written");
  }

  say(agent: string, now: Omit<AgentRestart, "at_ms">): void {
    const agents = { ...this.#status.agents, [agent]: { ...now, at_ms: this.#ports.clock.nowMs() } };
    this.#write({ ...this.#status, agents });
  }

  end(): RestartStatus {
    this.#write({ ...this.#status, ended_ms: this.#ports.clock.nowMs() });
    return this.#status;
  }

  #write(status: RestartStatus): void {
    this.#status = status;
    writeRestartStatus(this.#ports.home, status);
  }
}
