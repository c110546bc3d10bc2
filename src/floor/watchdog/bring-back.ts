// The step that brings agents back. Of each that is wanted and not there: its end is on record once, what it had in hand is
// drafted, and the policy says what to do. Restarts are made by a detached process; this step only asks for them. What was
// given up is told to the owner once, and again at the next tick when nobody could be reached.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { restartCommand } from "../../protocol/agent-id.ts";
import { messageOf } from "../../protocol/errors.ts";
import { readLaunch } from "../agents/launch-files.ts";
import type { ListedAgent } from "../agents/list-agents.ts";
import { readPaneHash } from "../markers/pane-hash.ts";
import { addRestartAttempt, restartAttempts } from "../markers/restart-attempts.ts";
import { addStartFailure, readStartFailures } from "../markers/start-failures.ts";
import { appendRecord } from "../records.ts";
import { draftHandoff } from "../restart/draft-handoff.ts";
import { allHandoffs, archiveHandoff, handoffName } from "../restart/handoff-files.ts";
import { restartStatuses, type RestartStatus, underWay } from "../restart/restart-status.ts";
import { lastWords } from "../restart/sign-of-life.ts";
import {
  type AgentCase,
  couldNotStart,
  decide,
  type Decision,
  endedText,
  isBeingStarted,
  restartWindowMs,
} from "./policy.ts";
import { tickPoint } from "./tick-points.ts";
import type { TickSight, TickStep } from "./tick.ts";
import { note, type WatchPorts } from "./watch-ports.ts";
import { hasMarker, putMarker, putNewMarker } from "../markers/marker-files.ts";
import { markers, type PagedSubject } from "../markers/markers.ts";

export function agentsStep(ports: WatchPorts): TickStep {
  return {
    name: "agents",
    // A handoff asks git and the database, each with a deadline of its own.
    deadlineMs: 40_000,
    async take(sight, signal) {
      if (sight.blind !== undefined) return "not looked at: the terminals could not be listed";
      const down = missing(sight);
      if (down.length === 0) return "every wanted agent is running";
      const answers = await new BringBack(ports, sight).all(down, signal);
      return answers.join("; ");
    },
  };
}

/** After a reboot all are missing at once, and each draft asks git. */
const atOnce = 8;

interface Missing {
  readonly listed: ListedAgent;
  readonly launch: AgentLaunch;
  readonly terminal: Terminal | undefined;
}

function missing(sight: TickSight): Missing[] {
  return sight.agents.flatMap((listed): Missing[] => {
    const launch = sight.launches.get(listed.agent);
    if (launch === undefined || launch.role === "ticker" || launch.wanted !== "up" || listed.seen === "up") return [];
    return [{ listed, launch, terminal: sight.terminals.find(({ name }) => name === listed.agent) }];
  });
}

/** Its start came as far as its own terminal: the process was written down, or ended so fast that it could not be. */
function hasTerminal({ launch, terminal }: Missing): boolean {
  if (launch.leader !== undefined) return true;
  // Known to the second: the terminal of the launch before is older than that.
  return terminal !== undefined && terminal.createdMs + 1000 > launch.sinceMs;
}

class BringBack {
  readonly #ports: WatchPorts;
  readonly #busy: ReadonlySet<string>;
  readonly #restarts: readonly RestartStatus[];
  readonly #drafted: ReadonlySet<string>;
  readonly #restart: { readonly agent: string; readonly fresh: boolean }[] = [];

  constructor(ports: WatchPorts, sight: TickSight) {
    this.#ports = ports;
    this.#busy = underWay(ports.home, ports.liveness, ports.clock.nowMs());
    this.#restarts = restartStatuses(ports.home);
    this.#drafted = new Set(sight.blind === undefined ? allHandoffs(ports.home).map(({ name }) => name) : []);
  }

