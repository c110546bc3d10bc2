// The places at which a tick may die. Fault tests end it at each in turn: the next tick goes on from what is on the disk.

import { killPoint } from "../../settings/kill-at.ts";

export const tickPoints = [
  "tick.began",
  "tick.step-taken",
  "tick.crash-recorded",
  "tick.handoff-drafted",
  "tick.attempt-recorded",
  "tick.restart-spawned",
  "tick.quarantined",
  "tick.paged",
  "tick.hang-marked",
  "tick.ended",
] as const;

export const tickPoint = (name: (typeof tickPoints)[number]): void => killPoint(name);
