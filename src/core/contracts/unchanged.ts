// Finds the parts of two versions that say the same, word for word, also behind their references. Most of a large specification does, and
// need not be understood to be passed over. If it is not certain, the answer is no, and the part is compared with care.

import type { LoadedContract } from "./load-contract.ts";
import { referenceOf } from "./references.ts";

/** A part of which it is known already whether it says the same as another. */
export interface SamePart {
  readonly after: object;
  /** Its own words are the same; where it is settled, also what they refer to. */
  readonly isSame: boolean;
  readonly isSettled: boolean;
  /** The references in it, as they are written. */
  readonly references: readonly string[];
}

interface Pair {
  readonly after: object;
  changed: boolean;
  /** The pairs that refer to this one, which change with it. */
  readonly parents: Pair[];
}

/**
 * The number of times everything may be looked at, all questions together. Aliases can make a small file endless; that is compared with
 * care.
 */
const maximumRounds = 30;
const maximumDepth = 250;
/** The character that every keyword of a reference begins with. */
const dollar = 36;

export class Unchanged {
  private readonly pairs = new Map<object, Pair[]>();
  private readonly waiting: [object, Pair][] = [];
  private steps = 0;
  private readonly maximumSteps: number;
  private readonly before: LoadedContract;
  private readonly after: LoadedContract;

  private readonly parts: ReadonlyMap<object, SamePart>;

  /** `changed`: pairs that differ though their own words do not, as what follows from them does. */
  constructor(
    before: LoadedContract,
    after: LoadedContract,
    parts: ReadonlyMap<object, SamePart> = new Map(),
    changed: readonly (readonly [object, object])[] = [],
  ) {
    this.before = before;
    this.after = after;
    this.parts = parts;
    this.maximumSteps = maximumRounds * (before.size + after.size);
    for (const [one, other] of changed) markChanged(this.pairOf(one, other));
  }

  readonly same = (before: unknown, after: unknown): boolean => {
    if (!isObject(before) || !isObject(after)) return before === after;
    const known = this.parts.get(before);
    if (known?.after === after && (known.isSettled || !known.isSame)) return known.isSame;
    const pair = this.pairOf(before, after);
    for (let next = this.waiting.pop(); next !== undefined; next = this.waiting.pop()) {
      const [node, waiting] = next;
      const part = this.parts.get(node);
      const isSame =
        part?.after === waiting.after ? this.isSamePart(part, waiting) : this.equal(node, waiting.after, waiting, 0);
      if (!isSame) markChanged(waiting);
    }
    return !pair.changed;
  };

  private pairOf(before: object, after: object): Pair {
    const known = this.pairs.get(before);
    const found = known?.find((pair) => pair.after === after);
    if (found !== undefined) return found;
    const pair: Pair = { after, changed: false, parents: [] };
    if (known === undefined) this.pairs.set(before, [pair]);
    else known.push(pair);
    this.waiting.push([before, pair]);
    return pair;
  }

  /** The one loop in which most of the time goes: it makes no lists and calls nothing it need not. */
  private equal(before: object, after: object, pair: Pair, depth: number): boolean {
    this.steps += 1;
    if (this.steps > this.maximumSteps || depth > maximumDepth) return false;
    if (Array.isArray(before)) {
      if (!Array.isArray(after) || before.length !== after.length) return false;
      for (let at = 0; at < before.length; at += 1) {
        const was: unknown = before[at];
        const is: unknown = after[at];
        if (was === is && (typeof was !== "object" || was === null)) continue;
        if (typeof was !== "object" || typeof is !== "object" || was === null || is === null) return false;
        if (!this.equal(was, is, pair, depth + 1)) return false;
      }
      return true;
    }
    if (Array.isArray(after)) return false;
    const one = before as Record<string, unknown>;
    const other = after as Record<string, unknown>;
    let count = 0;
    let mayRefer = false;
    // What came out of a file inherits nothing that could be gone through.
    // oxlint-disable-next-line guard-for-in -- see above
    for (const key in one) {
      const was = one[key];
      const is = other[key];
      count += 1;
      if (key.charCodeAt(0) === dollar) mayRefer = true;
      // One object in both versions may still refer to what differs.
      if (was === is && (typeof was !== "object" || was === null)) continue;
      if (typeof was !== "object" || typeof is !== "object" || was === null || is === null) return false;
      if (key === "__proto__" && !Object.hasOwn(other, key)) return false;
      if (!this.equal(was, is, pair, depth + 1)) return false;
    }
    // oxlint-disable-next-line guard-for-in -- only counted
    for (const _ in other) count -= 1;
    if (count !== 0) return false;
    return !mayRefer || referenceOf(one) === undefined || this.refersToSame(one, other, pair);
  }

  private isSamePart({ isSame, references }: SamePart, pair: Pair): boolean {
    return isSame && references.every(($ref) => this.refersToSame({ $ref }, { $ref }, pair));
  }

  /** Both say the same reference; whether it leads to the same is known when that has been looked at. */
  private refersToSame(before: Record<string, unknown>, after: Record<string, unknown>, pair: Pair): boolean {
    const [was, is] = [this.before.target(before), this.after.target(after)];
    if (!isObject(was) || !isObject(is)) return was === is;
    const target = this.pairOf(was, is);
    if (target.changed) return false;
    target.parents.push(pair);
    return true;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function markChanged(pair: Pair): void {
  const changed = [pair];
  for (let next = changed.pop(); next !== undefined; next = changed.pop()) {
    if (next.changed) continue;
    next.changed = true;
    changed.push(...next.parents);
  }
}
