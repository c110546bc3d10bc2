// Notices: what was addressed to which agent, where it stands, and why.

import { z } from "zod";
import { severities } from "../findings.ts";
import { columnsOf } from "../columns.ts";
import { agentField, limitField, repositoryField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const id = z.string().min(1).max(100).describe("The notice: its id, or the end of it");
const wholeOrNull = z.number().int().nullable();

const notice = z.object({
  id: z.string(),
  agent: z.string(),
  about: z.enum(["finding", "claim", "event"]),
  /** The finding's kind, `claim`, or the event's type. */
  kind: z.string(),
  severity: z.enum(severities),
  state: z.enum(["waiting", "told", "handled", "withdrawn"]),
  title: z.string(),
  repository: z.string().nullable(),
  /** Since when there is, or was, something to tell. */
  due_ms: z.number().int(),
  told_ms: wholeOrNull,
  /** The proof that it was told: `hook tool-began`, `message tel_…`. */
  told_by: z.string().nullable(),
  handled_ms: wholeOrNull,
  /** The one who said that it is done, or the fact that says so. */
  handled_by: z.string().nullable(),
  ended_ms: wholeOrNull,
  ended_because: z.string().nullable(),
});

export const listNotices = defineOperation({
  name: "notice.list",
  summary: "What is addressed to agents and has not ended, the latest change first; all: also what has ended.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    agent: agentField.optional().describe("Only what is addressed to this agent"),
    all: z.boolean().default(false).describe("Include notices that have ended"),
    limit: limitField(10_000, 200),
    ...columnsOf(notice),
  }),
  output: z.object({ total: z.number().int(), notices: z.array(notice) }),
  rows: "notices",
  refusals: [],
});

export const whyNotice = defineOperation({
  name: "notice.why",
  summary: "One notice with the rules that addressed it, the facts behind it, and each telling with its proof.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ id }),
  output: notice.extend({
    means: z.string().nullable(),
    reasons: z.array(z.object({ rule: z.string(), fact: z.string() })),
    facts: z.array(
      z.object({
        source: z.string(),
        title: z.string(),
        action: z.string(),
        with: z.string(),
        severity: z.enum(severities),
        files: z.array(z.string()),
        told: z.boolean(),
        over: z.string().nullable(),
      }),
    ),
    tellings: z.array(
      z.object({
        id: z.string(),
        way: z.enum(["hook", "message"]),
        state: z.enum(["offered", "sent", "told", "lost", "dropped"]),
        moments: z.array(z.enum(["start", "prompt", "edit", "stop"])),
        over: z.boolean(),
        offered_ms: z.number().int(),
        told_ms: wholeOrNull,
        told_by: z.string().nullable(),
        /** The conversation of the agent that heard it, or that alone is to hear it. */
        told_to: z.string().nullable(),
        text: z.string(),
      }),
    ),
  }),
  refusals: ["notice.unknown"],
});

export const handleNotice = defineOperation({
  name: "notice.handle",
  summary: "Say that a notice was dealt with.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ id }),
  output: z.object({ id: z.string(), agent: z.string(), state: z.string() }),
  refusals: ["notice.unknown", "notice.not-yours", "store.not-written"],
});

const names = z.array(z.string().trim().min(1).max(200)).max(100).default([]);

export const subscribe = defineOperation({
  name: "notice.subscribe",
  summary: "What an agent wants to hear of, and what it can do; in the place of what it said before.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    agent: agentField.optional().describe("The agent that subscribes (default: you)"),
    repository: repositoryField.optional().describe("The repository of the paths (default: every one)"),
    /** As .gitignore writes them, from the top. */
    paths: names.describe("Changes of this path or pattern"),
    topics: names.describe("Events about this topic"),
    services: names.describe("Events about this service"),
    capabilities: names.describe("Something the agent can do"),
  }),
  output: z.object({
    agent: z.string(),
    subscriptions: z.number().int(),
    /** The number of subscriptions it had before; all of them were replaced. */
    before: z.number().int(),
  }),
  refusals: ["notice.not-yours", "repository.unknown", "usage.missing-argument", "store.not-written"],
});

export const listSubscriptions = defineOperation({
  name: "notice.subscriptions",
  summary: "What agents chose to hear of, and what they can do.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ agent: agentField.optional().describe("Only those of this agent") }),
  output: z.object({
    subscriptions: z.array(
      z.object({
        agent: z.string(),
        what: z.enum(["path", "topic", "service", "capability"]),
        value: z.string(),
        /** The repository of a path; null for every one. */
        repository: z.string().nullable(),
        made_ms: z.number().int(),
      }),
    ),
  }),
  refusals: [],
});
