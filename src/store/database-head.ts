// The head of the SQLite database, kept in a file outside of it: how many writes were acknowledged and where the timeline
// stood. The database is never behind it unless something that was acknowledged is gone. A head without a database means that
// there was one. head-watch.ts says when it is written; where it is kept is the caller's (app/head-file.ts). This file
// compares the two and says what is missing.

import type { Database } from "bun:sqlite";
import { counted } from "../protocol/counted.ts";
import { Refusal } from "../protocol/errors.ts";
import { newestGoodBackup } from "./backup.ts";

export interface DatabaseHead {
  readonly constellation: string;
  /** Jobs that wrote something and were acknowledged, since the database began to count them. */
  readonly writes: number;
  /** The last event of the timeline, and its hash. */
  readonly seq: number;
  readonly hash: string;
}

export interface HeadKeeper {
  /** Undefined where no head of this database was ever kept; `unreadable` where one was and cannot be understood. */
  read(): DatabaseHead | "unreadable" | undefined;
  /** Durable when it returns. */
  write(head: DatabaseHead): void;
  /** Durable when it resolves; does not hold up the caller meanwhile. */
  put(head: DatabaseHead): Promise<void>;
  close(): void;
}

/** The writes and events that the head names and the database does not hold. Undefined when nothing is missing. */
export interface Missing {
  readonly writes: number;
  readonly events: number;
  /** The head's own event is in the database with another content. */
  readonly otherHistory: boolean;
}

const writesKey = "writes";
const lossKey = "writes-missing";

/** One update a commit: cheap beside the rows that it counts. Answers the new count. */
export function writeCounter(database: Database): (jobs: number) => number {
  const add = database.prepare<{ value: string }, [number, string]>(
    "update meta set value = cast(value as integer) + ? where key = ? returning value",
  );
  const begin = database.prepare("insert into meta (key, value) values (?, ?)");
  return (jobs) => {
    const row = add.get(jobs, writesKey);
    if (row !== null) return Number(row.value);
    begin.run(writesKey, String(jobs));
    return jobs;
  };
}

/** Returns where the database itself stands. */
export function headOf(database: Database, constellation: string): DatabaseHead {
  const chain = database
    .query<{ seq: number; hash: string }, [string]>("select seq, hash from chain_heads where constellation = ?")
    .get(constellation);
  return { constellation, writes: writesOf(database), seq: chain?.seq ?? 0, hash: chain?.hash ?? "" };
}

/** None is counted before the first. */
function writesOf(database: Database): number {
  const row = database.query<{ value: string }, [string]>("select value from meta where key = ?").get(writesKey);
  return Number(row?.value ?? 0);
}

export function missingFrom(database: Database, head: DatabaseHead | "unreadable" | undefined): Missing | undefined {
  if (head === undefined || head === "unreadable") return undefined;
  const { seq } = headOf(database, head.constellation);
  const writes = Math.max(0, head.writes - writesOf(database));
  const events = Math.max(0, head.seq - seq);
  const otherHistory = events === 0 && head.seq > 0 && isAnother(database, head);
  return writes > 0 || events > 0 || otherHistory ? { writes, events, otherHistory } : undefined;
}

/** Tells whether the event that the head names is there with another hash. An event that was pruned says nothing. */
function isAnother(database: Database, head: DatabaseHead): boolean {
  const row = database
    .query<{ hash: string }, [string, number]>("select hash from events where constellation = ? and seq = ?")
    .get(head.constellation, head.seq);
  return row !== null && row.hash !== head.hash;
}

/** Our tables, and nothing was ever written to them. */
export function isEmpty(database: Database): boolean {
  return writesOf(database) === 0 && database.query("select 1 from chain_heads where seq > 0").get() === null;
}

export function tellMissing({ writes, events, otherHistory }: Missing): string {
  if (otherHistory)
    return "the timeline is not the one that was acknowledged: its last known event has another content";
  const lost =
    writes === 1 ? "the last acknowledged write is" : `the last ${counted(writes, "acknowledged write")} are`;
  return events === 0 ? `${lost} missing` : `${lost} missing (${counted(events, "event")} of the timeline with them)`;
}

/** A loss that was seen when the database was opened, kept in it so that doctor can tell of it later. */
export interface SeenLoss extends Missing {
  readonly atMs: number;
}

export function rememberLoss(database: Database, loss: SeenLoss): void {
  database
    .query("insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value")
    .run(lossKey, JSON.stringify(loss));
}

export function seenLoss(database: Database): SeenLoss | undefined {
  const row = database.query<{ value: string }, [string]>("select value from meta where key = ?").get(lossKey);
  return row === null ? undefined : (JSON.parse(row.value) as SeenLoss);
}

/** Says why an empty database must not be begun here. Undefined if there never was one. */
export function lostDatabase(
  path: string,
  backupDirectory: string,
  head: ReturnType<HeadKeeper["read"]>,
): Refusal | undefined {
  const backup = newestGoodBackup(backupDirectory);
  if (head === undefined && backup === undefined) return undefined;
  const sign =
    head === undefined
      ? "there are backups of one"
      : head === "unreadable"
        ? "its head file is there"
        : `${counted(head.writes, "write")} had been acknowledged`;
  const advice =
    backup === undefined
      ? `there is no good backup in ${backupDirectory}`
      : `the newest good backup is ${backup.file} (schema ${backup.version})`;
  return new Refusal(
    "store.lost",
    `${path} is gone or empty, but this home had a database: ${sign}. Nothing was begun; ${advice}`,
    { path, backup: backup?.path ?? null },
    backup === undefined
      ? undefined
      : `Restore it with \`constel db restore ${backup.file}\`, or put the file back. To begin an empty one: \`constel db begin\`.`,
  );
}
