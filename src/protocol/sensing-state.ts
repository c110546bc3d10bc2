// Reports how far the processes that look at repositories have come, how they hear of changes there, and what they could not check.

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
  /** The longest interval between two polls; null if nothing is polled. */
  poll_ms: z.number().int().nullable(),
  pairs_waiting: z.number().int(),
});

/** Something that ran over its budget. It is not asked about again while its content is the same. */
export const uncheckedPart = z.object({
  /** null where that is not known. */
  repository: z.string().nullable(),
  /** As people know the repository. */
  repository_name: z.string().nullable(),
  kind: z.enum(["file", "pair", "contract", "repository"]),
  /** A path, two branches, a contract, or the repository. */
  name: z.string(),
  why: z.string(),
  at_ms: z.number().int(),
});

export const sensingState = z.object({
  /** Processes that work for it: a compiler, while there is something to ask. */
  helpers: z.array(z.number().int()),
  watches: z.object({ used: z.number().int(), most: z.number().int() }),
  repositories: z.array(watchedState),
  /** Those that read repositories. */
  processes: z.array(z.object({ pid: z.number().int(), rss_bytes: z.number().int() })),
  unchecked: z.array(uncheckedPart),
});

/** As one sees it from within. */
export type LookedState = Pick<z.infer<typeof sensingState>, "helpers" | "watches" | "repositories">;

/** Names what is not checked, with the repository it is in if it does not name that itself. */
export function uncheckedName({ kind, name, repository_name: where }: z.infer<typeof uncheckedPart>): string {
  if (kind === "repository") return where ?? name;
  return where === null ? name : `${name} in ${where}`;
}

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
