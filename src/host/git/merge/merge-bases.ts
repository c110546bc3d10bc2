// The merge bases of many pairs of commits from one walk of the history between them. git has no batch form, and a
// process per pair would cost more than the merges. Everything older than the point that all of them share is left out:
// a pair's best common ancestors are either newer than it, or that point itself.

import type { Git } from "../git.ts";

export interface HistoryPlace {
  readonly git: Git;
  readonly variables: Readonly<Record<string, string>>;
}

/** All merge bases of each pair, in order; none for histories without a common commit. */
export async function mergeBases(
  place: HistoryPlace,
  pairs: readonly (readonly [string, string])[],
): Promise<(readonly string[])[]> {
  const heads = [...new Set(pairs.flat())];
  return await basesIn(heads.length > 2 ? await readGraph(place, heads) : undefined, place, pairs);
}

/** The same from a graph that has all of these heads; without one, git is asked pair by pair. */
export async function basesIn(
  graph: HistoryGraph | undefined,
  place: HistoryPlace,
  pairs: readonly (readonly [string, string])[],
): Promise<(readonly string[])[]> {
  const known = new Map<string, readonly string[]>();
  const answers: (readonly string[])[] = [];
  for (const [ours, theirs] of pairs) {
    const key = ours < theirs ? `${ours} ${theirs}` : `${theirs} ${ours}`;
    let bases = known.get(key);
    if (bases === undefined) {
      bases = graph === undefined ? await askGit(place, ours, theirs) : graph.bases(ours, theirs);
      known.set(key, bases);
    }
    answers.push(bases);
  }
  return answers;
}

async function askGit(place: HistoryPlace, ours: string, theirs: string): Promise<readonly string[]> {
  if (ours === theirs) return [ours];
  const found = await place.git.ask({ args: ["merge-base", "--all", ours, theirs], variables: place.variables });
  return found === undefined ? [] : found.split("\n");
}

// Beyond this the walk costs more than asking git pair by pair is worth.
const maxCommits = 50_000;

/** undefined when the heads share nothing, or too much lies between them. */
export async function readGraph(place: HistoryPlace, heads: readonly string[]): Promise<HistoryGraph | undefined> {
  const { git, variables } = place;
  const shared = await git.ask({ args: ["merge-base", "--octopus", "--all", ...heads], variables });
  if (shared === undefined) return undefined;
  const floor = shared.split("\n");
  const outcome = await git.try({
    args: ["rev-list", "--parents", `--max-count=${maxCommits + 1}`, "--stdin"],
    stdin: `${heads.join("\n")}\n${floor.map((id) => `^${id}\n`).join("")}`,
    variables,
  });
  const lines = linesOf(outcome.stdout);
  if (outcome.code !== 0 || lines.length > maxCommits) return undefined;
  const parents = new Map<string, readonly string[]>();
  for (const line of lines) {
    const [commit = "", ...rest] = line.split(" ");
    parents.set(commit, rest);
  }
  return new HistoryGraph(heads, parents, floor);
}

/** The commits between some heads and the newest commits that all of them have. */
export class HistoryGraph {
  readonly #heads: ReadonlySet<string>;
  readonly #parents: ReadonlyMap<string, readonly string[]>;
  readonly #floor: readonly string[];
  readonly #reachable = new Map<string, ReadonlySet<string>>();

  constructor(heads: readonly string[], parents: ReadonlyMap<string, readonly string[]>, floor: readonly string[]) {
    this.#heads = new Set(heads);
    this.#parents = parents;
    this.#floor = floor;
  }

  covers(...heads: readonly string[]): boolean {
    return heads.every((head) => this.#heads.has(head));
  }

  /** Counts the commits that only the one has, and those that only the other has. Both have all commits below the floor. */
  distance(ours: string, theirs: string): { ahead: number; behind: number } {
    const [left, right] = [this.#above(ours), this.#above(theirs)];
    const only = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
      let count = 0;
      for (const commit of one) if (!other.has(commit) && !this.#floor.includes(commit)) count += 1;
      return count;
    };
    return { ahead: only(left, right), behind: only(right, left) };
  }

  bases(ours: string, theirs: string): readonly string[] {
    const left = this.#above(ours);
    const right = this.#above(theirs);
    const common: string[] = [];
    for (const commit of left.size < right.size ? left : right) {
      if (left.has(commit) && right.has(commit)) common.push(commit);
    }
    // The floor is common to all, whether or not a walk from here meets it.
    const candidates = new Set([...common, ...this.#floor]);
    for (const commit of candidates) {
      if (!candidates.has(commit)) continue;
      for (const older of this.#above(commit)) if (older !== commit) candidates.delete(older);
    }
    return [...candidates].sort();
  }

  /** A commit and its ancestors down to the floor, which is included where it is met. */
  #above(head: string): ReadonlySet<string> {
    const known = this.#reachable.get(head);
    if (known !== undefined) return known;
    const seen = new Set([head]);
    const open = [head];
    for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
      for (const parent of this.#parents.get(commit) ?? []) {
        if (seen.has(parent) || !(this.#parents.has(parent) || this.#floor.includes(parent))) continue;
        seen.add(parent);
        open.push(parent);
      }
    }
    this.#reachable.set(head, seen);
    return seen;
  }
}

function linesOf(output: Uint8Array): string[] {
  return Buffer.from(output).toString("latin1").split("\n").filter(Boolean);
}
