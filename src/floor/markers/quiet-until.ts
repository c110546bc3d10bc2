// `quiet-until-<epoch seconds>`: the owner wants quiet until then. The expiry is in the name; several may stand at once
// and the largest counts. One that is further away than quiet may be asked for is a slip (milliseconds, a stray digit)
// and must not silence the watchdog for years: it does not count.

import type { Clock } from "../../ports/machine.ts";
import { markerMtimeMs, markersNamed, putNewMarker, removeMarker } from "./marker-files.ts";

const prefix = "quiet-until-";
export const longestQuietMs = 30 * 24 * 3600 * 1000;

export function setQuietUntil(home: string, untilMs: number, why: string): void {
  putNewMarker(home, `${prefix}${Math.ceil(untilMs / 1000)}`, why);
}

/** The moment quiet ends, if it holds now. Deletes those that are past, unless only a clock that jumped says so. */
export function quietUntil(home: string, clock: Pick<Clock, "nowMs" | "settledMs">): number | undefined {
  let latest: number | undefined;
  for (const { name, untilMs } of sentinels(home)) {
    const nowMs = clock.settledMs(markerMtimeMs(home, name));
    if (untilMs <= nowMs) removePast(home, name);
    else if (untilMs - nowMs <= longestQuietMs + 1000) latest = Math.max(latest ?? 0, untilMs);
  }
  return latest;
}

/** All of them go. Answers how many there were. */
export function clearQuiet(home: string): number {
  return sentinels(home).filter(({ name }) => removeMarker(home, name)).length;
}

function sentinels(home: string): { name: string; untilMs: number }[] {
  return markersNamed(home, prefix).flatMap((name) => {
    const epoch = name.slice(prefix.length);
    return /^\d{1,15}$/.test(epoch) ? [{ name, untilMs: Number(epoch) * 1000 }] : [];
  });
}

/** In a read-only home a past sentinel stays, and is as past as before. */
function removePast(home: string, name: string): void {
  try {
    removeMarker(home, name);
  } catch {
    // it counts for nothing either way
  }
}
