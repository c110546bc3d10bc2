// Declares the parts that an answer about collisions does not rest on, as operations tell them.

import { z } from "zod";

export const openPart = z.object({
  /** comparison, file, syntax, language, types, packages, gate, claims, origin, settings or bound. */
  what: z.string(),
  /** One sentence for people. */
  why: z.string(),
  /** In so many pairs; 0 when it is told of a whole worktree. */
  pairs: z.number().int(),
  /** It is being worked out, and the answer comes by itself. */
  coming: z.boolean(),
  paths: z.array(z.string()),
});

export const pairNote = z.object({
  /** One sentence for people: "Python types were not checked: pyright is not on the PATH". */
  why: z.string(),
  /** In so many pairs. */
  pairs: z.number().int(),
});

export const silence = {
  /** True only when everything was looked at and everybody was asked: `open` and `notes` are empty. */
  complete: z.boolean(),
  open: z.array(openPart),
  /**
   * The questions that nobody was asked, by the owner's wish or for want of a program that few have. Exit codes leave them out; `complete`
   * does not.
   */
  notes: z.array(pairNote),
};
