// The daemon's life: one per home, by a lock that the kernel frees when it dies; store open before the socket, so that who
// connects is served; on a stop, what is under way is finished and nothing is left behind.

import { isInSight } from "../floor/agents/in-sight.ts";
import { busTrust } from "../host/keys/bus-trust.ts";
import { constellationHolder } from "../ports/keys.ts";
import { statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { keptOwnMemory } from "../host/process/own-processes.ts";
import { systemLiveness } from "../host/process/liveness.ts";
import { type FileLock, tryLock } from "../host/process/file-lock.ts";
import { messageOf } from "../protocol/errors.ts";
import { toWire } from "../protocol/wire.ts";
import { tryAppendRecord } from "../floor/records.ts";
import { buildNow, builtAs } from "../ports/build.ts";
import { capabilityRulesIn } from "../settings/capability-rules.ts";
import { secretModeIn } from "../settings/secret-mode.ts";
import { budgetWish } from "../settings/budget.ts";
import { compilerWish } from "../settings/compilers.ts";
import { enclosureWish } from "../settings/enclosure.ts";
import { type Config, defaultConfig } from "../settings/declarations.ts";
import { homeDirectories, inHome } from "../settings/paths.ts";
import { settingMarks } from "../settings/setting-mark.ts";
import type { Settings } from "../settings/settings.ts";
import { askSystemDirectly } from "../files/directory-calls.ts";
import { keepToRoot } from "../files/trusted-directory.ts";
import { followHousehold, withScheduled } from "../floor/agents/household.ts";
import { markHome } from "../files/mark-home.ts";
import { makeTrustedDirectory, removeTrusted, writeTrusted } from "../files/trusted-files.ts";
import { openHeldStore } from "./open-held-store.ts";
import { composeLoops } from "./compose.ts";
import { recordSettings } from "../core/audit/record-settings.ts";
import { auditEvidence } from "../host/keys/audit-machine.ts";
import { isConstels } from "../host/keys/seal-for-constel.ts";
import { unguardedOwnerSigner } from "../host/keys/row-signer.ts";
import { blobsOfFiles } from "../host/git/blob-of.ts";
import { scanText } from "../host/secrets/shapes.ts";
import { AgentScreens } from "./agents/agent-screens.ts";
import { openMesh } from "./mesh/open-mesh.ts";
import { ourCard } from "./a2a/our-card.ts";
import { openServedDoor, servesNobody } from "./door/served-door.ts";
import { openTcpDoor } from "./door/tcp-door.ts";
import { WindowSessions } from "./door/window/sessions.ts";
import { makeHandlers } from "./door/handlers.ts";
import { readGatePairs } from "./loops/gate-wish.ts";
import { gitEnvironment, SensingClient, sensingDirectory } from "./sensing-client.ts";
import { makeSelf } from "./daemon-status.ts";
import { StallMeter } from "./stall-meter.ts";
import { prepareKeys } from "./prepare-keys.ts";
import { withoutRepeats } from "./loops/repeated-lines.ts";
import { FollowedSettings } from "./follow-settings.ts";
import { makeFetch } from "./door/serve.ts";
import { endServer, SocketDoor } from "./door/socket-door.ts";
import { storedTexts } from "./door/stored-texts.ts";
import { makeScheduleMachine } from "./schedules/schedule-machine.ts";
import { schedulesLoop } from "./schedules/schedules-loop.ts";
import { makeTaskMachine } from "./loops/task-machine.ts";

/** The interval between looks at whether the home is still there. One look is one stat. */
const homeLookMs = 2_000;
const roundsEndWithinMs = 2_000;
/** A daemon that was asked to end is gone after so long, whatever waits: what is stored is whole at every moment. */
const endsWithinMs = 10_000;

/** Runs until it is asked to stop. Answers at once when another daemon has the home. `load` reads the settings, now and whenever the file has changed. */
export async function runDaemon(load: () => Promise<Settings>, version: string): Promise<void> {
  let settings: Settings | undefined = await load();
  const { home } = settings;
  const ending = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => ending.abort());
  ending.signal.addEventListener("abort", () => setTimeout(endAllTheSame, endsWithinMs).unref(), { once: true });
  // A bug ends one request or one round of a loop, not the daemon.
  process.on("unhandledRejection", (cause) => log(`bug, a promise nobody waited for: ${stackOf(cause)}`));
  process.on("uncaughtException", (cause) => log(`bug, thrown where nobody caught it: ${stackOf(cause)}`));
  askSystemDirectly();
  // Told once and for all: whatever happens to the sources later, this is what runs.
  const build = builtAs() ?? buildNow();
  const doors = new SocketDoor(home, build, version);
  let lock: FileLock | undefined;
  let wasLost = false;
  try {
    markHome(home);
    for (const directory of homeDirectories) makeTrustedDirectory(home, directory);
    keepToRoot(home);
    lock = tryLock(home, inHome.daemonLock);
    if (lock === undefined) return log("another daemon has this home");
    while (settings !== undefined && !ending.signal.aborted) {
      const followed = new FollowedSettings({ running: settings, load, clock: systemClock, log });
      const tenure = newTenure(wasLost);
      settings = await serveUntilStopped({ settings, followed, tenure, doors, version, build, ending });
      wasLost = tenure.isOver;
      if (wasLost) log("another daemon has taken over: standing by");
      else if (settings !== undefined) log("config.toml or the certificate has changed: restarting with it");
    }
    log("stopped");
  } catch (cause) {
    log(`failed: ${messageOf(cause)}`);
    leaveFailure(home, cause);
    throw cause;
  } finally {
    if (lock !== undefined) await doors.close(); // when it could not begin anew
    lock?.release();
  }
}

