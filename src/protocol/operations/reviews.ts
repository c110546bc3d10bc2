// Reviews: somebody else reads what a task made ready, and says approved, or what is to be changed.

import { z } from "zod";
import { criterionShape } from "../acceptance.ts";
import { columnsOf } from "../columns.ts";
import { agentField, limitField, taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { changedFile } from "./task-diff.ts";

const number = z.number().int();
const nullableText = z.string().nullable();
const task = taskField.describe("The task's number");
const words = z.string().trim().max(10_000);

export const verdictShape = z.object({
  /** `waiting`: somebody was asked. `stale`: the last answer is about other commits than those that are ready now. */
  verdict: z.enum(["approved", "changes", "waiting", "stale", "none"]),
  /** Names the commits that are ready now; null while nothing is. */
  head: nullableText,
  review: nullableText,
  reviewer: nullableText,
  text: nullableText,
  answered_ms: z.number().nullable(),
});

const commentShape = z.object({ path: z.string(), line: number, text: z.string() });

export const reviewShape = z.object({
  id: z.string(),
  task: number,
  head: z.string(),
  reviewer: z.string(),
  state: z.enum(["asked", "approved", "changes", "withdrawn"]),
  /** Other commits are ready now, or nothing is. */
  stale: z.boolean(),
  asked_by: z.string(),
  asked_ms: z.number(),
  note: nullableText,
  told_ms: z.number().nullable(),
  answered_ms: z.number().nullable(),
  text: nullableText,
  comments: z.array(commentShape),
  signature: z.enum(["verified", "wrong", "not-signed", "not-checked"]),
});

export const askReview = defineOperation({
  name: "review.ask",
  summary:
    "Have a task's ready work read by somebody who did not do it: an agent, one with a capability, or the owner.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["note"],
  input: z.object({
    task,
    by: agentField.optional().describe("By this agent (default: by you)"),
    capability: z.string().trim().min(1).max(100).optional().describe("By an agent that has this capability"),
    note: words.min(1).optional().describe("What to look at in particular"),
  }),
  output: z.object({ id: z.string(), task: number, reviewer: z.string(), head: z.string(), state: z.string() }),
  refusals: ["task.unknown", "task.not-allowed", "review.nothing-ready", "review.own-work", "review.nobody"],
});

export const answerReview = defineOperation({
  name: "review.answer",
  summary:
    "Answer a review: approved, or what is to be changed. It counts for the commits that were read, and no others.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["text", "comments"],
  input: z.object({
    task,
    verdict: z.enum(["approved", "changes"]),
    read: z
      .string()
      .regex(/^[0-9a-f]{7,64}$/, "must be seven or more digits of the head that `review show` names")
      .describe("The head that was read, as `review show` names it"),
    text: words.default("").describe("What to say"),
    comments: z
      .array(
        z.object({
          path: z.string().min(1).max(1_000),
          line: number.min(1).max(10_000_000),
          text: z.string().trim().min(1).max(5_000),
        }),
      )
      .max(100)
      .default([])
      .describe("A line and what is to be changed there"),
  }),
  output: z.object({ id: z.string(), task: number, verdict: z.string(), head: z.string() }),
  refusals: [
    "task.unknown",
    "task.not-allowed",
    "review.nothing-ready",
    "review.own-work",
    "review.not-asked",
    "review.stale",
    "review.says-nothing",
  ],
});

export const showReview = defineOperation({
  name: "review.show",
  summary:
    "What a reviewer reads: brief, acceptance, the changes as they would land, open findings, and earlier answers.",
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  input: z.object({ task }),
  output: z.object({
    task: number,
    title: z.string(),
    directive: z.string(),
    brief: z.string(),
    state: z.string(),
    agent: nullableText,
    evidence: nullableText,
    criteria: z.array(criterionShape),
    verdict: verdictShape,
    works: z.array(
      z.object({
        name: z.string(),
        commit: z.string(),
        tree: z.string(),
        base: z.string(),
        target: z.string(),
        files: z.array(changedFile),
      }),
    ),
    findings: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        severity: z.string(),
        title: z.string(),
        action: z.string(),
      }),
    ),
    reviews: z.array(reviewShape),
  }),
  refusals: ["task.unknown", "review.nothing-ready", "review.unreadable"],
});

export const listReviews = defineOperation({
  name: "review.list",
  summary: "Reviews that are not answered, or all.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    task: taskField.optional().describe("Only this task's"),
    reviewer: z.string().min(1).max(100).optional().describe("Only this reviewer's"),
    all: z.boolean().default(false).describe("Answered and stale ones too"),
    limit: limitField(1_000, 100),
    ...columnsOf(reviewShape),
  }),
  output: z.object({ total: number, reviews: z.array(reviewShape) }),
  rows: "reviews",
  refusals: [],
});
