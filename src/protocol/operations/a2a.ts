// Requests of outside agents over A2A: what such an agent may ask, and what the owner says to it.

import { z } from "zod";
import { a2aArtefact, a2aChange, a2aLimits, a2aPart, a2aPush, a2aSkill, a2aStates, a2aTask } from "../a2a.ts";
import { columnsOf } from "../columns.ts";
import { agentField, limitField, pathField, placeField, taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();
const given = z.string().min(1).max(200);
const own = given.describe("The request's id");
const request = given.describe("The request's id, or the end of it");

const pushWish = z.object({
  id: given.optional(),
  url: z.string().min(1).max(2_000),
  token: z.string().max(2_000).optional(),
  scheme: z.string().max(100).optional(),
  credentials: z.string().max(4_000).optional(),
});

export const sendA2a = defineOperation({
  name: "a2a.send",
  summary:
    "An outside agent's message: a new request, or further words to one of its own. Sent again, it is the same one.",
  may: "outside",
  effect: "writes",
  needsDaemon: true,
  speaks: ["parts"],
  input: z.object({
    message: given.describe("The message's id, as its sender made it"),
    task: given.optional().describe("To this request of its own"),
    context: given.optional(),
    skill: given.optional(),
    parts: z.array(a2aPart).min(1).max(a2aLimits.parts),
    push: pushWish.optional(),
  }),
  output: z.object({ task: a2aTask, is_new: z.boolean() }),
  refusals: [
    "a2a.unknown",
    "a2a.over",
    "a2a.context-differs",
    "a2a.content",
    "a2a.message-differs",
    "a2a.too-many",
    "a2a.push-address",
    "a2a.off",
    "store.not-written",
  ],
});

export const showA2a = defineOperation({
  name: "a2a.show",
  summary: "A request of the asking agent's own.",
  may: "outside",
  effect: "reads",
  needsDaemon: true,
  input: z.object({ id: own }),
  output: a2aTask,
  refusals: ["a2a.unknown"],
});

export const listA2a = defineOperation({
  name: "a2a.list",
  summary: "The asking agent's own requests, the last changed first.",
  may: "outside",
  effect: "reads",
  needsDaemon: true,
  input: z.object({
    context: given.optional(),
    state: z.enum(a2aStates).optional(),
    since_ms: z.number().optional(),
    limit: z.number().int().min(1).max(100).default(50),
    page: z.string().max(500).optional(),
  }),
  output: z.object({ total: z.number().int(), next: nullableText, tasks: z.array(a2aTask) }),
  refusals: ["a2a.page"],
});

export const followA2a = defineOperation({
  name: "a2a.follow",
  summary: "What changed in a request of the asking agent's own since a change; waits for the next where nothing did.",
  may: "outside",
  effect: "reads",
  needsDaemon: true,
  input: z.object({
    id: own,
    after: z.number().int().min(0).default(0),
    for_ms: z.number().int().min(0).max(60_000).default(0),
  }),
  output: z.object({ state: z.enum(a2aStates), context: z.string(), changes: z.array(a2aChange) }),
  refusals: ["a2a.unknown"],
});

export const cancelA2a = defineOperation({
  name: "a2a.cancel",
  summary: "Stop a request of the asking agent's own, with its task.",
  may: "outside",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ id: own }),
  output: a2aTask,
  refusals: ["a2a.unknown", "a2a.over", "a2a.landing", "store.not-written"],
});

export const skillsOfA2a = defineOperation({
  name: "a2a.skills",
  summary: "What the asking agent may ask this constellation for.",
  may: "outside",
  effect: "reads",
  needsDaemon: true,
  input: z.object({}),
  output: z.object({ skills: z.array(a2aSkill) }),
  refusals: [],
});

export const setPush = defineOperation({
  name: "a2a.push-set",
  summary: "Have an address told of what becomes of a request of the asking agent's own.",
  may: "outside",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ request: own, push: pushWish }),
  output: a2aPush,
  refusals: ["a2a.unknown", "a2a.push-address", "a2a.too-many", "store.not-written"],
});

