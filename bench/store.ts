// The store: durable writes against raw bun:sqlite doing the same commits, and reads while others write.

import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askSystemDirectly } from "../src/files/directory-calls.ts";
import { keptHead } from "../src/app/head-file.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { constellationSigner } from "../src/host/keys/row-signer.ts";
import { makeId } from "../src/protocol/ids.ts";
import type { HeadKeeper } from "../src/store/database-head.ts";
import { openStore, type Store } from "../src/store/open.ts";
import { openReader } from "../src/store/read-only.ts";
import type { CliInvocationsTable } from "../src/store/tables/records.ts";
import type { EventsTable } from "../src/store/tables/timeline.ts";
import { ascending, type Entry, interleave, median, percentile, timed, warmRounds } from "./harness.ts";

const callers = 64;

/** The head file that the daemon keeps beside every commit. */
function headAt(home: string, databaseUrl: string): { head?: HeadKeeper } {
  const head = keptHead({ home, databaseUrl });
  return head === undefined ? {} : { head };
}

async function withStore<T>(use: (store: Store, raw: Database, url: string) => Promise<T>): Promise<T> {
  askSystemDirectly(); // as the daemon does
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  mkdirSync(join(directory, "backups"));
  const open = (name: string): Promise<Store> =>
    openStore({
      ...headAt(directory, `sqlite:${join(directory, name)}`),
      url: `sqlite:${join(directory, name)}`,
      backupDirectory: join(directory, "backups"),
      clock: systemClock,
      random: systemRandom,
      constellation: "constel0",
      sign: constellationSigner(directory, systemClock),
    });
  try {
    await (await open("floor.db")).close(); // the same schema for the floor
    const raw = new Database(join(directory, "floor.db"));
    raw.run("pragma journal_mode = wal");
    raw.run("pragma synchronous = full");
    const store = await open("ours.db");
    try {
      return await use(store, raw, `sqlite:${join(directory, "ours.db")}`);
    } finally {
      await store.close();
      raw.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

let made = 0;
function invocation(): CliInvocationsTable {
  const common = { constellation: "constel0", duration_ms: 12, cwd: "/home/someone/work", agent: "agent3" };
  return {
    id: `cli_${made++}`,
    at_ms: Date.now(),
    argv: '["task","list"]',
    exit_code: 0,
    version: "0.1.0",
    ...common,
  };
}

const writeOne = (store: Store): Promise<unknown> => {
  const row = invocation();
  return store.write(async (tx) => {
    await tx.insert("cli_invocations", row);
    return tx.record({ type: "cli.ran", subject: `cli:${row.id}`, actor: "agent3", data: { exit: 0 } });
  });
};

/** The floor's commit: the same rows, ready made with their ids and hashes, in one transaction. */
function rawCommit(raw: Database, total: number): (count: number) => void {
  const insert = raw.prepare("insert into cli_invocations values (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const append = raw.prepare("insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const ready = Array.from({ length: total }, (_, index) => readyRows(index + 1));
  let next = 0;
  return (count) => {
    raw.run("begin immediate");
    for (const { row, event } of ready.slice(next, (next += count))) {
      insert.run(
        row.id,
        row.constellation,
        row.at_ms,
        row.duration_ms,
        row.argv,
        row.cwd,
        row.agent,
        row.exit_code,
        row.version,
      );
      append.run(
        event.seq,
        event.id,
        event.constellation,
        event.at_ms,
        event.type,
        event.subject,
        event.actor,
        event.data,
        event.prev_hash,
        event.hash,
      );
    }
    raw.run("commit");
  };
}

function readyRows(seq: number): { row: CliInvocationsTable; event: EventsTable } {
  const row = invocation();
  const event = {
    seq,
    id: makeId("evt", row.at_ms + Math.floor(seq / callers), systemRandom.bytes(10)),
    constellation: "constel0",
    at_ms: row.at_ms,
    type: "cli.ran",
    subject: `cli:${row.id}`,
    actor: "agent3",
    data: '{"exit":0}',
    prev_hash: Buffer.from(systemRandom.bytes(32)).toString("hex"),
    hash: Buffer.from(systemRandom.bytes(32)).toString("hex"),
  };
  return { row, event };
}

export const storeEntries: readonly Entry[] = [
  {
    name: "durable-writes-64",
    what: "acknowledged durable writes with 64 callers at once (a row and an event each)",
    floorIs: "bun:sqlite committing the same rows 64 at a time, synchronous=FULL",
    bar: 0.5,
    better: "higher",
    lane: "quick",
    measure: (rounds) =>
      withStore(async (store, raw) => {
        const perCaller = 10;
        const commit = rawCommit(raw, (rounds + warmRounds) * callers * perCaller);
        const { ours, floor } = await interleave(
          rounds,
          () =>
            Promise.all(
              Array.from({ length: callers }, async () => {
                for (let index = 0; index < perCaller; index++) await writeOne(store);
              }),
            ),
          () => {
            for (let index = 0; index < perCaller; index++) commit(callers);
          },
        );
        const rate = (ms: number): number => (callers * perCaller * 1000) / ms;
        return { value: rate(median(ours)), floor: rate(median(floor)), unit: "/s" };
      }),
  },
  {
    name: "durable-write-1",
    what: "one durable write by one caller",
    floorIs: "one bun:sqlite commit of the same rows, synchronous=FULL",
    bar: 2,
    better: "lower",
    lane: "quick",
    measure: (rounds) =>
      withStore(async (store, raw) => {
        const commit = rawCommit(raw, rounds * 5 + warmRounds);
        const { ours, floor } = await interleave(
          rounds * 5,
          () => writeOne(store),
          () => commit(1),
        );
        return {
          value: median(ours),
          floor: median(floor),
          unit: "ms",
          note: `p99 ${percentile(ours, 0.99).toFixed(2)} ms`,
        };
      }),
  },
  {
    name: "query-under-load",
    what: "p99 of two views' queries by 4 readers while 8 writers write",
    floorIs: "the same queries with nobody writing",
    bar: 3,
    better: "lower",
    lane: "quick",
    measure: (rounds) =>
      withStore(async (store, _raw, url) => {
        await Promise.all(Array.from({ length: 10_000 }, () => writeOne(store)));
        // By itself the first takes a tenth of a millisecond, too little to be measured beside others; so both are one question.
        const questions = [
          "select at, type, subject from timeline order by seq desc limit 50",
          "select at, argv, exit_code from cli_recent where exit_code = 0",
        ];
        const readers = await Promise.all(Array.from({ length: 4 }, () => openReader(url)));
        const ask = async (reader: (typeof readers)[number]): Promise<number> =>
          timed(async () => {
            for (const sql of questions) for await (const row of (await reader.rows(sql)).rows) void row;
          });
        // Writers are another process, as in life; they are held and let go in turn, so that what else the machine does
        // meets both alike.
        const writers = startWriters(url, 8);
        await writers.ready;
        const idle: number[] = [];
        const busy: number[] = [];
        for (let round = -2; round < rounds; round++) {
          for (const [times, signal] of [
            [idle, "SIGSTOP"],
            [busy, "SIGCONT"],
          ] as const) {
            writers.send(signal);
            for (let again = 0; again < 10; again++) {
              for (const reader of readers) {
                const took = await ask(reader);
                if (round >= 0) times.push(took);
              }
            }
          }
        }
        await writers.stop();
        idle.sort(ascending);
        busy.sort(ascending);
        for (const reader of readers) await reader.close();
        return {
          value: percentile(busy, 0.99),
          floor: percentile(idle, 0.99),
          unit: "ms",
          note: `p50 ${median(idle).toFixed(2)} → ${median(busy).toFixed(2)} ms, p99 ${percentile(idle, 0.99).toFixed(2)} → ${percentile(busy, 0.99).toFixed(2)} ms`,
        };
      }),
  },
];

function startWriters(
  url: string,
  count: number,
): { ready: Promise<unknown>; send(signal: NodeJS.Signals): void; stop(): Promise<void> } {
  const path = url.slice("sqlite:".length);
  // One process with eight callers: constel has one writer, and these are its clients.
  const script = `
    import { openStore } from ${JSON.stringify(join(import.meta.dir, "../src/store/open.ts"))};
    import { systemClock, systemRandom } from ${JSON.stringify(join(import.meta.dir, "../src/host/clock/system-clock.ts"))};
    const store = await openStore({ url: "sqlite:${path}", backupDirectory: "${path}-backups", clock: systemClock, random: systemRandom, constellation: "writers" });
    let open = true;
    process.on("SIGTERM", () => { open = false; });
    console.log("up");
    await Promise.all(Array.from({ length: ${count} }, async () => {
      while (open) {
        await store.write((tx) => tx.record({ type: "bench.wrote", actor: "bench", data: {} }));
        await Bun.sleep(1);
      }
    }));
    await store.close();`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  return {
    ready: child.stdout.getReader().read(),
    send: (signal) => child.kill(signal),
    async stop() {
      child.kill("SIGCONT");
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}
