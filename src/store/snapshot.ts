// Reading constel's own tables without a daemon: the database as it stands, read-only. Where there is none yet, an empty one
// in memory with the current schema answers, so that looking creates nothing and finds every table.

import { Database } from "bun:sqlite";
import type { Kysely } from "kysely";
import { migrate, whyForeign } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import type { Migration, Untyped } from "./migrations/migration.ts";
import { kyselyOver } from "./one-connection.ts";
import type { DatabaseOptions } from "./open.ts";
import { sqlitePath } from "./store-address.ts";
import { executorOver } from "./sqlite-connection.ts";
import { openIfBuilt } from "./sqlite-read-only.ts";
import { sqliteTarget } from "./sqlite-target.ts";
import type { Dialect, Tables } from "./tables.ts";
import { publicViews } from "./views.ts";

export interface Snapshot {
  readonly dialect: Dialect;
  readonly db: Kysely<Tables>;
  close(): Promise<void>;
}

export async function openSnapshot(options: DatabaseOptions): Promise<Snapshot> {
  const snapshot = await openAny(options);
  const { dialect, db } = snapshot;
  const name = sqlitePath(options.url) ?? "the Postgres database";
  const refusal = await whyForeign(
    { dialect, db: db as unknown as Untyped, name },
    options.migrations ?? allMigrations,
  );
  // A newer one is read for as long as its tables answer.
  if (refusal?.code !== "store.foreign-schema") return snapshot;
  await snapshot.close();
  throw refusal;
}

async function openAny(options: DatabaseOptions): Promise<Snapshot> {
  const path = sqlitePath(options.url);
  if (path === undefined) {
    const { postgresSnapshot } = await import("./postgres-engine.ts");
    return postgresSnapshot(options.url);
  }
  const database = openIfBuilt(path, options) ?? (await emptyDatabase());
  return {
    dialect: "sqlite",
    db: kyselyOver<Tables>({ dialect: "sqlite", executor: executorOver(database), transactions: true }),
    close: async () => database.close(),
  };
}

/** In memory, with the current schema and views, and nothing in it. */
export async function emptyDatabase(migrations: readonly Migration[] = allMigrations): Promise<Database> {
  const database = new Database(":memory:");
  const target = sqliteTarget(database, { path: ":memory:", backupDirectory: "", nowMs: atTheEpoch });
  await migrate(target, { migrations, views: publicViews, nowMs: atTheEpoch });
  database.run("pragma query_only = on");
  return database;
}

function atTheEpoch(): number {
  return 0;
}
