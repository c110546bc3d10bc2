// Removes the rows of a constellation from a database: of a copy that was given up. Events go by the way that pruning takes; the database's guards
// let nothing else delete them.

import { sql } from "kysely";
import { genesisHash } from "../timeline.ts";
import type { Part } from "./parts.ts";
import type { Side } from "./side.ts";

export async function clearConstellation(side: Side, parts: readonly Part[], constellation: string): Promise<void> {
  const { db } = side;
  for (const part of parts) {
    if (part.table === "events")
      await sql`insert into chain_heads (constellation, seq, hash, pruned_seq, pruned_hash)
        values (${constellation}, 0, ${genesisHash}, 0, ${genesisHash}) on conflict (constellation) do nothing`
        .execute(db)
        .then(() =>
          sql`update chain_heads set pruned_seq = (select coalesce(max(seq), 0) from events where constellation = ${constellation})
            where constellation = ${constellation}`.execute(db),
        );
    await sql`delete from ${sql.table(part.table)} as t where ${part.isOf(constellation)}`.execute(db);
  }
}
