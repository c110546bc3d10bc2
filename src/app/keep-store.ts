// Looks after the database without a daemon: health, backups, restore, undo. Reading the health never creates or changes it.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type AuditVerdict, verifyAudit } from "../core/audit/verify.ts";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { auditEvidence } from "../host/keys/audit-machine.ts";
import { messageOf, Outage, Refusal, systemCode } from "../protocol/errors.ts";
import { restoreWords } from "../protocol/restored.ts";
import type { BackupInfo, DatabaseHealth, StoreKeeping } from "../protocol/store-keeping.ts";
import { inHome } from "../settings/paths.ts";
import type { Settings } from "../settings/settings.ts";
import { listTrusted } from "../files/trusted-files.ts";
import {
  type Backup,
  backUpFile,
  listBackups,
  newestGoodBackup,
  restoreBackup,
  verifyBackup,
} from "../store/backup.ts";
import { allMigrations } from "../store/migrations/all.ts";
import { headOf, missingFrom, seenLoss, tellMissing } from "../store/database-head.ts";
import { whyMoved } from "../store/moving/marks.ts";
import { letVersionWrite, openStore, type OpenStoreOptions, undoMigration } from "../store/open.ts";
import { openForReading } from "../store/sqlite-connection.ts";
import { sqlitePath } from "../store/store-address.ts";
import { dropQueryRole, listQueryRoles, makeQueryRole } from "../store/query-roles.ts";
import { openSnapshot } from "../store/snapshot.ts";
import { damaged } from "../store/sqlite-file.ts";
import { integrityProblem } from "../store/sqlite-read-only.ts";
import { verifyChain } from "../store/timeline.ts";
import type { Untyped } from "../store/migrations/migration.ts";
import { isNewerVersion, writtenBy } from "../store/written-by.ts";
import { intakePositions, schemaVersion } from "./keep-store.sql.ts";
import { giveUpMove, moveStore } from "./move-store.ts";
import { type Dump, isWholeDump, listDumps, makeDump } from "./postgres-backups.ts";
import { recordRestore } from "./record-restore.ts";
import { restoreDump } from "./restore-dump.ts";
import { sizeOfStore } from "./store-size.ts";
import { stuckWork } from "./stuck-work.ts";
import { storeOptions } from "./store-options.ts";

