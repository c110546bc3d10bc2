// Decides what to do about one agent that is wanted: leave it, wait, restart it, or give it up and tell a person. Pure: the caller has
// looked at the machine and at the markers.
//
// Two ways of failing are told apart. A program that crashes is restarted, a little later each time, and is quarantined when it came down
// more than five times in ten minutes. A program that cannot start at all (it ended by itself, before it showed any life) is tried once more
// from scratch and then only seldom: nothing changes by trying fast. Where the machine failed at the start (the terminals' server died, the
// disk was full), it is tried again as it was, sooner.

import { counted } from "../../protocol/counted.ts";
import type { RestartKind } from "../../ports/agent-launch.ts";
import type { StartFailures } from "../markers/start-failures.ts";

export const restartWindowMs = 600_000;
/** A restart beyond this many within the window is not made. */
export const mostRestarts = 5;
export const leastGapMs = 1_000;
/** A start under way has no leader yet; one that was killed has none either, and is not waited for any longer. */
const startingMs = 10_000;
const longestBackOffMs = 16_000;
const firstRetryMs = 600_000;
const longestRetryMs = 3_600_000;
/** Of starts that the machine failed at, fewer lie within the window than make a quarantine. */
const firstRetryAfterOutageMs = 120_000;

export interface AgentCase {
  readonly nowMs: number;
  readonly restart: RestartKind;
  readonly wanted: "up" | "down" | "paused" | "unknown" | "nothing";
  readonly seen: "up" | "dead" | "missing";
  readonly exitStatus?: number | undefined;
  readonly exitSignal?: number | undefined;
  readonly launchedMs: number;
  /** Its start came as far as its terminal. */
  readonly hasLeader: boolean;
  /** It showed life since its launch: a hook, a session, or a tick that saw it up. */
  readonly lived: boolean;
  /** The times when it was restarted within the window, oldest first. */
  readonly attempts: readonly number[];
  /** Nothing was seen yet of the last restart that was asked for: two schedulers may tick within a second. */
  readonly lastUnseen: boolean;
  readonly quarantined: boolean;
  /** Starts in a row that came to nothing, this one included where it did. */
  readonly startFailures?: StartFailures | undefined;
  /** Somebody is at it already. */
  readonly underWay: boolean;
}

export type Decision =
  | { readonly act: "leave"; readonly why: string }
  | { readonly act: "wait"; readonly why: string; readonly untilMs: number }
  | { readonly act: "restart"; readonly why: string; readonly fresh: boolean }
  | { readonly act: "quarantine"; readonly why: string };

export function decide(look: AgentCase): Decision {
  const { nowMs, attempts, startFailures } = look;
  if (look.wanted !== "up") return leave("it is not wanted");
  if (look.seen === "up") return leave("it runs");
  if (look.underWay) return leave("a restart is under way");
  if (isBeingStarted(look)) return { act: "wait", why: "it is being started", untilMs: look.launchedMs + startingMs };
  if (look.quarantined) return leave("quarantined: `constel restart` releases it");
  if (look.restart === "never") return leave("its restart kind is never");
  if (look.restart === "after-failure" && look.exitStatus === 0)
    return leave("it ended by itself with 0, and its restart kind is after-failure");
  if (startFailures !== undefined && startFailures.count >= 2) {
    const untilMs = startFailures.lastMs + retryMs(startFailures);
    // A clock that was set back must not make the wait longer than it was meant to be.
    if (untilMs > nowMs && startFailures.lastMs <= nowMs)
      return { act: "wait", why: `it cannot start: ${startFailures.says}`, untilMs };
    const why = `it could not start ${counted(startFailures.count, "time")}; tried again`;
    return { act: "restart", why, fresh: !startFailures.outage };
  }
  if (attempts.length >= mostRestarts) {
    return { act: "quarantine", why: `restarted ${attempts.length} times within 10 minutes, and down again` };
  }
  const last = attempts.at(-1);
  const untilMs =
    last === undefined ? -Infinity : last + Math.max(backOffMs(attempts.length), look.lastUnseen ? startingMs : 0);
  if (untilMs > nowMs) return { act: "wait", why: "restarted a moment ago", untilMs };
  return { act: "restart", why: endedText(look), fresh: startFailures?.outage === false };
}

/** Its launch is so young that whoever makes it may still be at it. */
export function isBeingStarted({ nowMs, launchedMs, hasLeader }: AgentCase): boolean {
  const sinceLaunchMs = nowMs - launchedMs;
  return !hasLeader && sinceLaunchMs >= 0 && sinceLaunchMs < startingMs;
}

/** It ended by itself before it showed any life, with an error or without: starting it again the same way leads to the same end. */
export function couldNotStart(look: Pick<AgentCase, "seen" | "exitStatus" | "exitSignal" | "lived">): boolean {
  return look.seen === "dead" && !look.lived && look.exitSignal === undefined && look.exitStatus !== undefined;
}

export function endedText(look: Pick<AgentCase, "seen" | "exitStatus" | "exitSignal">): string {
  if (look.seen === "missing") return "its terminal is gone";
  if (look.exitSignal !== undefined) return `ended by signal ${look.exitSignal}`;
  return look.exitStatus === undefined ? "its program has ended" : `ended with status ${look.exitStatus}`;
}

/** After the first restart 1 s, then twice as long each time: it is the ticks that space restarts out, not this. */
const backOffMs = (attempts: number): number => Math.min(leastGapMs * 2 ** (attempts - 1), longestBackOffMs);

/** Ten minutes after the second failure (two, where the machine failed), then twice as long each time. */
function retryMs({ count, outage }: StartFailures): number {
  const firstMs = outage ? firstRetryAfterOutageMs : firstRetryMs;
  return Math.min(firstMs * 2 ** (count - 2), outage ? firstRetryMs : longestRetryMs);
}

const leave = (why: string): Decision => ({ act: "leave", why });
