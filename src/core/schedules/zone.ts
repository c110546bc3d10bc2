// Time zones: what the wall clock shows at a moment, and how far it is from UTC around a day. What it means that clocks skip a time
// or show it twice is decided by the callers. The rules of the zones are the runtime's own.

import { Refusal } from "../../protocol/errors.ts";

/** A wall clock's time as milliseconds, as if the zone were UTC: it can be compared and reckoned with. */
export type WallMs = number;

/** The offsets of the clocks around one calendar day: `before` is their offset from UTC up to `changesAt`, `after` from then on. */
export interface DayOffsets {
  readonly before: number;
  readonly after: number;
  /** Undefined when nothing changes. */
  readonly changesAt?: number;
}

export const dayMs = 86_400_000;
export const minuteMs = 60_000;
/** Zones lie between -12 and +14 hours; a moment this far off is on the other side of any change of the clocks that day. */
const reachMs = 26 * 3_600_000;
const keptDays = 1000;

export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<WallMs, DayOffsets>();

  constructor(name: string) {
    this.name = name;
    try {
      this.#format = new Intl.DateTimeFormat("en-US", {
        timeZone: name,
        hourCycle: "h23",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
        era: "short",
      });
    } catch {
      throw new Refusal(
        "usage.bad-value",
        `there is no time zone ${JSON.stringify(name)}`,
        { zone: name },
        "Name it by region and city, such as Europe/Berlin, or UTC.",
      );
    }
  }

  /** Returns what the wall clock shows at a moment. */
  wallAt(ms: number): WallMs {
    const part: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(ms)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((ms % 1000) + 1000) % 1000);
  }

  /** Returns how far the wall clock is ahead of UTC. */
  offsetAt(ms: number): number {
    return this.wallAt(ms) - ms;
  }

  /** No zone changes its clocks twice within three days. */
  offsetsAround(dayStart: WallMs): DayOffsets {
    let found = this.#days.get(dayStart);
    if (found === undefined) {
      const [low, high] = [dayStart - reachMs, dayStart + dayMs + reachMs];
      const [before, after] = [this.offsetAt(low), this.offsetAt(high)];
      found =
        before === after ? { before, after } : { before, after, changesAt: this.#changeBetween(low, high, before) };
      // Somebody who looks years ahead passes many days once; they need not be kept.
      if (this.#days.size >= keptDays) this.#days.clear();
      this.#days.set(dayStart, found);
    }
    return found;
  }

  /** The first whole second at which the offset is no longer `before`. */
  #changeBetween(low: number, high: number, before: number): number {
    let from = Math.floor(low / 1000);
    let to = Math.ceil(high / 1000);
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      if (this.offsetAt(middle * 1000) === before) from = middle;
      else to = middle;
    }
    return to * 1000;
  }
}

const zones = new Map<string, Zone>();

/** Making a zone costs a thousand times what asking it does. */
export function zoneNamed(name: string): Zone {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = new Zone(name);
    if (zones.size < 500) zones.set(name, zone);
  }
  return zone;
}