export const listPushes = defineOperation({
  name: "a2a.push-list",
  summary: "The addresses that are told of a request of the asking agent's own.",
  may: "outside",
  effect: "reads",
  needsDaemon: true,
  input: z.object({ request: own }),
  output: z.object({ pushes: z.array(a2aPush) }),
  refusals: ["a2a.unknown"],
});

export const dropPush = defineOperation({
  name: "a2a.push-drop",
  summary: "Tell an address no longer.",
  may: "outside",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ request: own, id: given }),
  output: z.object({ id: z.string() }),
  refusals: ["a2a.unknown", "store.not-written"],
});

export const requestShape = z.object({
  id: z.string(),
  sender: z.string(),
  skill: z.string(),
  /** The id of its first message that waits, or of its first. */
  message: z.string(),
  title: z.string(),
  state: z.string(),
  /** held, accepted or refused. */
  decision: z.string(),
  /** Messages that wait for the owner. */
  held: z.number().int(),
  task: z.number().int().nullable(),
  says: nullableText,
  /** The words that wait; of an accepted request with none, its first. */
  text: z.string(),
  created_ms: z.number(),
  ended_ms: nullableNumber,
  signature: z.enum(["verified", "wrong", "not-signed", "not-checked"]),
});

export const listRequests = defineOperation({
  name: "a2a.requests",
  summary: "What outside agents ask for over A2A, and which of it waits for the owner.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    all: z.boolean().default(false).describe("Those that are over too"),
    limit: limitField(1_000, 100),
    ...columnsOf(requestShape),
  }),
  output: z.object({ total: z.number().int(), requests: z.array(requestShape) }),
  rows: "requests",
  refusals: [],
});

export const acceptRequest = defineOperation({
  name: "a2a.accept",
  summary: "Let a request of an outside agent become a task, or its further words reach the agent that works on it.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  speaks: ["title", "accept"],
  input: z.object({
    id: request,
    root: pathField,
    repository: placeField.optional().describe("The repository to work in"),
    agent: agentField.optional().describe("For this agent alone"),
    title: z.string().trim().min(1).max(300).optional().describe("In place of the words it came with"),
    accept: z.array(z.string().trim().min(1).max(2_000)).max(20).default([]).describe("What it must show"),
  }),
  output: z.object({ id: z.string(), task: z.number().int(), state: z.string() }),
  refusals: ["a2a.request-unknown", "a2a.decided", "a2a.over", "git.not-a-repository", "store.not-written"],
});

export const refuseRequest = defineOperation({
  name: "a2a.refuse",
  summary: "Refuse a request of an outside agent, or further words of it. It is told the reason.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["reason"],
  input: z.object({ id: request, reason: z.string().trim().max(2_000).default("").describe("Why") }),
  output: z.object({ id: z.string(), state: z.string() }),
  refusals: ["a2a.request-unknown", "a2a.decided", "a2a.over", "store.not-written"],
});

export const answerRequest = defineOperation({
  name: "a2a.answer",
  summary: "Say something to the outside agent that asked for a task: a word, a question, or that it is done.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["text", "artefacts"],
  input: z.object({
    id: request.optional(),
    task: taskField.optional().describe("The task that its request became"),
    text: z.string().trim().min(1).max(20_000).describe("What to say"),
    asks: z.boolean().default(false).describe("It is a question: nothing goes on until it is answered"),
    artefacts: z.array(a2aArtefact).max(20).default([]).describe("What is handed over with it"),
    done: z.boolean().default(false).describe("The request is answered with this, and over"),
    alone: z
      .boolean()
      .default(false)
      .describe("These words are the whole answer: whoever waits for it gets a message, and no task"),
  }),
  output: z.object({ id: z.string(), state: z.string() }),
  refusals: ["a2a.request-unknown", "a2a.over", "a2a.not-yours", "store.not-written"],
});
