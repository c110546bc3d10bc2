// A process of its own that uses a store, for tests that kill it, race two of it, or starve it of disk. Run as
// `bun store-child.ts <what> <database> <backups>`; what it has to tell it prints, a line at a time.

import { sql } from "kysely";
import { systemClock, systemRandom } from "../../src/host/clock/system-clock.ts";
import { Refusal } from "../../src/protocol/errors.ts";
import { allMigrations } from "../../src/store/migrations/all.ts";
import type { Migration } from "../../src/store/migrations/migration.ts";
import { openStore, type Store } from "../../src/store/open.ts";
import type { CrashesTable } from "../../src/store/tables/records.ts";

export type ChildWork = "write" | "migrate" | "fill";

export const slowMigration: Migration = {
  version: allMigrations.length + 1,
  name: "slow",
  async up(db) {
    await sql`create table slow (id integer primary key, text text)`.execute(db);
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
      insert into slow select i, 'some text ' || i from n`.execute(db);
  },
  async verify(db) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from slow`.execute(db);
    if (rows[0]?.n !== 20000) throw new Error("not all rows are there");
  },
};

async function main([what, path = "", backupDirectory = ""]: readonly string[]): Promise<void> {
  const options = {
    url: `sqlite:${path}`,
    backupDirectory,
    clock: systemClock,
    random: systemRandom,
    constellation: "constel0",
  };
  const more = what === "migrate" ? { migrations: [...allMigrations, slowMigration] } : {};
  const store = await openStore({ ...options, ...more });
  if (what === "migrate") say(`migrated ${store.migrated.from} ${store.migrated.to} ${store.migrated.backup ?? "-"}`);
  if (what === "write") await writeForEver(store);
  if (what === "fill") await fill(store);
  await store.close();
}

/** 16 callers, each telling of a write once it is acknowledged. */
async function writeForEver(store: Store): Promise<void> {
  const caller = async (name: number): Promise<void> => {
    for (let index = 0; ; index++) {
      const id = `${name}-${index}`;
      await store.write(async (tx) => {
        await tx.insert("crashes", crash(id));
        await tx.record({ type: "child.wrote", subject: `crash:${id}`, actor: "child" });
      });
      say(`acknowledged ${id}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, name) => caller(name)));
}

/** Writes until it is refused, and tells how. */
async function fill(store: Store): Promise<void> {
  for (let index = 0; ; index++) {
    try {
      await store.write(async (tx) => {
        const detail = "x".repeat(10_000);
        await tx.insert("crashes", { ...crash(`${index}`), detail });
      });
    } catch (cause) {
      say(cause instanceof Refusal ? `refused ${cause.code} ${index} ${String(cause.facts["cause"])}` : `bug ${cause}`);
      return;
    }
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (import.meta.main) await main(process.argv.slice(2));

/** Not the suite's: that one needs the test runner. */
function crash(id: string): CrashesTable {
  const end = { runtime: null, launched_ms: null, exit_status: null, exit_signal: null };
  return { id, constellation: "constel0", at_ms: 1, agent: null, what: "x", detail: "{}", ...end };
}
