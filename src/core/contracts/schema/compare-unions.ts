// oneOf and anyOf. The alternatives of two versions are paired (pair-alternatives.ts) and compared one by one, so that a change inside one
// is told there, however loose its siblings are. What was removed or added is news unless a sibling describes and allows the same.
// oneOf refuses what matches two of its alternatives: where two that were apart begin to overlap, that is told too. anyOf does not
// mind: what one of its alternatives no longer allows may still be allowed by another.

import { type Alternative, maximumInside, overlap } from "./alternatives.ts";
import { type Comparing, inAlternative, isEquivalent, type Where } from "./comparing.ts";
import { areDisjoint, surelyOverlap } from "./disjoint.ts";
import { pairAlternatives, type PairedAlternatives } from "./pair-alternatives.ts";
import type { Shape, Union } from "./shape.ts";

/** Several lists in one schema are compared one by one: those that say the same are passed over, the others go by their order. */
export function compareUnions(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const [were, are] = withoutShared(comparing, before.unions, after.unions);
  const [choices, others] = [comparing.before.alternatives, comparing.after.alternatives];
  if (were.length <= 1 && are.length <= 1 && were.length + are.length > 0) {
    const was = were[0] === undefined ? choices.baseOf(before) : choices.withOnly(before, were[0]);
    const is = are[0] === undefined ? others.baseOf(after) : others.withOnly(after, are[0]);
    return compareChoice(comparing, was, is, where);
  }
  for (let at = 0; at < Math.max(were.length, are.length, 1); at += 1) {
    const [wasUnion, isUnion] = [were[at], are[at]];
    comparing.descendShapes(
      wasUnion === undefined ? choices.baseOf(before) : choices.withOnly(before, wasUnion),
      isUnion === undefined ? others.baseOf(after) : others.withOnly(after, isUnion),
      where,
    );
  }
}

type Unions = readonly Union[];

