// oneOf and anyOf: which alternative of one version is which of the other, and whether each still has a place.
//
// Where data flows in, every alternative of before must fit one of after; where it flows out, every one of after must fit one of
// before; where nobody says, both are looked at. An alternative that fits none is compared with its namesake if it has
// one, so that the change is told where it happened; otherwise it was added or removed.

import { type Comparing, inAlternative, isEquivalent, type Where } from "./comparing.ts";
import type { Shape } from "./shape.ts";
import type { Alternative } from "./shapes.ts";

export function compareUnions(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const were = comparing.before.alternatives(before);
  const are = comparing.after.alternatives(after);
  compareKeywords(comparing, before, after, where);
  const isTagged = before.discriminator !== null && after.discriminator !== null;
  const pairs = new Matching(comparing, were, are, isTagged);
  for (const [was, is] of pairs.matched) {
    comparing.descendShapes(was.shape, is.shape, inAlternative(where, shown(comparing, was)));
  }
  for (const was of pairs.removed) comparing.report("alternative-removed", where, shown(comparing, was), null);
  for (const is of pairs.added) comparing.report("alternative-added", where, null, shown(comparing, is));
}

class Matching {
  readonly matched: [Alternative, Alternative][] = [];
  readonly removed: Alternative[] = [];
  readonly added: Alternative[] = [];
  private readonly taken = new Set<Alternative>();
  private readonly comparing: Comparing;
  /** A discriminator tells the alternatives apart by name, so that one more is one more even where its data would fit another. */
  private readonly isTagged: boolean;

  constructor(comparing: Comparing, were: readonly Alternative[], are: readonly Alternative[], isTagged: boolean) {
    this.comparing = comparing;
    this.isTagged = isTagged;
    const outward = comparing.flow === "out";
    const [sources, targets] = outward ? [are, were] : [were, are];
    const homeless: Alternative[] = [];
    for (const source of sources) if (!this.house(source, targets, outward)) homeless.push(source);
    const free = targets.filter((target) => !this.taken.has(target));
    for (const source of homeless) {
      const namesake = this.namesake(source, sources, targets, free);
      if (namesake === undefined) (outward ? this.added : this.removed).push(source);
      else this.pair(source, namesake, outward);
    }
    for (const target of targets) if (!this.taken.has(target)) this.spare(target, sources, outward);
  }

  /** Finds the place of an alternative: its namesake if that fits, else any that fits. */
  private house(source: Alternative, targets: readonly Alternative[], outward: boolean): boolean {
    const fits = (target: Alternative): boolean =>
      outward ? this.comparing.fits(target.shape, source.shape) : this.comparing.fits(source.shape, target.shape);
    const namesakes = targets.filter(({ key }) => key !== null && key === source.key);
    const free = targets.filter((target) => !this.taken.has(target));
    const isSame = (target: Alternative): boolean =>
      outward
        ? isEquivalent(this.comparing, target.shape, source.shape)
        : isEquivalent(this.comparing, source.shape, target.shape);
    const same = free.find(isSame) ?? targets.find(isSame);
    const byName = same ?? namesakes.find(fits);
    const home = byName ?? (this.isTagged && source.key !== null ? undefined : (free.find(fits) ?? targets.find(fits)));
    if (home === undefined) return false;
    // Somebody else's place will do, but what changed between the two is nobody's story.
    if (this.taken.has(home) && home.key !== source.key) return true;
    this.pair(source, home, outward);
    return true;
  }

  private namesake(
    source: Alternative,
    sources: readonly Alternative[],
    targets: readonly Alternative[],
    free: readonly Alternative[],
  ): Alternative | undefined {
    const named = targets.find(({ key }) => key !== null && key === source.key);
    if (named !== undefined) return named;
    // Nameless ones keep their place in the list; the last that is left on both sides is the same.
    const candidate = sources.length === targets.length ? targets[sources.indexOf(source)] : free[0];
    if (candidate === undefined || !free.includes(candidate) || this.taken.has(candidate)) return undefined;
    const alone = sources.length === targets.length || free.length === 1;
    const alike = this.typeOf(source) !== null && this.typeOf(source) === this.typeOf(candidate);
    return source.key === null && candidate.key === null && alone && alike ? candidate : undefined;
  }

  private typeOf({ shape }: Alternative): string | null {
    return shape.types === null ? null : [...shape.types].sort().join(" ");
  }

  private pair(source: Alternative, target: Alternative, outward: boolean): void {
    this.taken.add(target);
    this.matched.push(outward ? [target, source] : [source, target]);
  }

  /** An alternative of the other side that nobody needed is news only if nothing on this side covered it. */
  private spare(target: Alternative, sources: readonly Alternative[], outward: boolean): void {
    const { flow, fits } = this.comparing;
    const covered = ({ shape }: Alternative): boolean => {
      if (flow === "both") return isEquivalent(this.comparing, shape, target.shape);
      return outward ? fits(target.shape, shape, { turned: true }) : fits(shape, target.shape, { turned: true });
    };
    if (sources.some(covered)) return;
    (outward ? this.removed : this.added).push(target);
  }
}

function compareKeywords({ report }: Comparing, before: Shape, after: Shape, where: Where): void {
  const [was, is] = [before.unions[0]?.keyword, after.unions[0]?.keyword];
  if (was === is || was === undefined || is === undefined) return;
  report(is === "oneOf" ? "exactly-one-required" : "exactly-one-freed", where, was, is);
}

function shown({ before }: Comparing, { key, shape }: Alternative): string {
  if (key !== null) return key;
  const types = before.typesOf(shape);
  return types === null ? "another schema" : [...types].join(" or ");
}
