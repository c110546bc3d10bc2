// Opens the store: checks the database, brings its schema up to date, and hands out reading and writing. One code path for
// SQLite and Postgres; what differs sits behind Engine and MigrationTarget.

import type { Database } from "bun:sqlite";
import type { Kysely } from "kysely";
import type { Clock, Random } from "../ports/machine.ts";
import { Outage, Refusal } from "../protocol/errors.ts";
import { CommitFeed, type CommitListener } from "./commit-feed.ts";
import {
  type HeadKeeper,
  headOf,
  isEmpty,
  lostDatabase,
  missingFrom,
  rememberLoss,
  type SeenLoss,
} from "./database-head.ts";
import type { Engine } from "./engine.ts";
import type { SignEvents } from "./event-signatures.ts";
import { GroupCommit, type Job, type Tx } from "./group-commit.ts";
import { HeadWatch } from "./head-watch.ts";
import {
  foreignHistory,
  letWrite,
  migrate,
  type MigrateOutcome,
  type MigrationTarget,
  undo,
  whyForeign,
} from "./migrate.ts";
import type { HeldLease, LeaseWish } from "./lease.ts";
import { allMigrations } from "./migrations/all.ts";
import type { Migration, Untyped } from "./migrations/migration.ts";
import { type ArrivingMark, readArriving, whyMoved, writeArriving } from "./moving/marks.ts";
import { sqlitePath } from "./store-address.ts";
import { makeDurable } from "./sqlite-connection.ts";
import { sqliteEngine } from "./sqlite-engine.ts";
import { historyOf, openSoundFile } from "./sqlite-file.ts";
import { sqliteTarget } from "./sqlite-target.ts";
import type { Dialect, Tables } from "./tables.ts";
import type { NewEvent, StoredEvent } from "./timeline.ts";
import { type PublicView, publicViews } from "./views.ts";

export interface Store {
  readonly dialect: Dialect;
  readonly constellation: string;
  /** The changes that opening made to the schema. */
  readonly migrated: MigrateOutcome;
  /** Reads only, outside any transaction of the writer, and never waiting for it. Writes through it are refused. */
  readonly db: Kysely<Tables>;
  /** Runs the job in the next group commit; resolves only when that is durable. Jobs may run again: see group-commit.ts. */
  write<T>(job: Job<T>): Promise<T>;
  /**
   * Another number after every write of this process, and after every event of others: whoever finds the same one again need not ask the database
   * again. Other processes may write without an event, so that is not for long.
   */
  readonly writes: number;
  /** Calls back after each commit that recorded events, in order. Returns the way to stop it. */
  onCommit(listener: CommitListener): () => void;
  /** Waits for the writes that were taken. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `sqlite:<absolute path>` or `postgres://…`. */
  readonly url: string;
  /** The directory for SQLite backups. It must exist. */
  readonly backupDirectory: string;
  readonly clock: Clock;
  /** Of the program that opens it for writing: a database that a newer version has written to is refused. */
  readonly version?: string;
  /** For tests of migrations; all of them unless given. */
  readonly migrations?: readonly Migration[];
  readonly views?: readonly PublicView[];
  /** Keeps the head of a SQLite database outside of it; without one, nothing is known of a database that is gone. */
  readonly head?: HeadKeeper;
  /** The owner's word that an empty database is to be begun although there was one. */
  readonly beginAnew?: boolean;
}

export interface OpenStoreOptions extends DatabaseOptions {
  readonly random: Random;
  readonly constellation: string;
  /** Signs events as they are appended; throws an outage or a refusal where there is no key. */
  readonly sign?: (bytes: Uint8Array) => string;
  /** Told of a listener that threw: a bug that must not stop the writer. */
  readonly log?: (problem: string, cause: unknown) => void;
  /** The wish to be the one daemon that writes for the constellation. Without it, the store writes beside others and is not fenced. */
  readonly lease?: LeaseWish;
}

