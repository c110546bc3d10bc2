// Finds the parts of the daemon's own work that stand still: a loop whose rounds fail, because the disk is full or something is broken. What
// `status` tells of agents and tasks is then as old as that, and nobody else would say so.

import type { Need } from "../../core/agents/needs.ts";
import type { Loop } from "./loops.ts";

/** A problem that passes by itself in so short a time is no matter for a person. */
const patientMs = 10_000;

export function standingStill(loops: readonly Pick<Loop, "name" | "state">[], nowMs: number): Need[] {
  return loops.flatMap(({ name, state: { problem, failingMs } }) => {
    if (problem === null || failingMs === null || nowMs - failingMs < patientMs) return [];
    return [
      {
        key: `daemon:${name}`,
        kind: "daemon",
        agent: null,
        says: `the daemon's loop ${name} fails: ${problem}`,
        since_ms: failingMs,
        next: "constel doctor",
      },
    ];
  });
}
