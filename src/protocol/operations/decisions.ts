// Decisions that outlive a chat: drafted, active, superseded, rejected.

import { z } from "zod";
import { defineOperation } from "../operation.ts";
import { signatureStanding } from "../signature-standing.ts";

const word = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}._/:@+-]{1,100}$/u, "must be one plain word");
const id = z.string().min(4).max(100);
const path = z.string().min(1).max(1_000);
export const decisionStates = ["draft", "active", "superseded", "rejected"] as const;

const decision = z.object({
  id: z.string(),
  state: z.enum(decisionStates),
  title: z.string(),
  text: z.string(),
  recorded_by: z.string(),
  /** The owner recorded or accepted it. No agent can set this. */
  owner_verified: z.boolean(),
  signature: signatureStanding,
  files: z.array(z.string()),
  repository: z.string().nullable(),
  service: z.string().nullable(),
  task: z.number().int().nullable(),
  recorded_ms: z.number().int(),
  changed_ms: z.number().int(),
  changed_by: z.string(),
  reason: z.string().nullable(),
  supersedes: z.string().nullable(),
  superseded_by: z.string().nullable(),
});

export const recordDecision = defineOperation({
  name: "decision.record",
  summary: "Record a decision, as a draft or active, or in the place of an earlier one.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["title", "text"],
  input: z.strictObject({
    title: z.string().trim().min(1).max(300),
    text: z.string().trim().max(8_000).default(""),
    draft: z.boolean().default(false),
    files: z.array(path).max(100).default([]),
    /** Identity, name, or a path in it. */
    repository: z.string().min(1).max(4_096).optional(),
    service: word.optional(),
    task: z.number().int().min(1).optional(),
    /** The decision that this one replaces: its id, or the end of it. */
    supersedes: id.optional(),
  }),
  output: decision.extend({ masked: z.boolean() }),
  refusals: [
    "decision.unknown",
    "decision.owners",
    "decision.not-allowed",
    "bus.wrapper-token",
    "repository.unknown",
    "task.unknown",
    "store.not-written",
  ],
});

export const listDecisions = defineOperation({
  name: "decision.list",
  summary: "Decisions that hold, the newest first; by file, repository, service, task, state or words.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.strictObject({
    states: z.array(z.enum(decisionStates)).min(1).default(["draft", "active"]),
    /** A path from the top of the repository: decisions about it, or about a directory or pattern that holds it. */
    file: path.optional(),
    repository: z.string().min(1).max(4_096).optional(),
    service: word.optional(),
    task: z.number().int().min(1).optional(),
    query: z.string().trim().min(1).max(500).optional(),
    limit: z.number().int().min(1).max(1_000).default(50),
  }),
  output: z.object({ total: z.number().int(), decisions: z.array(decision) }),
  refusals: ["repository.unknown"],
});

export const showDecision = defineOperation({
  name: "decision.show",
  summary: "One decision.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.strictObject({ id }),
  output: decision,
  refusals: ["decision.unknown"],
});

export const settleDecision = defineOperation({
  name: "decision.settle",
  summary: "Accept or reject a decision. What the owner accepts is verified by the owner.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["reason"],
  input: z.strictObject({
    id,
    verdict: z.enum(["accept", "reject"]),
    reason: z.string().trim().max(1_000).default(""),
  }),
  output: decision,
  refusals: ["decision.unknown", "decision.owners", "decision.not-allowed", "bus.wrapper-token", "store.not-written"],
});
