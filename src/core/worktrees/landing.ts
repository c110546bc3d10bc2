// The order of landing, decided purely: those that stand in nobody's way first, so that as much as possible lands before
// anybody has to rework anything. What collides with something that lands earlier is held until it has taken that in.

import { counted } from "../../protocol/counted.ts";
import { listed } from "../../protocol/listed.ts";
import { withArticle } from "../../protocol/operation-words.ts";

export interface Candidate {
  readonly worktree: string;
  readonly branch: string | null;
  readonly label: string;
  readonly agent: string | null;
  /** From the view merge_readiness. */
  readonly score: number;
  readonly reasons: string;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly uncommitted: boolean;
  /** Open findings between it and the branch it lands on. */
  readonly withDefault: readonly { readonly kind: string; readonly severity: string }[];
  /** The paths it edits that another has claimed for itself; null if there are none. */
  readonly held: string | null;
  /** Why files of its own were not checked: they do not parse, or cannot be read. */
  readonly unchecked: readonly string[];
  /** Pairs with others of which something was not looked at, or is still being asked. */
  readonly openPairs: number;
  /** Pairs with others that were looked at, but for something nobody could be asked about, such as types. */
  readonly unaskedPairs: number;
  /** It is still to be compared with others, in the middle of a first look. */
  readonly isAwaited: boolean;
  readonly operation: string | null;
  readonly skipped: string | null;
  readonly isDefault: boolean;
  /** Its task's workspace is as it was made: nobody has committed anything in it. */
  readonly isUnstarted: boolean;
}

/** An open finding between two of them. */
export interface Clash {
  readonly one: string;
  readonly other: string;
  readonly kind: string;
  readonly severity: string;
}

export interface Step {
  readonly order: number;
  readonly verdict: "land" | "hold" | "nothing";
  readonly candidate: Candidate;
  readonly why: readonly string[];
  readonly after: readonly string[];
}

const weights: Readonly<Record<string, number>> = { high: 100, medium: 10, low: 1 };

export function planLanding(candidates: readonly Candidate[], clashes: readonly Clash[]): Step[] {
  const idle = candidates.filter(hasNothing).sort(byName);
  const waiting = new Map(candidates.filter((one) => !hasNothing(one)).map((one) => [one.worktree, one]));
  const landed: Candidate[] = [];
  // The default branch's own worktree is spoken of as the default branch.
  const others = idle.filter(({ isDefault }) => !isDefault);
  const steps: Omit<Step, "order">[] = [];
  while (waiting.size > 0) {
    const [next] = [...waiting.values()].sort((a, b) => compare(a, b, clashes, waiting, landed));
    if (next === undefined) break;
    waiting.delete(next.worktree);
    steps.push(stepFor(next, { landed, waiting: [...waiting.values()], idle: others }, clashes));
    landed.push(next);
  }
  const rank = { land: 0, hold: 1, nothing: 2 } as const;
  const all = [...steps, ...idle.map(nothingToLand)];
  return all.sort((a, b) => rank[a.verdict] - rank[b.verdict]).map((step, index) => ({ ...step, order: index + 1 }));
}

/** A workspace that began at a branch of its own is ahead of the default branch before anybody has done anything in it. */
function hasNothing({ ahead, uncommitted, isDefault, isUnstarted }: Candidate): boolean {
  return isDefault || (!uncommitted && (ahead === 0 || isUnstarted));
}

/**
 * Those that can land come before those that must wait for one that already did. Then those
 * whose own files could all be checked; then what could be checked against the most others. Then what is in the way of the fewest; then the readier, the smaller, and at last by name.
 */
function compare(
  a: Candidate,
  b: Candidate,
  clashes: readonly Clash[],
  waiting: ReadonlyMap<string, Candidate>,
  landed: readonly Candidate[],
): number {
  const mustWait = (one: Candidate): number =>
    blockers(one).length > 0 || landed.some((other) => describe(one, other, clashes).some(({ isHard }) => isHard))
      ? 1
      : 0;
  return (
    mustWait(a) - mustWait(b) ||
    Number(isUnchecked(a)) - Number(isUnchecked(b)) ||
    a.openPairs - b.openPairs ||
    Number(a.unaskedPairs > 0) - Number(b.unaskedPairs > 0) ||
    weightOf(a, clashes, waiting) - weightOf(b, clashes, waiting) ||
    b.score - a.score ||
    (a.ahead ?? 0) - (b.ahead ?? 0) ||
    byName(a, b)
  );
}

