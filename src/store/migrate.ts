// Brings a database to the schema this program knows, or back by one. All pending migrations, their checks and the public
// views are one transaction behind a backup: whatever fails, the old state stands as it was. How each database makes a
// backup and keeps others out is in sqlite-target.ts and postgres-target.ts.

import { sql } from "kysely";
import { Refusal } from "../protocol/errors.ts";
import { columnsOf, type Migration, type Untyped } from "./migrations/migration.ts";
import type { Dialect } from "./tables.ts";
import { type PublicView, viewSql } from "./views.ts";
import { nameWriter, refuseNewerWriter, writtenBy } from "./written-by.ts";

/** A database that can be changed by one process at a time, with a way back. */
export interface MigrationTarget {
  readonly dialect: Dialect;
  readonly db: Untyped;
  /** For messages; holds no password. */
  readonly name: string;
  /**
   * Backs up when asked, then runs `work` in one transaction that ends with an integrity check. When somebody else
   * changed the database between `expected` being read and the lock being held, nothing is done: `overtaken`.
   */
  alone(
    options: { readonly expected: number; readonly backup: boolean },
    work: () => Promise<void>,
  ): Promise<"overtaken" | { readonly backup: string | undefined }>;
}

export interface MigrateOptions {
  readonly migrations: readonly Migration[];
  readonly views: readonly PublicView[];
  readonly nowMs: () => number;
  /** Of the program that opens it; without one, any version may. */
  readonly version?: string | undefined;
}

export interface MigrateOutcome {
  readonly from: number;
  readonly to: number;
  /** A file (SQLite) or a schema (Postgres); none for a new database or when nothing was to be done. */
  readonly backup: string | undefined;
}

export async function migrate(target: MigrationTarget, options: MigrateOptions): Promise<MigrateOutcome> {
  const { migrations, views } = options;
  const latest = latestOf(migrations);
  for (;;) {
    const from = await readVersion(target.db, target.dialect);
    await refuseForeign(target, migrations);
    await refuseNewer(target, from, options);
    const pending = migrations.filter((migration) => migration.version > from);
    if (pending.length === 0 && (await viewsAreCurrent(target, views)) && (await isNamed(target, options)))
      return { from, to: latest, backup: undefined };
    const outcome = await target.alone({ expected: from, backup: from > 0 && pending.length > 0 }, async () => {
      if (from === 0) await bookkeeping(target.db);
      await dropViews(target.db);
      for (const migration of pending) {
        await migration.up(target.db, target.dialect);
        await migration.verify(target.db, target.dialect);
        await sql`insert into schema_migrations (version, name, applied_ms)
          values (${migration.version}, ${migration.name}, ${options.nowMs()})`.execute(target.db);
      }
      await createViews(target, views);
      if (options.version !== undefined) await nameWriter(target.db, options.version);
    });
    if (outcome !== "overtaken") return { from, to: latest, backup: outcome.backup };
  }
}

async function refuseNewer(target: MigrationTarget, from: number, { version }: MigrateOptions): Promise<void> {
  if (from > 0 && version !== undefined)
    refuseNewerWriter(target.name, await writtenBy(target.db, target.dialect), version);
}

const isNamed = async (target: MigrationTarget, { version }: MigrateOptions): Promise<boolean> =>
  version === undefined || (await writtenBy(target.db, target.dialect)) === version;

/** Lets a version write to the database again that a newer one has written to. Answers the one that was named before; undefined where nothing had to be changed. */
export async function letWrite(target: MigrationTarget, version: string): Promise<string | undefined> {
  for (;;) {
    const expected = await readVersion(target.db, target.dialect);
    if (expected === 0) return undefined;
    const before = await writtenBy(target.db, target.dialect);
    if (before === undefined || before === version) return undefined;
    const outcome = await target.alone({ expected, backup: false }, () => nameWriter(target.db, version));
    if (outcome !== "overtaken") return before;
  }
}

/** Takes back the last migration. The views return with the next opening by a program that knows this schema. */
export async function undo(target: MigrationTarget, options: MigrateOptions): Promise<MigrateOutcome> {
  for (;;) {
    const from = await readVersion(target.db, target.dialect);
    await refuseForeign(target, options.migrations);
    await refuseNewer(target, from, options);
    const last = options.migrations.find((migration) => migration.version === from);
    if (last === undefined || last.version === 1 || last.down === undefined) {
      const why =
        last === undefined || last.version === 1 ? "it is at its first version" : `${last.name} has no way back`;
      throw new Refusal("store.nothing-to-undo", `the schema cannot be taken back: ${why}`, { version: from });
    }
    const down = last.down.bind(last);
    const before = options.migrations.find((migration) => migration.version === from - 1);
    const outcome = await target.alone({ expected: from, backup: true }, async () => {
      await dropViews(target.db);
      await down(target.db, target.dialect);
      await before?.verify(target.db, target.dialect);
      await sql`delete from schema_migrations where version = ${from}`.execute(target.db);
    });
    if (outcome !== "overtaken") return { from, to: from - 1, backup: outcome.backup };
  }
}

export async function readVersion(db: Untyped, dialect: Dialect): Promise<number> {
  if ((await columnsOf(db, dialect, "schema_migrations")).length === 0) return 0;
  const found = await sql<{ version: number | null }>`select max(version) as version from schema_migrations`.execute(
    db,
  );
  return found.rows[0]?.version ?? 0;
}

