// How long a worktree is left alone between two looks. Where a watch tells of changes, looking is only a precaution, ever rarer
// while nothing happens. Where none can, looking is the only way to know: every second while somebody is at work there, and
// otherwise as often as a small share of one core allows for all such worktrees together.

import type { WatchedWorktree } from "./watched-worktree.ts";

export interface Pace {
  /** Between looks at a worktree that just changed, and at one where nothing happens. */
  readonly fastestMs: number;
  readonly slowestMs: number;
  /** Between looks at one that cannot be watched, while somebody is at work there. */
  readonly polledMs: number;
  /** Somebody is taken to be at work for so long after the last change or touch. */
  readonly atWorkMs: number;
  /** How often it is asked, cheaply, whether worktrees came or went. */
  readonly listEveryMs: number;
  /** How often the default branch, and the list of worktrees, are asked of git whatever the hints say. */
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
  listEveryMs: 5_000,
  defaultEveryMs: 60_000,
  askEveryMs: 600_000,
  gatherMs: 60,
  retryMs: 5_000,
};

/** A look may cost one part in this many of the time until the next one. */
const lookShare = 20;
/** What looking costs where nothing can be watched, as parts of one core: for all that are at work, and for all at rest. */
const share = { atWork: 0.1, atRest: 0.01 };

type Looked = Pick<WatchedWorktree, "everyMs" | "activeMs" | "polledMs">;

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
  const isAtWork = (one: Looked): boolean => nowMs - one.activeMs < pace.atWorkMs;
  let costMs = 0;
  for (const one of all) if (isAtWork(one) === isAtWork(member)) costMs += one.polledMs ?? 0;
  member.everyMs = isAtWork(member)
    ? Math.max(pace.polledMs, costMs / share.atWork)
    : Math.min(Math.max(pace.fastestMs, costMs / share.atRest), pace.slowestMs);
  return Math.max(member.everyMs, member.polledMs * lookShare);
}
