// Defines what became of one contract in one worktree, compared with where its work began: plain data, because it crosses threads.

import type { ContractChange, ContractProblem } from "../contracts/format.ts";

/** The sight of a repository's contracts. */
export interface LookedContracts {
  /** The worktrees that were looked at: of the others nothing is known. */
  readonly looked: readonly string[];
  /** Only of contracts that change, or could not be judged in full. */
  readonly outcomes: readonly ContractOutcome[];
}

/** The changes to a repository's contracts on the branch that work lands on. */
export interface LandedContracts {
  readonly commit: string;
  readonly tree: string;
  readonly outcomes: readonly Pick<ContractOutcome, "contract" | "result">[];
}

export interface ContractOutcome {
  readonly worktree: string;
  /** The other worktree, where only the two together do this; null where it is this one's work alone. */
  readonly mergedWith: string | null;
  readonly commit: string;
  readonly tree: string;
  /** As the service graph names it; where the worktree renamed it, `renamedTo` has the new name. */
  readonly contract: string;
  readonly renamedTo: string | null;
  readonly result: ContractResult;
}

export type ContractResult =
  | {
      readonly kind: "compared";
      /** Those that break who uses it. */
      readonly breaking: readonly ContractChange[];
      /** The rest: whoever generated code from it has an older version of it now. */
      readonly others: readonly ContractChange[];
      /** The parts that were not looked at. */
      readonly notes: readonly string[];
      readonly complete: boolean;
    }
  | { readonly kind: "unreadable"; readonly problems: readonly ContractProblem[] };

/**
 * Each change is checked for the services it concerns; a finding names a few. If a change is larger than this, a note says what is left
 * out.
 */
export const mostChanges = 5_000;

/** Says why a contract was not compared, or not in full; undefined where it was. A file that somebody is writing, and that has an error in a line, is not meant. */
export function lacksIn(result: ContractResult): string | undefined {
  if (result.kind === "unreadable") return result.problems.find(({ line }) => line === null)?.message;
  if (result.complete) return undefined;
  const [first = "not everything was looked at", ...others] = result.notes;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return `compared in part only: ${first.replace(/^not compared: /, "")}${more}`;
}
