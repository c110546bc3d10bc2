// Opens the store: checks the database, brings its schema up to date, and hands out reading and writing. One code path for
// SQLite and Postgres; what differs sits behind Engine and MigrationTarget.

import type { Kysely } from "kysely";
import type { Clock, Random } from "../ports/machine.ts";
import { CommitFeed, type CommitListener } from "./commit-feed.ts";
import type { Engine } from "./engine.ts";
import { GroupCommit, type Job } from "./group-commit.ts";
import { migrate, type MigrateOutcome, type MigrationTarget, undo } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import type { Migration } from "./migrations/migration.ts";
import { sqlitePath } from "./store-address.ts";
import { makeDurable } from "./sqlite-connection.ts";
import { sqliteEngine } from "./sqlite-engine.ts";
import { openSoundFile } from "./sqlite-file.ts";
import { sqliteTarget } from "./sqlite-target.ts";
import type { Dialect, Tables } from "./tables.ts";
import type { StoredEvent } from "./timeline.ts";
import { type PublicView, publicViews } from "./views.ts";

export interface Store {
  readonly dialect: Dialect;
  readonly constellation: string;
  /** What opening did to the schema. */
  readonly migrated: MigrateOutcome;
  /** Reads only, outside any transaction of the writer, and never waiting for it. Writes through it are refused. */
  readonly db: Kysely<Tables>;
  /** Runs the job in the next group commit; resolves only when that is durable. Jobs may run again: see group-commit.ts. */
  write<T>(job: Job<T>): Promise<T>;
  /** Calls back after each commit that recorded events, in order. Returns the way to stop it. */
  onCommit(listener: CommitListener): () => void;
  /** Waits for the writes that were taken. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `sqlite:<absolute path>` or `postgres://…`. */
  readonly url: string;
  /** Where SQLite backups go; must exist. */
  readonly backupDirectory: string;
  readonly clock: Clock;
  /** For tests of migrations; all of them unless given. */
  readonly migrations?: readonly Migration[];
  readonly views?: readonly PublicView[];
}

export interface OpenStoreOptions extends DatabaseOptions {
  readonly random: Random;
  readonly constellation: string;
  /** Told of a listener that threw: a bug that must not stop the writer. */
  readonly log?: (problem: string, cause: unknown) => void;
}

export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { engine, migrated } = await openEngine(options);
  const feed = new CommitFeed(options.log ?? (() => {}));
  const { constellation, clock, random } = options;
  const committed = (events: readonly StoredEvent[]): void => feed.committed(events);
  const commits = new GroupCommit({ writer: engine.writer, constellation, clock, random, committed });
  await shareFeed(engine, feed);
  return {
    dialect: engine.dialect,
    constellation,
    migrated,
    db: engine.reads,
    write: (job) => commits.write(job),
    onCommit: (listener) => feed.add(listener),
    async close() {
      try {
        await commits.close();
        await feed.settled();
      } finally {
        await engine.close();
      }
    },
  };
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

/** Takes back the last migration. The store must not be open. */
export async function undoMigration(options: DatabaseOptions): Promise<MigrateOutcome> {
  const { target, close } = await openTarget(options);
  try {
    return await undo(target, migrateOptions(options));
  } finally {
    await close();
  }
}

interface OpenTarget {
  readonly target: MigrationTarget;
  /** Goes on with the migrated database; the target's connection is taken over. */
  engine(): Promise<Engine>;
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
        return postgresEngine(options.url);
      },
    };
  }
  const database = openSoundFile(path, options.backupDirectory);
  return {
    target: sqliteTarget(database, { path, backupDirectory: options.backupDirectory, nowMs }),
    async engine() {
      makeDurable(database);
      return sqliteEngine(path, database);
    },
    async close() {
      database.close();
    },
  };
}

async function openEngine(options: DatabaseOptions): Promise<{ engine: Engine; migrated: MigrateOutcome }> {
  const opened = await openTarget(options);
  try {
    const migrated = await migrate(opened.target, migrateOptions(options));
    return { engine: await opened.engine(), migrated };
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
  };
}
