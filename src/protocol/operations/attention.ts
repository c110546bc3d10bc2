// What needs the owner, in one order.

import { z } from "zod";
import { limitField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

/** The places of the order, the most pressing first. */
export const attentionPlace = z.enum(["answer", "collision-near", "stuck", "gate", "collision", "ready", "limit"]);

const row = z.object({
  /** The same for as long as it is the same thing. */
  key: z.string(),
  place: attentionPlace,
  /** permission, question, collision, dead, hung, stopped, gate, review, ready, limited… */
  kind: z.string(),
  says: z.string(),
  /** Empty when the sentence says it all. */
  evidence: z.string(),
  agent: z.string().nullable(),
  task: z.number().int().nullable(),
  finding: z.string().nullable(),
  /** Of a permission: the request, for `approval.answer`. */
  request: z.string().nullable(),
  /** How many things of one cause it stands for. */
  causes: z.number().int(),
  since_ms: z.number().int(),
  /** The command that helps. */
  next: z.string(),
  snoozed: z.boolean(),
  /** Null: until it changes, or not at all. */
  snoozed_until_ms: z.number().int().nullable(),
});
export type AttentionRow = z.infer<typeof row>;

/** The row as a sentence: what is said of an agent begins with its name. */
export const sentenceOf = ({ agent, says }: Pick<AttentionRow, "agent" | "says">): string =>
  agent === null || says.startsWith(`${agent} `) ? says : `${agent} ${says}`;

export const attentionList = defineOperation({
  name: "attention.list",
  summary: "What needs you, the most pressing first; one cause is one row.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    snoozed: z.boolean().default(false).describe("Also what you put aside"),
    limit: limitField(1_000, 200),
  }),
  output: z.object({
    rows: z.array(row),
    total: z.number().int(),
    /** How many are put aside. */
    snoozed: z.number().int(),
  }),
  refusals: [],
});

export const snoozeAttention = defineOperation({
  name: "attention.snooze",
  summary: "Put something that needs you aside: until a time, or until it changes.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    key: z.string().min(1).max(300).describe("The row's key, as `constel attention` shows it"),
    /** Null: until it says something else. */
    until_ms: z.number().int().positive().nullable().default(null),
    wake: z.boolean().default(false).describe("Bring it back instead"),
  }),
  output: z.object({
    key: z.string(),
    says: z.string(),
    snoozed: z.boolean(),
    until_ms: z.number().int().nullable(),
  }),
  refusals: ["attention.unknown", "store.not-written"],
});
