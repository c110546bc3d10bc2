// Pull requests of tasks, and undoing what landed.

import { z } from "zod";
import { columnsOf } from "../columns.ts";
import { limitField, taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();

export const pullShape = z.object({
  task: z.number().int(),
  number: nullableNumber,
  url: nullableText,
  branch: z.string(),
  base: z.string(),
  target: z.string(),
  /** wanted, pushing, opening, open, merging; or how it ended: landed, closed, cancelled. */
  state: z.string(),
  checks: nullableText,
  review: nullableText,
  rounds: z.number().int(),
  most_rounds: z.number().int(),
  waits_for: nullableText,
  head: nullableText,
  created_ms: z.number(),
  ended_ms: nullableNumber,
});

export const listPulls = defineOperation({
  name: "pull.list",
  summary: "The pull requests of tasks: where each stands, and what it waits for.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    all: z.boolean().default(false).describe("Ended ones too"),
    limit: limitField(10_000, 200),
    ...columnsOf(pullShape),
  }),
  output: z.object({ total: z.number().int(), pulls: z.array(pullShape) }),
  rows: "pulls",
  refusals: [],
});

export const revertTask = defineOperation({
  name: "task.revert",
  summary: "Create the task that undoes what another landed. Asked again, it is the same one.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ task: taskField.describe("The task that landed") }),
  output: z.object({ number: z.number().int(), is_new: z.boolean() }),
  refusals: ["task.unknown", "task.not-landed", "git.not-a-repository", "store.not-written"],
});