export function keepStore(settings: Settings, version: string): StoreKeeping {
  const options = { ...storeOptions(settings), version };
  const { backupDirectory } = options;
  const path = sqlitePath(options.url);

  const sqliteOnly = (): string => {
    if (path !== undefined) return path;
    throw new Refusal(
      "store.not-sqlite",
      "an empty database is begun only as a file; over Postgres, name another database with store.url",
    );
  };

  const restoreFromDump: StoreKeeping["restore"] = async (file, asOwner) => {
    const chosen = file ?? listDumps(backupDirectory)[0]?.file;
    if (chosen === undefined) throw new Refusal("store.backup-missing", `there is no dump in ${backupDirectory}`);
    if (chosen.includes("/"))
      throw new Refusal("usage.bad-value", "give a file name from `constel db backups`", { file });
    if (!existsSync(join(backupDirectory, chosen)))
      throw new Refusal("store.backup-missing", `there is no backup ${chosen}`, { backup: chosen });
    const { kept, notPublished } = await restoreDump(settings, { file: chosen, asOwner });
    return { restored: chosen, kept: [kept], missing: null, notPublished };
  };

  const postgresOnly = (): string => {
    if (path === undefined) return options.url;
    throw new Refusal("store.role-unfit", "this store is a SQLite file, and whoever may read it reads all of it");
  };

  return {
    logins: async () => await listQueryRoles(postgresOnly()),
    async makeLogin(constellation) {
      const password = Buffer.from(systemRandom.bytes(24)).toString("base64url");
      return await makeQueryRole(postgresOnly(), { constellation, password });
    },
    dropLogin: async (constellation) => await dropQueryRole(postgresOnly(), constellation),
    health: (asked) => healthOf(settings, { full: asked?.full ?? false, version }),
    stuck: async () => (path === undefined || existsSync(path) ? await stuckWork(options) : []),
    async backups() {
      if (path !== undefined) return listBackups(backupDirectory).map(describe);
      return Promise.all(listDumps(backupDirectory).map(async (dump) => described(dump, await isWholeDump(dump.path))));
    },
    async backUp() {
      if (path === undefined) return described(await makeDump(options.url, backupDirectory, systemClock.nowMs()), true);
      const database = path;
      if (!existsSync(database)) throw new Refusal("store.backup-missing", "there is no database to back up yet");
      return describe(backUpFile(database, backupDirectory, systemClock.nowMs()));
    },
    async restore(file, asOwner) {
      if (path === undefined) return restoreFromDump(file, asOwner);
      const database = path;
      const chosen = file === undefined ? newestGoodBackup(backupDirectory)?.file : file;
      if (chosen === undefined) throw new Refusal("store.backup-missing", `no backup in ${backupDirectory} verifies`);
      if (chosen.includes("/"))
        throw new Refusal("usage.bad-value", "give a file name from `constel db backups`", { file });
      const backup = join(backupDirectory, chosen);
      // The word comes first: cut off in between, a timeline that was not taken back still verifies.
      const notPublished = await recordRestore(settings, { backup, asOwner });
      const { kept } = restoreBackup({ database, backup, nowMs: systemClock.nowMs() });
      return { restored: chosen, kept, missing: acceptHead(database, options), notPublished };
    },
    size: () => sizeOfStore(settings),
    async begin() {
      const database = sqliteOnly();
      if (existsSync(database) && statSync(database).size > 0)
        throw new Refusal("store.not-lost", `${database} already exists; nothing was changed`, { database });
      await (await openStore({ ...options, beginAnew: true })).close();
    },
    async letWrite(wanted) {
      if (path !== undefined && !existsSync(path)) return null;
      return (await letVersionWrite(options, wanted)) ?? null;
    },
    move: (url, tell) => moveStore(settings, { url, version, tell }),
    cancelMove: (url) => giveUpMove(settings, url),
    async undo() {
      const { from, to, backup } = await undoMigration(options);
      return { from, to, backup: backup ?? null };
    },
  };
}

/** After a restore the database is what the owner wants: the head follows it, and what it named beyond is told once. */
function acceptHead(path: string, options: OpenStoreOptions): string | null {
  const database = openForReading(path);
  try {
    const missing = missingFrom(database, options.head?.read());
    options.head?.write(headOf(database, options.constellation));
    return missing === undefined ? null : tellMissing(missing);
  } finally {
    options.head?.close();
    database.close();
  }
}

/** Finds what the head file names and the database lacks. Nothing can be said of a database that is not ours yet. */
function lossOf(path: string | undefined, options: OpenStoreOptions): Pick<DatabaseHealth, "missing" | "seenMissing"> {
  if (path === undefined || options.head === undefined || !existsSync(path))
    return { missing: null, seenMissing: null };
  const database = openForReading(path);
  try {
    const missing = missingFrom(database, options.head.read());
    const seen = seenLoss(database);
    return {
      missing: missing === undefined ? null : tellMissing(missing),
      seenMissing: seen === undefined ? null : { what: tellMissing(seen), at_ms: seen.atMs },
    };
  } finally {
    database.close();
  }
}

/** Above this the pages are looked at only when asked for: at half a gigabyte it takes many seconds. The daemon does when it starts. */
const smallDatabaseBytes = 16 * 1024 * 1024;
/** So many of the newest events are read without being asked: some ten milliseconds. */
const newestEvents = 5_000;

