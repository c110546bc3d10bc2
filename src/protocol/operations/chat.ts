// Chat over the bus for those who do not read its files themselves: send, answer, wait for the answer, look back; and one
// call that hands out all that waits for an agent, a page at a time.

import { z } from "zod";
import { addresseeField, taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const text = z.string().trim().min(1).max(100_000);
const label = z.string().min(1).max(200);
const sent = z.object({ id: z.string(), thread: z.string(), to: z.string(), masked: z.boolean() });

const said = z.object({
  id: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  at: z.string(),
  kind: z.string().nullable(),
  thread: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  task: z.string().nullable(),
  /** The beginning, when it is long. */
  text: z.string(),
  cut: z.boolean(),
});

export const sendChat = defineOperation({
  name: "chat.send",
  summary: "Send a message to an agent's inbox.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["text"],
  input: z.strictObject({
    to: addresseeField,
    text,
    thread: label.optional(),
    task: taskField.optional(),
    /** Messages with the same key are delivered once. */
    key: label.optional(),
  }),
  output: sent.extend({
    /** True when constel has ever seen the receiver. */
    known: z.boolean(),
  }),
  refusals: ["bus.wrapper-token", "bus.too-large", "bus.bad-json", "bus.not-sent"],
});

export const replyChat = defineOperation({
  name: "chat.reply",
  summary: "Answer a message that was sent to you, in its thread.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["text"],
  input: z.strictObject({ message: label, text }),
  output: sent,
  refusals: ["bus.unknown-message", "bus.wrapper-token", "bus.too-large", "bus.not-sent"],
});

export const waitChat = defineOperation({
  name: "chat.wait",
  summary: "Wait for the answer to a message, or for the next one in a thread. Ends when the asker is gone.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.strictObject({
    /** The message whose answer is waited for; else a thread. */
    message: label.optional(),
    thread: label.optional(),
    for_ms: z.number().int().min(0).max(3_600_000).default(30_000),
  }),
  output: z.object({ outcome: z.enum(["reply", "deadline", "aborted"]), message: said.nullable() }),
  refusals: ["usage.missing-argument"],
});

export const chatThreads = defineOperation({
  name: "chat.threads",
  summary: "The threads that you take part in, the most recent first.",
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  input: z.strictObject({ limit: z.number().int().min(1).max(500).default(20) }),
  output: z.object({
    total: z.number().int(),
    threads: z.array(
      z.object({
        thread: z.string(),
        participants: z.array(z.string()),
        messages: z.number().int(),
        unread: z.number().int(),
        last_at: z.string(),
      }),
    ),
  }),
  refusals: [],
});

export const chatHistory = defineOperation({
  name: "chat.history",
  summary: "The newest messages of a thread that you take part in, oldest first.",
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  input: z.strictObject({ thread: label, limit: z.number().int().min(1).max(500).default(20) }),
  output: z.object({ total: z.number().int(), messages: z.array(said) }),
  refusals: ["bus.unknown-message"],
});

export const syncPage = defineOperation({
  name: "sync.page",
  summary: "Acknowledge what was read, and take the next messages and events, at most a page of them.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.strictObject({
    /** Ids of messages that were read. What is not acknowledged is offered again later. */
    ack: z.array(label).max(500).default([]),
    /** The largest size of the page. */
    max_chars: z.number().int().min(1_000).max(50_000).default(12_000),
  }),
  output: z.object({
    acknowledged: z.number().int(),
    messages: z.array(
      said.extend({
        /** It was handed out before, and nobody knows whether it arrived. */
        again: z.boolean(),
      }),
    ),
    /** Handed out before and not acknowledged yet. */
    unacknowledged: z.array(z.string()),
    more: z.boolean(),
  }),
  refusals: [],
});