function isUnchecked({ unchecked, skipped }: Candidate): boolean {
  return unchecked.length > 0 || skipped !== null;
}

function byName(a: Candidate, b: Candidate): number {
  return a.label < b.label ? -1 : a.label > b.label ? 1 : a.worktree < b.worktree ? -1 : 1;
}

function weightOf(one: Candidate, clashes: readonly Clash[], waiting: ReadonlyMap<string, Candidate>): number {
  let weight = 0;
  for (const clash of clashes) {
    const other = otherOf(clash, one.worktree);
    if (other !== undefined && waiting.has(other)) weight += weights[clash.severity] ?? 0;
  }
  return weight;
}

/** Returns what keeps a branch from landing whatever the others do. */
function blockers({ withDefault, held, operation, skipped }: Candidate): string[] {
  const why: string[] = [];
  const hard = withDefault.filter(({ severity }) => severity === "high");
  if (hard.some(({ kind }) => kind === "textual"))
    why.push("it conflicts with the default branch: merge that in first");
  else if (hard.length > 0) why.push(`it collides with the default branch (${kindsOf(hard)}): merge that in first`);
  if (held !== null) why.push(`it is held: it edits ${held}`);
  if (skipped !== null) why.push("it cannot be looked at now");
  if (operation !== null) why.push(`it is in the middle of ${withArticle(operation)}`);
  return why;
}

function stepFor(
  one: Candidate,
  { landed, waiting, idle }: Readonly<Record<"landed" | "waiting" | "idle", readonly Candidate[]>>,
  clashes: readonly Clash[],
): Omit<Step, "order"> {
  const before = landed.flatMap((other) => describe(one, other, clashes));
  const ahead = waiting.flatMap((other) => describe(one, other, clashes));
  const aside = idle.flatMap((other) => describe(one, other, clashes));
  const hard = before.filter(({ isHard }) => isHard);
  const soft = one.withDefault.filter(({ severity }) => severity !== "high");
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
  why.push(...one.unchecked);
  if (!isHeld && one.uncommitted) why.push("commit its work first");
  if (!isHeld && ahead.length > 0) {
    const names = ahead.map(({ label }) => label);
    why.push(
      `collides with ${listed(names)}, which ${ahead.length === 1 ? "conflicts" : "conflict"} with as many branches or more`,
    );
  }
  if (!isHeld && ahead.length + before.length + aside.length + soft.length === 0) why.push(calm(one));
  return { verdict: isHeld ? "hold" : "land", candidate: one, why, after: hard.map(({ label }) => label) };
}

/** That nothing collides is said only where everything was looked at and asked. */
function calm({ openPairs, unaskedPairs, isAwaited }: Candidate): string {
  if (openPairs > 0) return `no collision seen; ${counted(openPairs, "pair is", "pairs are")} not fully checked`;
  if (isAwaited) return "no collision seen so far";
  if (unaskedPairs === 0) return "collides with nothing";
  return `no collision seen; not everything was asked about ${counted(unaskedPairs, "pair")}`;
}

function describe(one: Candidate, other: Candidate, clashes: readonly Clash[]) {
  const between = clashes.filter((clash) => otherOf(clash, one.worktree) === other.worktree);
  if (between.length === 0) return [];
  return [{ label: other.label, kinds: kindsOf(between), isHard: between.some(({ severity }) => severity === "high") }];
}

/** Those that collide in the same way are named in one sentence. */
const byKinds = (others: ReturnType<typeof describe>): { kinds: string; labels: string[] }[] =>
  [...Map.groupBy(others, ({ kinds }) => kinds)].map(([kinds, those]) => ({
    kinds,
    labels: those.map(({ label }) => label),
  }));

const kindsOf = (clashes: readonly { readonly kind: string }[]): string =>
  [...new Set(clashes.map(({ kind }) => kind))].sort().join(", ");

function otherOf({ one, other }: Clash, worktree: string): string | undefined {
  return one === worktree ? other : other === worktree ? one : undefined;
}

function nothingToLand(candidate: Candidate): Omit<Step, "order"> {
  const why = candidate.isDefault
    ? "is where the others land"
    : candidate.isUnstarted
      ? "nothing was started: it has no commit and no change"
      : "has nothing that the default branch lacks: not started, or landed already";
  return { verdict: "nothing", candidate, why: [why], after: [] };
}
