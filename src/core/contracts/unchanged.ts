// Which parts of two versions say the same, word for word, also behind their references. Most of a large specification does, and
// need not be understood to be passed over. Where it is not certain, the answer is no, and the part is compared with care.

import { isRecord } from "./json-value.ts";
import type { LoadedContract } from "./load-contract.ts";
import { referenceOf } from "./references.ts";

interface Pair {
  readonly after: object;
  changed: boolean;
  /** The pairs that refer to this one, which change with it. */
  readonly parents: Pair[];
}

/** How often everything may be looked at, all questions together. Aliases can make a small file endless; that is compared with care. */
const maximumRounds = 30;
const maximumDepth = 250;

export class Unchanged {
  private readonly pairs = new Map<object, Pair[]>();
  private readonly waiting: [object, Pair][] = [];
  private steps = 0;
  private readonly maximumSteps: number;
  private readonly before: LoadedContract;
  private readonly after: LoadedContract;

  constructor(before: LoadedContract, after: LoadedContract) {
    this.before = before;
    this.after = after;
    this.maximumSteps = maximumRounds * (before.size + after.size);
  }

  readonly same = (before: unknown, after: unknown): boolean => {
    if (!isObject(before) || !isObject(after)) return before === after;
    const pair = this.pairOf(before, after);
    for (let next = this.waiting.pop(); next !== undefined; next = this.waiting.pop()) {
      const [node, waiting] = next;
      if (!this.equal(node, waiting.after, waiting, 0)) markChanged(waiting);
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

  private equal(before: unknown, after: unknown, pair: Pair, depth: number): boolean {
    if (before === after) return true;
    if (!isObject(before) || !isObject(after)) return false;
    this.steps += 1;
    if (this.steps > this.maximumSteps || depth > maximumDepth) return false;
    if (Array.isArray(before)) {
      if (!Array.isArray(after) || before.length !== after.length) return false;
      return before.every((item, at) => this.equal(item, after[at], pair, depth + 1));
    }
    if (!isRecord(before) || !isRecord(after)) return false;
    const keys = Object.keys(before);
    if (keys.length !== Object.keys(after).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(after, key) || !this.equal(before[key], after[key], pair, depth + 1)) return false;
    }
    return referenceOf(before) === undefined || this.refersToSame(before, after, pair);
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
