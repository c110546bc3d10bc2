// Works out when a cron expression fires, in its time zone. A schedule that runs in every hour follows elapsed time: nothing happens to it
// when clocks change. Any other means times of day: one that clocks skip fires once, at the moment they went forward, and one that comes
// twice fires the first time only. However many times were skipped at once, they are one firing.

import { type CronFields, fitsDay } from "./cron-fields.ts";
import { dayMs, minuteMs, type Zone } from "./zone.ts";

/** The first firing after a moment; undefined when there is none in the next 60 years. */
export function nextFiring(cron: CronFields, zone: Zone, afterMs: number): number | undefined {
  const start = startOfDay(zone.wallAt(afterMs));
  for (let at = -2; at < horizonDays; at++) {
    const first = firingsOfDay(cron, zone, start + at * dayMs).find((ms) => ms > afterMs);
    if (first === undefined) continue;
    // Clocks that go back over midnight let two days' times alternate.
    const other = firingsOfDay(cron, zone, start + (at + 1) * dayMs).find((ms) => ms > afterMs);
    return other === undefined ? first : Math.min(first, other);
  }
  return undefined;
}

/** The last firing at a moment or before it, but after another. */
export function lastFiring(cron: CronFields, zone: Zone, atMs: number, afterMs: number): number | undefined {
  const start = startOfDay(zone.wallAt(atMs));
  const end = startOfDay(zone.wallAt(afterMs)) - 2 * dayMs;
  for (let day = start + 2 * dayMs; day >= end; day -= dayMs) {
    const last = firingsOfDay(cron, zone, day).findLast((ms) => ms <= atMs);
    if (last === undefined) continue;
    const other = firingsOfDay(cron, zone, day - dayMs).findLast((ms) => ms <= atMs);
    const found = other === undefined ? last : Math.max(last, other);
    return found > afterMs ? found : undefined;
  }
  return undefined;
}

/** The next few firings, for people who want to see what they wrote. */
export function nextFirings(cron: CronFields, zone: Zone, afterMs: number, count: number): number[] {
  const found: number[] = [];
  let after = afterMs;
  while (found.length < count) {
    const next = nextFiring(cron, zone, after);
    if (next === undefined) break;
    found.push(next);
    after = next;
  }
  return found;
}

/** 29 February on a certain weekday comes every 28 years, 40 over a century without one. */
const horizonDays = 60 * 366;

const startOfDay = (wall: number): number => Math.floor(wall / dayMs) * dayMs;

/** Ascending. The times of one calendar day; a skipped one may fire in the next. */
function firingsOfDay(cron: CronFields, zone: Zone, dayStart: number): number[] {
  const date = new Date(dayStart);
  if (!fitsDay(cron, date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay())) return [];
  const walls = cron.hours.flatMap((hour) => cron.minutes.map((minute) => dayStart + (hour * 60 + minute) * minuteMs));
  const { before, after, changesAt } = zone.offsetsAround(dayStart);
  if (changesAt === undefined) return walls.map((wall) => wall - before);
  const everyHour = cron.hours.length === 24;
  const found = walls.flatMap((wall): readonly number[] => {
    // Two moments when clocks go back over this time, none when they go forward past it.
    const moments = [wall - before, wall - after].filter((ms, at) => ms < changesAt === (at === 0));
    if (everyHour) return moments;
    return moments.length === 0 ? [changesAt] : moments.slice(0, 1);
  });
  return [...new Set(found)].sort((a, b) => a - b);
}
