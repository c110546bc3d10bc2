// Findings: what will collide, and what people say about it.

import { z } from "zod";
import { severities } from "../findings.ts";
import { columnsOf } from "../columns.ts";
import { limitField, repositoryField } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { silence } from "./open-part.ts";

const id = z.string().min(1).max(100).describe("The finding: its id, or the end of it");
const repository = repositoryField.optional().describe("Only this repository: name, identity or a path in it");
const side = z.object({ label: z.string(), worktree: z.string().nullable(), branch: z.string().nullable() });

const finding = z.object({
  id: z.string(),
  kind: z.string(),
  severity: z.enum(severities),
  state: z.enum(["open", "closed", "dismissed"]),
  repository: z.string(),
  repository_name: z.string(),
  ours: side,
  theirs: side,
  title: z.string(),
  action: z.string(),
  files: z.array(z.string()),
  symbols: z.array(z.string()),
  opened_ms: z.number().int(),
  updated_ms: z.number().int(),
  dismissed_reason: z.string().nullable(),
  dismissed_scope: z.string().nullable(),
});

const knot = z.object({
  /** Of the first finding in it. */
  id: z.string(),
  kind: z.string(),
  severity: z.enum(severities),
  state: z.enum(["open", "closed", "dismissed"]),
  title: z.string(),
  /** The labels of all lines of work in it. */
  sides: z.array(z.string()),
  findings: z.array(z.string()),
  opened_ms: z.number().int(),
  dismissed_reason: z.string().nullable(),
});

const hunk = z.object({ path: z.string(), line: z.number().int(), text: z.string() });
const change = hunk.extend({ before_line: z.number().int() });

export const listFindings = defineOperation({
  name: "finding.list",
  summary: "The findings that are open; all: also dismissed ones and what is only context.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    repository,
    all: z.boolean().default(false).describe("Include dismissed findings and context"),
    limit: limitField(10_000, 1_000),
    ...columnsOf(finding),
  }),
  /**
   * `knots`: the same findings, those together that are one problem among several; of all, whatever the limit. `pairs`: between how many
   * pairs of lines of work they are, counting those that are open and not only context.
   */
  output: z.object({
    total: z.number().int(),
    pairs: z.number().int(),
    findings: z.array(finding),
    knots: z.array(knot),
    ...silence,
  }),
  rows: "findings",
  refusals: ["repository.unknown"],
});

export const showFinding = defineOperation({
  name: "finding.show",
  summary: "One finding with both sides' lines.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ id }),
  output: finding.extend({
    /** Who works on each side, ours first. */
    at_work: z.array(
      z.object({
        label: z.string(),
        worktree: z.string().nullable(),
        agent: z.string().nullable(),
        task: z.number().int().nullable(),
        /** Null when that is not known, as of a plain branch. */
        uncommitted: z.boolean().nullable(),
      }),
    ),
    evidence: z.array(
      z.object({
        rule: z.string(),
        path: z.string(),
        symbol: z.string().nullable(),
        ours: z.array(hunk).readonly(),
        theirs: z.array(hunk).readonly(),
        /** What each side changed there, as lines of a diff; not in findings that an older version stored. */
        changes: z.object({ ours: z.array(change).readonly(), theirs: z.array(change).readonly() }).optional(),
        message: z.string(),
      }),
    ),
    closed_because: z.string().nullable(),
  }),
  refusals: ["finding.unknown"],
});

export const dismissFinding = defineOperation({
  name: "finding.dismiss",
  summary: "Say that a finding, its files, its pair or its kind is no problem, and why.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["reason"],
  input: z.object({
    id,
    reason: z.string().trim().min(1).max(1_000).describe("The reason, stored with the finding"),
    scope: z.enum(["finding", "files", "pair", "kind"]).default("finding").describe("How much the dismissal covers"),
  }),
  output: z.object({
    id: z.string(),
    scope: z.enum(["finding", "files", "pair", "kind"]),
    dismissed: z.number().int(),
  }),
  refusals: ["finding.unknown", "store.not-written"],
});

export const tellFinding = defineOperation({
  name: "finding.tell",
  summary: "Ask the agents on both sides of a finding to settle it, as a message from you.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["note"],
  input: z.object({
    id,
    note: z.string().trim().min(1).max(2_000).optional().describe("What you want them to do"),
  }),
  output: z.object({ id: z.string(), agents: z.array(z.string()) }),
  refusals: ["finding.unknown", "finding.nobody", "store.not-written"],
});

export const blockFinding = defineOperation({
  name: "finding.block",
  summary: "Deny edits of a finding's files until it is settled, where hooks can; or no longer.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ id, blocking: z.boolean().default(true) }),
  output: z.object({ id: z.string(), blocking: z.boolean(), files: z.array(z.string()) }),
  refusals: ["finding.unknown", "store.not-written"],
});

export const planLanding = defineOperation({
  name: "plan.landing",
  summary: "In which order to land the branches of a repository, what to hold, and why.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ repository }),
  output: z.object({
    repositories: z.array(
      z.object({
        repository: z.string(),
        name: z.string(),
        default_branch: z.string().nullable(),
        /** Findings that are open in it, context apart. */
        open_findings: z.number().int(),
        ...silence,
        steps: z.array(
          z.object({
            order: z.number().int(),
            verdict: z.enum(["land", "hold", "nothing"]),
            branch: z.string().nullable(),
            label: z.string(),
            worktree: z.string(),
            agent: z.string().nullable(),
            score: z.number().int(),
            reasons: z.array(z.string()),
            /** The reasons why it stands where it does. */
            why: z.array(z.string()),
            /** Land these first, then take their work in. */
            after: z.array(z.string()),
          }),
        ),
      }),
    ),
  }),
  refusals: ["repository.unknown"],
});
