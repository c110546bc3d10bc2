// Answers what the daemon asks about contracts of the repositories that are watched over, and remembers it by what was looked at: a worktree
// in which nothing happened costs nothing.

import type {
  ContractOutcome,
  ContractResult,
  LandedContracts,
  LookedContracts,
} from "../core/services/contract-outcome.ts";
import { readDeclarations } from "../core/services/declared-files.ts";
import type { NameUses } from "../core/services/find-uses.ts";
import type { GeneratedHeader } from "../core/contracts/generated-header.ts";
import type { GeneratedState, OfferedContract, RepositoryInterfaces } from "../core/services/repository-interfaces.ts";
import type { Declarations } from "../core/services/service.ts";
import { Bounded } from "../ports/bounded.ts";
import { CodeMemory } from "./code-memory.ts";
import { compareInTrees, contractChanges, type WorkOnContracts } from "./contract-changes.ts";
import { generatedState, namesInGenerated } from "./generated-files.ts";
import { type ContractSide, mergedContracts } from "./merged-contracts.ts";
import { type InterfacesMemory, repositoryInterfaces } from "./repository-interfaces.ts";
import { serviceFiles, usesOf } from "./service-files.ts";
import type { RepositoryWatcher } from "./watch.ts";
import { rememberUnlessFailed } from "../ports/unless-failed.ts";

const remembered = 2_000;
/** So many pairs of lines of work on one contract are merged in a round, the others in the next ones; each alone is always looked at. */
const mostPairs = 200;

type Watched = Pick<RepositoryWatcher, "observer" | "landing" | "worktrees" | "workOf">;

