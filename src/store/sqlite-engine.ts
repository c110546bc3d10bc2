// SQLite behind the store: a writing connection and a read-only one beside it, on one file in WAL mode. Everything here is
// synchronous, so nothing can come between a batch's statements but its own jobs.

import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { Engine, LockedHead, Writer } from "./engine.ts";
import { writeCounter } from "./database-head.ts";
import { type Executor, kyselyOver } from "./one-connection.ts";
import { executorOver, openForReading } from "./sqlite-connection.ts";
import type { Tables } from "./tables.ts";
import type { EventSignaturesTable } from "./tables/timeline.ts";
import { isTurnOver, nextTurn } from "../ports/turns.ts";
import { genesisHash } from "./timeline.ts";

/** Takes over a connection that has been checked and migrated. */
export function sqliteEngine(path: string, writing: Database): Engine {
  const reading = openForReading(path);
  // From here on a lock is not waited for inside SQLite, which would stop the whole program: the group commit retries.
  writing.run("pragma busy_timeout = 0");
  return {
    dialect: "sqlite",
    reads: kyselyOver<Tables>({ dialect: "sqlite", executor: inTurns(executorOver(reading)), transactions: true }),
    writer: sqliteWriter(writing),
    async close() {
      reading.close();
      emptyLog(writing);
      writing.close();
    },
  };
}

/**
 * Nothing is left to write back when we are gone: SQLite keeps a closed connection alive while a statement of it waits for the
 * garbage collector, and would write its log into the file at some later moment, over whatever was put there meanwhile.
 */
function emptyLog(database: Database): void {
  try {
    database.run("pragma wal_checkpoint(truncate)");
  } catch {
    // Somebody else is reading or writing: the last one to close does it.
  }
}

function sqliteWriter(database: Database): Writer {
  const begin = database.prepare("begin immediate");
  const commit = database.prepare("commit");
  const savepoint = database.prepare("savepoint job");
  const release = database.prepare("release job");
  const rollbackTo = database.prepare("rollback to job");
  const head = database.prepare<LockedHead, [string]>(
    "select seq, hash, signed_since from chain_heads where constellation = ?",
  );
  const moveHead = database.prepare("update chain_heads set seq = ?, hash = ? where constellation = ?");
  const addHead = database.prepare(
    "insert into chain_heads (constellation, seq, hash, pruned_seq, pruned_hash) values (?, 0, ?, 0, ?)",
  );
  const append = database.prepare(
    "insert into events (seq, id, constellation, at_ms, type, subject, actor, data, prev_hash, hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const sign = database.prepare(
    "insert into event_signatures (constellation, first_seq, last_seq, since_seq, at_ms, sig) values (?, ?, ?, ?, ?, ?)",
  );
  const beginSigning = database.prepare(
    "update chain_heads set signed_since = ? where constellation = ? and signed_since is null",
  );
  const addSignature = ({ constellation, first_seq, last_seq, since_seq, at_ms, sig }: EventSignaturesTable): void => {
    sign.run(constellation, first_seq, last_seq, since_seq, at_ms, sig);
    if (first_seq === since_seq) beginSigning.run(since_seq, constellation);
  };
  const changed = database.prepare<{ n: number }, []>("select total_changes() as n");
  const count = writeCounter(database);
  let changesBefore = 0;
  const touch = (): void => {
    writer.untouched = false;
  };
  const writer: Writer = {
    db: kyselyOver<Tables>({ dialect: "sqlite", executor: insideTransaction(database, touch), transactions: false }),
    untouched: true,
    begin() {
      begin.run();
      changesBefore = changed.get()?.n ?? 0;
    },
    commit: () => void commit.run(),
    rollback() {
      // SQLite rolls back by itself on some failures (disk full, I/O error).
      if (database.inTransaction) database.run("rollback");
    },
    savepoint: () => void savepoint.run(),
    release: () => void release.run(),
    rollbackToSavepoint() {
      rollbackTo.run();
      release.run();
    },
    lockHead(constellation) {
      const row = head.get(constellation);
      if (row !== null) return row;
      addHead.run(constellation, genesisHash, genesisHash);
      return { seq: 0, hash: genesisHash, signed_since: null };
    },
    append(events, last, signature) {
      // Each by name: a list that is spread costs a tenth of the insert.
      for (const { seq, id, constellation, at_ms, type, subject, actor, data, prev_hash, hash } of events)
        append.run(seq, id, constellation, at_ms, type, subject, actor, data, prev_hash, hash);
      const first = events[0];
      if (first !== undefined) moveHead.run(last.seq, last.hash, first.constellation);
      if (signature !== undefined) addSignature(signature);
    },
    // A transaction that changed nothing costs no sync, and must not begin to.
    countWrites: (jobs) => (jobs === 0 || changed.get()?.n === changesBefore ? undefined : count(jobs)),
    insert: insertInto(database, touch),
  };
  return writer;
}

/** A job's handle that outlived its transaction must not write outside of one. */
function insideTransaction(database: Database, touch: () => void): Executor {
  const inner = executorOver(database);
  return inTurns({
    execute(sql, parameters) {
      if (!database.inTransaction) throw new Error("the transaction of this job is over");
      if (!sql.startsWith("select")) touch();
      return inner.execute(sql, parameters);
    },
  });
}

/** A verb or a round asks one question after the other; when that took long, those who came meanwhile have a turn before the next. */
function inTurns(executor: Executor): Executor {
  return {
    execute: (sql, parameters) =>
      isTurnOver() ? nextTurn().then(() => executor.execute(sql, parameters)) : executor.execute(sql, parameters),
  };
}

interface ReadyInsert {
  readonly columns: readonly string[];
  readonly statement: ReturnType<Database["prepare"]>;
}

function insertInto(database: Database, touch: () => void): Writer["insert"] {
  const ready = new Map<string, ReadyInsert[]>();
  return (table, row) => {
    touch();
    const columns = Object.keys(row);
    // A table's rows nearly always come with the same columns in the same order.
    const known = ready.get(table)?.find((insert) => isSame(insert.columns, columns));
    const { statement } = known ?? prepareInsert(table, columns);
    statement.run(...(Object.values(row) as SQLQueryBindings[]));
  };

  function prepareInsert(table: string, columns: readonly string[]): ReadyInsert {
    const quoted = columns.map((column) => `"${column}"`).join(", ");
    const places = columns.map(() => "?").join(", ");
    const insert = { columns, statement: database.prepare(`insert into "${table}" (${quoted}) values (${places})`) };
    ready.set(table, [...(ready.get(table) ?? []), insert]);
    return insert;
  }
}

function isSame(known: readonly string[], columns: readonly string[]): boolean {
  if (known.length !== columns.length) return false;
  for (let index = 0; index < known.length; index++) if (known[index] !== columns[index]) return false;
  return true;
}