export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { engine, migrated, loss } = await openEngine(options);
  const feed = new CommitFeed(options.log ?? (() => {}));
  const { constellation, clock, random } = options;
  const lease = await holdOrClose(engine, options);
  const arrival = await arrivalOrClose(engine, lease, constellation);
  const committed = (events: readonly StoredEvent[]): void => feed.committed(events);
  const head = options.head && new HeadWatch(options.head, clock, options.log ?? (() => {}));
  const sign = options.sign && signing(options.sign, options.log ?? (() => {}));
  const commits = new GroupCommit({ writer: engine.writer, constellation, clock, random, committed, sign, head });
  let heard = 0;
  feed.add(() => void (heard += 1));
  await shareFeed(engine, feed);
  if (loss !== undefined) await commits.write((tx) => tx.record(lossEvent(loss)));
  if (lease?.from !== undefined) await commits.write((tx) => tx.record(takeOverEvent(lease)));
  if (arrival !== undefined) await commits.write((tx) => tellArrival(tx, constellation, arrival));
  return {
    dialect: engine.dialect,
    constellation,
    migrated,
    db: engine.reads,
    write: (job) => commits.write(job),
    get writes() {
      return commits.count + heard;
    },
    onCommit: (listener) => feed.add(listener),
    async close() {
      try {
        await commits.close();
        await feed.settled();
        await lease?.release();
      } finally {
        await engine.close();
        await head?.close();
      }
    },
  };
}

async function holdOrClose(engine: Engine, options: OpenStoreOptions): Promise<HeldLease | undefined> {
  if (options.lease === undefined || engine.hold === undefined) return undefined;
  let lease: HeldLease | undefined;
  try {
    lease = await engine.hold(options.constellation, options.lease);
    if (lease.from !== undefined) await options.lease.mayTakeOver?.(engine.reads);
    return lease;
  } catch (cause) {
    await lease?.release();
    await engine.close();
    throw cause;
  }
}

/** After the lease: nobody marks the constellation as moved while another has it. Answers an arrival that is not on the timeline yet. */
async function arrivalOrClose(
  engine: Engine,
  lease: HeldLease | undefined,
  constellation: string,
): Promise<ArrivingMark | undefined> {
  try {
    const db = engine.reads as unknown as Untyped;
    const moved = await whyMoved(db, constellation);
    if (moved !== undefined) throw moved;
    const mark = await readArriving(db, constellation);
    return mark?.told === true ? undefined : mark;
  } catch (cause) {
    await lease?.release();
    await engine.close();
    throw cause;
  }
}

async function tellArrival(tx: Tx, constellation: string, mark: ArrivingMark): Promise<void> {
  const { id, from } = mark;
  await writeArriving(tx.db as unknown as Untyped, constellation, { ...mark, told: true });
  await tx.record({ type: "constellation.moved", actor: "daemon", data: { from, move: id } });
}

/** What happened is written down even where it cannot be signed; that is told once for each reason. */
function signing(sign: (bytes: Uint8Array) => string, log: NonNullable<OpenStoreOptions["log"]>): SignEvents {
  const told = new Set<string>();
  return (bytes) => {
    try {
      return sign(bytes);
    } catch (cause) {
      if (!(cause instanceof Outage || cause instanceof Refusal)) throw cause;
      if (!told.has(cause.message)) log("events are written without a signature", cause);
      told.add(cause.message);
      return undefined;
    }
  };
}

function lossEvent({ writes, events, otherHistory }: SeenLoss): NewEvent {
  return {
    type: "store.writes-missing",
    actor: "daemon",
    data: { writes, events, other_history: otherHistory },
  };
}

function takeOverEvent({ epoch, from }: HeldLease): NewEvent {
  return { type: "constellation.taken-over", actor: "daemon", data: { from, epoch } };
}

/** Where the database tells of other daemons' commits, their events reach our listeners too. */
async function shareFeed(engine: Engine, feed: CommitFeed): Promise<void> {
  if (engine.listen === undefined) return;
  try {
    await feed.share(engine.reads);
    await engine.listen(
      (constellation, seq) => feed.advance(constellation, seq),
      () => feed.catchUpAll(),
    );
  } catch (cause) {
    await engine.close();
    throw cause;
  }
}

