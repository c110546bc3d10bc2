// Backups of the SQLite file: make, list, verify, restore. A backup is a whole database of its own, checked when it is made
// and again before it is used. Restoring never deletes: what stood there is kept beside it under a `.damaged-<time>` name.
// (On Postgres, migrations copy the tables into a schema of their own; whole-server backups are the operator's.)

import type { Database } from "bun:sqlite";
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf, Outage, Refusal, systemCode } from "../protocol/errors.ts";
import { OwningDatabase } from "./sqlite-connection.ts";

export interface Backup {
  readonly file: string;
  readonly path: string;
  /** The schema version it holds, from its name. */
  readonly version: number;
  readonly madeMs: number;
  readonly bytes: number;
}

export type BackupVerdict =
  | { readonly ok: true; readonly version: number; readonly events: number }
  | { readonly ok: false; readonly why: string };

const namePattern = /^meta-v(\d+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.(\d{3})Z(?:-\d+)?\.db$/;

/** Copies the database into `directory` from an open connection, syncs the copy to the disk and checks it. */
export function makeBackup(database: Database, directory: string, nowMs: number): Backup {
  const version = schemaVersion(database);
  // An empty file may be vacuumed into, and so has its mode from the first byte.
  const path = claimPath(directory, `meta-v${version}-${compactUtc(nowMs)}`, ".db");
  try {
    database.query("vacuum into ?").run(path);
    syncToDisk(path);
  } catch (cause) {
    unlinkSync(path);
    throw new Outage("back up the database to", path, cause);
  }
  const verdict = verifyBackup(path);
  if (!verdict.ok) throw new Outage("back up the database to", path, new Error(verdict.why));
  return describe(path, version, nowMs);
}

/** Makes a backup of a database file that may be in use: readers and the writer go on. */
export function backUpFile(path: string, directory: string, nowMs: number): Backup {
  const database = new OwningDatabase(path, { readonly: true });
  try {
    return makeBackup(database, directory, nowMs);
  } finally {
    database.close();
  }
}

/** Newest first. Files with other names are not ours and are passed over. */
export function listBackups(directory: string): Backup[] {
  if (!existsSync(directory)) return [];
  const found: Backup[] = [];
  for (const file of readdirSync(directory)) {
    const match = namePattern.exec(file);
    if (match === null) continue;
    const [version = 0, year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0] = match
      .slice(1)
      .map(Number);
    found.push(describe(join(directory, file), version, Date.UTC(year, month - 1, day, hour, minute, second, ms)));
  }
  return found.sort((a, b) => b.madeMs - a.madeMs || (a.file < b.file ? 1 : -1));
}

/** Reads every page of the backup; nothing is written. */
export function verifyBackup(path: string): BackupVerdict {
  try {
    const database = new OwningDatabase(path, { readonly: true });
    try {
      const [first] = database.query<{ integrity_check: string }, []>("pragma integrity_check(1)").all();
      if (first?.integrity_check !== "ok") return { ok: false, why: first?.integrity_check ?? "no answer" };
      const version = schemaVersion(database);
      if (version === 0) return { ok: false, why: "it holds no schema of constel's" };
      const events = database.query<{ n: number }, []>("select count(*) as n from events").get();
      return { ok: true, version, events: events?.n ?? 0 };
    } finally {
      database.close();
    }
  } catch (cause) {
    return { ok: false, why: messageOf(cause) };
  }
}

export function newestGoodBackup(directory: string): Backup | undefined {
  return listBackups(directory).find((backup) => verifyBackup(backup.path).ok);
}

/**
 * Puts a backup in the place of the database. Nobody may have the database open. The replacing is one rename, so that a
 * crash leaves either the old file or the new one, never none.
 */
export function restoreBackup(options: { database: string; backup: string; nowMs: number }): { kept: string[] } {
  const { database, backup } = options;
  if (!existsSync(backup)) {
    throw new Refusal("store.backup-missing", `there is no backup ${backup}`, { backup });
  }
  const verdict = verifyBackup(backup);
  if (!verdict.ok) {
    throw new Refusal("store.corrupt", `the backup ${backup} is itself damaged: ${verdict.why}`, { backup });
  }
  const incoming = claimPath(dirname(database), `${basename(database)}.restoring-${compactUtc(options.nowMs)}`, "");
  const aside = freshPath(dirname(database), `${basename(database)}.damaged-${compactUtc(options.nowMs)}`, "");
  const kept: string[] = [];
  try {
    copyFileSync(backup, incoming);
    syncToDisk(incoming);
    // The old log must not be replayed over the restored file.
    for (const suffix of ["-wal", "-shm"]) {
      if (!existsSync(database + suffix)) continue;
      renameSync(database + suffix, aside + suffix);
      kept.push(aside + suffix);
    }
    if (existsSync(database)) {
      linkSync(database, aside);
      kept.unshift(aside);
    }
    renameSync(incoming, database);
    syncToDisk(dirname(database));
  } catch (cause) {
    throw new Outage("restore", database, cause, { mayRetry: systemCode(cause) === "ENOSPC" });
  }
  return { kept };
}

/** 0 when the database has no schema of ours. */
export function schemaVersion(database: Database): number {
  const table = database.query("select 1 from sqlite_schema where name = 'schema_migrations'").get();
  if (table === null) return 0;
  const row = database.query<{ version: number | null }, []>("select max(version) as version from schema_migrations");
  return row.get()?.version ?? 0;
}

/** 20260102T030405.006Z: sorts by time and is a plain file name. */
export function compactUtc(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(/[-:]/g, "");
}

/** An empty file of our own: two processes that ask in the same millisecond get two. */
function claimPath(directory: string, stem: string, extension: string): string {
  for (let copy = 1; ; copy++) {
    const path = join(directory, copy === 1 ? stem + extension : `${stem}-${copy}${extension}`);
    try {
      closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
      return path;
    } catch (cause) {
      if (systemCode(cause) !== "EEXIST") throw new Outage("write", path, cause);
    }
  }
}

function freshPath(directory: string, stem: string, extension: string): string {
  let path = join(directory, stem + extension);
  for (let copy = 2; existsSync(path); copy++) path = join(directory, `${stem}-${copy}${extension}`);
  return path;
}

function describe(path: string, version: number, madeMs: number): Backup {
  return { file: basename(path), path, version, madeMs, bytes: statSync(path).size };
}

function syncToDisk(path: string): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
