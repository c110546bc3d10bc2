// Says in words how far the daemon has looked at repositories, and how it hears of changes.

import { counted } from "../../../protocol/counted.ts";
import { type SensingState, totals, uncheckedName } from "../../../protocol/sensing-state.ts";

export function sensingText(sensing: SensingState): string {
  const { watched, polled, poll_ms: everyMs, pairs_waiting: pairs } = totals(sensing);
  const { used, most } = sensing.watches;
  const rest = everyMs === null ? "" : `, ${polled} polled (every ${Math.ceil(everyMs / 1000)} s or sooner)`;
  const waiting = pairs === 0 ? "" : `; ${counted(pairs, "pair")} to compare`;
  return `${counted(watched, "worktree")} watched (${used} of at most ${most} watches)${rest}${waiting}`;
}

/** Lists what is not checked because it ran over its budget, one line each. */
export function uncheckedLines({ unchecked }: SensingState): string[] {
  return unchecked.map((one) => `${uncheckedName(one)} is not checked: ${one.why}`);
}

/** The one thing that the owner should know while it lasts; undefined when all has been seen and is watched. */
export function sensingNews(sensing: SensingState): string | undefined {
  const { worktrees, looked, polled, poll_ms: everyMs, pairs_waiting: pairs } = totals(sensing);
  if (looked < worktrees) return `First look at repositories: ${looked} of ${worktrees} worktrees so far.`;
  if (pairs > 0) return `Comparing: ${counted(pairs, "pair")} left.`;
  if (polled === 0 || everyMs === null) return undefined;
  const seconds = Math.ceil(everyMs / 1000);
  return `${polled} of ${worktrees} worktrees are polled, every ${seconds} s or sooner: there are not enough watches (constel doctor).`;
}
