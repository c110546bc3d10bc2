// Answers what the daemon asks about contracts of the repositories that are watched over, and remembers it by what was looked at: a worktree
// in which nothing happened costs nothing.

import type { ContractOutcome, LookedContracts } from "../core/services/contract-outcome.ts";
import type { DeclaringFile } from "../core/services/declared-files.ts";
import type { UseLine } from "../core/services/find-uses.ts";
import { Bounded } from "../ports/bounded.ts";
import { contractChanges } from "./contract-changes.ts";
import { serviceFiles, usesOf } from "./service-files.ts";
import type { RepositoryWatcher } from "./watch.ts";

const remembered = 2_000;

type Watched = Pick<RepositoryWatcher, "observer" | "landing" | "worktrees" | "workOf">;

export class ContractAnswers {
  readonly #files = new Bounded<Promise<DeclaringFile[]>>(remembered);
  readonly #changes = new Bounded<Promise<ContractOutcome[]>>(remembered);
  readonly #uses = new Bounded<Promise<UseLine[]>>(remembered);

  /** What the branch that work lands on declares; undefined while that branch is not known. What is still being written does not count yet. */
  async files({ observer, landing }: Watched): Promise<DeclaringFile[] | undefined> {
    if (landing === undefined) return undefined;
    return await once(this.#files, [observer.identity, landing.tree], () => serviceFiles(observer, landing));
  }

  async changes(
    watched: Watched,
    { contracts, today }: { readonly contracts: readonly string[]; readonly today: string },
  ): Promise<LookedContracts | undefined> {
    const { observer, landing } = watched;
    if (landing === undefined) return undefined;
    const looked = watched.worktrees.filter((worktree) => watched.workOf(worktree) !== undefined);
    const outcomes = looked.map(async (worktree) => {
      const snapshot = watched.workOf(worktree)?.snapshot;
      if (snapshot === undefined) return [];
      const key = [observer.identity, worktree, snapshot.commit, landing.commit, ...contracts, today];
      const work = { worktree, snapshot, landing, contracts, today };
      return await once(this.#changes, key, () => contractChanges(observer, work));
    });
    return { looked, outcomes: (await Promise.all(outcomes)).flat() };
  }

  async uses(watched: Watched, worktree: string, names: readonly string[]): Promise<UseLine[]> {
    const { observer } = watched;
    const work = watched.workOf(worktree);
    if (work === undefined) return [];
    const { snapshot, landing } = work;
    const key = [observer.identity, snapshot.tree, landing?.commit ?? "", ...names];
    return await once(this.#uses, key, () => usesOf(observer, snapshot, landing, names));
  }
}

/** A failure is not remembered. */
async function once<Value>(
  memory: Bounded<Promise<Value>>,
  key: readonly string[],
  work: () => Promise<Value>,
): Promise<Value> {
  const name = JSON.stringify(key);
  const known = memory.get(name);
  if (known !== undefined) return await known;
  const asked = work();
  memory.set(name, asked);
  try {
    return await asked;
  } catch (cause) {
    memory.delete(name);
    throw cause;
  }
}
