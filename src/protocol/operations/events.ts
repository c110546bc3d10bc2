// Typed events: published by agents and people, addressed to those whom they concern.

import { z } from "zod";
import { eventSeverities, eventTypeNames } from "../event-types.ts";
import { agentField, limitField, repositoryField, taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const word = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}._/:@+-]{1,100}$/u, "must be one plain word");
const path = z.string().min(1).max(1_000);

export const publishEvent = defineOperation({
  name: "event.publish",
  summary: "Publish a typed event to named agents, or to whom paths, topics, services, a capability or a task concern.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["text", "fields"],
  input: z.strictObject({
    type: z.enum(eventTypeNames).describe("What kind of event it is"),
    text: z.string().trim().min(1).max(4_000).describe("What happened, in a sentence or two"),
    fields: z.record(z.string(), z.string().max(1_000)).default({}).describe("A field of its type"),
    severity: z.enum(eventSeverities).optional().describe("How serious it is (default: by type)"),
    to: z.array(agentField).max(1_000).default([]).describe("An agent it is for; may be given several times"),
    paths: z.array(path).max(100).default([]).describe("A path it concerns"),
    repository: repositoryField.optional().describe("The repository: name, identity or a path in it"),
    topics: z.array(word).max(20).default([]).describe("A topic it belongs to"),
    services: z.array(word).max(20).default([]).describe("A service it concerns"),
    capability: word.optional().describe("For agents that have this capability"),
    task: taskField.optional().describe("The task it is about"),
    blocking: z
      .boolean()
      .default(false)
      .describe("Nobody is told before the owner allows it, as a permission request (an agent's event)"),
    key: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("An event published again with the same key counts as the same event"),
  }),
  output: z.object({
    id: z.string(),
    seq: z.number().int(),
    severity: z.enum(eventSeverities),
    /** The number of named agents it goes to. */
    recipients: z.number().int(),
    /** Named agents that constel has never seen; their copy waits in the inbox. */
    unknown: z.array(z.string()),
    /** Secrets were taken out of the text. */
    masked: z.boolean(),
    /** It was published before, with the same key. */
    already: z.boolean(),
    /** The request that the owner answers first. Null for an event that is on its way. */
    approval: z.string().nullable(),
  }),
  refusals: [
    "event.no-audience",
    "event.bad-fields",
    "bus.wrapper-token",
    "repository.unknown",
    "task.unknown",
    "store.not-written",
  ],
});

export const listPublished = defineOperation({
  name: "event.list",
  summary: "The newest published events, and how far they got.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.strictObject({
    type: z.enum(eventTypeNames).optional(),
    /** Only those that name this agent. */
    to: agentField.optional(),
    limit: limitField(1_000, 50),
  }),
  output: z.object({
    events: z.array(
      z.object({
        id: z.string(),
        at_ms: z.number().int(),
        type: z.string(),
        severity: z.string(),
        by: z.string(),
        text: z.string(),
        fields: z.record(z.string(), z.string()),
        task: z.number().int().nullable(),
        paths: z.array(z.string()),
        topics: z.array(z.string()),
        services: z.array(z.string()),
        capability: z.string().nullable(),
        /** `waiting` for the owner, or `refused`. Null for an event that is on its way. */
        held: z.enum(["waiting", "refused"]).nullable(),
        recipients: z.number().int(),
        /** Copies that are not in an inbox yet. */
        waiting: z.number().int(),
      }),
    ),
    more: z.boolean(),
  }),
  refusals: [],
});
