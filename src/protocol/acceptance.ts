// Acceptance as every door shows it: criteria, what was seen of them, and the files a task hands over besides its branch.

import { z } from "zod";

export const criterionShape = z.object({
  /** From 1, as it was given. */
  place: z.number().int(),
  kind: z.enum(["command", "sentence"]),
  text: z.string(),
  state: z.enum(["not-shown", "passed", "failed"]),
  /** The commit on which a command was run. */
  commit: z.string().nullable(),
  /** The end of what a command printed, when it did not pass. */
  detail: z.string().nullable(),
  judged_by: z.string().nullable(),
  judged_ms: z.number().nullable(),
});

export type Criterion = z.output<typeof criterionShape>;

/** One line a criterion, for task stories, pull requests and messages. */
export function criterionLine({ kind, text, state }: Pick<Criterion, "kind" | "text" | "state">): string {
  const what = kind === "command" ? `\`${text}\`` : text;
  return `${state === "not-shown" ? "not shown" : state}: ${what}`;
}

/** The name of an artefact: one name, never a path. */
export const artefactName = z
  .string()
  .regex(/^[\p{L}\p{N}_][\p{L}\p{N}._ -]{0,99}$/u, "must be a plain file name of at most 100 characters");

export const artefactShape = z.object({
  task: z.number().int(),
  name: z.string(),
  sha256: z.string(),
  bytes: z.number().int(),
  added_by: z.string(),
  added_ms: z.number(),
});

/** What one artefact, and all of a task's together, may hold. */
export const largestArtefact = 4 * 1024 * 1024;
export const mostArtefacts = 20;
