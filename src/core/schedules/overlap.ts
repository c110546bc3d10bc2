// Decides what becomes of a firing whose predecessor is still under way, or whose target has no room. Nothing is dropped for want of room:
// it waits. Only one firing of an entry waits at a time; a later one joins it, because both would say the same.

import type { Overlap } from "./schedule.ts";

export interface EntryStanding {
  /** An earlier firing of the same entry is at work. */
  readonly running: boolean;
  /** An earlier firing of the same entry waits. */
  readonly waiting: boolean;
  /** The target cannot take anything now: busy, limited, down, or no clone is free. */
  readonly full: boolean;
}

/**
 * `start`: now. `wait`: when there is room. `join`: recorded, and done by the one that waits. `skip`: recorded and not done.
 * `replace`: what is under way is ended first. `replace-waiting`: this one waits instead of the earlier one.
 */
export type Placing = "start" | "wait" | "join" | "skip" | "replace" | "replace-waiting";

export function placeFiring(rule: Overlap, { running, waiting, full }: EntryStanding): Placing {
  if (rule === "replace") {
    if (waiting) return "replace-waiting";
    // The firing to be replaced is itself what fills the target.
    if (running) return "replace";
    return full ? "wait" : "start";
  }
  if (rule === "skip" && running) return "skip";
  if (waiting) return "join";
  return running || full ? "wait" : "start";
}
