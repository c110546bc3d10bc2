// The daemon's own commands.

import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { NoDaemon } from "../../../client/socket.ts";
import { buildNow, installation } from "../../../ports/build.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { Stalls } from "../../../protocol/operations/daemon.ts";
import { outageOf, Refusal } from "../../../protocol/errors.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import { settingKeys, variableOf } from "../../../settings/declarations.ts";
import { inHome } from "../../../settings/paths.ts";
import { loadSettings, type Settings } from "../../../settings/settings.ts";
import { isOfAnotherFormat } from "../../../files/home-format.ts";
import { keepToRoot, TrustedDirectory } from "../../../files/trusted-directory.ts";
import { hasMarker, putEmptyMarker, putMarker } from "../../../floor/markers/marker-files.ts";
import { markers } from "../../../floor/markers/markers.ts";
import { lastDaemonFailure } from "../../../floor/daemon-failure.ts";
import { readTail } from "../../../files/trusted-files.ts";
import type { RunCommand } from "../input/command.ts";
import { mayHaveSettings } from "../reach/caller.ts";
import type { CliContext } from "../context.ts";
import { refuseUnheard } from "../reach/daemons-settings.ts";
import { jsonLine } from "../present/json-answer.ts";
import { buildMet, otherBuild } from "../reach/other-build.ts";
import { sensingText, uncheckedLines } from "../present/sensing.ts";
import { memoryText } from "../present/own-memory.ts";
import { oneLine } from "../present/table.ts";
import { ago, utc } from "../present/time.ts";
import { mayActForOwner, startDaemon } from "../reach/start-daemon.ts";
import { directCaller, stopDaemon, stopHolder } from "../reach/stop-daemon.ts";
import { whoRuns } from "../who-runs.ts";

type Status = OutputOf<(typeof operations)["daemon.status"]>;

/** More of a log than this is read with other programs. */
const mostLogBytes = 32 * 1024 * 1024;

export const start: RunCommand = async (context) => {
  const { started } = await startDaemon(context);
  if (!started && mayHaveSettings(context)) await refuseUnheard(context, async () => true);
  if (!started) await refuseOtherBuild(context);
  return { json: { started }, text: started ? "" : "The daemon is already running." };
};

/** One of another installation is left alone, and is not the daemon that was to be started. */
async function refuseOtherBuild(context: CliContext): Promise<void> {
  const { pid, build, version, installation: from } = await directCaller(context).call("daemon.status", {});
  const daemon = { pid, build, version, installation: from };
  if (buildMet(daemon) === "foreign") throw otherBuild(daemon, "foreign");
}

export const stop: RunCommand = async (context) => {
  const { home } = context.places;
  // Nothing is written into another build's home, and it is not spoken to.
  const isForeign = isOfAnotherFormat(home);
  // Before it ends: the ticker may look at any moment.
  const isNoted = !isForeign && existsSync(home) && noteStopped(home);
  const pid = isForeign ? await stopHolder(context) : await stopDaemon(context);
  if (!isNoted && !isForeign && pid !== undefined)
    context.output.say("constel: nothing could be written, so the ticker may start it again");
  if (pid === undefined) return { json: { stopped: false }, text: "The daemon is not running." };
  return { json: { stopped: true, pid }, text: "Stopped." };
};

/** On a full disk a name without a body may still be made. What cannot even do that is ended all the same. */
function noteStopped(home: string): boolean {
  try {
    putMarker(home, markers.daemonStopped, "constel daemon stop");
    return true;
  } catch (cause) {
    if (outageOf(cause) === undefined) throw cause;
    return hasMarker(home, markers.daemonStopped) || putEmptyMarker(home, markers.daemonStopped);
  }
}

export const status: RunCommand = async (context) => {
  try {
    const answer = await directCaller(context).call("daemon.status", {});
    return {
      json: { running: true, ...answer },
      text: () =>
        [
          `Running   pid ${answer.pid}, constel ${answer.version} (build ${answer.build}), for ${ago(Date.now() - answer.started_ms)} (since ${utc(answer.started_ms)})`,
          `Store     ${answer.store}`,
          `HTTP      ${answer.http ?? "off (constel config set http.enabled true)"}`,
          ...servesLines(answer),
          `Memory    ${memoryText(answer.memory)}`,
          `CPU       ${(answer.cpu_ms / 1000).toFixed(1)} s of the daemon's own`,
          `Held      ${stallText(answer.stalls.longest)} at the longest, ${stallText(answer.stalls.last_hour)} in the last hour; ${answer.stalls.long} over 50 ms of CPU`,
          ...(answer.settings_problem === null
            ? []
            : [
                `Settings  ${oneLine(answer.settings_problem)}; it goes on with what it read before, and changes nothing for you`,
              ]),
          ...(buildMet(answer) === "same" ? [] : [`Build     this program is ${buildNow()}, from ${installation()}`]),
          ...(answer.sensing === null ? [] : [`Sensing   ${sensingText(answer.sensing)}`]),
          ...(answer.sensing === null
            ? []
            : uncheckedLines(answer.sensing).map((line) => `Unchecked ${oneLine(line)}`)),
          ...answer.loops.map((loop) => `Loop      ${loop.name}: ${loop.problem ?? "ok"}`),
        ].join("\n"),
    };
  } catch (cause) {
    if (!(cause instanceof NoDaemon)) throw cause;
    const failure = lastDaemonFailure(context.places.home)?.message;
    return {
      json: { running: false, failure: failure ?? null },
      text:
        failure === undefined
          ? "The daemon is not running. It starts when a command needs it."
          : oneLine(`The daemon is not running. It could not when it was last started: ${failure}`),
      exit: exitCodes.negative,
    };
  }
};

