// Decides how long a worktree is left alone between two looks. Where a watch tells of changes, looking is only a precaution, ever rarer
// while nothing happens. Where none can, looking is the only way to know: every second while somebody is at work there, every few seconds
// for a while after, and then as rarely as a hundredth of one core allows for all such worktrees together.

import type { WatchedWorktree } from "./watched-worktree.ts";

export interface Pace {
  /** Between looks at a worktree that just changed, and at one where nothing happens. */
  readonly fastestMs: number;
  readonly slowestMs: number;
  /** Between looks at one that cannot be watched, while somebody is at work there. */
  readonly polledMs: number;
  /** Somebody is taken to be at work for so long after the last change or touch. */
  readonly atWorkMs: number;
  /** Between looks at one that cannot be watched, while somebody may well come back to it. */
  readonly restingMs: number;
  /** Nobody is expected back so long after the last change, or after it was first seen. */
  readonly asleepAfterMs: number;
  /** The interval between cheap looks at whether worktrees came or went. */
  readonly listEveryMs: number;
  /** The interval at which git is asked for the default branch, and the list of worktrees, whatever the hints say. */
  readonly defaultEveryMs: number;
  readonly askEveryMs: number;
  /** Writes that come together are looked at together. */
  readonly gatherMs: number;
  /** After a failure of ours. */
  readonly retryMs: number;
}

export const usualPace: Pace = {
  fastestMs: 2_000,
  slowestMs: 60_000,
  polledMs: 1_000,
  atWorkMs: 15 * 60_000,
  restingMs: 4_000,
  asleepAfterMs: 60 * 60_000,
  listEveryMs: 5_000,
  defaultEveryMs: 60_000,
  askEveryMs: 600_000,
  gatherMs: 60,
  retryMs: 5_000,
};

/** A look may cost one part in this many of the time until the next one. */
const lookShare = 20;
/**
 * The most that looking may cost where not everything can be watched, as parts of one core: for all of a kind together. Where the work is, it is
 * watched all the same (host/git/watch/hot-watch.ts); this finds what happens elsewhere, and 200 worktrees of Django at rest took 37 %
 * of a core when it was done every few seconds.
 */
const share = { atWork: 0.1, resting: 0.03, asleep: 0.01 };

type Looked = Pick<WatchedWorktree, "everyMs" | "activeMs" | "metMs" | "polledMs">;

/** Also says, in `everyMs`, how far it has slowed down. */
export function restAfterLook(
  member: Looked,
  all: Iterable<Looked>,
  pace: Pace,
  { nowMs, tookMs }: { readonly nowMs: number; readonly tookMs: number },
): number {
  if (member.polledMs === undefined) {
    const isActive = member.activeMs === nowMs;
    member.everyMs = isActive ? pace.fastestMs : Math.min(Math.max(member.everyMs * 2, pace.fastestMs), pace.slowestMs);
    return Math.max(member.everyMs, tookMs * lookShare);
  }
  const kind = kindOf(member, pace, nowMs);
  let costMs = 0;
  for (const one of all) if (kindOf(one, pace, nowMs) === kind) costMs += one.polledMs ?? 0;
  const leastMs = { atWork: pace.polledMs, resting: pace.restingMs, asleep: pace.restingMs }[kind];
  const mostMs = kind === "atWork" ? Infinity : pace.slowestMs;
  member.everyMs = Math.min(Math.max(leastMs, costMs / share[kind]), mostMs);
  return Math.max(member.everyMs, member.polledMs * lookShare);
}

function kindOf({ activeMs, metMs }: Looked, pace: Pace, nowMs: number): keyof typeof share {
  if (nowMs - activeMs < pace.atWorkMs) return "atWork";
  return nowMs - Math.max(activeMs, metMs) < pace.asleepAfterMs ? "resting" : "asleep";
}