/** Brings a database to the schema of this program, and begins one where there is none. */
export async function makeTables(options: DatabaseOptions): Promise<MigrateOutcome> {
  const { target, close } = await openTarget(options);
  try {
    return await migrate(target, migrateOptions(options));
  } finally {
    await close();
  }
}

/** Takes back the last migration. The store must not be open. */
export async function undoMigration(options: DatabaseOptions): Promise<MigrateOutcome> {
  const { target, close } = await openTarget(options);
  try {
    return await undo(target, migrateOptions(options));
  } finally {
    await close();
  }
}

/** Lets a version write again that is older than the one which wrote last. The store may be open elsewhere. */
export async function letVersionWrite(options: DatabaseOptions, version: string): Promise<string | undefined> {
  const { target, close } = await openTarget(options);
  try {
    const foreign = await whyForeign(target, options.migrations ?? allMigrations);
    if (foreign !== undefined) throw foreign;
    return await letWrite(target, version);
  } finally {
    await close();
  }
}

interface OpenedEngine {
  readonly engine: Engine;
  /** The loss that was seen: what was acknowledged earlier and is not in the database. */
  readonly loss?: SeenLoss | undefined;
}

interface OpenTarget {
  readonly target: MigrationTarget;
  /** Goes on with the migrated database; the target's connection is taken over. */
  engine(constellation: string): Promise<OpenedEngine>;
  close(): Promise<void>;
}

async function openTarget(options: DatabaseOptions): Promise<OpenTarget> {
  const path = sqlitePath(options.url);
  const nowMs = (): number => options.clock.nowMs();
  if (path === undefined) {
    // Only those who use Postgres pay for loading it.
    const { openPostgresTarget } = await import("./postgres-target.ts");
    const { postgresEngine } = await import("./postgres-engine.ts");
    const opened = await openPostgresTarget(options.url, nowMs);
    return {
      ...opened,
      async engine() {
        await opened.close();
        return { engine: await postgresEngine(options.url, options.clock) };
      },
    };
  }
  const head = options.head?.read();
  const lost = (): Refusal | undefined =>
    options.head === undefined || options.beginAnew === true
      ? undefined
      : lostDatabase(path, options.backupDirectory, head);
  const { migrations = allMigrations } = options;
  const foreign = (database: Database): Refusal | undefined => foreignHistory(path, migrations, historyOf(database));
  const database = openSoundFile(path, options.backupDirectory, { lost, foreign });
  return {
    target: sqliteTarget(database, { path, backupDirectory: options.backupDirectory, nowMs }),
    async engine(constellation) {
      const missing = options.beginAnew === true ? undefined : missingFrom(database, head);
      const refused = missing !== undefined && isEmpty(database) ? lost() : undefined;
      if (refused !== undefined) throw refused;
      makeDurable(database);
      const loss = missing === undefined ? undefined : { ...missing, atMs: nowMs() };
      if (loss === undefined) options.head?.write(headOf(database, constellation));
      else rememberLoss(database, loss);
      return { engine: sqliteEngine(path, database), loss };
    },
    async close() {
      database.close();
    },
  };
}

async function openEngine(options: OpenStoreOptions): Promise<OpenedEngine & { migrated: MigrateOutcome }> {
  const opened = await openTarget(options);
  try {
    const migrated = await migrate(opened.target, migrateOptions(options));
    return { ...(await opened.engine(options.constellation)), migrated };
  } catch (cause) {
    await opened.close();
    throw cause;
  }
}

function migrateOptions(options: DatabaseOptions): Parameters<typeof migrate>[1] {
  return {
    migrations: options.migrations ?? allMigrations,
    views: options.views ?? publicViews,
    nowMs: () => options.clock.nowMs(),
    version: options.version,
  };
}
