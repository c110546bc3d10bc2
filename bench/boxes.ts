// Measures what must not grow with what lies there: draining, `status`, `task next` and `doctor` at a hundred thousand messages, five
// thousand tasks and a million events, against the same at a thousand. CPU of the whole command, without a daemon, the two sizes in turns.

import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeMessageName } from "../src/floor/bus/message-name.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { openStore } from "../src/store/open.ts";
import { genesisHash, nextRow } from "../src/store/timeline.ts";
import { ascending, type Entry, type Measured, median } from "./harness.ts";

const program = join(import.meta.dir, "../bin/constel");
const rounds = 9;

interface Size {
  readonly messages: number;
  readonly tasks: number;
  readonly events: number;
}

const small: Size = { messages: 1_000, tasks: 50, events: 1_000 };
const large: Size = { messages: 100_000, tasks: 5_000, events: 1_000_000 };

class FilledHome {
  readonly #top = mkdtempSync(join(tmpdir(), "constel-bench-"));
  readonly path = join(this.#top, "home");

  /** CPU of one command, in milliseconds. */
  async cpuOf(...words: string[]): Promise<number> {
    const child = Bun.spawn([program, ...words], {
      env: { PATH: process.env["PATH"] ?? "", HOME: this.#top, CONSTEL_HOME: this.path },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
    return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
  }

  [Symbol.dispose](): void {
    rmSync(this.#top, { recursive: true, force: true });
  }
}

function fillBox(home: string, count: number): void {
  const inbox = join(home, "channels/agent/agent1/inbox");
  mkdirSync(inbox, { recursive: true, mode: 0o700 });
  const ports = { clock: systemClock, random: systemRandom };
  for (let at = 0; at < count; at++) {
    const from = `agent${2 + (at % 5)}`;
    const envelope = { from, to: "agent1", text: `message ${at}`, ts: new Date().toISOString(), id: `m${at}` };
    writeFileSync(join(inbox, makeMessageName(ports, 1, from).name), JSON.stringify(envelope), { mode: 0o600 });
  }
}

async function fillDatabase(home: string, size: Size): Promise<void> {
  mkdirSync(join(home, "backups"), { recursive: true });
  const url = `sqlite:${join(home, "meta.db")}`;
  const backupDirectory = join(home, "backups");
  const ports = { clock: systemClock, random: systemRandom };
  await (await openStore({ url, backupDirectory, ...ports, constellation: "constel0" })).close();
  const raw = new Database(join(home, "meta.db"));
  const event = raw.prepare("insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const startedMs = Date.now() - size.events;
  raw.run("begin");
  let head = { seq: 0, hash: genesisHash };
  for (let at = 0; at < size.events; at++) {
    const told = { type: `bench.kind-${at % 20}`, subject: `task:${at % 1000}`, actor: "bench", data: { exit: 0 } };
    const row = nextRow(told, head, { constellation: "constel0", nowMs: startedMs + at, random: systemRandom });
    event.run(
      row.seq,
      row.id,
      row.constellation,
      row.at_ms,
      row.type,
      row.subject,
      row.actor,
      row.data,
      row.prev_hash,
      row.hash,
    );
    head = row;
  }
  raw.run(
    "insert into chain_heads (constellation, seq, hash, pruned_seq, pruned_hash) values ('constel0', ?, ?, 0, ?)",
    [head.seq, head.hash, genesisHash],
  );
  const message = raw.prepare(
    "insert into messages (name, receiver, constellation, sender, text, text_bytes, state, sent_ms) values (?, ?, 'constel0', 'agent0', 'x', 1, ?, ?)",
  );
  for (let at = 0; at < size.messages; at++)
    message.run(`m${at}`, `agent${at % 50}`, at % 10 === 0 ? "sent" : "delivered", startedMs + at);
  const task = raw.prepare(
    `insert into tasks (constellation, number, title, directive, state, priority, root, scope, created_by, created_ms, updated_ms)
      values ('constel0', ?, 'a task', 'do it', 'open', 'normal', 'agent0', '[]', 'owner', ?, ?)`,
  );
  for (let at = 1; at <= size.tasks; at++) task.run(at, startedMs, startedMs);
  raw.run("commit");
  raw.close();
}

async function compare(
  fill: (home: string, size: Size) => void | Promise<void>,
  words: readonly string[],
): Promise<Measured> {
  using few = new FilledHome();
  using many = new FilledHome();
  await fill(few.path, small);
  await fill(many.path, large);
  const [values, floors]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    const [floor, value] = [await few.cpuOf(...words), await many.cpuOf(...words)];
    if (round < 0) continue;
    floors.push(floor);
    values.push(value);
  }
  return { value: median(values.sort(ascending)), floor: median(floors.sort(ascending)), unit: "ms" };
}

const entry = (name: string, what: string, measure: () => Promise<Measured>): Entry => ({
  name,
  what,
  floorIs: "the same at 1,000 messages, 50 tasks and 1,000 events",
  bar: 1.5,
  better: "lower",
  lane: "full",
  measure,
});

export const boxEntries: readonly Entry[] = [
  entry("drain-long-box", "`channel drain` of 50 from a box of 100,000", () =>
    compare((home, size) => fillBox(home, size.messages), ["channel", "drain", "agent1", "--max", "50"]),
  ),
  entry("status-large", "`status` at 100,000 messages, 5,000 tasks, 1,000,000 events", () =>
    compare(fillDatabase, ["status"]),
  ),
  entry("doctor-large", "`doctor` at 100,000 messages, 5,000 tasks, 1,000,000 events", () =>
    compare(fillDatabase, ["doctor"]),
  ),
  entry("task-next-large", "`task next` at 5,000 tasks", () =>
    compare((home, size) => fillDatabase(home, { ...size, messages: 0, events: 1 }), ["task", "next"]),
  ),
];
