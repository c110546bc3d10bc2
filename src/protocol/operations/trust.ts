// Tokens for the TCP surface, and the owner's directives.

import { z } from "zod";
import { limitField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const tokenShape = z.object({
  id: z.string(),
  /** `browser`: a session of the dashboard, which a link opened. */
  kind: z.enum(["token", "browser"]),
  name: z.string(),
  role: z.enum(["owner", "human", "observer", "outside"]),
  scope: z.array(z.string()),
  created_ms: z.number().int(),
  expires_ms: z.number().int().nullable(),
  revoked_ms: z.number().int().nullable(),
  used_ms: z.number().int().nullable(),
});

export const createToken = defineOperation({
  name: "token.create",
  summary: "Make a token for HTTP access, with a role, a scope and an end. It is shown once and kept as a hash.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    name: z
      .string()
      .regex(/^[\p{L}\p{N} ._-]{1,60}$/u, "a name of letters, digits, blanks and . _ -")
      .describe("What it is for"),
    role: z.enum(["owner", "human", "observer", "outside"]).default("observer").describe("What it may do"),
    scope: z
      .array(z.string().regex(/^[a-z0-9-]+\.(?:[a-z-]+|\*)$/, "an operation such as task.list, or task.*"))
      .max(50)
      .default([])
      .describe("Only these operations: task.*,timeline.list"),
    expires_ms: z.number().int().positive().nullable(),
  }),
  output: z.object({ id: z.string(), token: z.string(), expires_ms: z.number().int().nullable() }),
  refusals: ["store.not-written"],
});

export const listTokens = defineOperation({
  name: "token.list",
  summary: "The tokens there are, without their words.",
  may: "owner",
  effect: "reads",
  needsDaemon: true,
  input: z.object({}),
  output: z.object({ tokens: z.array(tokenShape) }),
  refusals: [],
});

export const revokeToken = defineOperation({
  name: "token.revoke",
  summary: "End a token at once.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ id: z.string().max(60).describe("Its id or name") }),
  output: z.object({ id: z.string(), name: z.string() }),
  refusals: ["token.unknown", "store.not-written"],
});

const directiveShape = z.object({
  id: z.string(),
  at_ms: z.number().int(),
  text: z.string(),
  /** True when the owner's key signed it; checked when it was written. */
  owner_verified: z.boolean(),
});

export const addDirective = defineOperation({
  name: "directive.add",
  summary: "Write down a directive of the owner's, signed with the owner's key.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  speaks: ["text"],
  input: z.object({
    id: z.string().regex(/^dir_[0-9a-hjkmnp-tv-z]{26}$/),
    at_ms: z.number().int().positive(),
    text: z.string().trim().min(1).max(10_000).describe("What the owner wants"),
    sig: z.string().max(1024),
  }),
  output: directiveShape,
  refusals: ["directive.not-owners", "store.not-written"],
});

export const listDirectives = defineOperation({
  name: "directive.list",
  summary: "The owner's directives, newest first.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ limit: limitField(1_000, 50) }),
  output: z.object({ directives: z.array(directiveShape), more: z.boolean() }),
  refusals: [],
});
