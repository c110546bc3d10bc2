// Matches the alternatives of one version with those of the other. They are told by what both versions call them: the value of the
// discriminator, the name of the schema, a property that is a constant, the title. Those without a name in common are the same if they alone
// have certain properties, or if they allow the same; of the rest, those that stand at the same place and are of one kind. What is left was
// removed or added.

import type { Alternative } from "./alternatives.ts";

export interface PairedAlternatives {
  readonly pairs: readonly (readonly [Alternative, Alternative])[];
  readonly removed: readonly Alternative[];
  readonly added: readonly Alternative[];
}

export interface Likeness {
  readonly areEquivalent: (was: Alternative, is: Alternative) => boolean;
  /** Tells whether one could have become the other, if no name says so. */
  readonly areAlike: (was: Alternative, is: Alternative) => boolean;
  /** The values of a discriminator tell all of them apart: nothing but a name makes two the same. */
  readonly areTagged: boolean;
  /** Takes a step, and says whether there was one left. */
  readonly mayLook: () => boolean;
}

export function pairAlternatives(
  were: readonly Alternative[],
  are: readonly Alternative[],
  { areEquivalent, areAlike, areTagged, mayLook }: Likeness,
): PairedAlternatives {
  const pairing = new Pairing(were, are, mayLook);
  pairing.byKeys();
  if (!areTagged) pairing.byForm();
  pairing.byLooks(areEquivalent);
  if (!areTagged) {
    // Those at the same place first, so that of two that could be meant the nearer is.
    pairing.byPlace(areAlike);
    pairing.byLooks(areAlike);
  }
  return pairing;
}

class Pairing implements PairedAlternatives {
  readonly pairs: [Alternative, Alternative][] = [];
  private readonly were: readonly Alternative[];
  private readonly are: readonly Alternative[];
  private readonly left: Set<Alternative>;
  private readonly free: Set<Alternative>;
  private readonly mayLook: () => boolean;

  constructor(were: readonly Alternative[], are: readonly Alternative[], mayLook: () => boolean) {
    this.were = were;
    this.are = are;
    this.left = new Set(were);
    this.free = new Set(are);
    this.mayLook = mayLook;
  }

  get removed(): Alternative[] {
    return [...this.left];
  }

  get added(): Alternative[] {
    return [...this.free];
  }

  /** The surest key of all of them comes before the next is tried for any. */
  byKeys(): void {
    const byKey = new Map<string, Alternative[]>();
    for (const is of this.are.toReversed()) {
      for (const key of is.keys) {
        const row = byKey.get(key);
        if (row === undefined) byKey.set(key, [is]);
        else row.push(is);
      }
    }
    const most = this.were.reduce((count, { keys }) => Math.max(count, keys.length), 0);
    for (let at = 0; at < most; at += 1) {
      for (const was of this.removed) this.pair(was, this.nextOf(byKey.get(was.keys[at] ?? "")));
    }
  }

  /** Nameless ones of whose form there is one in both versions. */
  byForm(): void {
    const [left, free] = [byForm(this.removed), byForm(this.added)];
    for (const [form, [was, ...more]] of left) {
      const [is, ...others] = free.get(form) ?? [];
      if (was !== undefined && more.length === 0 && others.length === 0) this.pair(was, is);
    }
  }

  byLooks(isIt: Likeness["areAlike"]): void {
    for (const was of this.removed) {
      for (const is of this.free) {
        if (!this.mayLook()) return;
        if (!isIt(was, is)) continue;
        this.pair(was, is);
        break;
      }
    }
  }

  byPlace(isIt: Likeness["areAlike"]): void {
    for (const [at, was] of this.were.entries()) {
      const is = this.are[at];
      if (is === undefined || !this.left.has(was) || !this.free.has(is)) continue;
      if (!this.mayLook()) return;
      if (isIt(was, is)) this.pair(was, is);
    }
  }

  private nextOf(row: Alternative[] | undefined): Alternative | undefined {
    for (let is = row?.pop(); is !== undefined; is = row?.pop()) if (this.free.has(is)) return is;
    return undefined;
  }

  private pair(was: Alternative, is: Alternative | undefined): void {
    if (is === undefined) return;
    this.left.delete(was);
    this.free.delete(is);
    this.pairs.push([was, is]);
  }
}

/** By their types and the names of their properties. */
function byForm(alternatives: readonly Alternative[]): ReadonlyMap<string, readonly Alternative[]> {
  const found = new Map<string, Alternative[]>();
  for (const one of alternatives) {
    if (one.keys.length > 0) continue;
    const { types, properties } = one.shape;
    const form = JSON.stringify([types === null ? null : [...types].sort(), [...properties.keys()].sort()]);
    const row = found.get(form);
    if (row === undefined) found.set(form, [one]);
    else row.push(one);
  }
  return found;
}
