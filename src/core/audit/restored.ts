// A restored backup takes the timeline back on purpose. The owner's word for that is a line of kind `restored` among the anchored
// heads: which backup, the head it has, and the last event that was known before. From then on the heads beyond it count no more.
// The constellation's key signs it only where the owner has none: whoever got hold of that key alone cannot take the timeline back.

import { constellationHolder, ownerHolder, type VerifySignature } from "../../ports/keys.ts";
import { bytesToSign, canonical } from "../../protocol/canonical.ts";
import { type Anchor, type AnchorSaid, holderOf } from "./anchors.ts";

export interface CountingAnchors {
  readonly anchors: readonly Anchor[];
  /** The restore that came last. */
  readonly restored?: Anchor;
  /** How often. */
  readonly restores?: number;
  readonly problem?: string;
}

export interface AnchorSources {
  /** The lines of the home's own file, in order. */
  readonly own: readonly Anchor[];
  /** Lines that somebody kept elsewhere; some may be older than a restore. */
  readonly elsewhere?: readonly Anchor[];
  readonly verify: VerifySignature;
  /** Tells whether the owner had a key while the ring of keys ended with the statement of this hash. */
  readonly hadOwner: (ring: string) => boolean;
}

/** Leaves out what a restore took back. */
export function countingAnchors({ own, elsewhere = [], verify, hadOwner }: AnchorSources): CountingAnchors {
  let anchors: Anchor[] = [];
  const restores: Anchor[] = [];
  for (const anchor of own) {
    if (anchor.kind === "restored") {
      if (!isOwners(anchor, verify, hadOwner)) return { anchors, problem: notOwners(anchor) };
      anchors = anchors.filter((one) => !isTakenBack(one, anchor));
      restores.push(anchor);
    }
    anchors.push(anchor);
  }
  const forged = elsewhere.find((one) => one.kind === "restored" && !isOwners(one, verify, hadOwner));
  if (forged !== undefined) return { anchors, problem: notOwners(forged) };
  const all = [...restores, ...elsewhere.filter(({ kind }) => kind === "restored")];
  const counting = elsewhere.filter(
    (one) => !all.some((restore) => one.at_ms <= restore.at_ms && isTakenBack(one, restore)),
  );
  const restored = restores.at(-1);
  return {
    anchors: [...anchors, ...counting],
    ...(restored === undefined ? {} : { restored, restores: restores.length }),
  };
}

const isTakenBack = (one: Anchor, restore: Anchor): boolean =>
  one.constellation === restore.constellation && one.seq > restore.seq;

function isOwners(anchor: Anchor, verify: VerifySignature, hadOwner: AnchorSources["hadOwner"]): boolean {
  const holder = holderOf(anchor, verify);
  return holder === ownerHolder || (holder === constellationHolder && !hadOwner(anchor.ring));
}

const notOwners = ({ seq }: Anchor): string =>
  `the anchored heads say that a backup of event ${seq} was restored, and the owner did not sign that`;

/** One line, without its end. */
export async function restoredLine(
  said: AnchorSaid,
  prev: string,
  sign: (bytes: Uint8Array) => string | Promise<string>,
): Promise<string> {
  const unsigned = { ...said, prev };
  return canonical({ ...unsigned, sig: await sign(bytesToSign("anchor", unsigned)) });
}