  async all(down: readonly Missing[], signal: AbortSignal): Promise<string[]> {
    const answers: string[] = [];
    for (let at = 0; at < down.length && !signal.aborted; at += atOnce) {
      const some = down.slice(at, at + atOnce);
      answers.push(...(await Promise.all(some.map((one) => this.#answerFor(one)))));
    }
    this.#spawn(false);
    this.#spawn(true);
    return answers;
  }

  async #answerFor(one: Missing): Promise<string> {
    try {
      return `${one.launch.agent}: ${await this.#one(one)}`;
    } catch (cause) {
      return `${one.launch.agent}: ${messageOf(cause)}`; // the others come back all the same
    }
  }

  async #one(one: Missing): Promise<string> {
    const { agent, sinceMs } = one.launch;
    // A restart may have come to its end since the tick looked: the one that was missing then is not the one that runs now.
    if (readLaunch(this.#ports.home, agent)?.sinceMs !== sinceMs) return "it was started again meanwhile";
    const first = this.#caseOf(one);
    if (first.underWay || isBeingStarted(first)) return decide(first).why;
    await this.#noticeEnd(one);
    const decision = decide(this.#caseOf(one));
    if (decision.act === "restart") this.#plan(agent, decision);
    if (decision.act === "quarantine") await this.#quarantine(agent, decision.why);
    if (decision.act === "leave" && hasMarker(this.#ports.home, markers.crashloop(agent)))
      await this.#tellQuarantine(agent, false);
    const failures = readStartFailures(this.#ports.home, agent);
    if (decision.act === "wait" && failures !== undefined && failures.count >= 2) {
      await this.#tell("cannot-start", agent, failures.count === 2, {
        subject: `${agent} cannot start`,
        body: `${failures.says}\n\nIt is tried again from time to time. \`${restartCommand(agent)}\` tries at once.`,
      });
    }
    return decision.act === "restart" ? `restarting (${decision.why})` : decision.why;
  }

  #caseOf(one: Missing): AgentCase {
    const { listed, launch } = one;
    const { home, clock } = this.#ports;
    const nowMs = clock.nowMs();
    const { agent } = launch;
    const attempts = restartAttempts(home, agent, {
      nowMs,
      windowMs: restartWindowMs,
      settledMs: (atMs) => clock.settledMs(atMs),
    });
    return {
      nowMs,
      restart: launch.restart ?? "always",
      wanted: listed.wanted,
      seen: listed.seen,
      exitStatus: listed.exitStatus,
      exitSignal: listed.exitSignal,
      launchedMs: launch.sinceMs,
      hasLeader: hasTerminal(one),
      lived: this.#lived(launch),
      attempts,
      lastUnseen: this.#isUnseen(launch, attempts.at(-1)),
      quarantined: hasMarker(home, markers.crashloop(agent)),
      startFailures: readStartFailures(home, agent),
      underWay: this.#busy.has(agent),
    };
  }

  /** Neither a launch since then, nor a process that is, or was, at a restart. */
  #isUnseen({ agent, sinceMs }: AgentLaunch, askedMs: number | undefined): boolean {
    if (askedMs === undefined || sinceMs >= askedMs) return false;
    return !this.#restarts.some(({ started_ms: startedMs, agents }) => startedMs >= askedMs && agent in agents);
  }

  /** A hook since its launch, or a tick that saw it up. */
  #lived({ agent, sinceMs }: AgentLaunch): boolean {
    if (readPaneHash(this.#ports.home, agent)?.launchedMs === sinceMs) return true;
    return (this.#ports.hooks(agent)?.lastMs ?? 0) >= sinceMs;
  }

  /** Once for each launch: the draft's name says that it was done. Should it be done twice, the database keeps one row. */
  async #noticeEnd({ listed, launch, terminal }: Missing): Promise<void> {
    const { home, clock } = this.#ports;
    const { agent } = launch;
    if (this.#drafted.has(handoffName(agent, launch.sinceMs, "crash"))) return;
    const what = endedText(listed);
    const words = terminal === undefined ? "" : await this.#words(agent);
    appendRecord(
      this.#ports,
      "crashes",
      {
        agent,
        what,
        detail: words,
        runtime: launch.runtime,
        launched_ms: launch.sinceMs,
        exit_status: listed.exitStatus ?? null,
        exit_signal: listed.exitSignal ?? null,
      },
      { sync: true },
    );
    tickPoint("tick.crash-recorded");
    note(this.#ports, "agent.crashed", { agent, says: what, data: { words, launched_ms: launch.sinceMs } });
    const isFailedStart = couldNotStart({ ...listed, lived: this.#lived(launch) });
    if (isFailedStart)
      addStartFailure(home, agent, {
        says: words === "" ? what : `${what}: ${words}`,
        nowMs: clock.nowMs(),
        kind: "ended",
      });
    const draft = await draftHandoff(this.#ports, { launch, by: "crash", what });
    // It had nothing in hand: the next one need not hear of it, least of all in place of what the one before had.
    if (isFailedStart) archiveHandoff(home, draft);
    tickPoint("tick.handoff-drafted");
  }

  async #words(agent: string): Promise<string> {
    const screens = await this.#ports.terminals.captureMany([agent]);
    return lastWords(screens.get(agent)?.text ?? "");
  }

  #plan(agent: string, { why, fresh }: Extract<Decision, { act: "restart" }>): void {
    const { home, clock, random } = this.#ports;
    addRestartAttempt(
      home,
      agent,
      { nowMs: clock.nowMs(), windowMs: restartWindowMs, settledMs: (atMs) => clock.settledMs(atMs) },
      random,
    );
    tickPoint("tick.attempt-recorded");
    note(this.#ports, "agent.restarting", { agent, says: why, data: { fresh } });
    this.#restart.push({ agent, fresh });
  }

  #spawn(fresh: boolean): void {
    const agents = this.#restart.filter((one) => one.fresh === fresh).map(({ agent }) => agent);
    if (agents.length === 0) return;
    this.#ports.spawnRestart({ agents, because: "crash", fresh });
    tickPoint("tick.restart-spawned");
  }

  async #quarantine(agent: string, why: string): Promise<void> {
    // Told before it is marked: the daemon tells what it finds marked and not told.
    try {
      await this.#tellQuarantine(agent, !hasMarker(this.#ports.home, markers.crashloop(agent)));
    } finally {
      const atMs = this.#ports.clock.nowMs();
      const isNew = putNewMarker(this.#ports.home, markers.crashloop(agent), `${new Date(atMs).toISOString()} ${why}`);
      if (isNew) note(this.#ports, "agent.quarantined", { agent, says: why });
      tickPoint("tick.quarantined");
    }
  }

  #tellQuarantine(agent: string, isNew: boolean): Promise<void> {
    return this.#tell("crashloop", agent, isNew, {
      subject: `${agent} crashes again and again and is left down`,
      body: `It was restarted 5 times within 10 minutes and came down again.\nLook: constel agent show ${agent}; constel handoffs show ${agent}\nRelease it: ${restartCommand(agent)}`,
      urgent: true,
    });
  }

  async #tell(
    subject: PagedSubject,
    agent: string,
    isNew: boolean,
    message: { readonly subject: string; readonly body: string; readonly urgent?: boolean },
  ): Promise<void> {
    if (hasMarker(this.#ports.home, markers.paged[subject](agent))) return;
    const answer = await this.#ports.page(message, { leaveMarker: isNew });
    // With no channel there is nobody to try again; the failure marker says so.
    if (answer.told || answer.channels === 0) putMarker(this.#ports.home, markers.paged[subject](agent), answer.line);
    tickPoint("tick.paged");
  }
}
