// Every question the audit asks of the database, and the one note it keeps there: that heads were anchored. When that note is
// there and the file of heads is not, somebody took the file away.

import type { Kysely, Selectable } from "kysely";
import type { Store } from "../../store/open.ts";
import type { Tables } from "../../store/tables.ts";
import type { ChainHeadsTable, EventSignaturesTable, EventsTable } from "../../store/tables/timeline.ts";

type Mark = "anchored";

/** The first head was anchored: from now on a missing file of heads is a finding. */
export const noteAnchored = (store: Store, constellation: string): Promise<void> =>
  note(store, "anchored", constellation);

export async function isNoted(db: Kysely<Tables>, mark: Mark, constellation: string): Promise<boolean> {
  const row = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", keyOf(mark, constellation))
    .executeTakeFirst();
  return row !== undefined;
}

async function note(store: Store, mark: Mark, constellation: string): Promise<void> {
  if (await isNoted(store.db, mark, constellation)) return;
  await store.write(async (tx) => {
    await tx.db
      .insertInto("meta")
      .values({ key: keyOf(mark, constellation), value: String(tx.nowMs) })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .execute();
  });
}

const keyOf = (mark: Mark, constellation: string): string => `${mark}:${constellation}`;

type Db = Kysely<Tables>;

/** Returns the head of the chain. Undefined before the first event. */
export function chainHead(db: Db, constellation: string): Promise<Selectable<ChainHeadsTable> | undefined> {
  return db.selectFrom("chain_heads").selectAll().where("constellation", "=", constellation).executeTakeFirst();
}

/** The next events after `after`, up to `last`. */
export function eventsAfter(
  db: Db,
  constellation: string,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): Promise<EventsTable[]> {
  return db
    .selectFrom("events")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("seq", ">", after)
    .where("seq", "<=", last)
    .orderBy("seq")
    .limit(limit)
    .execute();
}

/** The first event that was signed; null while none was. */
export async function signingBegan(db: Db, constellation: string): Promise<number | null> {
  const row = await db
    .selectFrom("chain_heads")
    .select("signed_since")
    .where("constellation", "=", constellation)
    .executeTakeFirst();
  return row?.signed_since ?? null;
}

export async function countSignatures(db: Db, constellation: string): Promise<number> {
  const row = await db
    .selectFrom("event_signatures")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("constellation", "=", constellation)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Those that reach into these events, and the one that begins in them and reaches further. */
export function signaturesUpTo(
  db: Db,
  constellation: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<EventSignaturesTable[]> {
  return db
    .selectFrom("event_signatures")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("last_seq", ">=", from)
    .where("first_seq", "<=", to)
    .orderBy("last_seq")
    .execute();
}

export function newestSignature(db: Db, constellation: string): Promise<EventSignaturesTable | undefined> {
  return db
    .selectFrom("event_signatures")
    .selectAll()
    .where("constellation", "=", constellation)
    .orderBy("last_seq", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The newest event that says that something acknowledged was missing when the database was opened. */
export async function lossTold(db: Db, constellation: string): Promise<number | null> {
  const row = await db
    .selectFrom("events")
    .select("seq")
    .where("constellation", "=", constellation)
    .where("type", "=", "store.writes-missing")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? null;
}

/** Returns the time at which the first signed event was appended. */
export async function signingBeganMs(db: Db, constellation: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("event_signatures")
    .select("at_ms")
    .where("constellation", "=", constellation)
    .orderBy("last_seq")
    .limit(1)
    .executeTakeFirst();
  return row?.at_ms;
}

/** From the first signature of events that is there to the last. */
export async function signedSpanMs(db: Db, constellation: string): Promise<number> {
  const row = await db
    .selectFrom("event_signatures")
    .select((eb) => [eb.fn.min("at_ms").as("first"), eb.fn.max("at_ms").as("last")])
    .where("constellation", "=", constellation)
    .executeTakeFirst();
  return Number(row?.last ?? 0) - Number(row?.first ?? 0);
}

/** Returns the time at which the oldest event that is still there was appended, and whether older ones were let go. */
export async function oldestEvent(
  db: Db,
  constellation: string,
): Promise<{ readonly at_ms: number; readonly isFirst: boolean } | undefined> {
  const row = await db
    .selectFrom("events")
    .select(["seq", "at_ms"])
    .where("constellation", "=", constellation)
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { at_ms: row.at_ms, isFirst: row.seq === 1 };
}

const pageRows = 500;

/** The rows of a table that carries signatures, a page at a time by their id. */
export async function* signedRows<
  Table extends "decisions" | "claims" | "approvals" | "tokens" | "task_reviews" | "mesh_peers" | "signed_directives",
>(db: Db, constellation: string, table: Table): AsyncGenerator<Tables[Table]> {
  for (let last = ""; ;) {
    const page = (await (db as Kysely<Pick<Tables, "decisions">>)
      .selectFrom(table as "decisions")
      .selectAll()
      .where("constellation", "=", constellation)
      .where("id", ">", last)
      .orderBy("id")
      .limit(pageRows)
      .execute()) as unknown as Tables[Table][];
    yield* page;
    if (page.length < pageRows) return;
    last = page.at(-1)?.id ?? last;
  }
}

/** Returns the id of each decision, claim, approval, token or directive, with the time when the timeline last said something about it. */
export async function lastSaid(db: Db, constellation: string, kind: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("events")
    .select(["subject", (eb) => eb.fn.max("at_ms").as("at_ms")])
    .where("constellation", "=", constellation)
    .where("subject", "like", `${kind}:%`)
    .where("type", "like", kind === "directive" ? "owner.directed" : `${kind}.%`)
    .groupBy("subject")
    .execute();
  return new Map(rows.map(({ subject, at_ms }) => [String(subject).slice(kind.length + 1), Number(at_ms)]));
}

/** The settings that were last on the record, as a mark of each. */
export async function lastSettings(
  db: Kysely<Tables>,
  constellation: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const last = await db
    .selectFrom("events")
    .select("data")
    .where("constellation", "=", constellation)
    .where("type", "=", "settings.changed")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  try {
    return (JSON.parse(last?.data ?? "{}") as { marks?: Record<string, string> }).marks;
  } catch {
    return undefined; // somebody was at the database: `audit verify` tells
  }
}
