// The daemon: a round trip to it, and what it costs while nothing happens.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { socketCaller } from "../src/client/socket.ts";
import { cpuOf, type Entry, interleave, median, percentile } from "./harness.ts";
import { constel } from "./program.ts";

async function withDaemon<T>(use: (home: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, CONSTEL_HOME: join(directory, "home") };
  try {
    cpuOf([constel, "daemon", "start"], env);
    return await use(env.CONSTEL_HOME);
  } finally {
    cpuOf([constel, "daemon", "stop"], env);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A bare HTTP echo on a unix socket, in a process of its own as the daemon is. */
async function withEcho<T>(use: (path: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "constel-echo-"));
  const path = join(directory, "echo.sock");
  const script = `Bun.serve({ unix: ${JSON.stringify(path)}, fetch: async (request) => new Response(await request.text()) }); console.log("up");`;
  const server = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  try {
    await server.stdout.getReader().read();
    return await use(path);
  } finally {
    server.kill();
    await server.exited;
    rmSync(directory, { recursive: true, force: true });
  }
}

export const daemonEntries: readonly Entry[] = [
  {
    name: "client-round-trip",
    what: "a call through the client over the unix socket, answered without a query",
    floorIs: "bare HTTP echo over a unix socket",
    bar: 3,
    better: "lower",
    lane: "quick",
    measure: (rounds) =>
      withDaemon((home) =>
        withEcho(async (echo) => {
          const caller = socketCaller(join(home, "state/daemon.sock"), "owner");
          const { ours, floor } = await interleave(
            rounds * 25,
            () => caller.call("daemon.status", {}),
            async () => (await fetch("http://x/", { unix: echo, method: "POST", body: '{"limit":20}' })).text(),
          );
          const p99 = percentile(ours, 0.99) / percentile(floor, 0.99);
          return {
            value: median(ours),
            floor: median(floor),
            unit: "ms",
            note: `p99 ratio ${p99.toFixed(2)}× (bar 5×)`,
          };
        }),
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
      withDaemon(async (home) => {
        const { pid } = JSON.parse(readFileSync(join(home, "state/daemon.json"), "utf8")) as { pid: number };
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
