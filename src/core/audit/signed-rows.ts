// Decisions, claims, approvals, tokens, reviews, peers and directives are what was signed: each row is checked against its own signature, and against the
// timeline, which tells of every change to one. So a row that was deleted, or set back to what it once was with the signature of then, is
// found as well, and so is one that nothing tells of: signed in another home, or in a database that this one was put together with. A row without a signature was written
// while there was no key, or past constel.

import type { VerifySignature } from "../../ports/keys.ts";
import { directiveBytes, verifyOwner } from "../../protocol/owners-word.ts";
import type { Store } from "../../store/open.ts";
import { type SignedKind, signedAtMs, standingOf } from "../signed-row.ts";
import { lastSaid, oldestEvent, signedRows, signingBeganMs } from "./audit.sql.ts";

/** `stays`: no row of it is ever let go of by age. */
const tables = [
  { kind: "decision", table: "decisions", madeMs: "recorded_ms", stays: true },
  { kind: "claim", table: "claims", madeMs: "made_ms", stays: false },
  { kind: "approval", table: "approvals", madeMs: "asked_ms", stays: true },
  { kind: "token", table: "tokens", madeMs: "created_ms", stays: true },
  { kind: "review", table: "task_reviews", madeMs: "asked_ms", stays: true },
  { kind: "mesh-peer", table: "mesh_peers", madeMs: "added_ms", stays: true },
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
  const toldMs = await toldSinceMs(store);
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
      if (saidMs === undefined && (signedAtMs(row) ?? -1) >= toldMs)
        return `the ${kind} ${row.id} is signed, and nothing in the timeline tells of it`;
    }
    const [missing] = lost;
    if (missing !== undefined) return `the ${kind} ${missing} is gone, and the timeline tells of it`;
  }
  return wrongDirective(store, verify, toldMs);
}

/** Clocks are set: where events were let go, a change this near to the oldest one left may be told by one that is gone. */
const nearMs = 24 * 3_600_000;

/** Every change that was signed from here on is told in the timeline. */
async function toldSinceMs({ db, constellation }: Rows): Promise<number> {
  const oldest = await oldestEvent(db, constellation);
  if (oldest === undefined) return Infinity;
  return oldest.isFirst ? 0 : oldest.at_ms + nearMs;
}

async function wrongDirective(
  { db, constellation }: Rows,
  verify: VerifySignature,
  toldMs: number,
): Promise<string | undefined> {
  const said = await lastSaid(db, constellation, "directive");
  const lost = new Set(said.keys());
  for await (const { id, at_ms, text, sig } of signedRows(db, constellation, "signed_directives")) {
    lost.delete(id);
    if (verifyOwner(verify, sig, directiveBytes({ id, at_ms, text }), at_ms) === undefined)
      return `the directive ${id} is not what the owner signed for this constellation`;
    if (!said.has(id) && at_ms >= toldMs) return `nothing in the timeline tells of the directive ${id}`;
  }
  const [missing] = lost;
  return missing === undefined ? undefined : `the directive ${missing} is gone, and the timeline tells of it`;
}
