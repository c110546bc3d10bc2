// Typed events: published by agents and people, addressed to those whom they concern.

import { z } from "zod";
import { agentShape } from "../agent-shape.ts";
import { eventSeverities, eventTypeNames } from "../event-types.ts";
import { defineOperation } from "../operation.ts";

const agent = agentShape;
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
    type: z.enum(eventTypeNames),
    text: z.string().trim().min(1).max(4_000),
    /** As the type declares them. */
    fields: z.record(z.string(), z.string().max(1_000)).default({}),
    /** Default: as the type declares. */
    severity: z.enum(eventSeverities).optional(),
    to: z.array(agent).max(1_000).default([]),
    paths: z.array(path).max(100).default([]),
    /** Identity, name, or a path in it. */
    repository: z.string().min(1).max(4_096).optional(),
    topics: z.array(word).max(20).default([]),
    services: z.array(word).max(20).default([]),
    capability: word.optional(),
    task: z.number().int().min(1).optional(),
    /** The same key from the same publisher is the same event. */
    key: z.string().min(1).max(200).optional(),
  }),
  output: z.object({
    id: z.string(),
    seq: z.number().int(),
    severity: z.enum(eventSeverities),
    /** How many named agents it goes to. */
    recipients: z.number().int(),
    /** Named agents that constel has never seen; their copy waits in the inbox. */
    unknown: z.array(z.string()),
    /** Secrets were taken out of the text. */
    masked: z.boolean(),
    /** It was published before, with the same key. */
    already: z.boolean(),
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
    to: agent.optional(),
    limit: z.number().int().min(1).max(1_000).default(50),
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
        recipients: z.number().int(),
        /** Copies that are not in an inbox yet. */
        waiting: z.number().int(),
      }),
    ),
    more: z.boolean(),
  }),
  refusals: [],
});
