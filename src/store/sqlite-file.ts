// Opens the database file for writing, or says what is wrong with it. Nothing is ever created over something that cannot be
// read: a damaged file is left exactly as it is, and the newest good backup is named.

import type { Database } from "bun:sqlite";
import { closeSync, constants, existsSync, lstatSync, openSync, readSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { TrustedDirectory } from "../files/trusted-directory.ts";
import { messageOf, Outage, Refusal, systemCode } from "../protocol/errors.ts";
import { newestGoodBackup } from "./backup.ts";
import { isCorruption } from "./errors.ts";
import type { Applied, History } from "./migrate.ts";
import { openForReading, openForWriting } from "./sqlite-connection.ts";
import { writtenByKey } from "./written-by.ts";

const header = "SQLite format 3\0";

interface Refusing {
  /** Says why an empty database must not be begun where there is none. */
  readonly lost: () => Refusal | undefined;
  /** Says why a database that is there is not ours. */
  readonly foreign: (database: Database) => Refusal | undefined;
}

export function openSoundFile(path: string, backupDirectory: string, { lost, foreign }: Refusing): Database {
  const state = stateOf(path);
  if (state === "link") throw new Refusal("path.symlink", `${path} is a symbolic link`, { path });
  if (state === "lost") throw damaged(path, backupDirectory, "the file is gone but its write-ahead log is there");
  if (state === "foreign") throw damaged(path, backupDirectory, "it does not begin as a SQLite database does");
  if (state === "absent" || state === "empty") {
    const refused = lost();
    if (refused !== undefined) throw refused;
  }
  if (state === "absent") create(path);
  let database: Database | undefined;
  try {
    if (state === "present") refuseForeignFile(path, foreign);
    database = openForWriting(path);
    const problem = state === "present" ? quickCheck(database) : undefined;
    if (problem !== undefined) throw damaged(path, backupDirectory, problem);
    const refused = isBuilt(database) ? undefined : lost();
    if (refused !== undefined) throw refused;
    return database;
  } catch (cause) {
    database?.close();
    if (isCorruption(cause)) throw damaged(path, backupDirectory, messageOf(cause));
    if (cause instanceof Refusal) throw cause;
    throw new Outage("open the database", path, cause, { mayRetry: true });
  }
}

/** Looked at through a connection that cannot write: not even its log is merged into a file that is not ours. */
function refuseForeignFile(path: string, foreign: Refusing["foreign"]): void {
  const database = openForReading(path);
  try {
    const refused = foreign(database);
    if (refused !== undefined) throw refused;
  } finally {
    database.close();
  }
}

/** The migrations that were applied to a file, for `foreignHistory`. Tables are asked for before the book, as `whyForeign` does. */
export function historyOf(database: Database): History {
  const isUsed = isBuilt(database);
  const names = database.query<{ name: string }, []>("select name from pragma_table_info('schema_migrations')").all();
  const hasBook = ["version", "name"].every((column) => names.some(({ name }) => name === column));
  return {
    applied: hasBook
      ? database.query<Applied, []>("select version, name from schema_migrations order by version").all()
      : [],
    isUsed,
    writtenBy: writerOf(database),
  };
}

/** As `writtenBy`. */
function writerOf(database: Database): string | undefined {
  if (database.query("select 1 from pragma_table_info('meta') where name = 'value'").get() === null) return undefined;
  return database.query<{ value: string }, [string]>("select value from meta where key = ?").get(writtenByKey)?.value;
}

export function damaged(path: string, backupDirectory: string, why: string): Refusal {
  const backup = newestGoodBackup(backupDirectory);
  const advice =
    backup === undefined
      ? `there is no good backup in ${backupDirectory}`
      : `the newest good backup is ${backup.file} (schema ${backup.version})`;
  return new Refusal(
    "store.corrupt",
    `${path} is damaged: ${why}. Nothing was overwritten; ${advice}`,
    { path, why, backup: backup?.path ?? null },
    backup === undefined ? undefined : `Restore it with \`constel db restore ${backup.file}\`.`,
  );
}

type FileState = "absent" | "empty" | "present" | "foreign" | "lost" | "link";

function stateOf(path: string): FileState {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return hasBytes(`${path}-wal`) ? "lost" : "absent";
  if (status.isSymbolicLink()) return "link";
  if (!status.isFile()) return "foreign";
  if (status.size === 0) return hasBytes(`${path}-wal`) ? "lost" : "empty";
  return startsWithHeader(path) ? "present" : "foreign";
}

function hasBytes(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0;
}

function startsWithHeader(path: string): boolean {
  const bytes = Buffer.alloc(header.length);
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY);
  } catch (cause) {
    throw new Outage("open the database", path, cause);
  }
  try {
    readSync(fd, bytes, 0, header.length, 0);
  } finally {
    closeSync(fd);
  }
  return bytes.toString("latin1") === header;
}

function create(path: string): void {
  try {
    using directory = TrustedDirectory.open(dirname(path));
    directory.writeNew(basename(path), "", { sync: false });
  } catch (cause) {
    // Another process made it in the meantime: just as good.
    const why = cause instanceof Outage ? cause.cause : cause;
    if (systemCode(why) !== "EEXIST") throw new Outage("create the database", path, why);
  }
}

/** Tells whether it has at least one table. */
export function isBuilt(database: Database): boolean {
  return database.query("select 1 from sqlite_schema limit 1").get() !== null;
}

function quickCheck(database: Database): string | undefined {
  const [first] = database.query<{ quick_check: string }, []>("pragma quick_check(1)").all();
  return first?.quick_check === "ok" ? undefined : (first?.quick_check ?? "the check gave no answer");
}
