// The daemon's life: one per home, by a lock that the kernel frees when it dies; store open before the socket, so that who
// connects is served; on a stop, what is under way is finished and nothing is left behind.

import { busTrust } from "../host/keys/bus-trust.ts";
import { constellationHolder } from "../ports/keys.ts";
import { chmodSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { withShortPath } from "../client/short-path.ts";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { systemLiveness } from "../host/process/liveness.ts";
import { type FileLock, tryLock } from "../host/process/file-lock.ts";
import { type Asker, askerNamed, refuseUnlessAllowed } from "../protocol/authority.ts";
import { messageOf, Outage, Refusal } from "../protocol/errors.ts";
import { operations } from "../protocol/operations/all.ts";
import { actorHeader, passHeader, toWire } from "../protocol/wire.ts";
import { tryAppendRecord } from "../floor/records.ts";
import type { Household } from "../ports/household.ts";
import { compilerWish } from "../settings/compilers.ts";
import { enclosureWish } from "../settings/enclosure.ts";
import { homeDirectories, inHome } from "../settings/paths.ts";
import type { Settings } from "../settings/settings.ts";
import { keepToRoot } from "../files/trusted-directory.ts";
import { closeDoors, openDoors } from "./doors.ts";
import { followHousehold } from "../floor/agents/household.ts";
import { makeTrustedDirectory, removeTrusted, writeTrusted } from "../files/trusted-files.ts";
import { openStore } from "../store/open.ts";
import { composeLoops } from "./compose.ts";
import { holderOf } from "../core/tokens/tokens.ts";
import { auditEvidence } from "../host/keys/audit-machine.ts";
import { isConstels } from "../host/keys/seal-for-constel.ts";
import { unguardedOwnerSigner } from "../host/keys/row-signer.ts";
import { scanText } from "../host/secrets/shapes.ts";
import { type GuardParts, guardTcp } from "./guard-tcp.ts";
import { makeHandlers } from "./handlers.ts";
import { readGatePairs } from "./gate-wish.ts";
import { gitEnvironment, SensingClient, sensingDirectory } from "./sensing-client.ts";
import { makeSelf } from "./daemon-status.ts";
import { prepareKeys } from "./prepare-keys.ts";
import { ownDoor } from "./own-door.ts";
import { type Passes, servePasses } from "./passes.ts";
import { makeFetch, type WhoAsks } from "./serve.ts";
import { storeOptions } from "../app/store-options.ts";
import { storedTexts } from "./stored-texts.ts";
import { makeScheduleMachine } from "./schedules/schedule-machine.ts";
import { schedulesLoop } from "./schedules/schedules-loop.ts";
import { makeTaskMachine } from "./task-machine.ts";

/** How long a stop waits for requests under way. */
const graceMs = 3_000;
/** How often it is looked whether the home is still there: one stat. */
const homeLookMs = 2_000;

/** Runs until it is asked to stop. Answers at once when another daemon has the home. */
export async function runDaemon(settings: Settings, version: string): Promise<void> {
  const { home } = settings;
  let lock: FileLock | undefined;
  try {
    for (const directory of homeDirectories) makeTrustedDirectory(home, directory);
    keepToRoot(home);
    lock = tryLock(home, inHome.daemonLock);
    if (lock === undefined) return log("another daemon has this home");
    await serveUntilStopped(settings, version);
  } catch (cause) {
    log(`failed: ${messageOf(cause)}`);
    leaveFailure(home, cause);
    throw cause;
  } finally {
    lock?.release();
  }
}

/** Whoever asked for the start reads this and tells the user. */
function leaveFailure(home: string, failure: unknown): void {
  try {
    writeTrusted(home, inHome.daemonFailure, JSON.stringify(toWire(failure)));
  } catch (cause) {
    log(`the failure could not be left in ${inHome.daemonFailure}: ${messageOf(cause)}`);
  }
}

async function serveUntilStopped(settings: Settings, version: string): Promise<void> {
  // What was begun is ended, last first, whether we were asked to stop or could not even start.
  const endings: Ending[] = [];
  try {
    await serve(settings, version, endings);
  } finally {
    for (const ending of endings.reverse()) {
      try {
        await ending();
      } catch (cause) {
        log(`while stopping: ${messageOf(cause)}`);
      }
    }
  }
  log("stopped");
}

type Ending = () => unknown;

async function serve(settings: Settings, version: string, endings: Ending[]): Promise<void> {
  const { home } = settings;
  const stopping = new AbortController();
  const askToStop = (): void => stopping.abort();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, askToStop);
  // A bug ends one request or one round of a loop, not the daemon.
  process.on("unhandledRejection", (cause) => log(`bug, a promise nobody waited for: ${stackOf(cause)}`));
  process.on("uncaughtException", (cause) => log(`bug, thrown where nobody caught it: ${stackOf(cause)}`));

  const store = await openStore({
    ...storeOptions(settings),
    log: (problem, cause) => log(`${problem}: ${stackOf(cause)}`),
  });
  endings.push(() => store.close());
  const { from, to, backup } = store.migrated;
  if (from !== to) log(`schema ${from} → ${to}${backup === undefined ? "" : `; as it was before: ${backup}`}`);
  await prepareKeys(home, store, log);
  const evidence = auditEvidence(home);
  const signAsOwner = unguardedOwnerSigner(home, systemClock);
  const startedMs = systemClock.nowMs();
  const parts = { store, clock: systemClock, random: systemRandom, constellation: store.constellation };
  const start = {
    directory: sensingDirectory(home),
    maxBytes: settings.config["observe.max_mb"] * 1024 * 1024,
    watches: settings.config["sense.watches"],
    facts: { home, maxBytes: settings.config["sense.facts_mb"] * 1024 * 1024 },
    gates: { root: home, relative: inHome.gates },
    environment: gitEnvironment(),
    enclosure: enclosureWish(settings),
    fetchEveryMs: settings.config["repo.fetch_seconds"] * 1000,
    compilers: { ...compilerWish(settings), directory: { root: home, relative: inHome.compilers } },
  };
  const gates = readGatePairs(settings.config["gate.pairs"]);
  const sensing = new SensingClient({ context: parts, start, gates, log });
  endings.push(() => sensing.close());
  const taskMachine = makeTaskMachine(settings);
  const loopParts = {
    settings,
    store,
    clock: systemClock,
    random: systemRandom,
    log,
    sensing,
    taskMachine,
    audit: evidence,
  };
  const scheduleMachine = makeScheduleMachine(settings, stopping.signal);
  const schedules = schedulesLoop(loopParts, scheduleMachine);
  const loops = composeLoops({ ...loopParts, schedules });
  endings.push(() => Promise.all(loops.map((loop) => loop.stop())));
  let httpAddress: string | null = null;
  const self = makeSelf({
    version,
    startedMs,
    loops,
    httpAddress: () => httpAddress,
    sensing: () => sensing.state,
    askToStop,
  });
  const fetch = makeFetch({
    store,
    handlers: makeHandlers({
      self,
      sensing,
      taskMachine,
      settings,
      schedules: { machine: scheduleMachine, loop: schedules },
      chat: {
        bus: {
          home,
          clock: systemClock,
          random: systemRandom,
          liveness: systemLiveness,
          ...busTrust(home, systemClock, () => constellationHolder),
        },
        texts: storedTexts,
      },
    }),
    recordToolCall: (call) =>
      void tryAppendRecord(
        { home, constellation: store.constellation, clock: systemClock, random: systemRandom },
        "mcp-calls",
        { ...call },
      ),
    contextFor: (asker) => ({
      ...parts,
      actor: asker.name,
      ...(asker.known === undefined ? {} : { known: asker.known }),
      signAsOwner,
      audit: evidence,
    }),
    findSecrets: scanText,
    version,
    log,
    stopping: stopping.signal,
  });

  removeTrusted(home, inHome.socket); // the lock is ours, so a socket file that is there is a dead daemon's
  const followed = followHousehold(home, process.pid, isConstels(home));
  const household = (): Household => {
    const known = followed();
    const scheduled = scheduleMachine.verbs.processes();
    const owners = scheduled.map((leader) => ({ agent: "agentcron", leader, isOwners: true }));
    return { ...known, agents: [...known.agents, ...owners] };
  };
  // The socket for requests first: whoever is given a pass is told which file it is.
  let passes: Passes | undefined;
  const byPass: WhoAsks = ({ headers }) => {
    if (passes === undefined) throw new Refusal("identity.no-pass", "no pass was given to anybody yet");
    return passes.askerOf(headers.get(passHeader), headers.get(actorHeader));
  };
  const socket = join(home, inHome.socket);
  const unixServer = await listenOnSocket(socket, (request) => fetch(request, byPass));
  endings.push(() => removeTrusted(home, inHome.socket));
  passes = await servePasses({ home, random: systemRandom, household, door: await ownDoor(socket) });
  endings.push(() => passes?.close());
  openDoors(home);
  endings.push(() => closeDoors(home));
  endings.push(() => endServer(unixServer));
  if (settings.config["http.enabled"]) {
    const tcpServer = listenOnLoopback(settings, fetch, (token) => holderOf({ ...parts, audit: evidence }, token));
    endings.push(() => endServer(tcpServer));
    httpAddress = `http://127.0.0.1:${tcpServer.port}`;
  }
  writeTrusted(
    home,
    inHome.daemonInfo,
    `${JSON.stringify({ pid: process.pid, version, started_ms: startedMs, http: httpAddress })}\n`,
  );
  endings.push(() => removeTrusted(home, inHome.daemonInfo));
  log(`ready, constel ${version}, pid ${process.pid}`);

  await homeIsGone(home, stopping.signal);
  if (!stopping.signal.aborted) log("the home is gone, or another daemon's; stopping");
  stopping.abort();
}