/** Schemas with one list each are the rule, and then there is nothing to choose from. */
function withoutShared(
  { same, after: { budget } }: Comparing,
  before: Unions,
  after: Unions,
): readonly [Unions, Unions] {
  if (before.length <= 1 && after.length <= 1) return [before, after];
  const left = [...after];
  const kept = before.filter(({ keyword, branches }) => {
    const isShared = (other: Union): boolean =>
      other.keyword === keyword && budget.spend(branches.length) && same(branches, other.branches);
    const at = budget.isSpent ? -1 : left.findIndex(isShared);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  const byKeyword = (list: Unions): Unions => list.toSorted((one, other) => one.keyword.localeCompare(other.keyword));
  return [byKeyword(kept), byKeyword(left)];
}

/** A schema with one list at most, in both versions. */
function compareChoice(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const choice = new Choice(comparing, before, after);
  compareKeywords(comparing, before, after, where);
  if (choice.isAlone && choice.areLists) comparing.descendShapes(...choice.bases, where);
  for (const [was, is] of choice.paired.pairs) {
    const here = inAlternative(where, shown(comparing, was));
    if (!choice.isMadeUpFor(was, is)) comparing.descendShapes(choice.seen(was), choice.seen(is), here);
  }
  for (const was of choice.removed()) comparing.report("alternative-removed", where, shown(comparing, was), null);
  for (const is of choice.added()) comparing.report("alternative-added", where, null, shown(comparing, is));
  for (const [one, other] of choice.overlapping()) {
    comparing.report("alternatives-overlap", where, shown(comparing, one), shown(comparing, other));
  }
}

class Choice {
  readonly paired: PairedAlternatives;
  private readonly comparing: Comparing;
  private readonly were: readonly Alternative[];
  private readonly are: readonly Alternative[];
  /** A discriminator tells the alternatives apart by name, so that one more is one more even where its data would fit another. */
  private readonly areTagged: boolean;
  private readonly isOneOf: { readonly before: boolean; readonly after: boolean };
  /** True if the old version listed alternatives. One of several is another thing than its siblings, also when only one of them is left. */
  private readonly wasList: boolean;
  /** Both versions list alternatives. */
  readonly areLists: boolean;
  /** The shapes that are said beside the lists. */
  readonly bases: readonly [Shape, Shape];
  /** It is the same and about something else, or lies too far out: then the alternatives are looked at by themselves. */
  readonly isAlone: boolean;

  constructor(comparing: Comparing, before: Shape, after: Shape) {
    this.comparing = comparing;
    this.were = comparing.before.alternatives.of(before);
    this.are = comparing.after.alternatives.of(after);
    this.areTagged = before.discriminator !== null && after.discriminator !== null;
    this.isOneOf = { before: before.unions[0]?.keyword === "oneOf", after: after.unions[0]?.keyword === "oneOf" };
    this.wasList = before.unions.length > 0;
    this.areLists = before.unions.length > 0 && after.unions.length > 0;
    const [base, other] = [comparing.before.alternatives.baseOf(before), comparing.after.alternatives.baseOf(after)];
    this.bases = [base, other];
    this.isAlone = Math.max(base.inside, other.inside) >= maximumInside || this.isApart(base, other);
    this.paired = pairAlternatives(this.were, this.are, {
      areEquivalent: (was, is) => isEquivalent(comparing, this.seen(was), this.seen(is)),
      areAlike: (was, is) => this.areAlike(was, is),
      areTagged: this.areTagged,
      mayLook: () => this.mayLook(),
    });
  }

  seen({ shape, own }: Alternative): Shape {
    return this.isAlone ? own : shape;
  }

  private isApart(base: Shape, other: Shape): boolean {
    return (
      this.areLists &&
      isEquivalent(this.comparing, base, other) &&
      !this.were.some(({ own }) => overlap(base, own)) &&
      !this.are.some(({ own }) => overlap(other, own))
    );
  }

  /** Alternatives that no longer have a place. */
  removed(): Alternative[] {
    return this.paired.removed.filter((was) => this.areTagged || !this.hasPlace(was));
  }

  /** Alternatives that had no place before. */
  added(): Alternative[] {
    return this.paired.added.filter((is) => this.areTagged || !this.hadPlace(is));
  }

  /**
   * Tells whether a sibling makes up for a pair: it still allows all that the pair lost (where data flows in), or allowed before all that
   * it gained (where data flows out).
   */
  isMadeUpFor(was: Alternative, is: Alternative): boolean {
    const { flow, fits } = this.comparing;
    if (this.areTagged || (this.isOneOf.before && this.isOneOf.after) || fits(this.seen(was), this.seen(is)))
      return false;
    return (flow === "out" || this.hasPlace(was)) && (flow === "in" || this.hadPlace(is));
  }

  /** Pairs of alternatives of which a value may now match both, though it could match only one before. */
  overlapping(): (readonly [Alternative, Alternative])[] {
    const { flow } = this.comparing;
    if (flow === "out" || !this.isOneOf.after || this.areTagged) return [];
    const { pairs, added } = this.paired;
    const found: (readonly [Alternative, Alternative])[] = [];
    for (const [at, [was, is]] of pairs.entries()) {
      const others = pairs.slice(at + 1).filter(([other, now]) => this.mayLook() && this.began(was, is, other, now));
      found.push(...others.map(([, now]) => [is, now] as const));
      found.push(
        ...added.filter((other) => this.mayLook() && this.swallows(other, was)).map((other) => [is, other] as const),
      );
      if (!this.mayLook()) return found;
    }
    return found;
  }

  private began(was: Alternative, is: Alternative, other: Alternative, now: Alternative): boolean {
    const { before, after } = this.comparing;
    // Where one or more was enough, what matches both was right.
    if (this.wasList && !this.isOneOf.before) return surelyOverlap(after, is.shape, now.shape);
    return (
      !areDisjoint(after, is.shape, now.shape) &&
      areDisjoint(before, was.shape, other.shape) &&
      !(was.shape === is.shape && other.shape === now.shape)
    );
  }

  private swallows(added: Alternative, was: Alternative): boolean {
    return (
      this.comparing.fits(this.seen(was), this.seen(added), { flow: "in", strict: true }) ||
      surelyOverlap(this.comparing.after, was.shape, added.shape)
    );
  }

  private hasPlace(was: Alternative): boolean {
    return this.are.some(
      (is) =>
        this.mayLook() &&
        (!this.wasList || isDescribed(was, is)) &&
        this.comparing.fits(this.seen(was), this.seen(is), { flow: "in" }),
    );
  }

  private hadPlace(is: Alternative): boolean {
    return this.were.some(
      (was) =>
        this.mayLook() &&
        (!this.areLists || isDescribed(is, was)) &&
        this.comparing.fits(this.seen(was), this.seen(is), { flow: "out" }),
    );
  }

  private areAlike(was: Alternative, is: Alternative): boolean {
    if (was.keys.length > 0 || is.keys.length > 0) return false;
    const [types, others] = [this.typesOf(was), this.typesOf(is)];
    if (types === null || types !== others) return false;
    const [names, properties] = [[...was.shape.properties.keys()], is.shape.properties];
    return names.length === 0 || properties.size === 0 || names.some((name) => properties.has(name));
  }

  private typesOf({ shape }: Alternative): string | null {
    return shape.types === null ? null : [...shape.types].sort().join(" ");
  }

  private mayLook(): boolean {
    return this.comparing.after.budget.spend();
  }
}

/** An object that describes other properties is another thing, though nothing forbids it to hold these too. */
function isDescribed({ shape }: Alternative, { shape: place }: Alternative): boolean {
  if (place.properties.size === 0) return true;
  return [...shape.properties.keys()].every((name) => place.properties.has(name));
}

function compareKeywords({ report }: Comparing, before: Shape, after: Shape, where: Where): void {
  const [was, is] = [before.unions[0]?.keyword, after.unions[0]?.keyword];
  if (was === is || was === undefined || is === undefined) return;
  report(is === "oneOf" ? "exactly-one-required" : "exactly-one-freed", where, was, is);
}

function shown({ before }: Comparing, { name, shape }: Alternative): string {
  if (name !== null) return name;
  const types = before.typesOf(shape);
  return types === null ? "another schema" : [...types].join(" or ");
}
