// How far the thread that looks at repositories has come, and how it hears of changes there.

import { z } from "zod";

export const watchedState = z.object({
  repository: z.string(),
  worktrees: z.number().int(),
  /** Seen at least once since the daemon began. */
  looked: z.number().int(),
  /** The system tells of changes there. */
  watched: z.number().int(),
  /** Files are asked for their times there. */
  polled: z.number().int(),
  /** How often at the least; null where nothing is polled. */
  poll_ms: z.number().int().nullable(),
  pairs_waiting: z.number().int(),
});

export const sensingState = z.object({
  /** Processes that work for it: a compiler, while there is something to ask. */
  helpers: z.array(z.number().int()),
  watches: z.object({ used: z.number().int(), most: z.number().int() }),
  repositories: z.array(watchedState),
});

export type WatchedState = z.infer<typeof watchedState>;
export type SensingState = z.infer<typeof sensingState>;

/** Over all repositories. */
export function totals({ repositories }: SensingState): Omit<WatchedState, "repository"> {
  const sum = (of: (one: WatchedState) => number): number => repositories.reduce((all, one) => all + of(one), 0);
  const pace = repositories.flatMap(({ poll_ms: everyMs }) => (everyMs === null ? [] : [everyMs]));
  return {
    worktrees: sum(({ worktrees }) => worktrees),
    looked: sum(({ looked }) => looked),
    watched: sum(({ watched }) => watched),
    polled: sum(({ polled }) => polled),
    poll_ms: pace.length === 0 ? null : Math.max(...pace),
    pairs_waiting: sum(({ pairs_waiting: pairs }) => pairs),
  };
}
