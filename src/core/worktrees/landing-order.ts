// Who lands next. Each candidate waits in a heap with what speaks for it; when one lands, only those that collide with it are weighed
// anew, so that the work grows with the candidates and their collisions and not with their product: a plan for two hundred worktrees
// is asked of a daemon that everybody else waits for.

import { blockers, byName, type Candidate, type Clash } from "./landing-candidate.ts";

/** All open findings between two of them. */
export interface Relation {
  readonly kinds: Set<string>;
  isHard: boolean;
  weight: number;
}

/** By worktree, and then by each worktree that it collides with. */
export type Relations = ReadonlyMap<string, ReadonlyMap<string, Relation>>;

const weights: Readonly<Record<string, number>> = { high: 100, medium: 10, low: 1 };

export function relationsOf(clashes: readonly Clash[]): Relations {
  const relations = new Map<string, Map<string, Relation>>();
  const noteBetween = (from: string, to: string, { kind, severity }: Clash): void => {
    const own = relations.get(from) ?? new Map<string, Relation>();
    relations.set(from, own);
    const between = own.get(to) ?? { kinds: new Set<string>(), isHard: false, weight: 0 };
    own.set(to, between);
    between.kinds.add(kind);
    between.isHard ||= severity === "high";
    between.weight += weights[severity] ?? 0;
  };
  for (const clash of clashes) {
    const { one, other } = clash;
    noteBetween(one, other, clash);
    if (one !== other) noteBetween(other, one, clash);
  }
  return relations;
}

interface Waiting {
  readonly candidate: Candidate;
  mustWait: boolean;
  /** The weight of its collisions with those that wait like it. */
  weight: number;
  /** The index it has in the heap; -1 when it has left. */
  at: number;
}

/** Every candidate once, each the first of those that still wait. */
export function* inOrder(candidates: readonly Candidate[], relations: Relations): Generator<Candidate> {
  const waiting = new Map<string, Waiting>();
  for (const candidate of candidates) {
    const mustWait = blockers(candidate).length > 0;
    waiting.set(candidate.worktree, { candidate, mustWait, weight: 0, at: -1 });
  }
  for (const [worktree, one] of waiting)
    for (const [other, { weight }] of relations.get(worktree) ?? []) if (waiting.has(other)) one.weight += weight;
  const heap = new Heap(waiting.values());
  for (let next = heap.takeFirst(); next !== undefined; next = heap.takeFirst()) {
    const { worktree } = next.candidate;
    waiting.delete(worktree);
    for (const [other, { weight, isHard }] of relations.get(worktree) ?? []) {
      const neighbour = waiting.get(other);
      if (neighbour === undefined) continue;
      neighbour.weight -= weight;
      neighbour.mustWait ||= isHard;
      heap.weighAnew(neighbour);
    }
    yield next.candidate;
  }
}

/**
 * Those that can land come before those that must wait for one that already did. Then those
 * whose own files could all be checked; then what could be checked against the most others. Then what is in the way of the fewest; then the readier, the smaller, and at last by name.
 */
function compare(one: Waiting, other: Waiting): number {
  const [a, b] = [one.candidate, other.candidate];
  return (
    Number(one.mustWait) - Number(other.mustWait) ||
    Number(isUnchecked(a)) - Number(isUnchecked(b)) ||
    a.openPairs - b.openPairs ||
    Number(a.unaskedPairs > 0) - Number(b.unaskedPairs > 0) ||
    one.weight - other.weight ||
    b.score - a.score ||
    (a.ahead ?? 0) - (b.ahead ?? 0) ||
    byName(a, b)
  );
}

function isUnchecked({ unchecked, skipped }: Candidate): boolean {
  return unchecked.length > 0 || skipped !== null;
}

/** A binary heap in which each member knows its index, so that one whose weight changed is moved from where it is. */
class Heap {
  readonly #members: Waiting[] = [];

  constructor(members: Iterable<Waiting>) {
    for (const one of members) {
      one.at = this.#members.push(one) - 1;
      this.#rise(one);
    }
  }

  takeFirst(): Waiting | undefined {
    const [first] = this.#members;
    const last = this.#members.pop();
    if (first === undefined || last === undefined) return undefined;
    first.at = -1;
    if (last !== first) {
      this.#put(last, 0);
      this.#sink(last);
    }
    return first;
  }

  weighAnew(one: Waiting): void {
    if (one.at < 0) return;
    this.#rise(one);
    this.#sink(one);
  }

  #put(one: Waiting, at: number): void {
    this.#members[at] = one;
    one.at = at;
  }

  #rise(one: Waiting): void {
    for (;;) {
      const parentAt = (one.at - 1) >> 1;
      const parent = this.#members[parentAt];
      if (one.at === 0 || parent === undefined || compare(parent, one) <= 0) return;
      this.#put(parent, one.at);
      this.#put(one, parentAt);
    }
  }

  #sink(one: Waiting): void {
    for (;;) {
      const [left, right] = [this.#members[2 * one.at + 1], this.#members[2 * one.at + 2]];
      const lesser = left !== undefined && right !== undefined && compare(right, left) < 0 ? right : left;
      if (lesser === undefined || compare(one, lesser) <= 0) return;
      const { at } = lesser;
      this.#put(lesser, one.at);
      this.#put(one, at);
    }
  }
}
