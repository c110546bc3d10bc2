// Asks every reviewer whose kind follows from what is at hand, and puts the kind's code and severity to what it says.

import { type Kind, type KindName, kinds } from "./kinds.ts";
import { joined, type PairFinding, type Said } from "./pair-finding.ts";
import type { ClaimScene } from "./reviewers/claim.ts";
import type { GateScene } from "./reviewers/gate.ts";
import { reviewSemantic } from "./reviewers/semantic.ts";
import type { PairScene } from "./scene.ts";

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
