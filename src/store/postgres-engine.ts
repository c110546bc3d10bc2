// Postgres behind the store: one reserved connection that writes, a small read-only pool beside it, and LISTEN for commits
// of other daemons over the same database.

import type { Kysely, QueryResult } from "kysely";
import type { Clock } from "../ports/machine.ts";
import type { Engine, Head, LockedHead, Writer } from "./engine.ts";
import { leaseLost } from "./lease.ts";
import { type Executor, kyselyOver } from "./one-connection.ts";
import { type PostgresClient } from "./postgres-client.ts";
import { PostgresHints } from "./postgres-hints.ts";
import { listenFor } from "./postgres-listen.ts";
import { holdConstellation } from "./postgres-lease.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { readsOver } from "./postgres-reads.ts";
import type { Tables } from "./tables.ts";
import { genesisHash } from "./timeline.ts";

/** Readers at once. The writer has its own connection, and so has LISTEN. */
const readers = 8;
const channel = "constel_events";

export async function postgresEngine(url: string, clock: Clock): Promise<Engine> {
  const writing = new PostgresPool(url, { max: 1 });
  const reading = new PostgresPool(url, { max: readers, readOnly: true });
  const ending = new AbortController();
  const hints = new PostgresHints(url, channel, clock);
  const end = async (): Promise<void> => {
    ending.abort();
    await Promise.all([writing.end(), reading.end(), hints.end()]);
  };
  let fence: Fence | undefined;
  const writer = postgresWriter(writing, hints, () => fence);
  try {
    writing.giveBack(await writing.take());
    return {
      dialect: "postgres",
      reads: readsOver(reading, url),
      writer,
      async hold(constellation, wish) {
        const lease = await holdConstellation(url, constellation, clock, wish);
        fence = { constellation, epoch: lease.epoch };
        return lease;
      },
      async listen(heard, connected) {
        const told = (payload: string): void => {
          const [seq = "", ...name] = payload.split(" ");
          heard(name.join(" "), Number(seq));
        };
        await listenFor({ url, channel, heard: told, connected, clock, signal: ending.signal });
      },
      close: end,
    };
  } catch (cause) {
    await end();
    throw cause;
  }
}

/** Reading only, for a process that is not the daemon. */
export async function postgresSnapshot(
  url: string,
): Promise<{ dialect: "postgres"; db: Kysely<Tables>; close(): Promise<void> }> {
  const reading = new PostgresPool(url, { max: 1, readOnly: true });
  reading.giveBack(await reading.take());
  return { dialect: "postgres", db: readsOver(reading, url), close: () => reading.end() };
}

export interface Held {
  /** Runs one statement; with parameters, prepared. */
  run(sql: string, parameters?: readonly unknown[]): Promise<HeldResult>;
}

export interface HeldResult {
  readonly rows: readonly unknown[];
  readonly count: number;
  readonly command: string;
}

export function postgresExecutor(held: () => Held): Executor {
  return {
    async execute<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
      const { rows, count } = await held().run(sql, parameters);
      return { rows: rows as R[], numAffectedRows: BigInt(count) };
    },
  };
}

export async function runOn(
  client: PostgresClient,
  text: string,
  parameters?: readonly unknown[],
): Promise<HeldResult> {
  const result = await client.ask((sql) =>
    parameters === undefined ? sql.unsafe(text) : sql.unsafe(text, [...parameters] as never[], { prepare: true }),
  );
  return { rows: [...result], count: result.count ?? 0, command: result.command };
}

/** The lease under which this daemon writes. */
interface Fence {
  readonly constellation: string;
  readonly epoch: number;
}

