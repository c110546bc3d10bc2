// The words of A2A that core and doors share: in which states a request of an outside agent can be, what a message and an artefact are made
// of, and how much of each is taken. Parts are as on the wire of A2A 1.0: a text, or data.

import { z } from "zod";

export const a2aVersion = "1.0";

/** The states of a task, as A2A names them after TASK_STATE_. docs/guides/a2a.md has the table of what each means here. */
export const a2aStates = [
  "submitted",
  "working",
  "input-required",
  "completed",
  "failed",
  "canceled",
  "rejected",
] as const;
export type A2aState = (typeof a2aStates)[number];

const over: readonly string[] = ["completed", "failed", "canceled", "rejected"];

/** Nothing changes any more. */
export const isOver = (state: string): boolean => over.includes(state);

/** Nothing changes until the other side says something. */
export const isInterrupted = (state: string): boolean => state === "input-required";

export const a2aLimits = {
  /** Characters of one message. */
  text: 60_000,
  parts: 50,
  /** Requests of one sender that are not over. */
  open: 100,
  /** Messages of one request. */
  messages: 200,
  /** Addresses that are told of one request. */
  pushes: 8,
  /** Characters of one diff that is handed over. */
  patch: 400_000,
} as const;

/** A rule of the owner's: `SENDER SKILL [REPOSITORY]`, where `*` is any. */
export const a2aRule = /^(\S{1,60}) (\S{1,100})(?: (\/\S{0,1000}))?$/;

/** The skill that every constellation has: to be given a task. */
export const taskSkill = "task";

export const a2aPart = z.object({
  text: z.string().max(a2aLimits.patch).optional(),
  data: z.json().optional(),
  /** A file's content in base64, and an address. Both are handed over, and neither is taken. */
  raw: z.string().max(1_400_000).optional(),
  url: z.string().max(2_000).optional(),
  mediaType: z.string().max(200).optional(),
  filename: z.string().max(300).optional(),
});
export type A2aPart = z.output<typeof a2aPart>;

export const a2aMessage = z.object({
  id: z.string(),
  role: z.enum(["user", "agent"]),
  parts: z.array(a2aPart),
  at_ms: z.number(),
  /** It is the whole answer: whoever waits for it is sent this message, and no task. */
  alone: z.boolean().optional(),
});
export type A2aMessage = z.output<typeof a2aMessage>;

export const a2aArtefact = z.object({ id: z.string(), name: z.string(), parts: z.array(a2aPart) });
export type A2aArtefact = z.output<typeof a2aArtefact>;

export const a2aTask = z.object({
  id: z.string(),
  context: z.string(),
  state: z.enum(a2aStates),
  skill: z.string(),
  /** What was last said of it by us. */
  said: a2aMessage.nullable(),
  at_ms: z.number(),
  history: z.array(a2aMessage),
  artefacts: z.array(a2aArtefact),
  /** The number of its last change. */
  seq: z.number().int(),
});
export type A2aTask = z.output<typeof a2aTask>;

export const a2aChange = z.object({
  seq: z.number().int(),
  at_ms: z.number(),
  state: z.enum(a2aStates).optional(),
  said: a2aMessage.nullable().optional(),
  artefact: a2aArtefact.optional(),
});
export type A2aChange = z.output<typeof a2aChange>;

export const a2aPush = z.object({
  id: z.string(),
  request: z.string(),
  url: z.string(),
  token: z.string().nullable(),
  scheme: z.string().nullable(),
  credentials: z.string().nullable(),
});
export type A2aPush = z.output<typeof a2aPush>;

export const a2aSkill = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
});
export type A2aSkill = z.output<typeof a2aSkill>;

/** What the parts say, as one text. */
export const wordsOf = (parts: readonly A2aPart[]): string =>
  parts
    .map(({ text, data }) => text ?? (data === undefined ? "" : JSON.stringify(data, null, 2)))
    .filter((text) => text !== "")
    .join("\n\n");
