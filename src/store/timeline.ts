// The timeline: ordered events, chained by hash from the first row, one chain per constellation.
//
// hash = sha256, in hex, of the UTF-8 bytes of the JSON array
//   [prev_hash, constellation, seq, id, at_ms, type, subject, actor, data]
// written without spaces, where seq and at_ms are whole numbers, subject may be null, and data is the stored text itself
// (a JSON string holding JSON). JSON.stringify of such an array has exactly one form, so any language can check it.
// The first event's prev_hash is 64 zeros. seq starts at 1 and has no gaps.

import type { CompiledQuery, Kysely } from "kysely";
import { makeId } from "../protocol/ids.ts";
import type { Random } from "../ports/machine.ts";
import type { Head } from "./engine.ts";
import { runReady } from "./one-connection.ts";
import type { Tables } from "./tables.ts";
import type { EventsTable } from "./tables/timeline.ts";

export interface NewEvent {
  /** Past tense: `task.dispatched`. */
  readonly type: string;
  /** The thing it is about: `task:12`, `agent:agent3`. */
  readonly subject?: string | undefined;
  /** The one who did it: `owner`, `agent3`, `daemon`. */
  readonly actor: string;
  readonly data?: object | undefined;
}

/** An event as it stands in the timeline. `data` is what its JSON says, not the object that was given. */
export interface StoredEvent extends Omit<EventsTable, "data"> {
  readonly data: Readonly<Record<string, unknown>>;
}

export const genesisHash = "0".repeat(64);

export function chainHash(row: Omit<EventsTable, "hash">): string {
  const { prev_hash, constellation, seq, id, at_ms, type, subject, actor, data } = row;
  const text = JSON.stringify([prev_hash, constellation, seq, id, at_ms, type, subject, actor, data]);
  return Bun.CryptoHasher.hash("sha256", text, "hex");
}

/** The row that follows `head`. Pure but for the id. */
export function nextRow(
  event: NewEvent,
  head: Head,
  context: { constellation: string; nowMs: number; random: Random },
): EventsTable {
  const row = {
    seq: head.seq + 1,
    id: makeId("evt", context.nowMs, context.random.bytes(10)),
    constellation: context.constellation,
    at_ms: context.nowMs,
    type: plain("type", event.type),
    subject: event.subject === undefined ? null : plain("subject", event.subject),
    actor: plain("actor", event.actor),
    data: event.data === undefined ? "{}" : JSON.stringify(event.data),
    prev_hash: head.hash,
    hash: "",
  };
  row.hash = chainHash(row);
  return row;
}

/** Text that both databases store unchanged; otherwise the chain would not verify. */
function plain(field: string, text: string): string {
  if (text === "" || text.includes("\0") || !text.isWellFormed()) {
    throw new Error(`an event's ${field} must be plain, non-empty text: ${JSON.stringify(text)}`);
  }
  return text;
}

/** Most who append never ask for the data again, so it is read from its text when somebody does. */
export function storedEvent(row: EventsTable): StoredEvent {
  const { seq, id, constellation, at_ms, type, subject, actor, prev_hash, hash } = row;
  let data: StoredEvent["data"] | undefined;
  return {
    seq,
    id,
    constellation,
    at_ms,
    type,
    subject,
    actor,
    get data() {
      return (data ??= dataOf(row));
    },
    prev_hash,
    hash,
  };
}

const dataOf = ({ data }: EventsTable): Record<string, unknown> =>
  data === "{}" ? {} : (JSON.parse(data) as Record<string, unknown>);

export interface EventsQuery {
  readonly constellation?: string | undefined;
  /** Only events after this one. Default 0: from the beginning. */
  readonly afterSeq?: number | undefined;
  readonly limit: number;
  readonly type?: string | undefined;
  readonly subject?: string | undefined;
  /** The last `limit` events instead of the first ones. */
  readonly newestFirst?: boolean;
}

/** Events in the order of their chain, or its reverse. Order is by seq, never by time: clocks jump. */
export async function readEvents(db: Kysely<Tables>, query: EventsQuery): Promise<StoredEvent[]> {
  const { constellation, afterSeq = 0, limit, type, subject } = query;
  // In the order in which the statement names them.
  const parameters = [afterSeq, constellation, type, subject, limit].filter((value) => value !== undefined);
  const statement = statementFor(db, query);
  const { rows } = await (runReady<EventsTable>(db, { sql: statement.sql, parameters }) ??
    db.executeQuery<EventsTable>({ ...statement, parameters }));
  // Nobody else has these rows: what their text says takes its place, without a copy of each.
  for (const row of rows) (row as { data: unknown }).data = dataOf(row);
  return rows as unknown as StoredEvent[];
}

/** Asked for at every look at the timeline; building a statement takes longer than running it, so each is built once. */
const statements = new WeakMap<Kysely<Tables>, Map<string, CompiledQuery<EventsTable>>>();

