// A count that survives a crash and two writers: one line per event, appended, never rewritten. The count is the number
// of lines, so a torn line still counts as one and nothing is read before it is changed.

import { appendMarker, readMarker } from "./marker-files.ts";

/** Adds one and answers the count so far, this one included. */
export function addToTally(home: string, name: string, nowMs: number): number {
  appendMarker(home, name, `\n${Math.floor(nowMs / 1000)}`);
  return readTally(home, name);
}

export function readTally(home: string, name: string): number {
  return linesOf(readMarker(home, name)).length;
}

export function linesOf(body: string | undefined): string[] {
  return (body ?? "").split("\n").filter((line) => line.trim() !== "");
}
