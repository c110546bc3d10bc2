// Two lines of work that each leave a contract whole can break it together. Where both change one specification and git merges them, the
// merged specification is compared as well, and what neither does alone is told. What git cannot merge is told as that; a conflict in a text that
// nobody reads a contract from is none of our business.

import type { ContractOutcome } from "../core/services/contract-outcome.ts";
import { mayPass, type MergeOutcome, type RepositoryObserver, type Snapshot } from "../ports/git.ts";
import { compareInTrees, type ContractWork, type WorkOnContracts } from "./contract-changes.ts";

export interface ContractSide extends WorkOnContracts {
  readonly worktree: string;
  readonly snapshot: Snapshot;
}

/** Read by people: no contract is in it, and none is inferred from it. */
const forPeople = /\.(md|rst|adoc|txt)$|(^|\/)[A-Z]+$/;

/** Throws where git could not work out the merge this time: that says nothing of the two. */
export async function mergedContracts(
  observer: RepositoryObserver,
  [ours, theirs]: readonly [ContractSide, ContractSide],
  { today, code }: Pick<ContractWork, "today" | "code">,
): Promise<ContractOutcome[]> {
  const both = ours.touched.filter((contract) => theirs.touched.includes(contract));
  if (both.length === 0) return [];
  const [merge] = await observer.merge([{ ours: ours.snapshot, theirs: theirs.snapshot }], { trees: true });
  if (merge === undefined || (merge.kind === "skipped" && mayPass(merge.reason)))
    throw new Error(`the two were not merged: ${merge?.detail ?? "git gave no answer"}`);
  const [base] = merge.kind === "skipped" ? [] : merge.bases;
  const tree = mergedTree(merge);
  if (tree === undefined || base === undefined) return [];
  const outcomes: ContractOutcome[] = [];
  for (const contract of both) {
    const trees = { before: base, after: tree };
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

function mergedTree(merge: MergeOutcome): string | undefined {
  if (merge.kind === "skipped") return undefined;
  const conflicts = merge.kind === "conflicted" ? merge.conflicts : [];
  const paths = conflicts.flatMap(({ path, otherPaths }) => [path, ...otherPaths]);
  return paths.every((path) => forPeople.test(path)) ? merge.tree : undefined;
}

const keyOf = ({ rule, path }: { readonly rule: string; readonly path: string }): string => `${rule} ${path}`;

const idsOf = ({ commit, tree }: Snapshot): Pick<Snapshot, "commit" | "tree"> => ({ commit, tree });
