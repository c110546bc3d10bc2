// Workers: agents without a terminal of their program's own, given a turn when something wakes them.

import { z } from "zod";
import { workerNamePattern } from "../agent-id.ts";
import { limitField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

/** The kinds of cause that can wake a worker. */
export const wakeKinds = ["message", "task", "review", "notice", "schedule"] as const;
export type WakeKind = (typeof wakeKinds)[number];

const name = z
  .string()
  .regex(/^[a-z0-9]{1,24}$/, "a worker's name is at most 24 lower-case letters and digits")
  .describe("Its name: lower-case letters and digits");
const newName = name.regex(workerNamePattern, "a worker's name does not begin with `agent`");
const wholeOrNull = z.number().int().nullable();

export const workerShape = z.object({
  name: z.string(),
  agent: z.string(),
  runtime: z.string(),
  about: z.string(),
  wakes_on: z.array(z.string()),
  tokens_per_day: z.number().int(),
  turns_per_hour: z.number().int(),
  turn_ms: z.number().int(),
  /** waiting, turning, parked or stopped. */
  state: z.string(),
  because: z.string().nullable(),
  /** Causes wait for its next turn. */
  woken: z.boolean(),
  turns: z.number().int(),
  failures: z.number().int(),
  retry_ms: wholeOrNull,
  tokens_today: z.number().int(),
  created_ms: z.number().int(),
  updated_ms: z.number().int(),
});

export const workerTurnShape = z.object({
  turn: z.number().int(),
  state: z.string(),
  attempt: z.number().int(),
  /** The senders of the messages that it took up, and what else woke it. */
  causes: z.array(z.object({ kind: z.string(), from: z.string(), message: z.string().nullable() })),
  asked_ms: z.number().int(),
  began_ms: wholeOrNull,
  ended_ms: wholeOrNull,
  ok: z.boolean().nullable(),
  answer: z.string().nullable(),
  error: z.string().nullable(),
  did: z.array(z.string()),
  session_id: z.string().nullable(),
  /** What its model was given and what it said, while the turn ran. */
  tokens: z.number().int(),
  /** The tokens of the longest input in it: how full its context was. */
  context_tokens: z.number().int(),
});

export const declareWorker = defineOperation({
  name: "worker.declare",
  summary: "Declare a worker, or start one that is parked or stopped again.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["about"],
  input: z.strictObject({
    name: newName,
    runtime: z.string().min(1).max(40).describe("The agent program"),
    about: z.string().max(4_000).optional().describe("What it is for; it reads this at the start of each turn"),
    wakes_on: z.array(z.enum(wakeKinds)).min(1).optional().describe("What wakes it (default all)"),
    tokens_per_day: z
      .number()
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("Tokens that it may use in a UTC day, 0: no limit (default: the setting)"),
    turns_per_hour: z
      .number()
      .int()
      .min(1)
      .max(3_600)
      .optional()
      .describe("Turns that it may have in an hour (default: the setting)"),
    turn_minutes: z
      .number()
      .int()
      .min(1)
      .max(1_440)
      .optional()
      .describe("Minutes that one turn may take (default: the setting)"),
  }),
  output: workerShape,
  refusals: ["store.not-written"],
});

export const stopWorker = defineOperation({
  name: "worker.stop",
  summary: "Stop a worker: nothing wakes it, and its messages wait.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.strictObject({ name }),
  output: workerShape,
  refusals: ["worker.unknown", "store.not-written"],
});

export const listWorkers = defineOperation({
  name: "worker.list",
  summary: "Every worker, and whether something waits for its next turn.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({}),
  output: z.object({ workers: z.array(workerShape) }),
  refusals: [],
});

export const showWorker = defineOperation({
  name: "worker.show",
  summary: "One worker: its guards, what waits, and its newest turns.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ name, limit: limitField(200, 10) }),
  output: z.object({ worker: workerShape, waiting: z.number().int(), turns: z.array(workerTurnShape) }),
  refusals: ["worker.unknown"],
});
