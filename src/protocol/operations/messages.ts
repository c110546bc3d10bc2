// Messages on the bus, as the daemon keeps account of them: to whom, whether they arrived, and what proves it.

import { z } from "zod";
import { agentField, limitField } from "../fields.ts";
import { columnsOf } from "../columns.ts";
import { defineOperation } from "../operation.ts";

const wholeOrNull = z.number().int().nullable();

const message = z.object({
  /** Of the file on the bus: one for each receiver. */
  name: z.string(),
  /** Null when only the file's name is known. */
  id: z.string().nullable(),
  sender: z.string(),
  receiver: z.string(),
  kind: z.string().nullable(),
  thread: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  task: z.string().nullable(),
  /** The beginning, when it is long. */
  text: z.string().nullable(),
  cut: z.boolean(),
  /** sent, delivered, acked, unknown or poisoned. */
  state: z.string(),
  /** The proof of the state, or the reason why it was put aside. */
  because: z.string().nullable(),
  /** Whose signature or seal proves the sender; null when nothing does. */
  verified_by: z.string().nullable(),
  sent_ms: wholeOrNull,
  delivered_ms: wholeOrNull,
  acked_ms: wholeOrNull,
});

export const listMessages = defineOperation({
  name: "message.list",
  summary: "The newest messages between you and the agents, with the state of each delivery.",
  may: "operators",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    undelivered: z.boolean().default(false).describe("Only those that wait, were put aside, or may not have arrived"),
    agent: agentField.optional().describe("Only those to or from this agent"),
    thread: z.string().min(1).max(200).optional().describe("Only those of this thread"),
    limit: limitField(1_000, 200),
    ...columnsOf(message),
  }),
  output: z.object({
    /** The newest first. */
    messages: z.array(message),
    total: z.number().int(),
    /** Of all, whatever was asked for: those that wait, were put aside, or may not have arrived. */
    undelivered: z.number().int(),
  }),
  rows: "messages",
  refusals: [],
});
