// How the examiner writes a case down.

import type { Files } from "../../../../eval/scenarios/scenario.ts";

export interface Case {
  readonly name: string;
  /** The symbol that no longer fits in the merge; null: nothing may be said. */
  readonly breaks: string | null;
  readonly ours: Work;
  readonly theirs: Work;
  /** Other files than the shop's. */
  readonly base?: Files;
}

/** A file's new text, null to delete it, or replacements of its text in the base: every occurrence of the first by the second. */
export type Work = Readonly<Record<string, string | null | readonly (readonly [string, string])[]>>;
