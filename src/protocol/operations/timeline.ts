// The timeline: what happened, in order. Announcing is how a person puts something on it.

import { z } from "zod";
import { restoreShape } from "../restored.ts";
import { columnsOf } from "../columns.ts";
import { limitField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export const eventShape = z.object({
  seq: z.number().int(),
  id: z.string(),
  constellation: z.string(),
  at_ms: z.number().int(),
  type: z.string(),
  subject: z.string().nullable(),
  actor: z.string(),
  data: z.record(z.string(), z.unknown()),
  /** Of the event before this one in the chain. */
  prev_hash: z.string(),
  hash: z.string(),
});

export const announce = defineOperation({
  name: "timeline.announce",
  summary: "Post a line of text on the timeline for everyone to see.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["text"],
  input: z.object({ text: z.string().trim().min(1).max(10_000).describe("What to say") }),
  output: z.object({ seq: z.number().int(), id: z.string() }),
  refusals: ["store.not-written"],
});

export const listEvents = defineOperation({
  name: "timeline.list",
  summary: "The newest events, or those after a sequence number.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    after_seq: z.number().int().min(0).optional().describe("Only events after this sequence number"),
    limit: limitField(1_000, 50),
    type: z.string().optional().describe("Only events of this type"),
    subject: z.string().optional(),
    ...columnsOf(eventShape),
  }),
  output: z.object({
    events: z.array(eventShape),
    /** True when there are more events than the limit allowed. */
    more: z.boolean(),
  }),
  rows: "events",
  refusals: [],
});

export const verifyAudit = defineOperation({
  name: "audit.verify",
  summary:
    "Verify the hash chain of the timeline, its signatures and guards, the heads that were anchored outside the database, and the signatures of decisions, claims and approvals.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    /** Lines of anchored heads that were kept elsewhere, to be compared too. */
    heads: z.string().max(100_000_000).optional(),
  }),
  output: z.object({
    ok: z.boolean(),
    count: z.number().int(),
    head: z.string().nullable(),
    broken_at: z.number().int().nullable(),
    problem: z.string().nullable(),
    /** The newest event that says that acknowledged writes were missing when the database was opened. */
    missing_at: z.number().int().nullable(),
    /** Heads outside the database that were compared, and the last event they reach. */
    anchors: z.number().int(),
    anchored_seq: z.number().int(),
    /** Events that were signed when they were appended, and those appended before there was a key. */
    signed: z.number().int(),
    unsigned: z.number().int(),
    /** The last time that a backup was restored: its last event, and the last event known before. */
    restored: restoreShape.nullable(),
    restores: z.number().int(),
  }),
  refusals: [],
});
