// What constellations say of themselves: one row a thing, whole each time. A sibling tells its root how things are, which shows it beside its own, each
// with the time from which it is known; nothing is done because of it. Both tell each other of the work that their owners share (subject "side").

import { z } from "zod";

const text = (longest: number) => z.string().max(longest);
const name = text(200);
const ms = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const rowShapes = {
  agent: z.strictObject({
    role: name,
    runtime: name,
    wanted: name,
    seen: name,
    task: name.nullable(),
    since_ms: ms,
  }),
  task: z.strictObject({
    title: text(400),
    state: name,
    priority: name,
    agent: name.nullable(),
    branch: name.nullable(),
    landed_sha: name.nullable(),
    reason: text(400).nullable(),
    updated_ms: ms,
  }),
  /** What an agent used on one day, UTC. */
  cost: z.strictObject({ agent: name, day: name, tokens: ms, cost_micros: ms.nullable() }),
  constellation: z.strictObject({ version: name, findings: ms, waits: ms }),
  /** A line of work in a repository that the owner shares, as ports/sides.ts has it. */
  side: z.strictObject({
    repository: text(1_000),
    key: text(16),
    ref: text(200),
    commit: text(64).nullable(),
    route: z.enum(["origin", "bundle", "nowhere"]),
    detail: text(500).nullable(),
    branch: text(1_000).nullable(),
    agent: name.nullable(),
    task: text(400).nullable(),
    machine: name,
    /** A root passes on what its siblings told it: whose it is, by the root's name. */
    of: name.nullable(),
    /** Since when the root has heard nothing of them; null while it does. */
    silent_since_ms: ms.nullable(),
  }),
} as const;

export type RowSubject = keyof typeof rowShapes;
export const rowSubjects = Object.keys(rowShapes) as RowSubject[];

/** At most so many in one item. */
export const rowsAtOnce = 200;

export const rowsBody = z.strictObject({
  rows: z
    .array(
      z.strictObject({
        subject: z.enum(rowSubjects as [RowSubject, ...RowSubject[]]),
        key: name.min(1),
        /** Null: it is no longer there. */
        data: z.unknown(),
      }),
    )
    .max(rowsAtOnce),
});
