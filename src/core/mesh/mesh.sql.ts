// Every question about streams, items and what siblings say.

import type { Kysely } from "kysely";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type {
  MeshArrivalsTable,
  MeshOutboxTable,
  MeshRowsTable,
  MeshStreamsTable,
} from "../../store/tables/mesh-items.ts";

type Db = Kysely<Tables>;

/** One admission of a peer, in one constellation's record. */
export interface OfEntry {
  readonly constellation: string;
  readonly entry: string;
}

export function findStream(db: Db, { constellation, entry }: OfEntry): Promise<MeshStreamsTable | undefined> {
  return db
    .selectFrom("mesh_streams")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("entry", "=", entry)
    .executeTakeFirst();
}

export function allStreams(db: Db, constellation: string): Promise<MeshStreamsTable[]> {
  return db.selectFrom("mesh_streams").selectAll().where("constellation", "=", constellation).orderBy("peer").execute();
}

export async function changeStream(tx: Tx, of: OfEntry, change: Partial<MeshStreamsTable>): Promise<void> {
  await tx.db
    .updateTable("mesh_streams")
    .set(change)
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .execute();
}

/** How much waits for each peer, and since when. */
export function heldByEntry(db: Db, constellation: string) {
  return db
    .selectFrom("mesh_outbox")
    .select(({ fn }) => ["entry", fn.countAll().as("items"), fn.min("at_ms").as("since")])
    .where("constellation", "=", constellation)
    .groupBy("entry")
    .execute();
}