type Server = ReturnType<typeof Bun.serve>;

/** Lets what is under way finish, but waits for no client that does not read its answer or never sends its request. */
async function endServer(server: Server): Promise<void> {
  const finished = server.stop();
  const inTime = new AbortController();
  await Promise.race([finished, systemClock.sleep(graceMs, inTime.signal)]);
  inTime.abort();
  await server.stop(true);
}

type Fetch = (request: Request, whoAsks: WhoAsks) => Promise<Response>;

async function listenOnSocket(path: string, fetch: (request: Request) => Promise<Response>): Promise<Server> {
  return withShortPath(path, async (unix) => {
    // Mode 0600 from the start: the umask is 0077, and the directory is 0700. No idle timeout: it would cut streams; Bun's
    // types leave it out for sockets although it applies there too.
    const options = { unix, fetch, idleTimeout: 0, maxRequestBodySize: 64 * 1024 * 1024 };
    const server = listen(path, () => Bun.serve(options as unknown as Bun.Serve.Options<undefined>));
    chmodSync(path, 0o600);
    return server;
  });
}

function listenOnLoopback(settings: Settings, fetch: Fetch, holderOf: GuardParts["holderOf"]): Server {
  const { config } = settings;
  const server = listen(`127.0.0.1:${config["http.port"]}`, () =>
    Bun.serve({
      hostname: "127.0.0.1",
      port: config["http.port"],
      // Anybody on this machine may connect here and say nothing; streams send a sign of life more often than this.
      idleTimeout: 60,
      // Up to twice the limit the guard answers, in words; past that Bun hangs up by itself.
      maxRequestBodySize: config["http.max_body_bytes"] * 2,
      fetch: (request) => guarded(request),
    }),
  );
  const admitted = (request: Request, asker: Asker): Promise<Response> => {
    // Following the timeline is reading it.
    const isStream = new URL(request.url).pathname === "/events";
    const refusal = isStream ? refuseUnlessAllowed(asker, operations["timeline.list"]) : undefined;
    if (refusal !== undefined) throw refusal;
    return fetch(request, ({ headers }) => actingAs({ ...asker, known: "token" }, headers.get(actorHeader)));
  };
  const guarded = guardTcp(admitted, {
    port: () => server.port ?? 0,
    holderOf,
    maxBodyBytes: config["http.max_body_bytes"],
    requestsPerMinute: config["http.requests_per_minute"],
    clock: systemClock,
  });
  return server;
}

