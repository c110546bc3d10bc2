// A Postgres database as something to migrate. Schema changes are transactional there, so the backup (a copy of every table
// in a schema of its own), the migrations and their checks are one transaction under an advisory lock.

import { sql } from "kysely";
import { compactUtc } from "./backup.ts";
import { type MigrationTarget, readVersion } from "./migrate.ts";
import type { Untyped } from "./migrations/migration.ts";
import { kyselyOver } from "./one-connection.ts";
import { asOutage, openClient, publicName } from "./postgres-client.ts";
import { postgresExecutor, runOn } from "./postgres-engine.ts";

/** Any number, the same in every constel: who holds it may change the schema. */
const migrationLock = 7_026_533_414;

const endingSeconds = 5;

export interface OpenPostgresTarget {
  readonly target: MigrationTarget;
  close(): Promise<void>;
}

export async function openPostgresTarget(url: string, nowMs: () => number): Promise<OpenPostgresTarget> {
  const client = await openClient(url, {});
  const connection = { run: (text: string, parameters?: readonly unknown[]) => runOn(client, text, parameters) };
  const db = kyselyOver<unknown>({
    dialect: "postgres",
    executor: postgresExecutor(() => connection),
    transactions: false,
  });
  const target: MigrationTarget = {
    dialect: "postgres",
    db,
    name: publicName(url),
    async alone({ backup, expected }, work) {
      await connection.run(client.begin);
      try {
        // A migration elsewhere may take its time; waiting for it is right.
        await connection.run("set local lock_timeout = 0");
        await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(db);
        if ((await readVersion(db, "postgres")) !== expected) {
          await connection.run("rollback");
          return "overtaken";
        }
        const schema = backup ? await copyTables(db, expected, nowMs()) : undefined;
        await work();
        await connection.run("commit");
        return { backup: schema };
      } catch (cause) {
        await connection.run("rollback").catch(() => {});
        throw asOutage(cause, url);
      }
    },
  };
  return {
    target,
    close: () => client.end(endingSeconds),
  };
}

/** Keeps writers out, then copies each table of the current schema; the counts must agree. */
async function copyTables(db: Untyped, version: number, nowMs: number): Promise<string> {
  const schema = `constel_backup_v${version}_${compactUtc(nowMs).toLowerCase().replace(".", "_")}`;
  await sql`create schema ${sql.id(schema)}`.execute(db);
  const tables = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(db);
  for (const { name } of tables.rows) {
    await sql`lock table ${sql.id(name)} in share row exclusive mode`.execute(db);
  }
  for (const { name } of tables.rows) {
    await sql`create table ${sql.id(schema, name)} as table ${sql.id(name)}`.execute(db);
    const counts = await sql<{ same: boolean }>`select (select count(*) from ${sql.id(name)})
      = (select count(*) from ${sql.id(schema, name)}) as same`.execute(db);
    if (counts.rows[0]?.same !== true) throw new Error(`the backup of ${name} in ${schema} is not complete`);
  }
  return schema;
}
