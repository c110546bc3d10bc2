// The life of a finding, decided purely from what is stored and what was just seen.
//
// A finding is `open`, `closed` or `dismissed`. It opens once, when a pair that was looked at has it; seen again, it stays
// as it is and only its evidence is brought up to date. It closes by itself: when its pair was looked at and no longer has
// it (unless there is doubt), when all of one side has landed, and when one of its sides is gone. Closed ones that come back open again in the same row.
// A dismissed one stays so, even while it is not seen, because work in progress comes and goes; it opens again only when
// the evidence is of another kind, and ends when a side is gone or works on another branch.

import {
  type FindingDraft,
  type FindingKind,
  type PairSide,
  type PairVerdict,
  severities,
  type Severity,
} from "../../protocol/findings.ts";
import type { DismissalsTable, FindingsTable } from "../../store/tables/observed.ts";
import { isInDoubt } from "./doubt.ts";
import { sideIdentity } from "./pair-finding.ts";

/** The part of a stored finding that matters for its next step; evidence itself is large and is not loaded. */
export type KnownFinding = Pick<
  FindingsTable,
  | "id"
  | "fingerprint"
  | "kind"
  | "severity"
  | "pair"
  | "ours_worktree"
  | "ours_branch"
  | "theirs_worktree"
  | "theirs_branch"
  | "title"
  | "files"
  | "evidence_hash"
  | "evidence_kind"
  | "state"
  | "opened_ms"
  | "dismissal"
  | "by_compiler"
>;

export interface SeenPair {
  readonly draft: FindingDraft;
  readonly sides: Pick<PairVerdict, "ours" | "theirs">;
  readonly pair: string;
  readonly evidence: string;
  readonly evidenceHash: string;
}

export type Move =
  | { readonly move: "open"; readonly seen: SeenPair }
  /** New, and covered by something that was dismissed before: nobody hears of it. */
  | { readonly move: "open-dismissed"; readonly seen: SeenPair; readonly dismissal: DismissalsTable }
  | { readonly move: "reopen"; readonly known: KnownFinding; readonly seen: SeenPair }
  | {
      readonly move: "dismiss";
      readonly known: KnownFinding;
      readonly seen: SeenPair;
      readonly dismissal: DismissalsTable;
    }
  /** `inKind`: it rests on other rules or files than before, which is worth telling. */
  | { readonly move: "update"; readonly known: KnownFinding; readonly seen: SeenPair; readonly inKind: boolean }
  /** `hasLanded`: the side of which nothing is left to land. */
  | { readonly move: "close"; readonly known: KnownFinding; readonly because: string; readonly hasLanded?: string };

export interface Situation {
  readonly known: readonly KnownFinding[];
  readonly dismissals: readonly DismissalsTable[];
  readonly looked: readonly PairVerdict[];
  /** The identities of every side there is; undefined when that was not asked. */
  readonly sides: ReadonlySet<string> | undefined;
  /** Those that are not among the sides only because nothing of theirs is left to land. */
  readonly landed?: ReadonlySet<string>;
  /** Those whose work goes on in another directory, which is a side of its own. */
  readonly moved?: ReadonlyMap<string, string>;
  readonly hash: (text: string) => string;
}

export function decide(situation: Situation): Move[] {
  const { known, dismissals, looked } = situation;
  const byFingerprint = new Map(known.map((one) => [one.fingerprint, one]));
  const moves: Move[] = [];
  const seenNow = new Set<string>();
  const byPair = new Map<string, PairVerdict>();
  for (const pair of looked) {
    const key = pairKey(pair.ours, pair.theirs);
    byPair.set(key, pair);
    for (const draft of pair.findings) {
      if (seenNow.has(draft.fingerprint)) continue;
      seenNow.add(draft.fingerprint);
      const evidence = JSON.stringify(draft.evidence);
      const seen: SeenPair = {
        draft,
        sides: pair,
        pair: key,
        evidence,
        evidenceHash: situation.hash(evidence),
      };
      const move = nextMove(byFingerprint.get(draft.fingerprint), seen, dismissals);
      if (move !== undefined) moves.push(move);
    }
  }
  for (const one of known) {
    if (one.state === "closed" || seenNow.has(one.fingerprint)) continue;
    const end = endOf(one, byPair.get(one.pair), situation);
    if (end !== undefined) moves.push({ move: "close", known: one, ...end });
  }
  return moves;
}

function nextMove(
  known: KnownFinding | undefined,
  seen: SeenPair,
  dismissals: readonly DismissalsTable[],
): Move | undefined {
  const dismissal = dismissals.find((one) => covers(one, seen));
  if (known === undefined) {
    return dismissal === undefined ? { move: "open", seen } : { move: "open-dismissed", seen, dismissal };
  }
  if (dismissal !== undefined) {
    if (known.state !== "dismissed") return { move: "dismiss", known, seen, dismissal };
  } else if (known.state !== "open") return { move: "reopen", known, seen };
  const { draft, evidenceHash } = seen;
  const inKind = known.evidence_kind !== draft.evidenceKind || known.severity !== draft.severity;
  const isSame = known.evidence_hash === evidenceHash && known.title === draft.title && !inKind;
  return isSame ? undefined : { move: "update", known, seen, inKind };
}

