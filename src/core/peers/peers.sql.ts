// Every question about peers.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { MeshPeersTable } from "../../store/tables/mesh.ts";

type Db = Kysely<Tables>;

/** The entries that have not ended, by name. */
export function openEntries(db: Db, constellation: string): Promise<MeshPeersTable[]> {
  return db
    .selectFrom("mesh_peers")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("ended_ms", "is", null)
    .orderBy("name")
    .execute();
}

/** Those that ended, the last first. */
export function endedEntries(db: Db, constellation: string, limit: number): Promise<MeshPeersTable[]> {
  return db
    .selectFrom("mesh_peers")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("ended_ms", "is not", null)
    .orderBy("ended_ms", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function updateEntry(db: Db, id: string, change: Partial<MeshPeersTable>): Promise<void> {
  await db.updateTable("mesh_peers").set(change).where("id", "=", id).execute();
}
