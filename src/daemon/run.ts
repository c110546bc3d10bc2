// The daemon's life: one per home, by a lock that the kernel frees when it dies; store open before the socket, so that who
// connects is served; on a stop, what is under way is finished and nothing is left behind.

import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withShortPath } from "../client/socket.ts";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { tryLock } from "../host/process/file-lock.ts";
import { messageOf } from "../protocol/errors.ts";
import { toWire } from "../protocol/wire.ts";
import { httpToken } from "../settings/http-token.ts";
import { homeDirectories, inHome } from "../settings/paths.ts";
import type { Settings } from "../settings/settings.ts";
import { makeTrustedDirectory, removeTrusted, writeTrusted } from "../settings/trusted-files.ts";
import { openStore } from "../store/open.ts";
import { composeLoops } from "./compose.ts";
import { guardTcp } from "./guard-tcp.ts";
import { makeHandlers } from "./handlers.ts";
import { makeSelf } from "./self.ts";
import { makeFetch } from "./serve.ts";
import { storeOptions } from "./store-options.ts";
import { makeTaskMachine } from "./task-machine.ts";

/** Runs until it is asked to stop. Answers at once when another daemon has the home. */
export async function runDaemon(settings: Settings, version: string): Promise<void> {
  const { home } = settings;
  for (const directory of homeDirectories) makeTrustedDirectory(home, directory);
  const lock = tryLock(join(home, inHome.daemonLock));
  if (lock === undefined) return log("another daemon has this home");
  try {
    await serveUntilStopped(settings, version);
  } catch (cause) {
    // Whoever asked for the start reads this and tells the user.
    writeTrusted(home, inHome.daemonFailure, JSON.stringify(toWire(cause)));
    log(`failed: ${messageOf(cause)}`);
    throw cause;
  } finally {
    lock.release();
  }
}

async function serveUntilStopped(settings: Settings, version: string): Promise<void> {
  const { home } = settings;
  const stopping = new AbortController();
  const askToStop = (): void => stopping.abort();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, askToStop);
  process.on("unhandledRejection", (cause) => log(`bug, a promise nobody waited for: ${stackOf(cause)}`));

  const store = await openStore({
    ...storeOptions(settings),
    log: (problem, cause) => log(`${problem}: ${stackOf(cause)}`),
  });
  if (store.migrated.from !== store.migrated.to) log(`schema ${store.migrated.from} → ${store.migrated.to}`);
  const startedMs = systemClock.nowMs();
  const taskMachine = makeTaskMachine(settings);
  const loops = composeLoops({ settings, store, clock: systemClock, random: systemRandom, taskMachine, log });
  let httpAddress: string | null = null;
  const self = makeSelf({ version, startedMs, loops, httpAddress: () => httpAddress, askToStop });
  const fetch = makeFetch({
    store,
    handlers: makeHandlers({
      self,
      taskMachine,
      wakeHarvester: () => loops.find(({ name }) => name === "harvest")?.wake(),
    }),
    contextFor: (actor) => ({
      store,
      clock: systemClock,
      random: systemRandom,
      constellation: store.constellation,
      actor,
    }),
    version,
    log,
    stopping: stopping.signal,
  });

  const unixServer = await listenOnSocket(join(home, inHome.socket), fetch);
  const tcpServer = settings.config["http.enabled"] ? listenOnLoopback(settings, fetch) : undefined;
  if (tcpServer !== undefined) httpAddress = `http://127.0.0.1:${tcpServer.port}`;
  writeTrusted(
    home,
    inHome.daemonInfo,
    `${JSON.stringify({ pid: process.pid, version, started_ms: startedMs, http: httpAddress })}\n`,
  );
  log(`ready, constel ${version}, pid ${process.pid}`);

  await new Promise<void>((resolve) => stopping.signal.addEventListener("abort", () => resolve(), { once: true }));
  // Each step runs even when one before it fails.
  const steps: (() => unknown)[] = [
    () => unixServer.stop(),
    () => tcpServer?.stop(),
    () => Promise.all(loops.map((loop) => loop.stop())),
    () => store.close(),
    () => removeTrusted(home, inHome.socket),
    () => removeTrusted(home, inHome.daemonInfo),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (cause) {
      log(`while stopping: ${messageOf(cause)}`);
    }
  }
  log("stopped");
}

type Fetch = (request: Request) => Promise<Response>;

/** The lock is ours, so a socket file that is there is a dead daemon's. */
async function listenOnSocket(path: string, fetch: Fetch) {
  rmSync(path, { force: true });
  return withShortPath(path, async (unix) => {
    // Mode 0600 from the start: the umask is 0077, and the directory is 0700. No idle timeout: it would cut streams; Bun's
    // types leave it out for sockets although it applies there too.
    const options = { unix, fetch, idleTimeout: 0, maxRequestBodySize: 64 * 1024 * 1024 };
    const server = Bun.serve(options as unknown as Bun.Serve.Options<undefined>);
    chmodSync(path, 0o600);
    return server;
  });
}

function listenOnLoopback(settings: Settings, fetch: Fetch) {
  const { config, home } = settings;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: config["http.port"],
    idleTimeout: 0,
    maxRequestBodySize: config["http.max_body_bytes"] + 1,
    fetch: (request) => guarded(request),
  });
  const guarded = guardTcp(fetch, {
    port: () => server.port ?? 0,
    token: httpToken(home),
    maxBodyBytes: config["http.max_body_bytes"],
    requestsPerMinute: config["http.requests_per_minute"],
    clock: systemClock,
  });
  return server;
}

function log(line: string): void {
  process.stderr.write(`${new Date(systemClock.nowMs()).toISOString()} ${line}\n`);
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
