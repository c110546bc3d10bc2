// A branch that may land, what it collides with, and what keeps it from landing by itself.

import { withArticle } from "../../protocol/operation-words.ts";

export interface Candidate {
  readonly worktree: string;
  readonly branch: string | null;
  readonly label: string;
  readonly agent: string | null;
  /** From the view merge_readiness. */
  readonly score: number;
  readonly reasons: string;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly uncommitted: boolean;
  /** Open findings between it and the branch it lands on. */
  readonly withDefault: readonly { readonly kind: string; readonly severity: string }[];
  /** The paths it edits that another has claimed for itself; null if there are none. */
  readonly held: string | null;
  /** The gate was red for the very commit it stands on. */
  readonly isRed: boolean;
  /** What is wrong with files of its own, whatever the others do: they do not parse, or have conflict markers in them. */
  readonly faults: readonly string[];
  /** What it breaks of others in other repositories, or they of it, in sentences. */
  readonly contracts: readonly string[];
  /** Why files of its own were not checked: they cannot be read. */
  readonly unchecked: readonly string[];
  /** Pairs with others of which something was not looked at, or is still being asked. */
  readonly openPairs: number;
  /** Pairs with others that were looked at, but for something nobody could be asked about, such as types. */
  readonly unaskedPairs: number;
  /** It is still to be compared with others, in the middle of a first look. */
  readonly isAwaited: boolean;
  readonly operation: string | null;
  readonly skipped: string | null;
  readonly isDefault: boolean;
  /** Its task's workspace is as it was made: nobody has committed anything in it. */
  readonly isUnstarted: boolean;
}

/** An open finding between two of them. */
export interface Clash {
  readonly one: string;
  readonly other: string;
  readonly kind: string;
  readonly severity: string;
}

export function byName(a: Candidate, b: Candidate): number {
  return a.label < b.label ? -1 : a.label > b.label ? 1 : a.worktree < b.worktree ? -1 : 1;
}

/** Returns what keeps a branch from landing whatever the others do. */
export function blockers({ withDefault, held, isRed, operation, skipped, faults }: Candidate): string[] {
  const why: string[] = [];
  const hard = withDefault.filter(({ severity }) => severity === "high");
  if (hard.some(({ kind }) => kind === "textual"))
    why.push("it conflicts with the default branch: merge that in first");
  else if (hard.length > 0) why.push(`it collides with the default branch (${kindsOf(hard)}): merge that in first`);
  why.push(...faults);
  if (held !== null) why.push(`it is held: it edits ${held}`);
  if (isRed) why.push("the gate was red for this commit: it has to be mended first");
  if (skipped !== null) why.push("it cannot be looked at now");
  if (operation !== null) why.push(`it is in the middle of ${withArticle(operation)}`);
  return why;
}

export const kindsOf = (clashes: readonly { readonly kind: string }[]): string =>
  [...new Set(clashes.map(({ kind }) => kind))].sort().join(", ");