function statementFor(db: Kysely<Tables>, query: EventsQuery): CompiledQuery<EventsTable> {
  const ofDatabase = statements.get(db) ?? new Map<string, CompiledQuery<EventsTable>>();
  statements.set(db, ofDatabase);
  const { constellation, type, subject, newestFirst } = query;
  const shape = [constellation, type, subject].map((value) => value !== undefined).join() + (newestFirst === true);
  const known = ofDatabase.get(shape);
  if (known !== undefined) return known;
  let select = db
    .selectFrom("events")
    .selectAll()
    .where("seq", ">", 0)
    .orderBy("constellation")
    .orderBy("seq", newestFirst === true ? "desc" : "asc")
    .limit(1);
  if (constellation !== undefined) select = select.where("constellation", "=", constellation);
  if (type !== undefined) select = select.where("type", "=", type);
  if (subject !== undefined) select = select.where("subject", "=", subject);
  const built = select.compile();
  ofDatabase.set(shape, built);
  return built;
}

export type ChainVerdict =
  | {
      readonly ok: true;
      /** Events that there are. */
      readonly count: number;
      /** Events that were read: all of them, or the newest. */
      readonly checked: number;
      /** Events before them that were let go of (`retention.events_days`). */
      readonly pruned: number;
      /** The head where it begins now: the last of those, or the start. */
      readonly begins: Head;
      readonly head: Head;
    }
  | { readonly ok: false; readonly seq: number; readonly why: string };

/** Says what else is wrong with a row. Undefined when nothing is. */
export type RowCheck = (row: EventsTable) => string | undefined;

const pageRows = 1000;

/**
 * Reads the chain from its start, a page at a time, and finds the first event that is not what was appended. With `newest` it reads
 * only so many from its end, which takes the same time however long the chain is.
 */
export async function verifyChain(
  db: Kysely<Tables>,
  constellation: string,
  {
    newest = Infinity,
    check = () => undefined,
    before,
  }: {
    readonly newest?: number;
    readonly check?: RowCheck;
    /** Called before each page with the first and the last of its events: whatever else is to be read for the checks. */
    readonly before?: (firstSeq: number, lastSeq: number) => Promise<void>;
  } = {},
): Promise<ChainVerdict> {
  const head = await db
    .selectFrom("chain_heads")
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("events")
        .select((e) => e.fn.max("seq").as("last"))
        .where("events.constellation", "=", constellation)
        .as("last"),
    )
    .where("constellation", "=", constellation)
    .executeTakeFirst();
  if (head === undefined) {
    const stray = await db
      .selectFrom("events")
      .select("seq")
      .where("constellation", "=", constellation)
      .orderBy("seq")
      .limit(1)
      .executeTakeFirst();
    if (stray !== undefined) return broken(stray.seq, "the chain has events but its head is gone");
    const start = { seq: 0, hash: genesisHash };
    return { ok: true, count: 0, checked: 0, pruned: 0, head: start, begins: start };
  }
  if ((head.last ?? 0) > head.seq) return broken(head.seq + 1, "there are events past the chain's head");
  let seq = head.pruned_seq;
  let hash = head.pruned_hash;
  if (head.seq - newest > seq) {
    seq = head.seq - newest;
    const before = await db
      .selectFrom("events")
      .select("hash")
      .where("constellation", "=", constellation)
      .where("seq", "=", seq)
      .executeTakeFirst();
    if (before === undefined) return broken(seq, "missing");
    hash = before.hash;
  }
  const from = seq;
  while (seq < head.seq) {
    const page = await db
      .selectFrom("events")
      .selectAll()
      .where("constellation", "=", constellation)
      .where("seq", ">", seq)
      .where("seq", "<=", head.seq)
      .orderBy("seq")
      .limit(pageRows)
      .execute();
    if (page.length === 0) return broken(seq + 1, `missing: the chain ends before its head at ${head.seq}`);
    await before?.(page[0]?.seq ?? 0, page.at(-1)?.seq ?? 0);
    for (const row of page) {
      if (row.seq !== seq + 1) return broken(seq + 1, `missing: the next event there is ${row.seq}`);
      if (row.prev_hash !== hash) return broken(row.seq, "does not follow the event before it");
      if (row.hash !== chainHash(row)) return broken(row.seq, "its content is not what was appended");
      const wrong = check(row);
      if (wrong !== undefined) return broken(row.seq, wrong);
      seq = row.seq;
      hash = row.hash;
    }
    // SQLite answers at once: without this, a long chain would keep a daemon from everybody else.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (hash !== head.hash) return broken(head.seq, "the chain's head names another event");
  const count = head.seq - head.pruned_seq;
  return {
    ok: true,
    count,
    checked: head.seq - from,
    pruned: head.pruned_seq,
    head: { seq: head.seq, hash },
    begins: { seq: head.pruned_seq, hash: head.pruned_hash },
  };
}

function broken(seq: number, why: string): ChainVerdict {
  return { ok: false, seq, why };
}
