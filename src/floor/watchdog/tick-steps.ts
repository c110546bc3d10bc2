// The steps of a tick, in the order in which they are taken. Bringing agents back, hangs and waking the watchdog agent have files
// of their own; the rest is here. Schedules and usage limits are other subjects': the tick gives each its turn.

import { startCommand } from "../../protocol/agent-id.ts";
import { counted } from "../../protocol/counted.ts";
import { tickerAgent } from "../agents/agent-names.ts";
import { startTicker } from "../agents/ticker.ts";
import { agentsWithMailbox } from "../bus/list.ts";
import { finishToMany } from "../bus/send-to-many.ts";
import { sweep } from "../bus/sweep.ts";
import { clearGiveUp } from "../markers/give-up.ts";
import { deliverHandoffs } from "../restart/deliver-handoffs.ts";
import { pendingHandoffs } from "../restart/handoff-files.ts";
import { underWay } from "../restart/restart-status.ts";
import type { Bus } from "../bus/bus.ts";
import { agentsStep } from "./bring-back.ts";
import { hangStep } from "./hang-check.ts";
import { sweepArchives } from "./sweep-archives.ts";
import type { TickSight, TickStep } from "./tick.ts";
import { wakeStep } from "./wake-watchdog.ts";
import { note, type WatchPorts } from "./watch-ports.ts";
import { hasMarker, removeMarker } from "../markers/marker-files.ts";
import { agentsMarked, markers } from "../markers/markers.ts";
import { addToTally, readTally } from "../markers/tally.ts";

export interface DaemonPorts {
  /** Silent is one that is there and does not answer: it hangs, was stopped, or has too much to do. */
  daemonNow(signal: AbortSignal): Promise<"answers" | "outdated" | "silent" | "out of reach" | "absent">;
  startDaemon(): Promise<unknown>;
  /** Ends one that does not answer. */
  endDaemon(): Promise<unknown>;
}

/** The work of others that comes due with time. Asked only while the daemon cannot run. Each answers what it did, for people. */
export interface DuePorts {
  usageLimits?(signal: AbortSignal): Promise<string>;
  dueSchedules?(signal: AbortSignal): Promise<string>;
}

export interface StepsPorts extends WatchPorts, DaemonPorts, DuePorts {
  /** The time that archives are kept. */
  readonly keepMs: number;
}

export function tickSteps(ports: StepsPorts): readonly TickStep[] {
  return [
    archivesStep(ports),
    mailboxStep(ports.bus),
    tickerStep(ports),
    daemonStep(ports),
    launchFilesStep,
    agentsStep(ports),
    healthyStep(ports),
    handoffsStep(ports),
    hangStep(ports),
    dueStep(ports.home, "usage limits", ports.usageLimits?.bind(ports)),
    dueStep(ports.home, "schedules", ports.dueSchedules?.bind(ports)),
    wakeStep(ports),
  ];
}

function archivesStep(ports: StepsPorts): TickStep {
  return {
    name: "archives",
    deadlineMs: 10_000,
    async take() {
      const { home, clock, keepMs, liveness } = ports;
      const swept = sweepArchives(home, { nowMs: clock.settledMs(), keepMs, liveness });
      return swept === 0 ? "nothing to sweep" : `${counted(swept, "old file")} moved or removed`;
    },
  };
}

/** Removes what time has made useless in the mailboxes. */
export function mailboxStep(bus: Bus): TickStep {
  return {
    name: "mailboxes",
    deadlineMs: 10_000,
    async take() {
      finishToMany(bus);
      let removed = 0;
      for (const agent of agentsWithMailbox(bus)) {
        const { temporaries, done } = sweep(bus, agent);
        removed += temporaries + done;
      }
      return removed === 0 ? "nothing to sweep" : `${counted(removed, "old file")} removed`;
    },
  };
}

/** Missed once, it may be on its way; missed twice in a row, it is started. */
const missesBeforeStart = 2;

export function tickerStep(ports: WatchPorts): TickStep {
  return {
    name: "ticker",
    deadlineMs: 20_000,
    async take(sight) {
      const { home, clock } = ports;
      if (sight.blind !== undefined) return "not looked at: the terminals could not be listed";
      const listed = sight.agents.find(({ agent }) => agent === tickerAgent);
      if (listed?.wanted !== "up" || listed.seen === "up") {
        if (readTally(home, markers.tickerMissing) > 0) removeMarker(home, markers.tickerMissing);
        return listed?.wanted === "up" ? "ticks" : "not wanted";
      }
      if (!ports.mayActForOwner())
        return "is not there, and an agent may not start it; the daemon does within two minutes, and `constel up` at once";
      const misses = addToTally(home, markers.tickerMissing, clock.nowMs());
      if (misses < missesBeforeStart) return `missed ${misses} of ${missesBeforeStart} times`;
      await ports.exclusively(async () => {
        const terminals = await ports.terminals.list();
        if (terminals.some(({ name, dead }) => name === tickerAgent && !dead)) return;
        await startTicker(ports, terminals, sight.launches.get(tickerAgent));
      });
      removeMarker(home, markers.tickerMissing);
      note(ports, "ticker.started", { says: `missed ${counted(misses, "time")}` });
      return "was not there; started";
    },
  };
}