function endAllTheSame(): void {
  log(`what was under way did not end within ${endsWithinMs / 1_000} s; ending all the same`);
  process.exit(0);
}

/** Waits for it, but not longer than that. */
async function inTime(work: Promise<unknown>, withinMs: number): Promise<void> {
  const ended = new AbortController();
  await Promise.race([work, systemClock.sleep(withinMs, ended.signal)]);
  ended.abort();
}

/** Whoever asked for the start reads this and tells the user. */
function leaveFailure(home: string, failure: unknown): void {
  try {
    writeTrusted(home, inHome.daemonFailure, JSON.stringify(toWire(failure)));
  } catch (cause) {
    log(`the failure could not be left in ${inHome.daemonFailure}: ${messageOf(cause)}`);
  }
}

/** The time in which this daemon is the one that acts for its constellation. */
interface Tenure {
  /** The one before was ended by another daemon. */
  readonly wasLost: boolean;
  isOver: boolean;
  readonly over: Promise<void>;
  readonly end: () => void;
}

function newTenure(wasLost: boolean): Tenure {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const tenure: Tenure = { wasLost, isOver: false, over, end: () => void ((tenure.isOver = true), resolve()) };
  return tenure;
}

interface Run {
  readonly settings: Settings;
  readonly followed: FollowedSettings;
  readonly tenure: Tenure;
  readonly doors: SocketDoor;
  readonly version: string;
  readonly build: string;
  /** Aborted when the daemon is asked to stop. */
  readonly ending: AbortController;
}

/** Answers with the settings to begin anew with; undefined when it is to end. */
async function serveUntilStopped(run: Run): Promise<Settings | undefined> {
  // Everything that was begun is ended, last first, whether we were asked to stop or could not even start.
  const endings: Ending[] = [];
  try {
    return await serve(run, endings);
  } finally {
    for (const ending of endings.reverse()) {
      try {
        await ending();
      } catch (cause) {
        log(`while stopping: ${messageOf(cause)}`);
      }
    }
  }
}

type Ending = () => unknown;

