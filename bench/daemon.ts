// The daemon: a round trip to it, and what it costs while nothing happens.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "../src/client/caller.ts";
import { socketCaller } from "../src/client/socket.ts";
import { ascending, cpuOf, type Entry, type Measured, median, percentile, timed } from "./harness.ts";
import { constel } from "./program.ts";

export async function withDaemon<T>(use: (home: string, pid: number) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, CONSTEL_HOME: join(directory, "home") };
  try {
    cpuOf([constel, "daemon", "start"], env);
    const { pid } = JSON.parse(readFileSync(join(env.CONSTEL_HOME, "state/daemon.json"), "utf8")) as { pid: number };
    return await use(env.CONSTEL_HOME, pid);
  } finally {
    cpuOf([constel, "daemon", "stop"], env);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A bare HTTP server on a unix socket that answers what it was last given, in a process of its own as the daemon is. */
async function withBareServer<T>(use: (path: string, pid: number) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "constel-bare-"));
  const path = join(directory, "bare.sock");
  const script = `
    let answer = "";
    Bun.serve({ unix: ${JSON.stringify(path)}, fetch: async (request) => {
      const text = await request.text();
      if (request.method === "PUT") answer = text;
      return new Response(answer);
    } });
    console.log("up");`;
  const server = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  try {
    await server.stdout.getReader().read();
    return await use(path, server.pid);
  } finally {
    server.kill();
    await server.exited;
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Calls through the client, and in turn the same bytes from a server that has them ready. The ratio is of the CPU that both
 * ends spend on a call, which is what a caller waits for on an idle machine and stays the same on a busy one.
 */
async function roundTrip(
  rounds: number,
  prepare: (caller: Caller) => Promise<unknown>,
  call: (caller: Caller) => Promise<unknown>,
): Promise<Measured> {
  return withDaemon((home, daemon) =>
    withBareServer(async (bare, server) => {
      const caller = socketCaller(join(home, "state/daemon.sock"), "owner");
      await prepare(caller);
      const body = JSON.stringify(await call(caller));
      await (await fetch("http://x/", { unix: bare, method: "PUT", body })).text();
      const bareCall = async (): Promise<unknown> =>
        (await fetch("http://x/", { unix: bare, method: "POST", body: '{"limit":20}' })).json();
      const ours: Block[] = [];
      const floor: Block[] = [];
      for (let round = -warmBlocks; round < rounds; round++) {
        const both = [await block(() => call(caller), daemon), await block(bareCall, server)] as const;
        if (round < 0) continue;
        ours.push(both[0]);
        floor.push(both[1]);
      }
      const wall = (blocks: readonly Block[], fraction: number): number =>
        percentile(blocks.flatMap((each) => each.wallMs).sort(ascending), fraction);
      const waited = (fraction: number): string => {
        const [mine, least] = [wall(ours, fraction), wall(floor, fraction)];
        return `${mine.toFixed(2)} ms (${(mine / least).toFixed(1)}×)`;
      };
      return {
        value: median(ours.map((each) => each.cpuMs).sort(ascending)),
        floor: median(floor.map((each) => each.cpuMs).sort(ascending)),
        unit: "ms CPU",
        note: `waited p50 ${waited(0.5)}, p99 ${waited(0.99)}; ${body.length} bytes`,
      };
    }),
  );
}

export interface Block {
  /** Of one call, in all processes. */
  readonly cpuMs: number;
  readonly wallMs: readonly number[];
}

const callsInBlock = 50;
/** A daemon has answered many calls before the one that somebody waits for. */
export const warmBlocks = 10;

/** Calls in a row, with the CPU that we and those who answer spend on one. */
export async function block(call: () => Promise<unknown>, ...servers: readonly number[]): Promise<Block> {
  const wallMs: number[] = [];
  const spent = (): number => [process.pid, ...servers].reduce((sum, pid) => sum + cpuMs(pid), 0);
  const before = spent();
  for (let again = 0; again < callsInBlock; again++) wallMs.push(await timed(call));
  return { cpuMs: (spent() - before) / callsInBlock, wallMs };
}

/** Of all threads of a process, to the nanosecond, by the scheduler's own account. */
function cpuMs(pid: number): number {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  return sum;
}

export const daemonEntries: readonly Entry[] = [
  {
    name: "client-round-trip",
    what: "a call through the client over the unix socket, answered without a query",
    floorIs: "bare HTTP over a unix socket, the same bytes answered from memory",
    bar: 3,
    better: "lower",
    lane: "quick",
    measure: (rounds) =>
      roundTrip(
        rounds,
        async () => undefined,
        (caller) => caller.call("daemon.status", {}),
      ),
  },
  {
    name: "client-read",
    what: "a read through the client over the unix socket (timeline.list, 20 of 1,000)",
    floorIs: "bare HTTP over a unix socket, the same bytes answered from memory",
    bar: 3,
    better: "lower",
    lane: "quick",
    measure: (rounds) =>
      roundTrip(
        rounds,
        (caller) =>
          Promise.all(
            Array.from({ length: 1000 }, (_, index) => caller.call("timeline.announce", { text: `x-${index}` })),
          ),
        (caller) => caller.call("timeline.list", { limit: 20 }),
      ),
  },
  {
    name: "daemon-idle",
    what: "CPU of the daemon while nothing happens, in percent of a core",
    floorIs: "nothing (the bar is 2 %)",
    bar: 2,
    better: "lower",
    lane: "full",
    measure: () =>
      withDaemon(async (_home, pid) => {
        const seconds = 20;
        const before = cpuTicks(pid);
        await Bun.sleep(seconds * 1000);
        const used = (cpuTicks(pid) - before) / 100; // ticks of 10 ms
        return { value: (used / seconds) * 100, floor: 0, unit: "%", note: `RSS ${rssMegabytes(pid)} MB (bar 150)` };
      }),
  },
];

function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function rssMegabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
}
