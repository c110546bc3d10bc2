// Finds what a worktree's work, uncommitted included, does to the contracts of its repository. It compares each contract as it was where the
// work began with how it is in the snapshot. Whom that concerns is not known here (core/services).

import { inTurn, OverBudget } from "../ports/budget.ts";
import { mayBeContract } from "../core/contracts/format-of.ts";
import type { ContractChange, ContractComparison, ContractSource } from "../core/contracts/format.ts";
import { type InferredDocument, routesDocument } from "../core/contracts/inferred/routes-document.ts";
import { type ContractOutcome, type ContractResult, mostChanges } from "../core/services/contract-outcome.ts";
import { routesDirectory } from "../core/services/repository-interfaces.ts";
import type { ChangedFile, RepositoryObserver, Snapshot } from "../ports/git.ts";
import { counted } from "../protocol/counted.ts";
import { tellsInterfaces } from "../languages/read-interfaces.ts";
import type { CodeMemory } from "./code-memory.ts";
import { sourceInTree } from "./contract-source.ts";
import { compareInferred, formatOrRoutes, isTestFile } from "./inferred-format.ts";

export interface ContractWork {
  readonly worktree: string;
  readonly snapshot: Snapshot;
  readonly landing: Snapshot;
  /** The contracts to look at, from the top of the repository. */
  readonly contracts: readonly string[];
  /** As 2026-11-15: whether an announced end has passed. */
  readonly today: string;
  /** The memory of code, for contracts that are inferred from it. */
  readonly code: CodeMemory;
}

/** A comparison that takes longer is told as one that could not be made. */
const deadlineMs = 30_000;

export interface WorkOnContracts {
  /** Of contracts that change, or could not be judged in full. */
  readonly outcomes: readonly ContractOutcome[];
  /** Contracts with a file that the work changes, whatever that does. */
  readonly touched: readonly string[];
}