async function serve(
  { settings, followed, tenure, doors, version, build, ending }: Run,
  endings: Ending[],
): Promise<Settings | undefined> {
  const { home } = settings;
  const stopping = new AbortController();
  const askToStop = (): void => ending.abort();
  ending.signal.addEventListener("abort", () => stopping.abort(), { once: true });

  const store = await openHeldStore({
    settings,
    version,
    signal: ending.signal,
    onlyWhenLapsed: tenure.wasLost,
    lost: tenure.end,
    async standsBy(refusal) {
      leaveFailure(home, refusal);
      await doors.close(); // who comes is not to wait for an answer, but to read the failure
    },
    log,
    logCause: (problem, cause) => log(`${problem}: ${stackOf(cause)}`),
  });
  if (store === undefined) return undefined;
  endings.push(() => store.close());
  const { from, to, backup } = store.migrated;
  if (from !== to) log(`schema ${from} → ${to}${backup === undefined ? "" : `; as it was before: ${backup}`}`);
  prepareKeys(home, log);
  const evidence = auditEvidence(home);
  const blobOf = blobsOfFiles();
  const signAsOwner = unguardedOwnerSigner(home, systemClock);
  const startedMs = systemClock.nowMs();
  const parts = { store, clock: systemClock, random: systemRandom, constellation: store.constellation };
  await leaveSettings(parts, settings);
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
  const meter = new StallMeter(systemClock);
  const screens = new AgentScreens(systemClock);
  const sessions = new WindowSessions({ clock: systemClock, random: systemRandom });
  const gates = readGatePairs(settings.config["gate.pairs"]);
  const sights = { home, root: settings.root, reads: settings.config["agents.confined_reads"] };
  const sensing = new SensingClient({
    context: parts,
    start,
    budget: budgetWish(settings),
    meter,
    gates,
    isInSight: (agent, path) => isInSight(sights, agent, path),
    log,
  });
  endings.push(() => sensing.close());
  const taskMachine = makeTaskMachine(settings);
  const mesh = settings.config["mesh.enabled"]
    ? await openMesh({ settings, store, clock: systemClock, random: systemRandom, audit: evidence, version, log })
    : undefined;
  endings.push(() => mesh?.close());
  const loopParts = {
    settings,
    store,
    clock: systemClock,
    random: systemRandom,
    log: withoutRepeats(log, systemClock),
    sensing,
    taskMachine,
    screens,
    audit: evidence,
    words: new Map(),
    lines: mesh?.lines,
  };
  const scheduleMachine = makeScheduleMachine(settings, stopping.signal);
  const schedules = schedulesLoop(loopParts, scheduleMachine);
  const loops = composeLoops({ ...loopParts, meter, schedules, version });
  endings.push(async () => {
    const stopped = Promise.all(loops.map((loop) => loop.stop()));
    await inTime(stopped, roundsEndWithinMs);
    // A round may wait for an answer about a repository: without whoever would give it, it ends.
    await sensing.close();
    await stopped;
  });
  let httpAddress: string | null = null;
  let served = servesNobody;
  const memoryNow = keptOwnMemory(systemClock);
  const self = makeSelf({
    version,
    build,
    startedMs,
    loops,
    httpAddress: () => httpAddress,
    served: () => served.status,
    meter,
    sensing: () => sensing.state,
    memory: (seen) =>
      memoryNow({
        home,
        daemonPid: process.pid,
        readers: seen?.processes.map(({ pid }) => pid) ?? [],
        compilers: seen?.helpers ?? [],
      }),
    settings,
    followed,
    askToStop,
  });
  const a2aCard = settings.config["a2a.enabled"]
    ? ourCard({
        settings,
        store,
        clock: systemClock,
        version,
        addresses: () => ({ http: httpAddress, served: served.status.serves?.address ?? null }),
      })
    : undefined;
  const fetch = makeFetch({
    store,
    a2aCard,
    handlers: makeHandlers({
      self,
      screens,
      window: { sessions, address: () => httpAddress ?? served.status.serves?.address ?? null },
      sensing,
      taskMachine,
      settings,
      mesh,
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
    // Each by name, since it is made for every request: spreading costs more than all that it holds.
    contextFor({ name: actor, known }, untilGone) {
      const { clock, random, constellation } = parts;
      return { store, clock, random, constellation, actor, known, untilGone, signAsOwner, audit: evidence, blobOf };
    },
    findSecrets: scanText,
    secretMode: secretModeIn(settings.config),
    capabilityRules: capabilityRulesIn(settings.config["authority.capabilities"]),
    refuseUnlessFollowed: (operation) => followed.refuseUnlessFollowed(operation),
    version,
    meter,
    log,
    stopping: stopping.signal,
  });

  const household = withScheduled(followHousehold(home, process.pid, isConstels(home)), () =>
    scheduleMachine.verbs.processes(),
  );
  const context = { ...parts, actor: "browser", audit: evidence };
  const window = { store, clock: systemClock, version, stopping: stopping.signal, screens, sessions, context };
  if (settings.config["http.enabled"]) {
    const tcpServer = openTcpDoor({ settings, fetch, window, a2aCard, log });
    endings.push(() => endServer(tcpServer));
    httpAddress = `http://127.0.0.1:${tcpServer.port}`;
  }
  served = openServedDoor({ settings, fetch, window, a2aCard }, log);
  endings.push(() => served.close());
  let next: Settings | undefined;
  await doors.open({ fetch, household });
  endings.push(() => (next === undefined ? doors.close() : doors.pause()));
  writeTrusted(
    home,
    inHome.daemonInfo,
    `${JSON.stringify({ pid: process.pid, version, build, started_ms: startedMs, http: httpAddress })}\n`,
  );
  endings.push(() => removeTrusted(home, inHome.daemonInfo));
  removeTrusted(home, inHome.daemonFailure); // an earlier one's
  log(`ready, constel ${version} (build ${build}), pid ${process.pid}`);

  void followed.follow(stopping.signal);
  const gone = homeIsGone(home, stopping.signal);
  const anew = Promise.race([tenure.over, served.renewed]).then(() => settings);
  next = await Promise.race([gone.then(() => undefined), followed.changed, anew]);
  if (next === undefined && !stopping.signal.aborted) log("the home is gone, or another daemon's; stopping");
  stopping.abort();
  return next;
}

/** On a full disk the daemon begins all the same, and the next one records it. */
async function leaveSettings(
  parts: Parameters<typeof recordSettings>[0],
  { config, origins }: Settings,
): Promise<void> {
  try {
    await recordSettings(parts, { marks: marksToRecord(config), defaults: marksToRecord(defaultConfig), origins });
  } catch (cause) {
    log(`the settings are not on the record: ${messageOf(cause)}`);
  }
}

/** Not of those that say where the record itself is. */
function marksToRecord(config: Config): Record<string, string> {
  const { "store.url": _, "store.query_url": __, "constellation.name": ___, ...marks } = settingMarks(config);
  return marks;
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