/** Each transaction takes the connection anew, so that one that was lost is made again for the next. */
function postgresWriter(pool: PostgresPool, hints: PostgresHints, fence: () => Fence | undefined): Writer {
  let held: PostgresClient | undefined;
  /** The chain that the open transaction made longer. */
  let extended: { readonly constellation: string; readonly head: Head } | undefined;
  const current: Held = {
    async run(sql, parameters) {
      if (held === undefined) throw new Error("the transaction of this job is over");
      return runOn(held, sql, parameters);
    },
  };
  const leave = (): void => {
    if (held !== undefined) pool.giveBack(held);
    held = undefined;
  };
  const run = async (sql: string): Promise<void> => void (await current.run(sql));
  const plain = postgresExecutor(() => current);
  const inside: Executor = {
    async execute(sql, parameters) {
      if (!sql.startsWith("select")) writer.untouched = false;
      try {
        return await plain.execute<never>(sql, parameters);
      } catch (cause) {
        // A failed statement spoils the whole transaction up to the last savepoint, reads included.
        writer.untouched = false;
        throw cause;
      }
    },
  };
  const writer: Writer = {
    db: kyselyOver<Tables>({ dialect: "postgres", executor: inside, transactions: false }),
    untouched: true,
    async begin() {
      held = await pool.take();
      extended = undefined;
      await run(held.begin);
    },
    async commit() {
      const { command } = await current.run("commit");
      // Postgres answers a commit of a spoiled transaction by rolling it back, without an error.
      if (command !== "COMMIT") throw new Error("the transaction was rolled back instead of committed");
      leave();
      if (extended !== undefined) hints.committed(extended.constellation, extended.head);
    },
    async rollback() {
      if (held === undefined) return;
      try {
        await run("rollback");
      } catch {
        // The connection is gone, and the transaction with it.
      } finally {
        leave();
      }
    },
    savepoint: () => run("savepoint job"),
    release: () => run("release savepoint job"),
    rollbackToSavepoint: () => run("rollback to savepoint job; release savepoint job"),
    async lockHead(constellation) {
      const select = "select seq, hash, signed_since, epoch from chain_heads where constellation = $1 for update";
      const found = await plain.execute<LockedHead & { epoch: number }>(select, [constellation]);
      const row = found.rows[0];
      const held = fence();
      // The row is locked: nobody takes over between this look and the commit.
      if (held?.constellation === constellation && row?.epoch !== held.epoch)
        throw leaseLost(constellation, held.epoch);
      if (row !== undefined) return { seq: row.seq, hash: row.hash, signed_since: row.signed_since };
      await plain.execute(
        `insert into chain_heads (constellation, seq, hash, pruned_seq, pruned_hash) values ($1, 0, $2, 0, $2)
          on conflict (constellation) do nothing`,
        [constellation, genesisHash],
      );
      // Another daemon may have added it at the same time and moved on since.
      const added = await plain.execute<LockedHead>(select, [constellation]);
      return added.rows[0] ?? { seq: 0, hash: genesisHash, signed_since: null };
    },
    async append(events, head, signature) {
      const constellation = events[0]?.constellation ?? "";
      // One statement and one parameter for any number of events, their signature with them.
      await plain.execute(
        `with signed as (
          insert into event_signatures (constellation, first_seq, last_seq, since_seq, at_ms, sig)
          select constellation, first_seq, last_seq, since_seq, at_ms, sig
          from json_to_recordset($5::text::json) as row(constellation text, first_seq bigint, last_seq bigint,
            since_seq bigint, at_ms bigint, sig text)),
        appended as (
          insert into events (seq, id, constellation, at_ms, type, subject, actor, data, prev_hash, hash)
          select seq, id, constellation, at_ms, type, subject, actor, data, prev_hash, hash
          from json_to_recordset($1::text::json) as row(seq bigint, id text, constellation text, at_ms bigint, type text,
            subject text, actor text, data text, prev_hash text, hash text))
        update chain_heads set seq = $2, hash = $3, signed_since = coalesce(signed_since, $6) where constellation = $4`,
        [
          JSON.stringify(events),
          head.seq,
          head.hash,
          constellation,
          JSON.stringify(signature === undefined ? [] : [signature]),
          signature?.since_seq ?? null,
        ],
      );
      extended = { constellation, head };
    },
    async insert(table, row) {
      writer.untouched = false;
      const columns = Object.keys(row);
      const quoted = columns.map((column) => `"${column}"`).join(", ");
      const places = columns.map((_, index) => `$${index + 1}`).join(", ");
      await plain.execute(`insert into "${table}" (${quoted}) values (${places})`, Object.values(row));
    },
  };
  return writer;
}