export async function contractChanges(observer: RepositoryObserver, work: ContractWork): Promise<WorkOnContracts> {
  const { snapshot, landing, worktree, contracts, today, code } = work;
  const [base = landing.commit] = await observer.mergeBases(snapshot, landing);
  const changed = await observer.changedFiles(base, snapshot);
  // A specification may lie in many files: any that could be part of one counts. Routes lie in code.
  const isCode = contracts.some((one) => routesDirectory(one) !== undefined);
  const matters = (path: string): boolean => mayBeContract(path) || (isCode && tellsInterfaces(path));
  if (!changed.some(({ path, from }) => matters(path) || (from !== undefined && matters(from))))
    return { outcomes: [], touched: [] };
  const outcomes: ContractOutcome[] = [];
  for (const contract of contracts) {
    const renamedTo = renamed(changed, contract);
    const trees = { before: base, after: snapshot.tree };
    const result = await compareInTrees(observer, trees, { contract, renamedTo }, { today, code });
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
  const touched = contracts.filter((one) => changed.some(({ path }) => isPartOf(path, one)));
  return { outcomes, touched };
}

/** A specification or the routes in code, compared between two trees. One that ran over before is told as one that could not be read. */
export async function compareInTrees(
  observer: RepositoryObserver,
  trees: { readonly before: string; readonly after: string },
  which: Pick<ContractOutcome, "contract" | "renamedTo">,
  how: Pick<ContractWork, "today" | "code">,
): Promise<ContractResult | undefined> {
  const name = routesDirectory(which.contract) === undefined ? which.contract : "the routes in code";
  const [before, after] = [
    await contentOf(observer, trees.before, which),
    await contentOf(observer, trees.after, which),
  ];
  const subject = { kind: "contract", repository: observer.identity, name, key: `${name} ${before} ${after}` } as const;
  try {
    return await inTurn(subject, () => compared(observer, trees, which, how));
  } catch (cause) {
    if (!(cause instanceof OverBudget)) throw cause;
    return unreadable(which.renamedTo ?? which.contract, `was not compared: ${cause.message}`);
  }
}

/** A mark of all that could be part of the contract: another one when any of it is different. */
async function contentOf(
  observer: RepositoryObserver,
  id: string,
  { contract }: Pick<ContractOutcome, "contract">,
): Promise<string> {
  const isPart = routesDirectory(contract) === undefined ? mayBeContract : tellsInterfaces;
  const hash = new Bun.CryptoHasher("sha1");
  for (const [path, { blob }] of await observer.tree(id)) if (isPart(path)) hash.update(`${blob} ${path}\n`);
  return hash.digest("hex");
}

async function compared(
  observer: RepositoryObserver,
  trees: { readonly before: string; readonly after: string },
  { contract, renamedTo }: Pick<ContractOutcome, "contract" | "renamedTo">,
  { today, code }: Pick<ContractWork, "today" | "code">,
): Promise<ContractResult | undefined> {
  const directory = routesDirectory(contract);
  if (directory === undefined) {
    const before = await sourceInTree(observer, trees.before, contract);
    return await compareContract(before, await sourceInTree(observer, trees.after, renamedTo ?? contract), today);
  }
  const routes = async (tree: string): Promise<InferredDocument> =>
    routesDocument(await code.interfacesIn(observer, tree, directory, (path) => !isTestFile(path)));
  const [before, after] = [await routes(trees.before), await routes(trees.after)];
  return resultOf(await compareInferred(before, after, AbortSignal.timeout(deadlineMs), today));
}

function isPartOf(path: string, contract: string): boolean {
  const directory = routesDirectory(contract);
  if (directory === undefined) return path === contract || path.startsWith(`${contract}/`);
  return tellsInterfaces(path) && (directory === "." || path.startsWith(`${directory}/`));
}

const isBreaking = ({ verdict }: ContractChange): boolean => verdict === "breaking";

/** undefined where nothing about it changes. */
function resultOf(comparison: ContractComparison): ContractResult | undefined {
  if (comparison.kind === "unreadable") return comparison;
  const { notes, complete, changes } = comparison;
  if (changes.length === 0 && complete) return undefined;
  // Those that break come first.
  const kept = changes
    .toSorted((one, other) => Number(isBreaking(other)) - Number(isBreaking(one)))
    .slice(0, mostChanges);
  const left = changes.length - kept.length;
  return {
    kind: "compared",
    breaking: kept.filter(isBreaking),
    others: kept.filter((one) => !isBreaking(one)),
    notes:
      left === 0 ? notes : [...notes, `${counted(left, "more change")} ${left === 1 ? "was" : "were"} not looked at`],
    complete: complete && left === 0,
  };
}

/** undefined where there was no contract, or nothing about it changes. */
export async function compareContract(
  before: ContractSource,
  after: ContractSource,
  today: string,
): Promise<ContractResult | undefined> {
  if (!(await isThere(before))) return undefined;
  if (!(await isThere(after)))
    return { kind: "compared", breaking: [removed(before.entry)], others: [], notes: [], complete: true };
  for (const [side, source] of Object.entries({ before, after }) as ["before" | "after", ContractSource][]) {
    if (!(await isFile(source)) || (await source.read(source.entry)) !== undefined) continue;
    return unreadable(source.entry, "was not read: this clone does not have it, or it is not text", side);
  }
  const format = (await formatOrRoutes(before)) ?? (await formatOrRoutes(after));
  if (format === undefined) return unreadable(after.entry, "is not a specification that constel knows");
  try {
    return resultOf(await format.compare(before, after, AbortSignal.timeout(deadlineMs), today));
  } catch (cause) {
    if (!(cause instanceof DOMException)) throw cause;
    return unreadable(after.entry, `was not compared within ${deadlineMs / 1_000} seconds`);
  }
}

async function isThere(source: ContractSource): Promise<boolean> {
  return (await isFile(source)) || ((await source.list?.(source.entry)) ?? []).length > 0;
}

/** Tells whether the tree has the file, though nobody may be able to read it. */
async function isFile({ entry, list, read }: ContractSource): Promise<boolean> {
  return list === undefined ? (await read(entry)) !== undefined : (await list("")).includes(entry);
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

function unreadable(path: string, message: string, side: "before" | "after" = "after"): ContractResult {
  return { kind: "unreadable", problems: [{ side, path, line: null, message }] };
}

function renamed(changed: readonly ChangedFile[], contract: string): string | null {
  return changed.find(({ change, from }) => change === "renamed" && from === contract)?.path ?? null;
}
