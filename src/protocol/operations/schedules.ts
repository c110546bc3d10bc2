// Schedules: crons fire at times of the clock, loops again and again until they reach their end.

import { z } from "zod";
import { agentField, pathField, spanField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const wholeOrNull = z.number().int().nullable();
const kind = z.enum(["cron", "loop"]);
const label = z.string().min(1).max(100).describe("Its name");
const named = z.object({ kind, label });
const overlap = z
  .enum(["queue", "skip", "replace"])
  .default("queue")
  .describe("What to do if the last firing is still under way");

const action = z.union([
  z.object({
    agent: agentField,
    prompt: z.string().min(1).max(100_000),
  }),
  z.object({ verb: z.array(z.string().min(1).max(10_000)).min(1).max(100) }),
]);

const schedule = z.object({
  kind,
  label: z.string(),
  /** The five fields and the zone, or the interval. */
  timing: z.string(),
  action,
  overlap: z.string(),
  paused: z.boolean(),
  seen_ms: z.number().int(),
  fired_ms: wholeOrNull,
  next_ms: wholeOrNull,
  /** By how much the clock is behind what was already seen: nothing fires for so long. */
  behind_ms: z.number().int(),
  ended_ms: wholeOrNull,
  ended_why: z.string().nullable(),
  updated_ms: z.number().int(),
  /** Of a loop: the command whose success ends it, and the one whose other words make it fire. */
  until_command: z.string().nullable(),
  change_command: z.string().nullable(),
  /** Of a loop: it ends after so many firings. */
  most: wholeOrNull,
  /** Of a loop that a clone opened on its own work: it ends with this task. */
  task: wholeOrNull,
});

export const listSchedules = defineOperation({
  name: "schedule.list",
  summary: "List crons and loops with when each fires next.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ kind: kind.optional() }),
  output: z.object({ schedules: z.array(schedule) }),
  refusals: [],
});

export const showSchedule = defineOperation({
  name: "schedule.show",
  summary: "One cron or loop: its next five firings, and what its last ones did.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: named,
  output: z.object({
    schedule,
    next: z.array(z.number().int()),
    firings: z.array(
      z.object({
        key: z.string(),
        kind: z.string(),
        label: z.string(),
        due_ms: z.number().int(),
        at_ms: z.number().int(),
        catch_up: z.boolean(),
        missed: z.number().int(),
        late_ms: z.number().int(),
        overlap: z.string(),
        /** waiting, running, done, failed, skipped, joined or replaced. */
        state: z.string(),
        message_id: z.string().nullable(),
        began_ms: wholeOrNull,
        ended_ms: wholeOrNull,
        detail: z.string().nullable(),
      }),
    ),
  }),
  refusals: ["schedule.unknown"],
});

export const addCron = defineOperation({
  name: "schedule.add-cron",
  summary: "Add a cron: a prompt for an agent, or a verb, at times of the clock.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["action"],
  input: z.object({
    label,
    /** Minute, hour, day of the month, month, day of the week. */
    schedule: z.string().max(200).describe('The five fields, in quotes: "0 22 * * 1-5"'),
    zone: z.string().max(100).default("UTC").describe("The time zone, such as Europe/Berlin"),
    action,
    overlap,
    jitter_ms: spanField(0, 86_400_000)
      .default(0)
      .describe("Delay each firing by up to this much, always the same for a label: 10m"),
  }),
  output: z.object({ label: z.string() }),
  refusals: ["schedule.exists", "schedule.bad-verb", "usage.bad-value", "config.malformed", "store.not-written"],
});

export const acceptCrons = defineOperation({
  name: "schedule.accept",
  summary: "Accept lines of cron.toml that were written by hand, as they were shown.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    crons: z
      .array(z.object({ label, mark: z.string().regex(/^[0-9a-f]{64}$/) }))
      .min(1)
      .max(1000),
  }),
  output: z.object({ accepted: z.array(z.string()) }),
  refusals: ["schedule.unknown", "schedule.changed", "config.malformed", "store.not-written"],
});

export const addLoop = defineOperation({
  name: "schedule.add-loop",
  summary:
    "Start a loop: a prompt for an agent, or a verb, again and again until its command succeeds. A clone may start one on its own work, which tells it something and ends with its task.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["action", "until", "on_change"],
  input: z.object({
    label,
    action,
    /** Without: it comes again when its worker asks for it, or after 25 minutes. */
    every_ms: spanField(60_000, 604_800_000).optional(),
    until: z.string().min(1).max(10_000).optional().describe("A shell command whose success ends the loop"),
    on_change: z
      .string()
      .min(1)
      .max(10_000)
      .optional()
      .describe("A shell command: the loop fires only when it prints something else than the last time"),
    directory: pathField
      .optional()
      .describe("Where these commands run (default: the agent's workspace, else the root directory)"),
    most: z.number().int().min(1).max(1_000_000).optional().describe("End after this many firings"),
    overlap,
  }),
  output: z.object({ label: z.string() }),
  refusals: [
    "schedule.exists",
    "schedule.bad-verb",
    "schedule.own-work",
    "usage.bad-value",
    "config.malformed",
    "store.not-written",
  ],
});

export const removeSchedule = defineOperation({
  name: "schedule.remove",
  summary: "Remove a cron or end a loop for good. A clone may do it for a loop that it started itself.",
  may: "everybody",
  effect: "destroys",
  needsDaemon: true,
  input: named,
  output: z.object({ label: z.string() }),
  refusals: ["schedule.unknown", "schedule.not-yours", "config.malformed", "store.not-written"],
});

export const pauseSchedule = defineOperation({
  name: "schedule.pause",
  summary: "Pause a cron or loop, or let it go on. What falls into a pause is not caught up with.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: named.extend({ paused: z.boolean() }),
  output: z.object({ label: z.string() }),
  refusals: ["schedule.unknown", "schedule.not-accepted", "config.malformed", "store.not-written"],
});

export const runSchedule = defineOperation({
  name: "schedule.run",
  summary: "Fire a cron or loop now, in addition to its schedule.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: named,
  output: z.object({ key: z.string() }),
  refusals: ["schedule.unknown", "schedule.not-accepted", "config.malformed", "store.not-written"],
});

export const tickSchedules = defineOperation({
  name: "schedule.tick",
  summary: "Check all schedules now instead of at the next round.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({}),
  output: z.object({ next_ms: wholeOrNull, problems: z.array(z.string()) }),
  refusals: ["store.not-written"],
});

export const reschedule = defineOperation({
  name: "schedule.reschedule",
  summary: "Say when a loop without an interval fires next. A clone may do it for its own loops.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ label, delay_ms: spanField(60_000, 604_800_000).describe("20m, 2h; a minute to a week") }),
  output: z.object({ next_ms: z.number().int() }),
  refusals: [
    "schedule.unknown",
    "schedule.not-yours",
    "schedule.own-work",
    "usage.bad-value",
    "config.malformed",
    "store.not-written",
  ],
});
