// The store as it is used: by clients through the daemon's socket. Writers and readers are all at once, each reader a process of its
// own, because a reader in this process would wait for the one before it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Connection } from "../src/client/connection.ts";
import { Connections } from "../src/client/connections.ts";
import { socketCaller } from "../src/client/socket.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { openStore, type OpenStoreOptions } from "../src/store/open.ts";
import { withDaemon } from "./daemon.ts";
import { ascending, type Entry, interleave, type Measured, median, percentile } from "./harness.ts";

const callers = 64;
const perCaller = 10;
const clientSource = JSON.stringify(join(import.meta.dir, "../src/client/socket.ts"));
const readerSource = JSON.stringify(join(import.meta.dir, "../src/store/read-only.ts"));

/**
 * The least server that acknowledges durable writes: what has come meanwhile is one transaction, and then all of it is answered. The rows are
 * those of the timeline, in a database with the timeline's own schema; what makes them a chain is not worked out.
 */
const leastServer = (socket: string, database: string): string => `
  import { Database } from "bun:sqlite";
  const raw = new Database(${JSON.stringify(database)});
  raw.run("pragma journal_mode = wal");
  raw.run("pragma synchronous = full");
  const insert = raw.prepare("insert into events values (?, ?, 'constel0', ?, 'owner.announced', null, 'owner', ?, ?, ?)");
  const hash = "0".repeat(64);
  let seq = 0;
  let waiting = [];
  const commit = () => {
    const now = waiting.splice(0);
    raw.run("begin immediate");
    for (const { text } of now) insert.run(++seq, "evt_" + String(seq).padStart(26, "0"), Date.now(), text, hash, hash);
    raw.run("commit");
    for (const { answer } of now) answer(new Response('{"seq":1}'));
  };
  Bun.serve({ unix: ${JSON.stringify(socket)}, fetch: async (request) => {
    const text = await request.text();
    return new Promise((answer) => {
      waiting.push({ text, answer });
      if (waiting.length === 1) setImmediate(commit);
    });
  } });
  console.log("up");`;

const storeAt = (directory: string): OpenStoreOptions => ({
  url: `sqlite:${join(directory, "least.db")}`,
  backupDirectory: directory,
  clock: systemClock,
  random: systemRandom,
  constellation: "constel0",
});

async function withLeastServer<T>(use: (socket: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "constel-least-"));
  const socket = join(directory, "least.sock");
  await (await openStore(storeAt(directory))).close(); // the schema
  const child = Bun.spawn([process.execPath, "-e", leastServer(socket, join(directory, "least.db"))], {
    stdout: "pipe",
  });
  try {
    await child.stdout.getReader().read();
    return await use(socket);
  } finally {
    child.kill();
    await child.exited;
    rmSync(directory, { recursive: true, force: true });
  }
}

/** So many at once, each its next when the one before is answered. */
const atOnce = (call: (text: string) => Promise<unknown>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let index = 0; index < perCaller; index++) await call(`${caller} says ${index}`);
    }),
  );

async function durableWrites(rounds: number): Promise<Measured> {
  return withDaemon((home) =>
    withLeastServer(async (socket) => {
      const caller = socketCaller(join(home, "state/daemon.sock"), "owner");
      const bare = new Connections();
      const say = (text: string): Promise<unknown> =>
        bare.use(
          () => Connection.open(socket),
          async (connection) => {
            const asked = connection.ask({ route: "/", headers: {}, body: JSON.stringify({ text }), heard: () => {} });
            return JSON.parse((await asked)?.text ?? "") as unknown;
          },
        );
      const { ours, floor } = await interleave(
        rounds,
        () => atOnce((text) => caller.call("timeline.announce", { text })),
        () => atOnce(say),
      );
      const rate = (ms: number): number => (callers * perCaller * 1000) / ms;
      return { value: rate(median(ours)), floor: rate(median(floor)), unit: "/s" };
    }),
  );
}

const questions = [
  "select at, type, subject from timeline order by seq desc limit 50",
  "select at, argv, exit_code from cli_recent where exit_code = 0",
];

/** A process that asks the views one after the other when it is told to, and prints how long each time took. */
const reader = (url: string): string => `
  import { openReader } from ${readerSource};
  const reader = await openReader(${JSON.stringify(url)});
  for await (const line of console) {
    const times = [];
    for (let again = 0; again < Number(line); again++) {
      const started = performance.now();
      for (const sql of ${JSON.stringify(questions)}) for await (const row of (await reader.rows(sql)).rows) void row;
      times.push(performance.now() - started);
    }
    console.log(JSON.stringify(times));
  }`;

/** Eight clients that write without a pause. */
const writers = (socket: string): string => `
  import { socketCaller } from ${clientSource};
  const caller = socketCaller(${JSON.stringify(socket)}, "owner");
  console.log("up");
  await Promise.all(Array.from({ length: 8 }, async () => { for (;;) await caller.call("timeline.announce", { text: "busy" }); }));`;

class Asked {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #lines: AsyncIterator<Uint8Array>;

