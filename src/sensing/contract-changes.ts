// What a worktree's work, uncommitted included, does to the contracts of its repository: each is compared as it was where the work began
// with how it is in the snapshot. Whom that concerns is not known here (core/services).

import { formatOf, mayBeContract } from "../core/contracts/format-of.ts";
import type { ContractChange, ContractSource } from "../core/contracts/format.ts";
import { type ContractOutcome, type ContractResult, mostChanges } from "../core/services/contract-outcome.ts";
import type { ChangedFile, RepositoryObserver, Snapshot } from "../ports/git.ts";
import { sourceInTree } from "./contract-source.ts";

export interface ContractWork {
  readonly worktree: string;
  readonly snapshot: Snapshot;
  readonly landing: Snapshot;
  /** The contracts to look at, from the top of the repository. */
  readonly contracts: readonly string[];
  /** As 2026-11-15: whether an announced end has passed. */
  readonly today: string;
}

/** A comparison that takes longer is told as one that could not be made. */
const deadlineMs = 30_000;

export interface WorkOnContracts {
  /** Of contracts that break somebody, or could not be judged in full. */
  readonly outcomes: readonly ContractOutcome[];
  /** Contracts with a file that the work changes, whatever that does. */
  readonly touched: readonly string[];
}

export async function contractChanges(observer: RepositoryObserver, work: ContractWork): Promise<WorkOnContracts> {
  const { snapshot, landing, worktree, contracts, today } = work;
  const [base = landing.commit] = await observer.mergeBases(snapshot, landing);
  const changed = await observer.changedFiles(base, snapshot);
  // A specification may lie in many files: any that could be part of one counts.
  if (!changed.some(({ path, from }) => mayBeContract(path) || (from !== undefined && mayBeContract(from))))
    return { outcomes: [], touched: [] };
  const outcomes: ContractOutcome[] = [];
  for (const contract of contracts) {
    const renamedTo = renamed(changed, contract);
    const before = await sourceInTree(observer, base, contract);
    const after = await sourceInTree(observer, snapshot.tree, renamedTo ?? contract);
    const result = await compareContract(before, after, today);
    if (result === undefined) continue;
    outcomes.push({
      worktree,
      mergedWith: null,
      commit: snapshot.commit,
      tree: snapshot.tree,
      contract,
      renamedTo,
      result,
    });
  }
  const touched = contracts.filter((one) => changed.some(({ path }) => path === one || path.startsWith(`${one}/`)));
  return { outcomes, touched };
}

/** undefined where there was no contract, or nothing about it breaks anybody. */
export async function compareContract(
  before: ContractSource,
  after: ContractSource,
  today: string,
): Promise<ContractResult | undefined> {
  if (!(await isThere(before))) return undefined;
  if (!(await isThere(after)))
    return { kind: "compared", breaking: [removed(before.entry)], notes: [], complete: true };
  const format = (await formatOf(before)) ?? (await formatOf(after));
  if (format === undefined) return unreadable(after.entry, "is no specification that constel knows");
  try {
    const comparison = await format.compare(before, after, AbortSignal.timeout(deadlineMs), today);
    if (comparison.kind === "unreadable") return comparison;
    const { notes, complete } = comparison;
    const breaking = comparison.changes.filter(({ verdict }) => verdict === "breaking").slice(0, mostChanges);
    return breaking.length === 0 && complete ? undefined : { kind: "compared", breaking, notes, complete };
  } catch (cause) {
    if (!(cause instanceof DOMException)) throw cause;
    return unreadable(after.entry, `was not compared within ${deadlineMs / 1_000} seconds`);
  }
}

async function isThere(source: ContractSource): Promise<boolean> {
  const isFile = (await source.read(source.entry)) !== undefined;
  return isFile || ((await source.list?.(source.entry)) ?? []).length > 0;
}

function removed(path: string): ContractChange {
  return {
    rule: "contract-removed",
    verdict: "breaking",
    path,
    direction: null,
    before: path,
    after: null,
    text: "the specification is gone, so nothing says any more what is provided",
    names: [],
  };
}

function unreadable(path: string, message: string): ContractResult {
  return { kind: "unreadable", problems: [{ side: "after", path, line: null, message }] };
}

function renamed(changed: readonly ChangedFile[], contract: string): string | null {
  return changed.find(({ change, from }) => change === "renamed" && from === contract)?.path ?? null;
}
