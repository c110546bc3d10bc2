// Measures how fast a look at all terminals is, against the least that could do it, and what the client costs while nobody asks. Exports the
// measurements; run alone, it prints them.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/host/clock/system-clock.ts";
import { TmuxTerminals } from "../src/host/tmux/tmux-terminals.ts";

export interface SweepFigures {
  readonly panes: number;
  readonly rounds: number;
  /** The list of all terminals and all their screens, hashed. */
  readonly sweepMs: Quantiles;
  /** All screens, hashed, without the list. */
  readonly captureMs: Quantiles;
  /** One tmux process, given one command list that captures each pane. */
  readonly floorMs: Quantiles;
  /** Of the medians, sweep to floor. */
  readonly ratio: number;
}

export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

export interface IdleFigures {
  readonly seconds: number;
  readonly clientCpuPercent: number;
  readonly serverCpuPercent: number;
  readonly clientRssMb: number;
  readonly serverRssMb: number;
}

/** Rounds of each kind are interleaved, so that what else the machine does meets them alike. */
export async function statusSweep(options: { panes?: number; rounds?: number } = {}): Promise<SweepFigures> {
  const { panes = 100, rounds = 40 } = options;
  await using stage = await openStage(panes);
  const { terminals, names } = stage;
  const list = names.flatMap((name) => [";", "capture-pane", "-p", "-t", `=${name}:`]).slice(1);
  const times = { sweep: [] as number[], capture: [] as number[], floor: [] as number[] };
  for (let round = -3; round < rounds; round++) {
    const floor = await timed(async () => void (await tmux(stage.env, stage.socket, list)));
    const capture = await timed(() => terminals.captureMany(names));
    const sweep = await timed(async () => {
      const seen = await terminals.list();
      const screens = await terminals.captureMany(seen.map(({ name }) => name));
      if (screens.size !== panes) throw new Error(`saw ${screens.size} of ${panes} screens`);
    });
    if (round < 0) continue;
    times.floor.push(floor);
    times.capture.push(capture);
    times.sweep.push(sweep);
  }
  const [sweepMs, captureMs, floorMs] = [quantiles(times.sweep), quantiles(times.capture), quantiles(times.floor)];
  return { panes, rounds, sweepMs, captureMs, floorMs, ratio: sweepMs.p50 / floorMs.p50 };
}

/** Measures what the control client and its server cost while nothing happens. Linux only. */
export async function idleCost(
  options: { panes?: number; seconds?: number; listening?: boolean } = {},
): Promise<IdleFigures> {
  const { panes = 100, seconds = 5, listening = false } = options;
  await using stage = await openStage(panes);
  if (listening) stage.terminals.onChange(() => undefined);
  await stage.terminals.list();
  const client = stage.terminals.clientPid ?? 0;
  const server = Number(await tmux(stage.env, stage.socket, ["display-message", "-p", "#{pid}"]));
  const before = [cpuTicks(client), cpuTicks(server)] as const;
  await Bun.sleep(seconds * 1000);
  const percent = (now: number, then: number): number => (now - then) / seconds; // a tick is a hundredth
  return {
    seconds,
    clientCpuPercent: percent(cpuTicks(client), before[0]),
    serverCpuPercent: percent(cpuTicks(server), before[1]),
    clientRssMb: rssMb(client),
    serverRssMb: rssMb(server),
  };
}

async function openStage(panes: number): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: directory, TMUX_TMPDIR: directory };
  const socket = "bench";
  const terminals = new TmuxTerminals({ socket, env, clock: systemClock, lockPath: join(directory, "tmux.lock") });
  const names = Array.from({ length: panes }, (_, index) => `agent${index}`);
  const script =
    'i=0; while [ $i -lt 38 ]; do echo "$1 line $i: some words of an agent at work, as a screen holds them"; i=$((i+1)); done; exec cat';
  for (const name of names) await terminals.create({ name, cwd: "/", command: ["sh", "-c", script, "sh", name] });
  for (;;) {
    const screens = await terminals.captureMany(names);
    if (names.every((name) => screens.get(name)?.text.includes("line 37"))) break;
    await Bun.sleep(20);
  }
  const end = async (): Promise<void> => {
    await terminals.killServer();
    await terminals.close();
    rmSync(directory, { recursive: true, force: true });
  };
  return { terminals, names, env, socket, [Symbol.asyncDispose]: end };
}

interface Stage extends AsyncDisposable {
  readonly terminals: TmuxTerminals;
  readonly names: readonly string[];
  readonly env: Record<string, string>;
  readonly socket: string;
}

async function tmux(env: Record<string, string>, socket: string, args: readonly string[]): Promise<string> {
  const child = Bun.spawn(["tmux", "-u", "-L", socket, "-f", "/dev/null", ...args], { env, stdout: "pipe" });
  const [text, code] = await Promise.all([child.stdout.text(), child.exited]);
  if (code !== 0) throw new Error(`tmux ended with ${code}`);
  return text;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function quantiles(times: readonly number[]): Quantiles {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** In hundredths of a second, user and system. */
function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

function rssMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}
