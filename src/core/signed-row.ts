// Rows that somebody may later rest on (decisions, claims, approvals, tokens, reviews, peers) carry a signature over the row as it stands, made anew at each change.
// The daemon signs with the constellation's key what it witnessed: whose process asked, and how that was known, are part of what
// is signed. What the owner asked for is signed with the owner's own key where that can be used without a passphrase.
//
// What is signed: the canonical JSON (RFC 8785) of { at_ms, by, known, row }, where row is the row without its signature.

import { constellationHolder, ownerHolder, type VerifySignature } from "../ports/keys.ts";
import { bytesToSign } from "../protocol/canonical.ts";
import type { SignatureStanding } from "../protocol/signature-standing.ts";
import type { Tx } from "../store/group-commit.ts";
import type { Context } from "./context.ts";

export type SignedKind = "decision" | "claim" | "approval" | "token" | "review" | "a2a-request" | "mesh-peer";

interface Signable {
  readonly signature: string | null;
}

interface RowSignature {
  readonly at_ms: number;
  /** The one who asked for the row to be so. */
  readonly by: string;
  /** The way the daemon knew who asked. */
  readonly known: string;
  readonly sig: string;
}

/** The columns that change without anybody's word. */
const left: Readonly<Record<SignedKind, readonly string[]>> = {
  decision: [],
  claim: [],
  approval: ["seen_ms"],
  token: ["used_ms"],
  review: ["told_ms", "stale_ms"],
  "a2a-request": ["state", "seq", "said", "told", "given_ms", "updated_ms", "ended_ms"],
  "mesh-peer": ["seen_ms"],
};

/** The row with its signature; null where there is no key. */
export function signedRow<Row extends Signable>(
  tx: Pick<Tx, "sign" | "nowMs">,
  { actor, known = "constel itself", signAsOwner }: Pick<Context, "actor" | "known" | "signAsOwner">,
  kind: SignedKind,
  row: Row,
): Row {
  const said = { at_ms: tx.nowMs, by: actor, known };
  const bytes = bytesOf(kind, row, said);
  const sig = (actor === ownerHolder ? signAsOwner?.(bytes) : undefined) ?? tx.sign(bytes);
  return { ...row, signature: sig === undefined ? null : JSON.stringify({ ...said, sig } satisfies RowSignature) };
}

/** Returns what a row's signature is worth now. Without a way to check, nothing is said against it. */
export function standingOf(verify: VerifySignature | undefined, kind: SignedKind, row: Signable): SignatureStanding {
  if (verify === undefined) return "not-checked";
  if (row.signature === null) return "not-signed";
  const signature = read(row.signature);
  if (signature === undefined) return "wrong";
  const { sig, ...said } = signature;
  const verdict = verify(sig, bytesOf(kind, row, said), said.at_ms);
  if (!verdict.ok) return "wrong";
  return verdict.holder === constellationHolder || verdict.holder === ownerHolder ? "verified" : "wrong";
}

/** Tells whether the row may be acted on: it was signed, or nobody here can tell. */
export const isBelieved = (standing: SignatureStanding): boolean =>
  standing === "verified" || standing === "not-checked";

function bytesOf(kind: SignedKind, row: Signable, said: Omit<RowSignature, "sig">): Uint8Array {
  const { signature: _, ...rest } = row as Signable & Record<string, unknown>;
  const kept = Object.entries(rest).filter(([name]) => !left[kind].includes(name));
  return bytesToSign(kind, { ...said, row: Object.fromEntries(kept) });
}

/** Returns when a row was last signed, as its signature says. Undefined if it carries none. */
export const signedAtMs = ({ signature }: Signable): number | undefined =>
  signature === null ? undefined : read(signature)?.at_ms;

function read(text: string): RowSignature | undefined {
  try {
    const { at_ms, by, known, sig } = JSON.parse(text) as Partial<RowSignature>;
    const isWhole = Number.isSafeInteger(at_ms) && [by, known, sig].every((part) => typeof part === "string");
    return isWhole ? ({ at_ms, by, known, sig } as RowSignature) : undefined;
  } catch {
    return undefined;
  }
}