export function findItem(db: Db, of: OfEntry, id: string): Promise<{ seq: number } | undefined> {
  return db
    .selectFrom("mesh_outbox")
    .select("seq")
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function changeItem(tx: Tx, of: OfEntry, seq: number, change: Partial<MeshOutboxTable>): Promise<void> {
  await tx.db
    .updateTable("mesh_outbox")
    .set(change)
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .where("seq", "=", seq)
    .execute();
}

/** The number of the first item that is still held. */
export async function firstHeld(db: Db, of: OfEntry): Promise<number | undefined> {
  const row = await db
    .selectFrom("mesh_outbox")
    .select("seq")
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  return row?.seq;
}

export function itemsAfter(db: Db, of: OfEntry, after: number, limit: number): Promise<MeshOutboxTable[]> {
  return db
    .selectFrom("mesh_outbox")
    .selectAll()
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute();
}

export async function kindIsHeld(db: Db, of: OfEntry, kind: string): Promise<boolean> {
  const row = await db
    .selectFrom("mesh_outbox")
    .select("seq")
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .where("kind", "=", kind)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Answers how many bytes went. */
export async function dropItemsUpTo(tx: Tx, of: OfEntry, seq: number): Promise<number> {
  const gone = await tx.db
    .deleteFrom("mesh_outbox")
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .where("seq", "<=", seq)
    .returning("bytes")
    .execute();
  return gone.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Numbers the items that are held anew, from 1, in their order. Answers how many there are. */
export async function numberAnew(tx: Tx, of: OfEntry): Promise<number> {
  const held = await itemsAfter(tx.db, of, 0, 100_000);
  await dropItemsUpTo(tx, of, Number.MAX_SAFE_INTEGER);
  for (const [index, item] of held.entries()) await tx.insert("mesh_outbox", { ...item, seq: index + 1 });
  return held.length;
}

export async function findArrival(db: Db, of: OfEntry, id: string): Promise<MeshArrivalsTable | undefined> {
  return db
    .selectFrom("mesh_arrivals")
    .selectAll()
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** In the order of their arrival: the first of each peer is done before the next. */
export function waitingArrivals(db: Db, constellation: string, limit: number): Promise<MeshArrivalsTable[]> {
  return db
    .selectFrom("mesh_arrivals")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("state", "=", "waiting")
    .orderBy("heard_ms")
    .orderBy("seq")
    .limit(limit)
    .execute();
}

export async function changeArrival(
  tx: Tx,
  of: OfEntry & { readonly id: string },
  change: Partial<MeshArrivalsTable>,
): Promise<void> {
  await tx.db
    .updateTable("mesh_arrivals")
    .set(change)
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .where("id", "=", of.id)
    .execute();
}

export async function forgetArrivals(tx: Tx, constellation: string, beforeMs: number): Promise<void> {
  await tx.db
    .deleteFrom("mesh_arrivals")
    .where("constellation", "=", constellation)
    .where("state", "<>", "waiting")
    .where("done_ms", "<", beforeMs)
    .execute();
}

export async function putRow(tx: Tx, row: MeshRowsTable): Promise<void> {
  await tx.db
    .insertInto("mesh_rows")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["constellation", "peer", "subject", "key"])
        .doUpdateSet({ data: row.data, heard_ms: row.heard_ms }),
    )
    .execute();
}

type RowKey = Pick<MeshRowsTable, "constellation" | "peer" | "subject" | "key">;

export async function dropRow(tx: Tx, { constellation, peer, subject, key }: RowKey): Promise<void> {
  await tx.db
    .deleteFrom("mesh_rows")
    .where("constellation", "=", constellation)
    .where("peer", "=", peer)
    .where("subject", "=", subject)
    .where("key", "=", key)
    .execute();
}

export async function countRows(db: Db, constellation: string, peer: string): Promise<number> {
  const { count } = await db
    .selectFrom("mesh_rows")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("constellation", "=", constellation)
    .where("peer", "=", peer)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What peers said of one subject under keys that begin so, the newest of each first, with the moment from which it is known. */
export function saidRows(
  db: Db,
  constellation: string,
  { subject, begins, mostOfOne }: { readonly subject: string; readonly begins: string; readonly mostOfOne: number },
): Promise<(MeshRowsTable & { readonly known_ms: number | null })[]> {
  const numbered = db
    .selectFrom("mesh_rows as r")
    .selectAll("r")
    .select(({ fn }) =>
      fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy("r.peer").orderBy("r.heard_ms", "desc").orderBy("r.key"))
        .as("place"),
    )
    .where("r.constellation", "=", constellation)
    .where("r.subject", "=", subject)
    .where((is) => is(is.fn<string>("substr", ["r.key", is.val(1), is.val(begins.length)]), "=", begins));
  return db
    .selectFrom(numbered.as("n"))
    .leftJoin("mesh_streams as s", (join) =>
      join.onRef("s.constellation", "=", "n.constellation").onRef("s.peer", "=", "n.peer"),
    )
    .select(["n.constellation", "n.peer", "n.subject", "n.key", "n.data", "n.heard_ms", "s.known_ms"])
    .where("n.place", "<=", mostOfOne)
    .orderBy("n.heard_ms", "desc")
    .orderBy("n.peer")
    .orderBy("n.key")
    .execute();
}

export function toldRows(db: Db, of: OfEntry): Promise<{ subject: string; key: string; digest: string }[]> {
  return db
    .selectFrom("mesh_told")
    .select(["subject", "key", "digest"])
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .execute();
}

export async function noteTold(
  tx: Tx,
  of: OfEntry,
  row: { readonly subject: string; readonly key: string; readonly digest: string | null },
): Promise<void> {
  const { constellation, entry } = of;
  const { subject, key, digest } = row;
  await tx.db
    .deleteFrom("mesh_told")
    .where("constellation", "=", constellation)
    .where("entry", "=", entry)
    .where("subject", "=", subject)
    .where("key", "=", key)
    .execute();
  if (digest !== null) await tx.insert("mesh_told", { constellation, entry, subject, key, digest });
}

export async function forgetTold(tx: Tx, of: OfEntry): Promise<void> {
  await tx.db
    .deleteFrom("mesh_told")
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .execute();
}

/** Our name for the peer is another one now. */
export async function renamePeerRows(tx: Tx, of: OfEntry & { readonly peer: string }, name: string): Promise<void> {
  await changeStream(tx, of, { peer: name });
  await tx.db
    .updateTable("mesh_rows")
    .set({ peer: name })
    .where("constellation", "=", of.constellation)
    .where("peer", "=", of.peer)
    .execute();
}

/** Everything of one admission: after it ended, nothing of it is sent, done or shown. */
export async function forgetEntry(tx: Tx, of: OfEntry & { readonly peer: string }): Promise<void> {
  for (const table of ["mesh_streams", "mesh_outbox", "mesh_told"] as const)
    await tx.db.deleteFrom(table).where("constellation", "=", of.constellation).where("entry", "=", of.entry).execute();
  await tx.db
    .updateTable("mesh_arrivals")
    .set({ state: "refused", problem: "the peer was evicted", body: "", done_ms: tx.nowMs })
    .where("constellation", "=", of.constellation)
    .where("entry", "=", of.entry)
    .where("state", "=", "waiting")
    .execute();
  await tx.db
    .deleteFrom("mesh_rows")
    .where("constellation", "=", of.constellation)
    .where("peer", "=", of.peer)
    .execute();
}
