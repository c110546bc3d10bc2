// The join packet: what somebody who begins to work should know.

import { z } from "zod";
import { severities } from "../findings.ts";
import { defineOperation } from "../operation.ts";

export const registerSession = defineOperation({
  name: "join.register",
  summary:
    "Begin to work: your worktree is watched. Answers who is here and on what, your task, the decisions and findings that touch your work, and what to do next.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  input: z.strictObject({
    /** The directory where you work. */
    path: z.string().startsWith("/").max(4_096).optional(),
  }),
  output: z.object({
    you: z.string(),
    role: z.string(),
    constellation: z.string(),
    worktree: z.string().nullable(),
    branch: z.string().nullable(),
    repository: z.string().nullable(),
    task: z
      .object({ number: z.number().int(), state: z.string(), title: z.string(), brief: z.string().nullable() })
      .nullable(),
    /** The others, those in the same repository first. */
    agents: z.array(
      z.object({
        agent: z.string(),
        state: z.string(),
        /** `12: its title`. */
        task: z.string().nullable(),
        repository: z.string().nullable(),
        branch: z.string().nullable(),
      }),
    ),
    findings: z.array(
      z.object({
        id: z.string(),
        /** By which it is told; null for whoever no notice is addressed to. */
        notice: z.string().nullable(),
        severity: z.enum(severities),
        kind: z.string(),
        title: z.string(),
        action: z.string(),
      }),
    ),
    claims: z.array(z.object({ id: z.string(), holder: z.string(), paths: z.array(z.string()), reason: z.string() })),
    /** Claims in your own name, which somebody who had it before you may have made. */
    held: z.array(z.object({ id: z.string(), paths: z.array(z.string()), reason: z.string() })),
    decisions: z.array(z.object({ id: z.string(), title: z.string(), owner_verified: z.boolean() })),
    memories: z.array(z.object({ id: z.string(), text: z.string(), by: z.string() })),
    messages: z.object({ waiting: z.number().int() }),
    /** The number of entries that were left out for length, by the name of their list above. */
    left_out: z.record(z.string(), z.number().int()),
    next: z.array(z.string()),
  }),
  refusals: [],
});
