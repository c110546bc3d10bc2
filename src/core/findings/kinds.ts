// Every kind of finding, declared once: how bad it is, what it means, how long it must hold before anyone hears of it, whom
// it concerns, what it follows from, and what its silence rests on. To add a kind: its reviewer under reviewers/, and its
// entry here.

import type { OpenWhat, Severity } from "../../protocol/findings.ts";
import { joined, type PairFinding, type Said } from "./pair-finding.ts";
import { type ClaimScene, reviewClaims } from "./reviewers/claim.ts";
import { reviewDependencyDrift } from "./reviewers/dependency-drift.ts";
import { reviewDuplicateWork } from "./reviewers/duplicate-work.ts";
import { type GateScene, reviewGate } from "./reviewers/gate.ts";
import { reviewMigrationOrder } from "./reviewers/migration-order.ts";
import { reviewOverlap } from "./reviewers/overlap.ts";
import { reviewSemantic } from "./reviewers/semantic.ts";
import { reviewStaleTypes } from "./reviewers/stale-types.ts";
import { reviewTextual } from "./reviewers/textual.ts";
import type { PairScene } from "./scene.ts";

type Review<Scene> = (scene: Scene) => readonly Said[] | Promise<readonly Said[]>;

interface Declared {
  /** Unless its reviewer says otherwise. */
  readonly severity: Severity;
  /** The meaning, in one line. */
  readonly means: string;
  /** The time it must hold before anyone hears of it. */
  readonly heardAfterMs: number;
  /** The sides that should know: both, only the one that edits what the other has claimed, only our side, or anyone who asks. */
  readonly concerns: "both" | "editor" | "ours" | "who-asks";
  /** The parts that put its silence in doubt while they are open: then a finding that is not seen again is not over. */
  readonly restsOn: readonly OpenWhat[];
}

/** `follows`: what it is worked out from. What follows from the trees alone is remembered with them. */
export type Kind = Declared &
  (
    | { readonly follows: "trees"; readonly review: Review<PairScene> }
    | { readonly follows: "claims"; readonly review: Review<ClaimScene> }
    | { readonly follows: "gate"; readonly review: Review<GateScene> }
    /** Told by another part of the program. */
    | { readonly follows: "elsewhere" }
  );

/** git's own verdict on lines stands even where something else ran out of time. */
const text: readonly OpenWhat[] = ["comparison", "file"];
const read: readonly OpenWhat[] = [...text, "bound"];

export const kinds = {
  textual: {
    severity: "high",
    means: "git cannot merge the two, uncommitted and untracked work included",
    heardAfterMs: 0,
    concerns: "both",
    restsOn: text,
    follows: "trees",
    review: reviewTextual,
  },
  semantic: {
    severity: "high",
    means: "the merge is clean, and a use that holds on its own side no longer fits its definition",
    heardAfterMs: 0,
    concerns: "both",
    restsOn: [...read, "syntax", "types", "packages"],
    follows: "trees",
    review: reviewSemantic,
  },
  "migration-order": {
    severity: "high",
    means: "both add a migration in the same slot of one sequence",
    heardAfterMs: 0,
    concerns: "both",
    restsOn: read,
    follows: "trees",
    review: reviewMigrationOrder,
  },
  "dependency-drift": {
    severity: "medium",
    means: "both set one dependency to versions that do not fit together",
    heardAfterMs: 0,
    concerns: "both",
    restsOn: read,
    follows: "trees",
    review: reviewDependencyDrift,
  },
  "duplicate-work": {
    severity: "medium",
    means: "both write nearly the same file, or the same exported name in one package",
    heardAfterMs: 0,
    concerns: "both",
    restsOn: [...read, "syntax"],
    follows: "trees",
    review: reviewDuplicateWork,
  },
  "stale-types": {
    severity: "medium",
    means: "one changes a contract, and the other works on code generated from the old one, in one repository",
    heardAfterMs: 0,
    concerns: "both",
    restsOn: read,
    follows: "trees",
    review: reviewStaleTypes,
  },
  overlap: {
    severity: "context",
    means: "both change a file that git merges cleanly",
    heardAfterMs: 0,
    concerns: "who-asks",
    restsOn: read,
    follows: "trees",
    review: reviewOverlap,
  },
  claim: {
    severity: "medium",
    means: "one edits what the other has claimed; as bad as the claim says",
    heardAfterMs: 0,
    concerns: "editor",
    restsOn: text,
    follows: "claims",
    review: reviewClaims,
  },
  gate: {
    severity: "high",
    means: "the merge fails the repository's gate, and each side alone passes it",
    heardAfterMs: 0,
    concerns: "both",
    restsOn: [...text, "gate"],
    follows: "gate",
    review: reviewGate,
  },
  contract: {
    severity: "high",
    means: "a provider's contract breaks while a consumer is being worked on",
    heardAfterMs: 0,
    // Our side is the consumer's. Whoever changes the contract knows what they do.
    concerns: "ours",
    restsOn: [...read, "syntax"],
    follows: "elsewhere",
  },
  "stale-types-elsewhere": {
    severity: "medium",
    means: "code that was generated here is older than the contract of another repository that it was made from",
    heardAfterMs: 0,
    concerns: "ours",
    restsOn: [...read, "syntax"],
    follows: "elsewhere",
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

/** Kinds that looking at the pairs of one repository says nothing of. */
export const kindsFromElsewhere: readonly string[] = Object.entries(kinds).flatMap(([name, kind]) =>
  kind.follows === "elsewhere" ? [name] : [],
);

/** A finding in the database may be of a kind that a later constel knows. */
export function kindOf(code: string): Kind | undefined {
  return Object.hasOwn(kinds, code) ? kinds[code as KindName] : undefined;
}

// Each of these asks every reviewer whose kind follows from what is at hand, and puts the kind's code and severity to what it says.

const all = Object.entries(kinds) as [KindName, Kind][];

export async function reviewTrees(scene: PairScene): Promise<PairFinding[]> {
  const found: PairFinding[] = [];
  for (const [code, kind] of all) if (kind.follows === "trees") found.push(...declared(code, await kind.review(scene)));
  return joined(found);
}

/** Only what the languages say. */
export async function reviewBroken(scene: Parameters<typeof reviewSemantic>[0]): Promise<PairFinding[]> {
  return joined(declared("semantic", await reviewSemantic(scene)));
}

export async function reviewClaimed(scene: ClaimScene): Promise<PairFinding[]> {
  const found: PairFinding[] = [];
  for (const [code, kind] of all)
    if (kind.follows === "claims") found.push(...declared(code, await kind.review(scene)));
  return found;
}

export async function reviewGated(scene: GateScene): Promise<PairFinding[]> {
  const found: PairFinding[] = [];
  for (const [code, kind] of all) if (kind.follows === "gate") found.push(...declared(code, await kind.review(scene)));
  return found;
}

const declared = (kind: KindName, said: readonly Said[]): PairFinding[] =>
  said.map((one) => ({ ...one, kind, severity: one.severity ?? kinds[kind].severity }));
