// Two lines of work that each leave a contract whole can break it together. Where both change one specification and git merges them, the
// merged specification is compared as well, and what neither does alone is told. What git cannot merge is told as that.

import type { ContractOutcome } from "../core/services/contract-outcome.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import { compareInTrees, type ContractWork, type WorkOnContracts } from "./contract-changes.ts";

export interface ContractSide extends WorkOnContracts {
  readonly worktree: string;
  readonly snapshot: Snapshot;
}

export async function mergedContracts(
  observer: RepositoryObserver,
  [ours, theirs]: readonly [ContractSide, ContractSide],
  { today, code }: Pick<ContractWork, "today" | "code">,
): Promise<ContractOutcome[]> {
  const both = ours.touched.filter((contract) => theirs.touched.includes(contract));
  if (both.length === 0) return [];
  const [merge] = await observer.merge([{ ours: ours.snapshot, theirs: theirs.snapshot }], { trees: true });
  const base = merge?.kind === "clean" ? merge.bases[0] : undefined;
  if (merge?.kind !== "clean" || merge.tree === undefined || base === undefined) return [];
  const outcomes: ContractOutcome[] = [];
  for (const contract of both) {
    const trees = { before: base, after: merge.tree };
    const result = await compareInTrees(observer, trees, { contract, renamedTo: null }, { today, code });
    const alone = [...ours.outcomes, ...theirs.outcomes].filter((one) => one.contract === contract);
    if (result === undefined || alone.some((one) => one.result.kind === "unreadable")) continue;
    const known = new Set(
      alone.flatMap((one) => (one.result.kind === "compared" ? one.result.breaking.map(keyOf) : [])),
    );
    const { worktree, snapshot } = ours;
    const outcome = { worktree, mergedWith: theirs.worktree, ...idsOf(snapshot), contract, renamedTo: null };
    if (result.kind === "unreadable") outcomes.push({ ...outcome, result });
    else {
      const breaking = result.breaking.filter((one) => !known.has(keyOf(one)));
      if (breaking.length > 0) outcomes.push({ ...outcome, result: { ...result, breaking } });
    }
  }
  return outcomes;
}

const keyOf = ({ rule, path }: { readonly rule: string; readonly path: string }): string => `${rule} ${path}`;

const idsOf = ({ commit, tree }: Snapshot): Pick<Snapshot, "commit" | "tree"> => ({ commit, tree });
