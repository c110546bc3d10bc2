// Decisions, claims, approvals, tokens and directives are what was signed: each row is checked against its own signature, and against the
// timeline, which tells of every change to one. So a row that was deleted, or set back to what it once was with the signature of then, is
// found as well. A row without a signature is from before rows were signed, or somebody wrote it past constel.

import type { VerifySignature } from "../../ports/keys.ts";
import { directiveBytes, verifyOwner } from "../../protocol/owners-word.ts";
import type { Store } from "../../store/open.ts";
import { type SignedKind, signedAtMs, standingOf } from "../signed-row.ts";
import { lastSaid, signedRows, signingBeganMs } from "./audit.sql.ts";

/** `stays`: no row of it is ever let go of by age. */
const tables = [
  { kind: "decision", table: "decisions", madeMs: "recorded_ms", stays: true },
  { kind: "claim", table: "claims", madeMs: "made_ms", stays: false },
  { kind: "approval", table: "approvals", madeMs: "asked_ms", stays: true },
  { kind: "token", table: "tokens", madeMs: "created_ms", stays: true },
] as const satisfies readonly { kind: SignedKind; table: string; madeMs: string; stays: boolean }[];

type Rows = Pick<Store, "db" | "constellation">;

/** The first row that is not what was signed, in words; undefined when there is none. `since`: the first signed event. */
export async function wrongRow(
  store: Rows,
  verify: VerifySignature,
  since: number | null,
): Promise<string | undefined> {
  const { db, constellation } = store;
  const beganMs = since === null ? Infinity : ((await signingBeganMs(db, constellation)) ?? Infinity);
  for (const { kind, table, madeMs, stays } of tables) {
    const said = await lastSaid(db, constellation, kind);
    const lost = new Set(stays ? said.keys() : []);
    for await (const row of signedRows(db, constellation, table)) {
      lost.delete(row.id);
      const standing = standingOf(verify, kind, row);
      if (standing === "wrong") return `the ${kind} ${row.id} is not what was signed`;
      const saidMs = said.get(row.id);
      const made = (row as unknown as Record<string, number>)[madeMs] ?? 0;
      // The timeline tells of a change at the moment it is signed: a time that was set back does not hide it.
      if (standing === "not-signed" && Math.max(made, saidMs ?? 0) >= beganMs)
        return `the ${kind} ${row.id} is not signed, although such rows were signed when it was made`;
      if (saidMs !== undefined && saidMs > (signedAtMs(row) ?? Infinity))
        return `the ${kind} ${row.id} was set back: the timeline tells of a later change`;
    }
    const [missing] = lost;
    if (missing !== undefined) return `the ${kind} ${missing} is gone, and the timeline tells of it`;
  }
  return wrongDirective(store, verify);
}

async function wrongDirective({ db, constellation }: Rows, verify: VerifySignature): Promise<string | undefined> {
  const lost = new Set((await lastSaid(db, constellation, "directive")).keys());
  for await (const { id, at_ms, text, sig } of signedRows(db, constellation, "signed_directives")) {
    lost.delete(id);
    if (verifyOwner(verify, sig, directiveBytes({ id, at_ms, text }), at_ms) === undefined)
      return `the directive ${id} is not what the owner signed`;
  }
  const [missing] = lost;
  return missing === undefined ? undefined : `the directive ${missing} is gone, and the timeline tells of it`;
}
