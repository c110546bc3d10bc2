// Measures how fast the bus is against the least work that could do its job, in turns in the same run. Exports only: whoever runs benches
// calls these and prints what they return.

import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bus } from "../src/floor/bus/bus.ts";
import { send } from "../src/floor/bus/send.ts";
import { askSystemDirectly } from "../src/files/directory-calls.ts";
import { finishToMany, sendToMany } from "../src/floor/bus/send-to-many.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { busTrust } from "../src/host/keys/bus-trust.ts";
import { systemLiveness } from "../src/host/process/liveness.ts";

export interface BusFigures {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly floor: number;
  readonly ratio: number;
  readonly bar: string;
  readonly pass: boolean;
  readonly p99?: number;
}

/** So many are sent before anything is measured: a daemon has sent before, and the engine compiles a function that is called often. */
const warmSends = 300;

/** Durable envelopes a second of one sender, against fsync and link of the same bytes. Higher is better. */
export function measureDurableSends(options: { rounds?: number; each?: number; home?: string } = {}): BusFigures {
  const { rounds = 20, each = 25 } = options;
  const home = options.home ?? mkdtempSync(join(tmpdir(), "constel-bench-bus-"));
  const bare = join(home, "bare");
  mkdirSync(bare);
  const bus = realBus(home);
  const text = "x".repeat(300);
  const bytes = JSON.stringify(send(bus, { from: "agent0", to: "agent1", text }).envelope);
  const directory = openSync(bare, "r");
  try {
    const [ours, floors]: number[][] = [[], []];
    let count = 0;
    for (let round = -warmSends / each; round < rounds; round++) {
      const floor = perSecond(each, () => fsyncAndLink(bare, directory, String(count++), bytes));
      const value = perSecond(each, () => send(bus, { from: "agent0", to: "agent1", text }));
      if (round < 0) continue;
      floors?.push(floor);
      ours?.push(value);
    }
    const [value, floor] = [median(ours ?? []), median(floors ?? [])];
    const ratio = value / floor;
    return {
      what: "bus: durable envelopes/s, one sender",
      unit: "/s",
      value,
      floor,
      ratio,
      bar: "≥ 0.5×",
      pass: ratio >= 0.5,
    };
  } finally {
    closeSync(directory);
    rmSync(home, { recursive: true, force: true });
  }
}

/** One message to fifty agents, against one durable write of the same bytes. In ms. */
export function measureFanOut(options: { rounds?: number } = {}): { ours: number[]; floor: number[] } {
  const { rounds = 20 } = options;
  const home = mkdtempSync(join(tmpdir(), "constel-bench-bus-"));
  const bare = join(home, "bare");
  mkdirSync(bare);
  const bus = realBus(home);
  const to = Array.from({ length: 50 }, (_, at) => `agent${at + 1}`);
  const draft = { from: "agent0", text: "x".repeat(300) };
  const bytes = JSON.stringify(send(bus, { ...draft, to: "agent1" }).envelope);
  const directory = openSync(bare, "r");
  const times = { ours: [] as number[], floor: [] as number[] };
  try {
    // The first makes the mailboxes.
    for (let round = -warmSends / to.length; round < rounds; round++) {
      finishToMany(bus);
      const floor = 1000 / perSecond(1, () => fsyncAndLink(bare, directory, String(round), bytes));
      const ours = 1000 / perSecond(1, () => sendToMany(bus, draft, to));
      if (round < 0) continue;
      times.floor.push(floor);
      times.ours.push(ours);
    }
    return times;
  } finally {
    closeSync(directory);
    rmSync(home, { recursive: true, force: true });
  }
}

/** From the call of send to the receiver's notice, in another process, against a bare file and a bare watch. In ms. */
export async function measureNotice(options: { rounds?: number } = {}): Promise<BusFigures> {
  const { rounds = 100 } = options;
  const home = mkdtempSync(join(tmpdir(), "constel-bench-bus-"));
  // After those who look into it have ended.
  using _ = { [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) };
  const bare = join(home, "bare");
  mkdirSync(bare);
  const bus = realBus(home);
  await using ours = new Watcher("mail", home);
  await using floor = new Watcher("bare", bare);
  await Promise.all([ours.ready(), floor.ready()]);
  for (let sent = 0; sent < warmSends; sent++) send(bus, { from: "agent0", to: "agent2", text: "x" });
  const [values, floors]: number[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    floors?.push(await floor.notice(() => writeFileSync(join(bare, `f${round}`), "x")));
    values?.push(await ours.notice(() => send(bus, { from: "agent0", to: "agent1", text: "x" })));
  }
  const [value, least, p99] = [median(values ?? []), median(floors ?? []), quantile(values ?? [], 0.99)];
  const ratio = value / least;
  const what = "bus: send to noticed by the receiver";
  return {
    what,
    unit: "ms",
    value,
    floor: least,
    ratio,
    bar: "≤ 5× p50, p99 ≤ 50 ms",
    p99,
    pass: ratio <= 5 && p99 <= 50,
  };
}

/** A child that says when it noticed something. */
class Watcher {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "inherit">;
  readonly #lines: AsyncIterator<string>;

  constructor(kind: "mail" | "bare", directory: string) {
    const program = join(import.meta.dir, "bus-watcher.ts");
    const command = [process.execPath, "--no-env-file", "--config=/dev/null", program, kind, directory];
    this.#child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
    this.#lines = linesOf(this.#child.stdout);
  }

  async ready(): Promise<void> {
    await this.#lines.next();
  }

  async notice(cause: () => void): Promise<number> {
    const started = nowMs();
    cause();
    const { value } = await this.#lines.next();
    return Number(value) - started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

function fsyncAndLink(directoryPath: string, directory: number, name: string, bytes: string): void {
  const temporary = join(directoryPath, `.${name}`);
  const file = openSync(temporary, "wx", 0o600);
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  linkSync(temporary, join(directoryPath, name));
  unlinkSync(temporary);
  fsyncSync(directory);
}

function perSecond(times: number, act: () => void): number {
  const started = performance.now();
  for (let time = 0; time < times; time++) act();
  return (times * 1000) / (performance.now() - started);
}

/** As the daemon has it: it sends more than one. */
function realBus(home: string): Bus {
  askSystemDirectly();
  return {
    home,
    clock: systemClock,
    random: systemRandom,
    liveness: systemLiveness,
    ...busTrust(home, systemClock, () => "agent0"),
  };
}

/** The wall clock to the microsecond, comparable between processes: Bun counts its other fine clocks from its own start. */
const nowMs = (): number => performance.timeOrigin + performance.now();

const median = (values: readonly number[]): number => quantile(values, 0.5);

const quantile = (values: readonly number[], at: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? Number.NaN;