/** Nothing where it is not asked for: most constellations are one machine's. */
function servesLines({ serves, serves_problem: problem }: Pick<Status, "serves" | "serves_problem">): string[] {
  if (problem !== null) return [`Serves    nobody: ${oneLine(problem)}`];
  return serves === null ? [] : [`Serves    ${serves.address}`];
}

/** Says how long nobody was answered, and why. */
function stallText(stall: Stalls["longest"]): string {
  return stall === null ? "less than 20 ms" : `${stall.ms} ms (CPU ${stall.cpu_ms} ms) by ${oneLine(stall.by)}`;
}

export const logs: RunCommand = async (context, input) => {
  const wanted = Number(input.flag("lines") ?? 50);
  if (!Number.isInteger(wanted) || wanted < 1)
    throw new Refusal("usage.bad-value", "--lines takes a whole number above 0");
  const { home } = context.places;
  // One more than is shown tells whether there are more.
  const newest = lastLines(home, inHome.daemonLog, wanted + 1);
  const missing = wanted + 1 - newest.length;
  const found = missing > 0 ? [...lastLines(home, inHome.earlierDaemonLog, missing), ...newest] : newest;
  const lines = found.slice(-wanted);
  if (input.has("follow")) return await followLog(context, lines);
  // A line of ours among the log's would pass for one of them.
  if (found.length > wanted)
    context.output.say(`Only the newest ${wanted} are shown. More: constel daemon logs --lines ${wanted * 10}`);
  return { json: { lines }, text: lines.length === 0 ? "The log is empty." : lines.map(oneLine).join("\n") };
};

const logEveryMs = 300;

/** The last lines, then each as it is written. A log that was set aside goes on in a new file. */
async function followLog({ output, places, signal }: CliContext, last: readonly string[]): Promise<undefined> {
  const print = (line: string): void => output.data(`${output.json ? jsonLine({ line }) : oneLine(line)}\n`);
  let at = logFrom(places.home, undefined);
  for (const line of last) print(line);
  while (!signal.aborted) {
    await systemClock.sleep(logEveryMs, signal);
    at = logFrom(places.home, at);
    for (const line of at.lines) print(line);
  }
  return undefined;
}

interface LogPlace {
  readonly file: number;
  readonly bytes: number;
  readonly lines: readonly string[];
}

/** The whole lines since then; from its end, where nothing was read before. */
function logFrom(home: string, before: Pick<LogPlace, "file" | "bytes"> | undefined): LogPlace {
  const nothing = { file: 0, bytes: 0, lines: [] };
  if (!existsSync(join(home, inHome.daemonLog))) return nothing;
  using logs = TrustedDirectory.open(home, dirname(inHome.daemonLog));
  const stat = logs.stat(basename(inHome.daemonLog));
  if (stat === undefined) return nothing;
  const [file, size] = [stat.ino, stat.size];
  if (before === undefined) return { file, bytes: size, lines: [] };
  const from = before.file !== file || size < before.bytes ? 0 : before.bytes;
  const fresh = logs.readFrom(basename(inHome.daemonLog), from, mostLogBytes);
  // Half a line is left for the next time.
  const whole = fresh.subarray(0, fresh.lastIndexOf(10) + 1);
  const lines = whole.toString("utf8").split("\n");
  return { file, bytes: from + whole.length, lines: lines.filter((line) => line !== "") };
}

export const runHere: RunCommand = async (context, input) => {
  if (!mayActForOwner(context.places.home))
    throw new Refusal("daemon.not-yours", "the daemon acts for the owner, so an agent may not run it");
  if (input.has("existing-home")) keepToRoot(context.places.home);
  await context.backstage.runDaemon(ownersSettings(context));
  return undefined;
};

/** A daemon that an agent or a service starts runs by the config file alone: what they set besides is left out. */
function ownersSettings({ env, cwd, flags, places }: CliContext): () => Promise<Settings> {
  if (whoRuns(places).role === "owner") return () => loadSettings(env, cwd, flags);
  const overriding = new Set<string>(settingKeys.map(variableOf));
  const plain = Object.fromEntries(Object.entries(env).filter(([name]) => !overriding.has(name)));
  const { home, root } = places;
  return () => loadSettings(plain, cwd, { home, root });
}

/** From the end, in steps that double: a log may be larger than the memory. */
function lastLines(home: string, log: string, wanted: number): string[] {
  for (let bytes = 64 * 1024; ; bytes *= 2) {
    const { text, whole } = readTail(home, log, Math.min(bytes, mostLogBytes));
    const lines = text.split("\n").slice(whole ? 0 : 1); // the first one may have lost its beginning
    const full = lines.filter((line) => line !== "");
    if (whole || full.length >= wanted || bytes >= mostLogBytes) return full.slice(-wanted);
  }
}