async function refuseForeign(target: MigrationTarget, migrations: readonly Migration[]): Promise<void> {
  const refusal = await whyForeign(target, migrations);
  if (refusal !== undefined) throw refusal;
}

/** The refusal of a database whose history is not ours, or reaches beyond what this program knows. */
export async function whyForeign(
  { db, dialect, name }: Pick<MigrationTarget, "db" | "dialect" | "name">,
  migrations: readonly Migration[],
): Promise<Refusal | undefined> {
  // First the tables, then the book: another process makes both in one transaction, and may do so between the two questions.
  const isBuilt = (await columnsOf(db, dialect, "events")).length > 0;
  const book = await columnsOf(db, dialect, "schema_migrations");
  return foreignHistory(name, migrations, {
    applied: ["version", "name"].every((column) => book.includes(column))
      ? (await sql<Applied>`select version, name from schema_migrations order by version`.execute(db)).rows
      : [],
    // A server's schema may hold other people's tables; only our names are in the way there.
    isUsed: isBuilt || book.length > 0,
    writtenBy: await writtenBy(db, dialect),
  });
}

export interface Applied {
  readonly version: number;
  readonly name: string;
}

export interface History {
  readonly applied: readonly Applied[];
  /** It has tables. */
  readonly isUsed: boolean;
  /** The version of constel that wrote to it last, if it was written down. */
  readonly writtenBy?: string | undefined;
}

/** Says why a database with these migrations is not ours to open. Undefined when it is. */
export function foreignHistory(
  name: string,
  migrations: readonly Migration[],
  { applied, isUsed, writtenBy: writer }: History,
): Refusal | undefined {
  const known = latestOf(migrations);
  const schema = Math.max(0, ...applied.map(({ version }) => version));
  const facts = { database: name, schema, known };
  const other = applied.find((row) => row.version <= known && migrations[row.version - 1]?.name !== row.name);
  const where = other === undefined ? "it has other tables" : `its migration ${other.version} is "${other.name}"`;
  if (other !== undefined || (isUsed && applied.length === 0)) {
    const message = `${name} is from before constel's first release, or another program's: ${where}. Nothing was changed`;
    return new Refusal("store.foreign-schema", message, facts);
  }
  if (schema <= known) return undefined;
  const by = writer === undefined ? "" : `, from constel ${writer}`;
  const message = `${name} has schema version ${schema}${by}; this constel knows up to ${known}`;
  return new Refusal("store.newer-schema", message, { ...facts, ...(writer === undefined ? {} : { newer: writer }) });
}

/** The refusal for a question that failed because another constel made the database; undefined when that is not why. */
export async function refuseOtherSchema(
  { db, dialect }: { readonly db: Untyped; readonly dialect: Dialect },
  migrations: readonly Migration[],
): Promise<Refusal | undefined> {
  const [schema, known] = [await readVersion(db, dialect), latestOf(migrations)];
  if (schema === known || schema === 0) return undefined;
  const writer = await writtenBy(db, dialect);
  const by = writer === undefined ? "" : `, from constel ${writer}`;
  const message = `the database has schema version ${schema}${by}; this constel has ${known}`;
  return new Refusal(schema < known ? "store.older-schema" : "store.newer-schema", message, { schema, known });
}

async function bookkeeping(db: Untyped): Promise<void> {
  await db.schema
    .createTable("schema_migrations")
    .addColumn("version", "bigint", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("applied_ms", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("meta")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .execute();
}

const viewsKey = "public-views";

/** Name and select of each view, in the order of creation, as last written to the database. */
type ViewRecord = [name: string, select: string][];

async function recordedViews(db: Untyped): Promise<ViewRecord> {
  const found = await sql<{ value: string }>`select value from meta where key = ${viewsKey}`.execute(db);
  const text = found.rows[0]?.value;
  return text === undefined ? [] : (JSON.parse(text) as ViewRecord);
}

async function viewsAreCurrent(target: MigrationTarget, views: readonly PublicView[]): Promise<boolean> {
  const wanted: ViewRecord = views.map((view) => [view.name, viewSql(view, target.dialect)]);
  return JSON.stringify(await recordedViews(target.db)) === JSON.stringify(wanted);
}

async function dropViews(db: Untyped): Promise<void> {
  // The last may lean on the first.
  for (const [name] of (await recordedViews(db)).reverse()) await db.schema.dropView(name).ifExists().execute();
  await sql`delete from meta where key = ${viewsKey}`.execute(db);
}

async function createViews(target: MigrationTarget, views: readonly PublicView[]): Promise<void> {
  const record: ViewRecord = [];
  for (const view of views) {
    const select = viewSql(view, target.dialect);
    await sql`create view ${sql.id(view.name)} as ${sql.raw(select)}`.execute(target.db);
    const found = await columnsOf(target.db, target.dialect, view.name);
    const declared = view.columns.map((column) => column.name);
    if (found.join() !== declared.join()) {
      throw new Error(`view ${view.name} gives (${found.join(", ")}), declared are (${declared.join(", ")})`);
    }
    record.push([view.name, select]);
  }
  await sql`insert into meta (key, value) values (${viewsKey}, ${JSON.stringify(record)})`.execute(target.db);
}

function latestOf(migrations: readonly Migration[]): number {
  migrations.forEach((migration, index) => {
    if (migration.version !== index + 1)
      throw new Error(`migration ${migration.name} should have version ${index + 1}`);
  });
  return migrations.length;
}
