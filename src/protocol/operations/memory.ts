// Memory: short texts that outlive a session, for everybody or for one agent.

import { z } from "zod";
import { idField, limitField, pathField, repositoryField, taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const id = idField.describe("The memory: its id, or the end of it");
const repository = repositoryField.optional().describe("The repository: name, identity or a path in it");
const task = taskField.optional().describe("The task it is about");

const memory = z.object({
  id: z.string(),
  text: z.string(),
  by: z.string(),
  /** `everybody`, or the one agent it is for. */
  audience: z.string(),
  repository: z.string().nullable(),
  task: z.number().int().nullable(),
  pinned: z.boolean(),
  remembered_ms: z.number().int(),
  updated_ms: z.number().int(),
  /** The file that it rests on, and whether that is still as it was; null when it rests on none. */
  valid_while: z.object({ path: z.string(), holds: z.boolean() }).nullable(),
});

export const remember = defineOperation({
  name: "memory.remember",
  summary: "Keep a short text for later sessions. The same text again renews it.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["text"],
  input: z.strictObject({
    text: z.string().trim().min(1).max(4_000).describe("What to remember"),
    own: z.boolean().default(false).describe("Only for whoever remembers it"),
    repository,
    task,
    pinned: z.boolean().default(false).describe("Show it at the start of every session"),
    valid_while: pathField
      .optional()
      .describe("A file that it rests on: when that changes, it is told no more and listed as stale"),
  }),
  output: memory.extend({ masked: z.boolean(), renewed: z.boolean() }),
  refusals: [
    "memory.full",
    "memory.no-file",
    "memory.not-yours",
    "bus.wrapper-token",
    "repository.unknown",
    "task.unknown",
    "store.not-written",
  ],
});

export const recall = defineOperation({
  name: "memory.recall",
  summary: "What is remembered: by words (most fitting first), or the pinned and newest.",
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  input: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .describe("Words to look for; texts with more of them come first"),
    repository,
    task,
    pinned: z.boolean().default(false).describe("Only pinned ones"),
    stale: z.boolean().default(false).describe("Only those whose file is no longer as it was"),
    limit: limitField(100, 20),
  }),
  output: z.object({
    total: z.number().int(),
    /** How many are not told because their file is no longer as it was. */
    stale: z.number().int(),
    memories: z.array(memory),
  }),
  refusals: ["repository.unknown"],
});

export const pinMemory = defineOperation({
  name: "memory.pin",
  summary: "Pin or unpin a memory.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.strictObject({ id, pinned: z.boolean().default(true).describe("Pin it") }),
  output: memory,
  refusals: ["memory.unknown", "memory.not-yours", "memory.full", "store.not-written"],
});

export const forgetMemory = defineOperation({
  name: "memory.forget",
  summary: "Delete a memory for good.",
  may: "everybody",
  effect: "destroys",
  needsDaemon: true,
  input: z.strictObject({ id }),
  output: z.object({ id: z.string() }),
  refusals: ["memory.unknown", "memory.not-yours", "store.not-written"],
});
