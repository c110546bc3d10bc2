// Memory: short texts that outlive a session, for everybody or for one agent.

import { z } from "zod";
import { defineOperation } from "../operation.ts";

const id = z.string().min(4).max(100);

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
});

export const remember = defineOperation({
  name: "memory.remember",
  summary: "Keep a short text for later sessions. The same text again renews it.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["text"],
  input: z.strictObject({
    text: z.string().trim().min(1).max(4_000),
    /** Only for whoever remembers it. */
    own: z.boolean().default(false),
    /** Identity, name, or a path in it: only for work there. */
    repository: z.string().min(1).max(4_096).optional(),
    task: z.number().int().min(1).optional(),
    /** Shown at the start of every session that it is for. */
    pinned: z.boolean().default(false),
  }),
  output: memory.extend({ masked: z.boolean(), renewed: z.boolean() }),
  refusals: [
    "memory.full",
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
    query: z.string().trim().min(1).max(500).optional(),
    repository: z.string().min(1).max(4_096).optional(),
    task: z.number().int().min(1).optional(),
    pinned: z.boolean().default(false),
    limit: z.number().int().min(1).max(100).default(20),
  }),
  output: z.object({ total: z.number().int(), memories: z.array(memory) }),
  refusals: ["repository.unknown"],
});

export const pinMemory = defineOperation({
  name: "memory.pin",
  summary: "Pin or unpin a memory.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.strictObject({ id, pinned: z.boolean().default(true) }),
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
