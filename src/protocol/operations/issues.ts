// Issues of a forge that become tasks, once or from now on.

import { z } from "zod";
import { columnsOf } from "../columns.ts";
import { idField, limitField, pathField, placeField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();
const forgeRefusals = ["forge.not-known", "forge.no-token", "forge.denied", "forge.unknown", "forge.refused"] as const;

export const importIssues = defineOperation({
  name: "issue.import",
  summary: "Create tasks from a forge's open issues, once or from now on; what was imported before is left alone.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    origin: z.string().min(1).max(2_000).describe("The repository's address, as git knows it"),
    label: z.string().min(1).max(200).optional().describe("Only issues with this label"),
    root: pathField,
    repository: placeField.optional().describe("The repository to work in"),
    follow: z.boolean().default(false).describe("From now on: new ones too, and where a task stands is written back"),
    dry_run: z.boolean().default(false).describe("Show what would be created, and create nothing"),
  }),
  output: z.object({
    from: z.string(),
    created: z.array(z.number().int()),
    known: z.number().int(),
    waiting: z.number().int(),
    follow: nullableText,
    issues: z.array(z.object({ number: z.number().int(), title: z.string(), url: z.string(), is_known: z.boolean() })),
  }),
  refusals: [...forgeRefusals, "issue.no-filter", "git.not-a-repository", "store.not-written"],
});

export const followShape = z.object({
  id: z.string(),
  origin: z.string(),
  label: z.string(),
  repository: nullableText,
  tasks: z.number().int(),
  open: z.number().int(),
  waiting: z.number().int(),
  waits_for: nullableText,
  looked_ms: nullableNumber,
  created_ms: z.number(),
  ended_ms: nullableNumber,
});

export const listFollows = defineOperation({
  name: "issue.list",
  summary: "The labels whose issues become tasks: how many have, and what is waited for.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    all: z.boolean().default(false).describe("Ended ones too"),
    limit: limitField(10_000, 200),
    ...columnsOf(followShape),
  }),
  output: z.object({ total: z.number().int(), follows: z.array(followShape) }),
  rows: "follows",
  refusals: [],
});

export const stopFollow = defineOperation({
  name: "issue.stop",
  summary: "Stop making tasks of a label's issues. The tasks stay, and nothing more is written to their issues.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ id: idField.describe("Its id, as issue list shows it, or the end of that") }),
  output: z.object({ id: z.string(), label: z.string(), origin: z.string() }),
  refusals: ["issue.unknown-follow", "store.not-written"],
});
