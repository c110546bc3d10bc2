// Acknowledged durable writes with 64 concurrent callers, each writing one row and one event, against the floor: a raw
// bun:sqlite group commit of the same rows (already made, hashes included), 64 callers' worth a commit, synchronous=FULL, on
// the same disk, in the same process, interleaved. Run: bun bench/store-writes.ts [directory] [rounds]

import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { openStore, type Store } from "../src/store/open.ts";
import type { CliInvocationsTable, EventsTable } from "../src/store/tables.ts";

const callers = 64;
const writesPerCaller = 40;
const bar = 0.5;

const directory = mkdtempSync(join(resolve(process.argv[2] ?? tmpdir()), "constel-bench-"));
const rounds = Number(process.argv[3] ?? 20);

function invocation(id: string): CliInvocationsTable {
  const common = { constellation: "constel0", duration_ms: 12, cwd: "/home/someone/work", agent: "agent3" };
  return { id, at_ms: Date.now(), argv: '["task","list","--json"]', exit_code: 0, version: "0.1.0", ...common };
}

let made = 0;
async function ours(store: Store, kind: "insert" | "kysely"): Promise<number> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let index = 0; index < writesPerCaller; index++) {
        const row = invocation(`cli_${made++}`);
        await store.write(async (tx) => {
          if (kind === "insert") await tx.insert("cli_invocations", row);
          else await tx.db.insertInto("cli_invocations").values(row).execute();
          return tx.record({ type: "cli.ran", subject: `cli:${row.id}`, actor: "agent3", data: { exit: 0 } });
        });
      }
    }),
  );
  return rate(performance.now() - started);
}

function floor(database: Database, rows: readonly CliInvocationsTable[], events: readonly EventsTable[]): number {
  const insert = database.prepare("insert into cli_invocations values (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const append = database.prepare("insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const started = performance.now();
  for (let from = 0; from < rows.length; from += callers) {
    database.run("begin immediate");
    for (let index = from; index < from + callers; index++) {
      const row = rows[index];
      const event = events[index];
      if (row === undefined || event === undefined) throw new Error("rows and events differ");
      const { id, constellation, at_ms, duration_ms, argv, cwd, agent, exit_code, version } = row;
      insert.run(id, constellation, at_ms, duration_ms, argv, cwd, agent, exit_code, version);
      const { seq, type, subject, actor, data, prev_hash, hash } = event;
      append.run(seq, event.id, event.constellation, event.at_ms, type, subject, actor, data, prev_hash, hash);
    }
    database.run("commit");
  }
  return rate(performance.now() - started);
}

const rate = (ms: number): number => (callers * writesPerCaller * 1000) / ms;
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function open(name: string): Promise<Store> {
  const backupDirectory = join(directory, "backups");
  mkdirSync(backupDirectory, { recursive: true });
  const url = `sqlite:${join(directory, name)}`;
  return openStore({ url, backupDirectory, clock: systemClock, random: systemRandom, constellation: "constel0" });
}

try {
  await (await open("floor.db")).close();
  const raw = new Database(join(directory, "floor.db"));
  raw.run("pragma journal_mode = wal");
  raw.run("pragma synchronous = full");
  const store = await open("ours.db");
  const rates: Record<"insert" | "kysely" | "floor", number[]> = { insert: [], kysely: [], floor: [] };
  let copied = 0;
  for (let round = 0; round < rounds; round++) {
    rates.kysely.push(await ours(store, "kysely"));
    rates.insert.push(await ours(store, "insert"));
    const events = await store.db.selectFrom("events").selectAll().where("seq", ">", copied).orderBy("seq").execute();
    const rows = await store.db.selectFrom("cli_invocations").selectAll().orderBy("at_ms").execute();
    const fresh = rows.filter((row) => Number(row.id.slice(4)) >= copied);
    copied += events.length;
    const half = events.length / 2;
    rates.floor.push(floor(raw, fresh.slice(0, half), events.slice(0, half)));
    floor(raw, fresh.slice(half), events.slice(half));
  }
  const base = median(rates.floor);
  for (const kind of ["insert", "kysely"] as const) {
    const value = median(rates[kind]);
    const ratio = value / base;
    const verdict = ratio >= bar ? "pass" : "gap";
    console.log(
      `durable writes, 64 callers, ${kind}: ${value.toFixed(0)}/s, floor ${base.toFixed(0)}/s, ratio ${ratio.toFixed(2)}, bar ≥ ${bar}: ${verdict}`,
    );
  }
  await store.close();
  raw.close();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
