// Decisions, claims and approvals are what was signed: each row is checked against its own signature. A row without one is from before rows
// were signed, or somebody wrote it past constel.

import type { VerifySignature } from "../../ports/keys.ts";
import type { Store } from "../../store/open.ts";
import { type SignedKind, standingOf } from "../signed-row.ts";
import { signedRows, signingBeganMs } from "./audit.sql.ts";

const tables = [
  { kind: "decision", table: "decisions", madeMs: "recorded_ms" },
  { kind: "claim", table: "claims", madeMs: "made_ms" },
  { kind: "approval", table: "approvals", madeMs: "asked_ms" },
] as const satisfies readonly { kind: SignedKind; table: string; madeMs: string }[];

/** The first row that is not what was signed, in words; undefined when there is none. `since`: the first signed event. */
export async function wrongRow(
  { db, constellation }: Pick<Store, "db" | "constellation">,
  verify: VerifySignature,
  since: number | null,
): Promise<string | undefined> {
  const beganMs = since === null ? Infinity : ((await signingBeganMs(db, constellation)) ?? Infinity);
  for (const { kind, table, madeMs } of tables) {
    for await (const row of signedRows(db, constellation, table)) {
      const standing = standingOf(verify, kind, row);
      if (standing === "wrong") return `the ${kind} ${row.id} is not what was signed`;
      const made = (row as unknown as Record<string, number>)[madeMs] ?? 0;
      if (standing === "not-signed" && made >= beganMs)
        return `the ${kind} ${row.id} is not signed, although such rows were signed when it was made`;
    }
  }
  return undefined;
}