/** So many ticks in a row may find the daemon silent: it may have too much to do, or the machine has just woken. */
const patientTicks = 2;

const startedBecause = {
  silent: ["it was ended, being silent", "did not answer; ended and started"],
  outdated: ["it was from before an update of constel", "was an older build; replaced"],
  absent: ["it did not run", "was not there; started"],
} as const;

/** The daemon is there and answers, or is started. One that stays silent is ended first: it holds the home, and would for ever. */
export function daemonStep(ports: DaemonPorts & Parameters<typeof note>[0]): TickStep {
  const { home } = ports;
  return {
    name: "daemon",
    deadlineMs: 60_000,
    async take(_, signal) {
      const seen = await ports.daemonNow(signal);
      if (seen === "silent") {
        const times = addToTally(home, markers.daemonSilent, ports.clock.nowMs());
        if (times < patientTicks) return "is there and does not answer; ended at the next tick if it stays so";
        await ports.endDaemon();
        note(ports, "daemon.ended", { says: `it was silent at ${times} ticks in a row` });
      }
      if (seen === "out of reach") return "cannot be reached from here, so nothing is known of it; left alone";
      if (readTally(home, markers.daemonSilent) > 0) removeMarker(home, markers.daemonSilent);
      if (seen === "answers") return "answers";
      if (seen === "absent" && hasMarker(home, markers.daemonStopped))
        return "was stopped by `constel daemon stop`; left so until a command needs it";
      await ports.startDaemon();
      const [says, answer] = startedBecause[seen];
      note(ports, "daemon.started", { says });
      return answer;
    },
  };
}

/** Nobody can bring back an agent of which it is not known that it is wanted; so somebody is told. */
export const launchFilesStep: TickStep = {
  name: "launch files",
  deadlineMs: 5_000,
  async take({ damaged }) {
    const [first, ...more] = damaged;
    if (first === undefined) return "all can be read";
    const names = [first, ...more].join(", ");
    throw new Error(
      `cannot be read: ${names}, so nobody brings ${more.length === 0 ? "it" : "them"} back; \`constel down ${first}\` and \`${startCommand(first)}\` begin anew`,
    );
  },
};

/** Somebody brought back an agent that was given up, and it runs: the next crash is a first one. */
export function healthyStep(ports: WatchPorts): TickStep {
  return {
    name: "healthy",
    deadlineMs: 5_000,
    async take(sight) {
      const givenUp = new Set(agentsMarked(ports.home, markers.crashloop));
      const back = sight.agents.filter(({ agent, seen }) => seen === "up" && givenUp.has(agent));
      for (const { agent } of back) {
        clearGiveUp(ports.home, agent);
        note(ports, "agent.released", { agent, says: "it runs again" });
      }
      return back.length === 0 ? "nobody to release" : `released: ${back.map(({ agent }) => agent).join(", ")}`;
    },
  };
}

/** A restart that was killed before it could hand over: the agent is up, and nobody else will tell it. */
export function handoffsStep(ports: WatchPorts): TickStep {
  return {
    name: "handoffs",
    deadlineMs: 10_000,
    async take(sight) {
      const agents = leftOver(ports, sight);
      for (const agent of agents) {
        const given = deliverHandoffs(ports, agent);
        note(ports, "handoff.sent", { agent, says: given.map(({ name }) => name).join(", ") });
      }
      return agents.length === 0 ? "none left over" : `sent to ${agents.join(", ")}`;
    },
  };
}

function leftOver(ports: WatchPorts, sight: TickSight): readonly string[] {
  const pending = pendingHandoffs(ports.home);
  if (pending.length === 0) return [];
  const busy = underWay(ports.home, ports.liveness, ports.clock.nowMs());
  const isBack = ({ agent, atMs, by }: (typeof pending)[number]): boolean => {
    const launch = sight.launches.get(agent);
    const isUp = sight.agents.some((one) => one.agent === agent && one.seen === "up");
    // A draft is named after the launch that ended; an operator's words are for whoever runs.
    return isUp && launch !== undefined && !busy.has(agent) && (by === "operator" || launch.sinceMs !== atMs);
  };
  return [...new Set(pending.filter(isBack).map(({ agent }) => agent))];
}

function dueStep(home: string, name: string, due: ((signal: AbortSignal) => Promise<string>) | undefined): TickStep {
  return {
    name,
    deadlineMs: 15_000,
    async take({ done }, signal) {
      // The daemon does it in its own time; a second one would only cost.
      const isStopped = hasMarker(home, markers.daemonStopped);
      const isDaemonThere = !isStopped && (done.find((step) => step.name === "daemon")?.ok ?? false);
      if (isDaemonThere) return "the daemon looks after them";
      return due === undefined ? "nothing here" : await due(signal);
    },
  };
}
