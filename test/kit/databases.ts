// Both databases for a suite: a fresh SQLite file and a fresh Postgres database for each test. `onEachDatabase` is how a
// subject runs its tests on the two; `withStore` opens a store there with a clock that stands still. The migrations run once for a
// test file and what they made is copied: each run takes as long as many a test.

import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { FakeClock, seededRandom } from "../../src/ports/fake-clock.ts";
import { openStore, type OpenStoreOptions, type Store } from "../../src/store/open.ts";
import type { Dialect } from "../../src/store/tables.ts";
import { temporaryDirectory } from "./directory.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "./postgres.ts";

/** A fresh database, ways around the store, and the end of it. */
export interface Scene {
  readonly dialect: Dialect;
  readonly url: string;
  readonly backupDirectory: string;
  /** Runs statements past the store, as somebody with the database's password could. */
  raw(...statements: string[]): Promise<Record<string, unknown>[]>;
  end(): Promise<void>;
}

/** `migrated`: with the tables that a store makes when it is opened there. */
export type MakeScene = (begin?: "empty" | "migrated") => Promise<Scene>;

export async function sqliteScene(begin: "empty" | "migrated" = "empty"): Promise<Scene & { readonly path: string }> {
  const directory = temporaryDirectory("store");
  const backupDirectory = join(directory.path, "backups");
  const path = join(directory.path, "meta.db");
  mkdirSync(backupDirectory);
  if (begin === "migrated") writeFileSync(path, await migratedFile(), { mode: 0o600 });
  return {
    dialect: "sqlite",
    path,
    url: `sqlite:${path}`,
    backupDirectory,
    async raw(...statements) {
      if (!existsSync(path)) throw new Error(`no database at ${path}`);
      const database = new Database(path);
      try {
        return statements.flatMap((statement) => database.query<Record<string, unknown>, []>(statement).all());
      } finally {
        database.close();
      }
    },
    async end() {
      directory[Symbol.dispose]();
    },
  };
}

let migrated: Promise<Uint8Array> | undefined;

function migratedFile(): Promise<Uint8Array> {
  migrated ??= (async () => {
    const scene = await sqliteScene();
    await makeTables(scene);
    const content = readFileSync(scene.path);
    await scene.end();
    return content;
  })();
  return migrated;
}

async function makeTables({ url, backupDirectory }: Pick<Scene, "url" | "backupDirectory">): Promise<void> {
  const machine = { clock: new FakeClock(), random: seededRandom(7) };
  await (await openStore({ url, backupDirectory, ...machine, constellation: "constel0" })).close();
}

const nowhere = "/nonexistent";

async function postgresScene(server: TestPostgres, begin: "empty" | "migrated" = "empty"): Promise<Scene> {
  const make = (url: string): Promise<void> => makeTables({ url, backupDirectory: nowhere });
  const url = begin === "migrated" ? await server.copyOf("migrated", make) : await server.database();
  return {
    dialect: "postgres",
    url,
    backupDirectory: nowhere,
    async raw(...statements) {
      const connection = postgres(url, { max: 1, onnotice: () => {} });
      try {
        const rows: Record<string, unknown>[] = [];
        for (const statement of statements) rows.push(...(await connection.unsafe(statement)));
        return rows;
      } finally {
        await connection.end({ timeout: 5 });
      }
    },
    end: async () => {},
  };
}

/** Defines the same tests for SQLite and for Postgres. Without Postgres its half fails, unless it was left out by name. */
export function onEachDatabase(what: string, define: (makeScene: MakeScene, dialect: Dialect) => void): void {
  describe(`${what} on SQLite`, () => define(sqliteScene, "sqlite"));
  describe(`${what} on Postgres`, () => {
    if (withoutPostgres !== undefined) {
      // Skipped only when the caller said so, with a reason that is shown; a Postgres that is merely missing fails.
      test.skip(`left out: ${withoutPostgres}`, () => {});
      return;
    }
    let server: TestPostgres | undefined;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => {
      await server?.stop();
    });
    define((begin) => {
      if (server === undefined) throw new Error("Postgres did not start");
      return postgresScene(server, begin);
    }, "postgres");
  });
}

/** A store for each test. Read the fields inside tests only. */
export interface StoreScene {
  scene: Scene;
  clock: FakeClock;
  store: Store;
  options(more?: Partial<OpenStoreOptions>): OpenStoreOptions;
  /** Closes the store and opens it again. */
  reopen(more?: Partial<OpenStoreOptions>): Promise<Store>;
}

export function withStore(makeScene: MakeScene, begin: "empty" | "migrated" = "migrated"): StoreScene {
  const options = (more: Partial<OpenStoreOptions> = {}): OpenStoreOptions => ({
    url: here.scene.url,
    backupDirectory: here.scene.backupDirectory,
    clock: here.clock,
    random: seededRandom(7),
    constellation: "constel0",
    ...more,
  });
  const reopen = async (more?: Partial<OpenStoreOptions>): Promise<Store> => {
    await here.store.close();
    here.store = await openStore(options(more));
    return here.store;
  };
  const here = { options, reopen } as StoreScene;
  beforeEach(async () => {
    here.scene = await makeScene(begin);
    here.clock = new FakeClock();
    here.store = await openStore(options());
  });
  afterEach(async () => {
    await here.store.close();
    await here.scene.end();
  });
  return here;
}
