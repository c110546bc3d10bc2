// Claims: what an agent asks others to leave alone for a while.

import { z } from "zod";
import { severities } from "../findings.ts";
import { columnsOf } from "../columns.ts";
import { agentField, pathField, repositoryField, spanField } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { signatureStanding } from "../signature-standing.ts";

const severity = z.enum(["high", "medium", "low"]);
const longestMs = 30 * 86_400_000;

const claim = z.object({
  id: z.string(),
  repository: z.string(),
  /** An agent, or `owner`. */
  holder: z.string(),
  paths: z.array(z.string()),
  severity,
  reason: z.string(),
  /** Others' hooks deny an edit there while it lasts. */
  exclusive: z.boolean(),
  made_ms: z.number().int(),
  expires_ms: z.number().int(),
  signature: signatureStanding,
});

const listedClaim = claim.extend({ repository_name: z.string() });

export const addClaim = defineOperation({
  name: "claim.add",
  summary: "Ask others to leave paths alone for a while. The same paths again renew the claim.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["reason"],
  input: z.object({
    /** The place from which the paths are meant. */
    path: pathField,
    paths: z.array(z.string().min(1).max(1_000)).min(1).max(100).describe("Files, directories or patterns"),
    agent: agentField.optional().describe("The agent that holds the claim (default: you)"),
    for_ms: spanField(1_000, longestMs).default(7_200_000).describe("How long it lasts: 30m, 2h, 1d"),
    severity: severity.default("medium").describe("How serious an edit there is"),
    reason: z.string().trim().max(500).default("").describe("The reason, shown to anyone who edits there"),
    exclusive: z
      .boolean()
      .default(false)
      .describe("Deny others the edit, where their hooks can; plain paths only, not patterns"),
  }),
  output: claim.extend({
    /** The others who have claimed some of it. */
    also_claimed_by: z.array(z.string()),
  }),
  refusals: [
    "git.not-a-repository",
    "confined.out-of-sight",
    "repository.unknown",
    "claim.outside",
    "claim.pattern",
    "claim.not-yours",
    "store.not-written",
  ],
});

export const listClaims = defineOperation({
  name: "claim.list",
  summary: "List current claims.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    repository: repositoryField.optional().describe("Only this repository: name, identity or a path in it"),
    ...columnsOf(listedClaim),
  }),
  output: z.object({ claims: z.array(listedClaim) }),
  rows: "claims",
  refusals: ["repository.unknown"],
});

export const heldClaims = defineOperation({
  name: "claim.held",
  summary: "The claims of a repository whose holders work in it, with where they do.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    /** Its identity. */
    repository: z.string(),
  }),
  output: z.object({
    claims: z.array(
      z.object({
        id: z.string(),
        holder: z.string(),
        patterns: z.array(z.string()),
        severity: z.enum(severities),
        reason: z.string(),
        worktree: z.string(),
        /** Every worktree of the holder. */
        own: z.array(z.string()),
      }),
    ),
  }),
  refusals: [],
});

export const dropClaim = defineOperation({
  name: "claim.drop",
  summary: "End a claim early.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ id: z.string().min(1).max(100).describe("The claim: its id, or the end of it") }),
  output: z.object({ id: z.string(), holder: z.string() }),
  refusals: ["claim.unknown", "claim.not-yours", "store.not-written"],
});