  constructor(script: string) {
    const command = [process.execPath, "--no-env-file", "--config=/dev/null", "-e", script];
    this.#child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    this.#lines = this.#child.stdout[Symbol.asyncIterator]();
  }

  async times(count: number): Promise<number[]> {
    this.#child.stdin.write(`${count}\n`);
    this.#child.stdin.flush();
    return JSON.parse(await this.answer()) as number[];
  }

  async answer(): Promise<string> {
    let text = "";
    while (!text.endsWith("\n")) {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error("it ended before it answered");
      text += new TextDecoder().decode(value);
    }
    return text;
  }

  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

async function readersAmongWriters(rounds: number): Promise<Measured> {
  return withDaemon(async (home) => {
    const socket = join(home, "state/daemon.sock");
    const caller = socketCaller(socket, "owner");
    for (let batch = 0; batch < 10; batch++)
      await Promise.all(Array.from({ length: 500 }, () => caller.call("timeline.announce", { text: "before" })));
    await using busy = new Asked(writers(socket));
    await busy.answer();
    await using disposables = new AsyncDisposableStack();
    const readers = Array.from({ length: 4 }, () =>
      disposables.use(new Asked(reader(`sqlite:${join(home, "meta.db")}`))),
    );
    const found = { SIGSTOP: [] as number[], SIGCONT: [] as number[] };
    for (let round = -1; round < rounds; round++) {
      for (const signal of ["SIGSTOP", "SIGCONT"] as const) {
        busy.send(signal);
        const times = (await Promise.all(readers.map((one) => one.times(10)))).flat();
        if (round >= 0) found[signal].push(...times);
      }
    }
    busy.send("SIGCONT");
    const [idle, loaded] = [found.SIGSTOP.sort(ascending), found.SIGCONT.sort(ascending)];
    const note = `p50 ${median(idle).toFixed(2)} → ${median(loaded).toFixed(2)} ms`;
    return { value: percentile(loaded, 0.99), floor: percentile(idle, 0.99), unit: "ms", note };
  });
}

const clones = 8;

/** A clone of its own process: a write, its answer, the next write, and in the end how long each took. */
const clone = (socket: string, agent: string, writes: number): string => `
  import { socketCaller } from ${clientSource};
  const caller = socketCaller(${JSON.stringify(socket)}, ${JSON.stringify(agent)});
  const say = (text) => caller.call("event.publish", { type: "note", text, topics: ["bench"] });
  for (let at = 0; at < 5; at++) await say("warm " + at);
  console.log("up");
  for await (const line of console) {
    const times = [];
    for (let at = 0; at < ${writes}; at++) {
      const began = performance.now();
      await say("note " + at);
      times.push(performance.now() - began);
    }
    console.log(JSON.stringify(times));
    break;
  }
  process.exit(0);`;

/** Eight clones publish an event each, again and again, all at once. */
async function writesOfClones(rounds: number): Promise<Measured> {
  return withDaemon(async (home) => {
    const socket = join(home, "state/daemon.sock");
    const children = Array.from({ length: clones }, (_, at) =>
      Bun.spawn([process.execPath, "-e", clone(socket, `agent${at + 1}`, rounds * 5)], {
        stdin: "pipe",
        stdout: "pipe",
      }),
    );
    try {
      const outputs = children.map(({ stdout }) => linesOf(stdout));
      for (const output of outputs) await output.next();
      for (const { stdin } of children) {
        stdin.write("go\n");
        await stdin.flush();
      }
      const answers = await Promise.all(outputs.map(async (output) => (await output.next()).value ?? "[]"));
      const times = answers.flatMap((line) => JSON.parse(line) as number[]).sort(ascending);
      const note = `p50 ${median(times).toFixed(1)} ms, ${times.length} writes`;
      return { value: percentile(times, 0.99), floor: 0, unit: "ms", note };
    } finally {
      for (const child of children) child.kill();
      await Promise.all(children.map(({ exited }) => exited));
    }
  });
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of stream) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}

export const clientEntries: readonly Entry[] = [
  {
    name: "durable-writes-clients",
    what: "acknowledged durable writes a second, 64 clients of the daemon at once",
    floorIs:
      "the least HTTP server on a unix socket that commits the same rows of what has come as one transaction, synchronous=FULL",
    bar: 0.5,
    better: "higher",
    lane: "full",
    measure: (rounds) => durableWrites(Math.min(rounds, 40)),
  },
  {
    name: "writes-of-clones",
    what: "p99 of an acknowledged write while 8 clones write, each its next when the one before is answered",
    floorIs: "nothing; the bar is absolute",
    bar: 128,
    better: "lower",
    lane: "full",
    measure: (rounds) => writesOfClones(Math.min(rounds, 40)),
  },
  {
    name: "query-among-clients",
    what: "p99 of two views' queries by 4 readers at once while 8 clients write through the daemon",
    floorIs: "the same readers at once with nobody writing",
    bar: 3,
    better: "lower",
    lane: "full",
    measure: (rounds) => readersAmongWriters(Math.min(rounds, 40)),
  },
];
