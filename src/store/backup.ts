// Backups of the SQLite file: make, list, verify, restore. A backup is a whole database of its own, checked when it is made
// and again before it is used. Restoring never deletes: what stood there is kept beside it under a `.damaged-<time>` name.
// (On Postgres, migrations copy the tables into a schema of their own; whole-server backups are the operator's.)

import type { Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { TrustedDirectory } from "../files/trusted-directory.ts";
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
  using place = openDirectory(directory);
  // An empty file may be vacuumed into, and so has its mode from the first byte.
  const name = claimName(place, `meta-v${version}-${compactUtc(nowMs)}`, ".db");
  const path = join(directory, name);
  try {
    database.query("vacuum into ?").run(path);
    place.syncFile(name);
    place.sync();
  } catch (cause) {
    place.remove(name);
    throw new Outage("back up the database to", path, cause);
  }
  const verdict = verifyBackup(path);
  if (!verdict.ok) throw new Outage("back up the database to", path, new Error(verdict.why));
  return describe(path, version, nowMs);
}

export function removeBackup(backup: Backup): void {
  using place = openDirectory(dirname(backup.path));
  place.remove(backup.file);
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

/**
 * Reads every page of the backup; nothing is written. `whole` also compares each index with its table, which takes most of the time
 * and can find nothing in a copy that the database has just written; before a backup is used it is done.
 */
export function verifyBackup(path: string, { whole = false } = {}): BackupVerdict {
  try {
    const database = new OwningDatabase(path, { readonly: true });
    try {
      const pragma = whole ? "integrity_check(1)" : "quick_check(1)";
      const [first] = database.query<Record<string, string>, []>(`pragma ${pragma}`).all();
      const answer = Object.values(first ?? {})[0];
      if (answer !== "ok") return { ok: false, why: answer ?? "no answer" };
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

/** Refuses a backup that is not there, or is damaged. */
export function checkedBackup(backup: string): void {
  if (!existsSync(backup)) throw new Refusal("store.backup-missing", `there is no backup ${backup}`, { backup });
  const verdict = verifyBackup(backup, { whole: true });
  if (!verdict.ok)
    throw new Refusal("store.corrupt", `the backup ${backup} is itself damaged: ${verdict.why}`, { backup });
}

/**
 * Puts a backup in the place of the database. Nobody may have the database open. The replacing is one rename, so that a
 * crash leaves either the old file or the new one, never none.
 */
export function restoreBackup(options: { database: string; backup: string; nowMs: number }): { kept: string[] } {
  const { database, backup } = options;
  checkedBackup(backup);
  using place = openDirectory(dirname(database));
  using backups = openDirectory(dirname(backup));
  const name = basename(database);
  const incoming = freshName(place, `${name}.restoring-${compactUtc(options.nowMs)}`);
  const aside = freshName(place, `${name}.damaged-${compactUtc(options.nowMs)}`);
  const kept: string[] = [];
  try {
    place.copyFrom(backups, basename(backup), incoming);
    // The old log must not be replayed over the restored file.
    for (const suffix of ["-wal", "-shm"]) {
      if (place.stat(name + suffix) === undefined) continue;
      place.moveTo(name + suffix, place, aside + suffix);
      kept.push(aside + suffix);
    }
    if (place.stat(name) !== undefined) {
      place.link(name, aside);
      kept.unshift(aside);
    }
    place.moveTo(incoming, place, name);
    place.sync();
  } catch (cause) {
    place.remove(incoming);
    const why = cause instanceof Outage ? cause.cause : cause;
    throw new Outage("restore", database, cause, { mayRetry: systemCode(why) === "ENOSPC" });
  }
  return { kept: kept.map((file) => join(dirname(database), file)) };
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

/** Its parent is the root: who set the home may have reached it through a link, but `backups` is not one. */
function openDirectory(directory: string): TrustedDirectory {
  return TrustedDirectory.open(dirname(directory), basename(directory), { create: true });
}

/** An empty file of our own: two processes that ask in the same millisecond get two. */
function claimName(place: TrustedDirectory, stem: string, extension: string): string {
  for (let copy = 1; ; copy++) {
    const name = copy === 1 ? stem + extension : `${stem}-${copy}${extension}`;
    try {
      place.writeNew(name, "", { sync: false });
      return name;
    } catch (cause) {
      if (!(cause instanceof Outage) || systemCode(cause.cause) !== "EEXIST") throw cause;
    }
  }
}

function freshName(place: TrustedDirectory, stem: string): string {
  let name = stem;
  for (let copy = 2; place.stat(name) !== undefined; copy++) name = `${stem}-${copy}`;
  return name;
}

function describe(path: string, version: number, madeMs: number): Backup {
  return { file: basename(path), path, version, madeMs, bytes: statSync(path).size };
}
