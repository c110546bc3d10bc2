// Permission requests: what an agent's hook asks, and what the owner answers.

import { z } from "zod";
import { agentField } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { signatureStanding } from "../signature-standing.ts";

const wholeOrNull = z.number().int().nullable();

export const approvalShape = z.object({
  id: z.string(),
  agent: z.string(),
  runtime: z.string(),
  task: z.string().nullable(),
  tool: z.string(),
  /** The exact command, or the tool with what it is given. */
  asked: z.string(),
  /** The part of it that no rule allows, and why. */
  part: z.string(),
  why: z.string(),
  cwd: z.string(),
  /** waiting, allowed, denied, timed_out or withdrawn. */
  state: z.string(),
  asked_ms: z.number().int(),
  due_ms: z.number().int(),
  answered_ms: wholeOrNull,
  answered_by: z.string().nullable(),
  note: z.string().nullable(),
  signature: signatureStanding,
});

export const askPermission = defineOperation({
  name: "permission.ask",
  summary: "Ask for permission to use a tool: the rules answer at once, or the request waits for the owner.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    /** Chosen by who asks: the same request again is the same request. */
    request: z.string().min(8).max(100),
    /** Default: who asks. */
    agent: agentField.optional(),
    runtime: z.string().max(40),
    tool: z.string().min(1).max(200),
    input: z.unknown(),
    cwd: z.string().max(4_096),
    /** Only what the rules say; nothing is written down and nobody is asked. */
    dry_run: z.boolean().default(false),
  }),
  output: z.object({
    decision: z.enum(["allow", "ask", "deny"]),
    rule: z.string(),
    part: z.string(),
    why: z.string(),
    /** The request that waits; null when the rules answered. */
    id: z.string().nullable(),
    due_ms: wholeOrNull,
  }),
  refusals: ["permission.not-yours", "approval.over", "store.not-written"],
});

export const waitForApproval = defineOperation({
  name: "approval.wait",
  summary: "Wait a while for the answer to a request.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ id: z.string().max(100), for_ms: z.number().int().min(0).max(30_000).default(20_000) }),
  output: z.object({ state: z.string(), note: z.string().nullable() }),
  refusals: ["approval.unknown", "store.not-written"],
});

export const listApprovals = defineOperation({
  name: "approval.list",
  summary: "List the permission requests that wait for the owner.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    all: z.boolean().default(false).describe("Include answered and expired ones (the newest hundred)"),
  }),
  output: z.object({ approvals: z.array(approvalShape) }),
  refusals: [],
});

export const answerApproval = defineOperation({
  name: "approval.answer",
  summary: "Allow or deny a permission request, once.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  speaks: ["note"],
  input: z.object({
    id: z.string().min(1).max(100).describe("The request: its id, or the end of it"),
    allow: z.boolean(),
    note: z.string().trim().max(500).optional().describe("What to tell the agent"),
  }),
  output: z.object({ id: z.string(), agent: z.string(), asked: z.string(), state: z.string() }),
  refusals: ["approval.unknown", "approval.over", "store.not-written"],
});

export const takeReply = defineOperation({
  name: "owner.reply",
  summary: "Take a reply of the owner's, as a webhook brings it: an answer to a permission request, or a directive.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    /** Must be on the list `replies.senders` as `webhook:<sender>`. */
    sender: z.string().min(1).max(100),
    text: z.string().min(1).max(10_000),
    /** The same id again is the same reply. */
    id: z.string().min(1).max(200).optional(),
  }),
  output: z.object({ became: z.string() }),
  refusals: ["reply.unknown-sender", "store.not-written"],
});
