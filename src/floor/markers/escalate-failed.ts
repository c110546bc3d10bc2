// `escalate-failed-<time>-<counter>`: an escalation reached nobody. The next root session that can, says so.

import { markersNamed, putNewMarker, readMarker, removeMarker } from "./marker-files.ts";

const prefix = "escalate-failed-";
/** A channel that stays broken must not fill the disk; the newest tell enough. */
const keptMarkers = 50;

/** Answers the name of the marker. */
export function markEscalateFailed(home: string, nowMs: number, body: string): string {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, "");
  for (let counter = 0; ; counter++) {
    const name = `${prefix}${time}-${counter}`;
    if (!putNewMarker(home, name, body)) continue;
    for (const old of failedEscalations(home).slice(0, -keptMarkers)) removeMarker(home, old);
    return name;
  }
}

/** Oldest first. */
export const failedEscalations = (home: string): string[] => markersNamed(home, prefix);
export const readFailedEscalation = (home: string, name: string): string | undefined => readMarker(home, name);
export const clearFailedEscalation = (home: string, name: string): boolean => removeMarker(home, name);