export class ContractAnswers {
  readonly #declared = new Bounded<Promise<Declarations>>(remembered);
  readonly #changes = new Bounded<Promise<WorkOnContracts>>(remembered);
  readonly #merged = new Bounded<Promise<ContractOutcome[]>>(10 * remembered);
  readonly #uses = new Bounded<Promise<NameUses>>(remembered);
  readonly #interfaces = new Bounded<Promise<RepositoryInterfaces>>(200);
  readonly #landed = new Bounded<Promise<LandedContracts["outcomes"]>>(remembered);
  readonly #began = new Bounded<Promise<{ readonly ms: number | undefined }>>(remembered);
  readonly #generated = new Bounded<Promise<{ readonly state: GeneratedState | undefined }>>(remembered);
  readonly #named = new Bounded<Promise<string[] | undefined>>(remembered);
  readonly #code = new CodeMemory();
  readonly #read: InterfacesMemory = {
    code: this.#code,
    headers: new Bounded<GeneratedHeader>(20_000),
    offers: new Bounded<OfferedContract | "none">(40_000),
  };

  /**
   * Returns what the branch that work lands on declares. Undefined while that branch is not known. What is still being written does not
   * count yet.
   */
  async declared({ observer, landing }: Watched): Promise<Declarations | undefined> {
    if (landing === undefined) return undefined;
    const key = [observer.identity, landing.tree];
    return await once(this.#declared, key, async () => readDeclarations(await serviceFiles(observer, landing)));
  }

  async interfaces({ observer, landing }: Watched): Promise<RepositoryInterfaces | undefined> {
    if (landing === undefined) return undefined;
    const key = [observer.identity, landing.tree];
    return await once(this.#interfaces, key, () => repositoryInterfaces(observer, landing, this.#read));
  }

  /** Tells the state of generated files in a worktree: "gone" if there are none, undefined if the worktree was not looked at. */
  async generated(
    watched: Watched,
    worktree: string,
    paths: readonly string[],
  ): Promise<GeneratedState | "gone" | undefined> {
    const snapshot = watched.workOf(worktree)?.snapshot;
    if (snapshot === undefined) return undefined;
    const { observer } = watched;
    const key = [observer.identity, snapshot.commit, ...paths];
    const { state } = await once(this.#generated, key, async () => ({
      state: await generatedState(observer, snapshot, paths),
    }));
    return state ?? "gone";
  }

  async namesInGenerated(
    watched: Watched,
    worktree: string,
    { paths, names }: { readonly paths: readonly string[]; readonly names: readonly string[] },
  ): Promise<string[] | undefined> {
    const snapshot = watched.workOf(worktree)?.snapshot;
    if (snapshot === undefined) return undefined;
    const { observer } = watched;
    const key = [observer.identity, snapshot.tree, ...paths, "", ...names];
    return await once(this.#named, key, () => namesInGenerated(observer, snapshot, paths, names));
  }

  /** The date of the commit that the work of a worktree stands on. */
  async beganMs(watched: Watched, worktree: string): Promise<number | undefined> {
    const { observer, landing } = watched;
    const snapshot = watched.workOf(worktree)?.snapshot;
    if (snapshot === undefined || landing === undefined) return undefined;
    const key = [observer.identity, snapshot.commit, landing.commit];
    const { ms } = await once(this.#began, key, async () => {
      const [base] = await observer.mergeBases(snapshot, landing);
      return { ms: base === undefined ? undefined : await observer.committedMs(base) };
    });
    return ms;
  }

  /** Returns what the landing branch did to contracts since a time, by the dates of its commits. */
  async landed(
    { observer, landing }: Watched,
    {
      contracts,
      sinceMs,
      today,
    }: { readonly contracts: readonly string[]; readonly sinceMs: number; readonly today: string },
  ): Promise<LandedContracts | undefined> {
    if (landing === undefined) return undefined;
    const { commit, tree } = landing;
    const before = await observer.commitBefore(commit, sinceMs);
    // What is younger than the work was never promised to it.
    if (before === undefined || before === commit) return { commit, tree, outcomes: [] };
    const key = [observer.identity, before, commit, ...contracts, today];
    const outcomes = await once(this.#landed, key, async () => {
      const found: { contract: string; result: ContractResult }[] = [];
      for (const contract of contracts) {
        const which = { contract, renamedTo: null };
        const result = await compareInTrees(observer, { before, after: tree }, which, { today, code: this.#code });
        if (result !== undefined) found.push({ contract, result });
      }
      return found;
    });
    return { commit, tree, outcomes };
  }

  async changes(
    watched: Watched,
    { contracts, today }: { readonly contracts: readonly string[]; readonly today: string },
  ): Promise<LookedContracts | undefined> {
    const { observer, landing } = watched;
    if (landing === undefined) return undefined;
    const looked = watched.worktrees.filter((worktree) => watched.workOf(worktree) !== undefined);
    const sides = looked.map(async (worktree): Promise<ContractSide | undefined> => {
      const snapshot = watched.workOf(worktree)?.snapshot;
      if (snapshot === undefined) return undefined;
      const key = [observer.identity, worktree, snapshot.commit, landing.commit, ...contracts, today];
      const work = { worktree, snapshot, landing, contracts, today, code: this.#code };
      return { worktree, snapshot, ...(await once(this.#changes, key, () => contractChanges(observer, work))) };
    });
    const seen = (await Promise.all(sides)).filter((side) => side !== undefined);
    const merged: ContractOutcome[] = [];
    const unknown = new Set<string>();
    let asked = 0;
    for (const pair of pairsOf(seen).filter(isOnOneContract)) {
      const commits = pair.flatMap(({ worktree, snapshot }) => [worktree, snapshot.commit]);
      const key = JSON.stringify([observer.identity, ...commits, ...contracts, today]);
      const work = (): Promise<ContractOutcome[]> => mergedContracts(observer, pair, { today, code: this.#code });
      const isLate = this.#merged.get(key) === undefined && ++asked > mostPairs;
      const outcomes = isLate ? undefined : await rememberUnlessFailed(this.#merged, key, work).catch(() => undefined);
      merged.push(...(outcomes ?? []));
      // What was told of the two before stays, and the next round asks.
      if (outcomes === undefined) unknown.add(pair[0].worktree);
    }
    return {
      looked: looked.filter((worktree) => !unknown.has(worktree)),
      outcomes: [...seen.flatMap(({ outcomes }) => outcomes), ...merged],
    };
  }

  /** undefined where the worktree was not looked at. */
  async uses(watched: Watched, worktree: string, names: readonly string[]): Promise<NameUses | undefined> {
    const { observer } = watched;
    const work = watched.workOf(worktree);
    if (work === undefined) return undefined;
    const { snapshot, landing } = work;
    const key = [observer.identity, snapshot.tree, landing?.commit ?? "", ...names];
    return await once(this.#uses, key, () => usesOf(observer, snapshot, landing, names));
  }
}

/** In one order, so that the same two are the same pair after a restart. */
function pairsOf(unordered: readonly ContractSide[]): (readonly [ContractSide, ContractSide])[] {
  const sides = unordered.toSorted((one, other) => (one.worktree < other.worktree ? -1 : 1));
  return sides.flatMap((one, index) => sides.slice(index + 1).map((other) => [one, other] as const));
}

const isOnOneContract = ([ours, theirs]: readonly [ContractSide, ContractSide]): boolean =>
  ours.touched.some((contract) => theirs.touched.includes(contract));

const once = <Value>(
  memory: Bounded<Promise<Value>>,
  key: readonly string[],
  work: () => Promise<Value>,
): Promise<Value> => rememberUnlessFailed(memory, JSON.stringify(key), work);
