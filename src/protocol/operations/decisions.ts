// Decisions that outlive a chat: drafted, active, superseded, rejected.

import { z } from "zod";
import { idField, limitField, repositoryField, taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { signatureStanding } from "../signature-standing.ts";

const word = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}._/:@+-]{1,100}$/u, "must be one plain word");
const id = idField.describe("The decision: its id, or the end of it");
const repository = repositoryField.optional().describe("The repository: name, identity or a path in it");
const task = taskField.optional().describe("The task it is about");
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
    title: z.string().trim().min(1).max(300).describe("What was decided, in a sentence"),
    text: z.string().trim().max(8_000).default("").describe("Why, and what follows from it"),
    draft: z.boolean().default(false).describe("Only proposed so far"),
    files: z.array(path).max(100).default([]).describe("A file, directory or pattern it is about"),
    repository,
    service: word.optional().describe("The service it is about"),
    task,
    supersedes: idField.optional().describe("The decision it replaces: its id, or the end of it"),
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
    states: z.array(z.enum(decisionStates)).min(1).default(["draft", "active"]).describe("Only those in this state"),
    /** A path from the top of the repository: decisions about it, or about a directory or pattern that holds it. */
    file: path.optional().describe("Only those about this file"),
    repository,
    service: word.optional().describe("Only of this service"),
    task,
    query: z.string().trim().min(1).max(500).optional().describe("Only those that contain all of these"),
    limit: limitField(1_000, 50),
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
    reason: z.string().trim().max(1_000).default("").describe("Why"),
  }),
  output: decision,
  refusals: ["decision.unknown", "decision.owners", "decision.not-allowed", "bus.wrapper-token", "store.not-written"],
});