/** The owner may act as an agent; nobody else is anybody else. */
function actingAs(asker: Asker, named: string | null): Asker {
  if (named === null || named === asker.name) return asker;
  if (asker.role !== "owner")
    throw new Refusal("identity.another", `${asker.name} cannot act as ${named.slice(0, 80)}`);
  return { ...asker, ...askerNamed(named) };
}

function listen(where: string, start: () => Server): Server {
  try {
    return start();
  } catch (cause) {
    throw new Outage("listen on", where, cause);
  }
}

/** A line that cannot be written is let go: on a full disk, telling of the failure would fail, and so on without end. */
function log(line: string): void {
  try {
    writeSync(2, `${new Date(systemClock.nowMs()).toISOString()} ${line}\n`);
  } catch {
    // nowhere left to say it
  }
}

/**
 * A daemon whose home was removed, or moved away, has nobody to serve: callers look for it where it was. The socket's file
 * is the sign, because it is ours alone.
 */
async function homeIsGone(home: string, signal: AbortSignal): Promise<void> {
  const socket = join(home, inHome.socket);
  const found = (): number | undefined => statSync(socket, { throwIfNoEntry: false })?.ino;
  const ours = found();
  const isThere = (): boolean => {
    try {
      return ours !== undefined && found() === ours;
    } catch {
      return true; // a home that cannot be read at this moment is not gone
    }
  };
  while (!signal.aborted && isThere()) await systemClock.sleep(homeLookMs, signal);
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