/** First, because every other reason begins with words of ours too, and agents choose the names of directories that come after. */
const movedTo = "moved to ";

/** Tells whether a finding ended only because it is told of another directory now. */
export const isMove = (because: string): boolean => because.startsWith(movedTo);

/** Returns the reason why a finding that was not seen is over. Undefined if it is not, or if that cannot be said. */
function endOf(
  known: KnownFinding,
  pair: PairVerdict | undefined,
  { sides, landed, moved }: Situation,
): Pick<Extract<Move, { readonly move: "close" }>, "because" | "hasLanded"> | undefined {
  if (sides !== undefined) {
    const missing = (JSON.parse(known.pair) as string[]).filter((side) => !sides.has(side));
    const gone = missing.find((side) => landed?.has(side) !== true);
    const place = gone === undefined ? undefined : moved?.get(gone);
    if (place !== undefined) return { because: `${movedTo}${place}: ${gone}` };
    if (gone !== undefined) return { because: `${gone} is gone` };
    // Work that is put aside for a moment looks the same, so this too does not end a dismissed one.
    if (missing[0] !== undefined)
      return known.state === "dismissed"
        ? undefined
        : { because: `${missing[0]} has nothing left to land`, hasLanded: missing[0] };
  }
  if (pair === undefined) return undefined;
  // Silence does not end a dismissed one, or it would be back with the next keystroke.
  if (known.state === "dismissed")
    return branchesOf(pair) === branchesOfRow(known) ? undefined : { because: "other work" };
  const doubted = {
    kind: known.kind as FindingKind,
    files: JSON.parse(known.files) as string[],
    byCompiler: known.by_compiler === 1,
  };
  return isInDoubt(doubted, pair) ? undefined : { because: "it no longer collides" };
}

/** Tells whether a dismissal speaks of this, and of no other kind of evidence than was seen then. */
export function covers(dismissal: DismissalsTable, seen: Pick<SeenPair, "draft" | "sides" | "pair">): boolean {
  const { draft, sides, pair } = seen;
  const isSameWork = dismissal.branches === null || dismissal.branches === branchesOf(sides);
  if (dismissal.scope === "finding") {
    if (!isOf(dismissal, seen) || !isSameWork) return false;
    const rules = JSON.parse(dismissal.rules) as string[];
    // One more file or line under the same rule is the same matter.
    return rulesOf(draft.evidenceKind).every((rule) => rules.includes(rule)) && !isWorse(draft, dismissal);
  }
  if (dismissal.scope === "pair") return dismissal.pair === pair && isSameWork;
  if (dismissal.scope === "kind") return dismissal.kind === draft.kind;
  const files = JSON.parse(dismissal.files ?? "[]") as string[];
  return draft.files.length > 0 && draft.files.every((file) => files.includes(file));
}

/** Tells whether it was said of this finding, by its fingerprint, or of the same one in a directory that was moved (follow-moves.ts). */
function isOf(dismissal: DismissalsTable, { draft, pair }: Pick<SeenPair, "draft" | "pair">): boolean {
  if (dismissal.fingerprint !== null) return dismissal.fingerprint === draft.fingerprint;
  return dismissal.pair === pair && dismissal.kind === draft.kind && dismissal.files === JSON.stringify(draft.files);
}

const order: readonly string[] = severities.toReversed();

function isWorse(draft: { readonly severity: Severity }, dismissal: DismissalsTable): boolean {
  return order.indexOf(draft.severity) > order.indexOf(dismissal.severity);
}

/** The rules that evidence rests on, without the paths: `evidenceKind` has a line `<rule> <path>` for each. */
export function rulesOf(evidenceKind: string): string[] {
  return [...new Set(evidenceKind.split("\n").map((line) => line.split(" ", 1)[0] ?? ""))].sort();
}

export function pairKey(ours: PairSide, theirs: PairSide): string {
  return keyOfSides([sideIdentity(ours), sideIdentity(theirs)]);
}

export function keyOfSides(identities: readonly string[]): string {
  return JSON.stringify(identities.toSorted());
}

/** The two branches, whichever side is named first. */
function branchesOf({ ours, theirs }: Pick<PairVerdict, "ours" | "theirs">): string {
  return joinBranches([ours.worktree, ours.branch], [theirs.worktree, theirs.branch]);
}

export function branchesOfRow(
  row: Pick<FindingsTable, "ours_worktree" | "ours_branch" | "theirs_worktree" | "theirs_branch">,
): string {
  return joinBranches([row.ours_worktree, row.ours_branch], [row.theirs_worktree, row.theirs_branch]);
}

export function joinBranches(...sides: (readonly [worktree: string | null, branch: string | null])[]): string {
  return JSON.stringify(
    sides.map((side) => side.map((part) => part ?? "")).sort((a, b) => (a.join() < b.join() ? -1 : 1)),
  );
}
