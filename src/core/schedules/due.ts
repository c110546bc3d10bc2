// Decides what is due of a cron entry. One look gives at most one firing: after downtime, sleep or a clock set forward, the last time that
// was missed stands for all of them and is marked as a catch-up. A clock set back fires nothing again: everything up to the latest moment
// ever looked at counts as done, and the answer says for how long nothing will fire.

import { parseCron } from "./cron-fields.ts";
import { lastFiring, nextFiring } from "./firings.ts";
import { jitterOf } from "./jitter.ts";
import type { CronEntry, CronState } from "./schedule.ts";
import { zoneNamed } from "./zone.ts";

export interface DueFiring {
  readonly label: string;
  /** The time by the schedule, without jitter. With the label it names the firing, so that one is never made twice. */
  readonly dueMs: number;
  readonly key: string;
  /** It comes late, or stands for others that were missed. */
  readonly catchUp: boolean;
  /** The number of earlier ones it stands for; counted up to `countedMissed`. */
  readonly missed: number;
  readonly lateMs: number;
}

export interface Due {
  /** One or none. */
  readonly firings: readonly DueFiring[];
  /** To be stored together with the firing. */
  readonly state: CronState;
  /** The time it fires next, jitter included. Undefined when paused. */
  readonly nextMs: number | undefined;
  /** By how much the clock is behind what was already seen; 0 when it is not. */
  readonly behindMs: number;
}

/** Later than this is late: the failsafe tick comes every 120 s. */
export const onTimeMs = 150_000;
export const countedMissed = 1000;

export function dueFirings(entry: CronEntry, lastSeen: CronState, nowMs: number): Due {
  const seenMs = Math.max(lastSeen.seenMs, nowMs);
  const behindMs = Math.max(0, lastSeen.seenMs - nowMs);
  const state: CronState = { ...lastSeen, seenMs };
  // Firings that fall into a pause are not made up for afterwards: the owner wanted them not to happen.
  if (entry.paused) return { firings: [], state, nextMs: undefined, behindMs };
  const cron = parseCron(entry.schedule);
  const zone = zoneNamed(entry.zone);
  const jitterMs = jitterOf(entry.label, entry.jitterMs);
  const fromMs = Math.max(lastSeen.seenMs - jitterMs, lastSeen.firedMs ?? Number.NEGATIVE_INFINITY);
  const next = (afterMs: number): number | undefined => {
    const firing = nextFiring(cron, zone, afterMs);
    return firing === undefined ? undefined : firing + jitterMs;
  };
  const dueMs = lastFiring(cron, zone, nowMs - jitterMs, fromMs);
  if (dueMs === undefined) return { firings: [], state, nextMs: next(Math.max(seenMs - jitterMs, fromMs)), behindMs };
  let missed = 0;
  for (let at = nextFiring(cron, zone, fromMs); at !== undefined && at < dueMs; at = nextFiring(cron, zone, at)) {
    missed++;
    if (missed === countedMissed) break;
  }
  const lateMs = nowMs - dueMs - jitterMs;
  const { label } = entry;
  const catchUp = missed > 0 || lateMs > onTimeMs;
  const firing: DueFiring = { label, dueMs, key: firingKey(label, dueMs), catchUp, missed, lateMs };
  return { firings: [firing], state: { seenMs, firedMs: dueMs }, nextMs: next(dueMs), behindMs };
}

/** The name of one firing, for the row and for the envelope's idempotency key. */
export function firingKey(label: string, dueMs: number): string {
  return `cron:${label}@${new Date(dueMs).toISOString()}`;
}
