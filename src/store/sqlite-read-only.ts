// Opens the SQLite file for reading only, whether or not a daemon has it open, and also where nothing may be written.

import type { Database } from "bun:sqlite";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { messageOf, Outage, systemCode } from "../protocol/errors.ts";
import { isCorruption } from "./errors.ts";
import { OwningDatabase } from "./sqlite-connection.ts";
import { type HeadKeeper, lostDatabase } from "./database-head.ts";
import { damaged, isBuilt } from "./sqlite-file.ts";

function openFileReadOnly(path: string, backupDirectory: string | undefined): Database {
  if (!existsSync(path)) throw new Outage("open the database", path, new Error("there is no such file yet"));
  try {
    const database = new OwningDatabase(path, { readonly: true });
    database.run("pragma query_only = on");
    database.run("pragma busy_timeout = 5000");
    // The first read finds out whether this is a database at all.
    database.query("select count(*) from sqlite_schema").get();
    return database;
  } catch (cause) {
    if (isCorruption(cause)) throw damaged(path, backupDirectory ?? "", messageOf(cause));
    refuseClosed(path);
    return openUnmoving(path, cause);
  }
}

/** SQLite says of a file that may not be read that it cannot be opened, which might pass; the kernel says why. */
function refuseClosed(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    throw new Outage("open the database", path, cause);
  }
}

export interface ReadingOptions {
  /** Lets the refusal of a damaged or lost file name the backup to restore. */
  readonly backupDirectory?: string | undefined;
  /** Tells a database that is gone from one that was never begun. */
  readonly head?: HeadKeeper | undefined;
}

/**
 * Undefined where there is nothing yet: no file, or one without a single table. A daemon that starts makes the file first
 * and everything in it in one transaction after that, and somebody may look in between. Where there was a database, its
 * absence is refused: an empty answer would pass for the truth.
 */
export function openIfBuilt(path: string, { backupDirectory, head }: ReadingOptions): Database | undefined {
  if (existsSync(path)) {
    const database = openFileReadOnly(path, backupDirectory);
    if (isBuilt(database)) return database;
    database.close();
  }
  if (head === undefined) return undefined;
  const lost = lostDatabase(path, backupDirectory ?? "", head.read());
  if (lost !== undefined) throw lost;
  return undefined;
}

/** Says what is wrong with the pages of the file, in SQLite's words. Undefined when every one of them is sound. */
export function integrityProblem(path: string, backupDirectory: string): string | undefined {
  const database = openFileReadOnly(path, backupDirectory);
  try {
    const [first] = database.query<{ integrity_check: string }, []>("pragma integrity_check(1)").all();
    return first?.integrity_check === "ok" ? undefined : (first?.integrity_check ?? "the check gave no answer");
  } catch (cause) {
    if (isCorruption(cause)) return messageOf(cause);
    throw new Outage("check", path, cause, { mayRetry: true });
  } finally {
    database.close();
  }
}

/** In a directory that we may not write, a log-less file can still be read as one that nobody changes. */
function openUnmoving(path: string, cause: unknown): Database {
  const log = `${path}-wal`;
  const code = systemCode(cause) ?? "";
  if (!/^SQLITE_(CANTOPEN|READONLY)/.test(code) || (existsSync(log) && statSync(log).size > 0)) {
    throw new Outage("open the database", path, cause, { mayRetry: true });
  }
  try {
    const readOnlyUri = 0x01 | 0x40;
    const database = new OwningDatabase(`file:${encodeURI(path)}?immutable=1`, readOnlyUri);
    database.query("select count(*) from sqlite_schema").get();
    return database;
  } catch {
    throw new Outage("open the database", path, cause, { mayRetry: true });
  }
}