async function healthOf(
  settings: Settings,
  { full, version }: { readonly full: boolean; readonly version: string },
): Promise<DatabaseHealth> {
  const options = storeOptions(settings);
  const path = sqlitePath(options.url);
  const common = {
    kind: path === undefined ? ("postgres" as const) : ("sqlite" as const),
    where: path ?? options.url.replace(/\/\/[^/]*@/, "//"),
    exists: path === undefined || existsSync(path),
    newestSchema: Math.max(...allMigrations.map((migration) => migration.version)),
    bytes: path !== undefined && existsSync(path) ? statSync(path).size : null,
  };
  const checkedWhole = path === undefined || full || (common.bytes ?? 0) <= smallDatabaseBytes;
  const unknown = {
    schema: null,
    writtenBy: null,
    isFromNewer: false,
    chain: null,
    backlogBytes: null,
    missing: null,
    seenMissing: null,
    checkedWhole,
  };
  try {
    if (path !== undefined && existsSync(path) && checkedWhole) {
      const problem = integrityProblem(path, options.backupDirectory);
      if (problem !== undefined) throw damaged(path, options.backupDirectory, problem);
    }
    // Before the snapshot is taken: what is acknowledged later is not in it.
    const head = options.head?.read();
    const snapshot = await openSnapshot(options);
    try {
      const moved = await whyMoved(snapshot.db as unknown as Untyped, options.constellation);
      if (moved !== undefined) throw moved;
      const newest = full ? Infinity : newestEvents;
      const verdict = await verifyChain(snapshot.db, options.constellation, { newest });
      const audit = await verifyAudit(
        {
          store: { db: snapshot.db, constellation: options.constellation, dialect: snapshot.dialect },
          clock: options.clock,
          audit: { ...auditEvidence(settings.home), acknowledged: head === "unreadable" ? undefined : head },
        },
        full ? {} : { newest },
      );
      const schema = await schemaVersion(snapshot.db);
      const writer = await writtenBy(snapshot.db as unknown as Untyped, snapshot.dialect);
      const positions = await intakePositions(snapshot.db, options.constellation);
      const restored = audit.restored === null ? null : restoreWords(audit.restored, audit.restores);
      const chain =
        verdict.ok && audit.ok
          ? {
              ok: true,
              count: verdict.count,
              checked: verdict.checked,
              pruned: verdict.pruned,
              problem: null,
              restored,
            }
          : { ok: false, count: 0, checked: 0, pruned: 0, problem: brokenWords(audit), restored };
      return {
        ...common,
        problem: null,
        hint: null,
        schema,
        writtenBy: writer ?? null,
        isFromNewer: writer !== undefined && isNewerVersion(writer, version),
        chain,
        checkedWhole,
        ...lossOf(path, options),
        backlogBytes: backlog(settings.home, positions),
      };
    } finally {
      await snapshot.close();
    }
  } catch (cause) {
    return { ...common, ...unknown, problem: messageOf(cause), hint: hintFor(cause) };
  }
}

/** As `audit verify` says it. */
const brokenWords = ({ broken_at: seq, problem }: AuditVerdict): string =>
  seq === null ? String(problem) : `broken at event ${seq}: ${problem}`;

/** A file that is only closed to us is no reason to restore another. */
function hintFor(cause: unknown): string | null {
  if (cause instanceof Refusal) return cause.hint;
  const isClosed = cause instanceof Outage && systemCode(cause.cause) === "EACCES";
  return isClosed ? "Nothing is known to be wrong with it: give it back to yourself with chown and chmod u+rw." : null;
}

function backlog(home: string, positions: readonly { file: string; offset_bytes: number }[]): number {
  const taken = new Map(positions.map((position) => [position.file, position.offset_bytes]));
  let waiting = 0;
  for (const name of listTrusted(home, inHome.logs)) {
    if (!name.endsWith(".jsonl")) continue;
    waiting += Math.max(0, statSync(join(home, inHome.logs, name)).size - (taken.get(name) ?? 0));
  }
  return waiting;
}

const described = ({ file, version, madeMs, bytes }: Dump, good: boolean): BackupInfo => ({
  file,
  schema: version,
  made_ms: madeMs,
  bytes,
  good,
});

function describe(backup: Backup): BackupInfo {
  return {
    file: backup.file,
    schema: backup.version,
    made_ms: backup.madeMs,
    bytes: backup.bytes,
    good: verifyBackup(backup.path).ok,
  };
}
