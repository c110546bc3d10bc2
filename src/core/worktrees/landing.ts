// The order of landing, decided purely: those that stand in nobody's way first, so that as much as possible lands before
// anybody has to rework anything. What collides with something that lands earlier is held until it has taken that in.

import { counted } from "../../protocol/counted.ts";
import { listed } from "../../protocol/listed.ts";
import { blockers, byName, type Candidate, type Clash, kindsOf } from "./landing-candidate.ts";
import { inOrder, type Relation, relationsOf } from "./landing-order.ts";

export interface Step {
  readonly order: number;
  readonly verdict: "land" | "hold" | "nothing";
  readonly candidate: Candidate;
  readonly why: readonly string[];
  readonly after: readonly string[];
}

export function planLanding(candidates: readonly Candidate[], clashes: readonly Clash[]): Step[] {
  const ready = candidates.filter((one) => !hasNothing(one));
  const idle = candidates.filter(hasNothing).sort(byName);
  const relations = relationsOf(clashes);
  // The default branch's own worktree is spoken of as the default branch.
  const aside = new Map(idle.filter(({ isDefault }) => !isDefault).map((one, index) => [one.worktree, index]));
  const given = new Map(ready.map((one, index) => [one.worktree, index]));
  const labels = new Map(candidates.map(({ worktree, label }) => [worktree, label]));
  const landed = new Map<string, number>();
  const steps: Omit<Step, "order">[] = [];
  for (const next of inOrder(ready, relations)) {
    given.delete(next.worktree);
    const own = relations.get(next.worktree);
    const among = (places: ReadonlyMap<string, number>): Collision[] => collisions(own, places, labels);
    steps.push(stepFor(next, { before: among(landed), ahead: among(given), aside: among(aside) }));
    landed.set(next.worktree, landed.size);
  }
  const rank = { land: 0, hold: 1, nothing: 2 } as const;
  const all = [...steps, ...idle.map(nothingToLand)];
  return all.sort((a, b) => rank[a.verdict] - rank[b.verdict]).map((step, index) => ({ ...step, order: index + 1 }));
}

/** A workspace that began at a branch of its own is ahead of the default branch before anybody has done anything in it. */
function hasNothing({ ahead, uncommitted, isDefault, isUnstarted }: Candidate): boolean {
  return isDefault || (!uncommitted && (ahead === 0 || isUnstarted));
}

function stepFor(
  one: Candidate,
  { before, ahead, aside }: Readonly<Record<"before" | "ahead" | "aside", readonly Collision[]>>,
): Omit<Step, "order"> {
  const hard = before.filter(({ isHard }) => isHard);
  // That it is held says the claim already.
  const soft = one.withDefault.filter(
    ({ kind, severity }) => severity !== "high" && !(kind === "claim" && one.held !== null),
  );
  const why = [
    ...blockers(one),
    ...byKinds(hard).map(({ labels, kinds }) =>
      labels.length === 1
        ? `${listed(labels)} lands before it, and the two collide (${kinds})`
        : `${listed(labels)} land before it and collide with it (${kinds})`,
    ),
    ...byKinds(before.filter(({ isHard }) => !isHard)).map(
      ({ labels, kinds }) =>
        `check again after ${listed(labels)} ${labels.length === 1 ? "has" : "have"} landed: ${kinds}`,
    ),
    ...byKinds(aside).map(
      ({ labels, kinds }) =>
        `collides with ${listed(labels)} (${kinds}), which ${labels.length === 1 ? "has" : "have"} nothing to land`,
    ),
    ...(soft.length === 0 ? [] : [`look at what it shares with the default branch: ${kindsOf(soft)}`]),
  ];
  const isHeld = blockers(one).length > 0 || hard.length > 0;
  why.push(...one.contracts, ...one.unchecked);
  if (!isHeld && one.uncommitted) why.push("commit its work first");
  if (!isHeld && ahead.length > 0) {
    const names = ahead.map(({ label }) => label);
    why.push(
      `collides with ${listed(names)}, which ${ahead.length === 1 ? "conflicts" : "conflict"} with as many branches or more`,
    );
  }
  const others = [ahead, before, aside, soft, one.contracts];
  if (!isHeld && others.every(({ length }) => length === 0)) why.push(calm(one));
  return { verdict: isHeld ? "hold" : "land", candidate: one, why, after: hard.map(({ label }) => label) };
}

/** That nothing collides is said only where everything was looked at and asked. */
function calm({ openPairs, unaskedPairs, isAwaited }: Candidate): string {
  if (openPairs > 0) return `no collision seen; ${counted(openPairs, "pair is", "pairs are")} not fully checked`;
  if (isAwaited) return "no collision seen so far";
  if (unaskedPairs === 0) return "collides with nothing";
  return `no collision seen; not everything was asked about ${counted(unaskedPairs, "pair")}`;
}

interface Collision {
  readonly label: string;
  readonly kinds: string;
  readonly isHard: boolean;
}

/** Those of its neighbours that have a place there, in the order of their places. */
function collisions(
  own: ReadonlyMap<string, Relation> | undefined,
  places: ReadonlyMap<string, number>,
  labels: ReadonlyMap<string, string>,
): Collision[] {
  const found = [];
  for (const [other, { kinds, isHard }] of own ?? []) {
    const place = places.get(other);
    if (place !== undefined)
      found.push({ place, label: labels.get(other) ?? other, kinds: [...kinds].sort().join(", "), isHard });
  }
  return found.sort((a, b) => a.place - b.place);
}

/** Those that collide in the same way are named in one sentence. */
const byKinds = (others: readonly Collision[]): { kinds: string; labels: string[] }[] =>
  [...Map.groupBy(others, ({ kinds }) => kinds)].map(([kinds, those]) => ({
    kinds,
    labels: those.map(({ label }) => label),
  }));

function nothingToLand(candidate: Candidate): Omit<Step, "order"> {
  const why = candidate.isDefault
    ? "is where the others land"
    : candidate.isUnstarted
      ? "nothing was started: it has no commit and no change"
      : "has nothing that the default branch lacks: not started, or landed already";
  return { verdict: "nothing", candidate, why: [why], after: [] };
}
