// Starts the daemon and waits until it answers. Two starts at once are settled by the daemon's own lock: the second one
// ends at once, and both callers find the first. When the first was just ending, ours is started again. The home is made here,
// once, and never by what was started: when it is deleted meanwhile, a late daemon must not bring it back.

import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { outageAt, silentDaemon } from "../../../client/no-daemon.ts";
import { installation } from "../../../ports/build.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { systemLiveness } from "../../../host/process/liveness.ts";
import { isMarked } from "../../../host/process/limit-mark.ts";
import { ownCommand, ownEnvironment } from "../../../host/process/own-command.ts";
import { Outage, Refusal } from "../../../protocol/errors.ts";
import { sparingEngine } from "../../../settings/engine.ts";
import { lastDaemonFailure } from "../../../floor/daemon-failure.ts";
import { inHome } from "../../../settings/paths.ts";
import { TrustedDirectory, keepToRoot } from "../../../files/trusted-directory.ts";
import { removeTrusted, writeTrusted } from "../../../files/trusted-files.ts";
import { removeMarker } from "../../../floor/markers/marker-files.ts";
import { markers } from "../../../floor/markers/markers.ts";
import { tickerAgent } from "../../../floor/agents/agent-names.ts";
import { readLaunch } from "../../../floor/agents/launch-files.ts";
import type { CliContext } from "../context.ts";
import { answerMs, daemonNow, type DaemonSeen } from "./daemon-now.ts";
import { daemonPid } from "./daemon-pid.ts";
import { otherBuild, runsFrom } from "./other-build.ts";
import { endHolder, readyHolder } from "./home-holder.ts";
import { whoRuns } from "../who-runs.ts";

export { ownCommand, ownWholeCommand, ownEnvironment } from "../../../host/process/own-command.ts";

/**
 * The time that a living daemon may take until it answers. Past `usualMs` we say that it takes long, as it does on a machine that is busy
 * with what agents build; one that has not answered by `deadlineMs` hangs.
 */
const patience = { usualMs: 20_000, deadlineMs: 180_000 };
/** A daemon that says it is ready and does not answer is looked at once more after this time. */
const secondLookMs = 300;
/** Longer than a tick may take. */
const tickerMs = 60_000;

export async function startDaemon(context: CliContext): Promise<{ started: boolean }> {
  const settings = await context.settings(); // a malformed config is told here, not in a log file
  const seen = await daemonNow(settings.home);
  if (seen === "answers") return { started: false };
  const mayStart = mayActForOwner(settings.home);
  if (mayStart && (seen === "outdated" || seen === "absent")) await endForeignHolder(settings.home, seen);
  // A second one would wait for the home that this one holds.
  if (seen === "silent") throw silentDaemon(settings.home, answerMs);
  if (seen === "out of reach") throw outageAt(join(settings.home, inHome.socket), undefined, "EPERM");
  if (context.env.CONSTEL_CONFINED !== undefined)
    throw new Refusal("confined.out-of-reach", "the daemon does not answer, and cannot be started from here");
  if (!mayStart) return startedByTicker(context, settings.home, seen);
  removeTrusted(settings.home, inHome.daemonFailure);
  removeMarker(settings.home, markers.daemonStopped);
  await untilItAnswers(
    settings.home,
    () => spawnDetached(context, settings.home),
    (text) => context.output.say(text),
  );
  context.output.say(
    `constel: ${seen === "outdated" ? "replaced the daemon, which was an older build" : "started the daemon"}`,
  );
  return { started: true };
}

/**
 * Ends what holds the home and cannot be talked to in the way of this build, or is of this installation from before its update. A daemon that
 * has just begun, or is about to end, has no file that says it is ready, and is waited for like any other.
 */
async function endForeignHolder(home: string, seen: "outdated" | "absent"): Promise<void> {
  const holder = readyHolder(home);
  if (holder === undefined) return;
  if (seen === "absent") {
    await systemClock.sleep(secondLookMs);
    if (readyHolder(home)?.pid !== holder.pid || (await daemonNow(home)) !== "absent") return;
    const daemon = { pid: holder.pid, build: undefined, installation: undefined };
    if (!runsFrom(holder.pid, installation())) throw otherBuild(daemon, "foreign");
  }
  await endHolder(home, holder);
}

type Child = Pick<Bun.Subprocess, "exitCode" | "signalCode" | "pid">;

/** As long as the one that was started lives: it answers, or says why it cannot. */
export async function untilItAnswers(
  home: string,
  start: () => Child,
  say: (text: string) => void,
  { usualMs, deadlineMs } = patience,
): Promise<void> {
  let child = start();
  const sinceMs = systemClock.monotonicMs();
  let isSaid = false;
  while (systemClock.monotonicMs() < sinceMs + deadlineMs) {
    const seen = await daemonNow(home);
    // Sources that were edited while it began make it another build at once; it is the one that was wanted all the same.
    if (seen === "answers" || seen === "outdated") return;
    const { exitCode, signalCode } = child; // looked at first: what it wrote before it ended is there then
    const failure = lastDaemonFailure(home);
    if (failure !== undefined) throw failure;
    if (!existsSync(home)) throw homeIsGone(home);
    if (signalCode !== null || (exitCode ?? 0) !== 0)
      throw endedWithoutReason(signalCode === null ? `code ${exitCode}` : String(signalCode));
    if (exitCode === 0) child = start(); // another one had the home, and was ending
    if (!isSaid && systemClock.monotonicMs() >= sinceMs + usualMs) {
      say(`constel: the daemon has not answered yet; it is still starting (pid ${child.pid})`);
      isSaid = true;
    }
    await systemClock.sleep(10);
  }
  throw new Refusal("daemon.unreachable", `the daemon did not answer within ${deadlineMs / 1000} s`, { deadlineMs });
}

/**
 * An agent's process hands down more than it should: its programs in front of the PATH, its libraries, its right to look into what it
 * started. So neither the daemon nor the ticker is ever an agent's child; the daemon is asked of the ticker, which is the owner's.
 */
export function mayActForOwner(home: string): boolean {
  const { role, known } = whoRuns({ home, agent: undefined });
  if (role === "owner") return true;
  // The machine's own scheduler is nobody, and no agent's; nor is whoever only calls itself an agent, in its environment.
  return (role === "nobody" || known === "kernel: environment") && !isMarked(process.pid);
}

async function startedByTicker(context: CliContext, home: string, seen: DaemonSeen): Promise<{ started: boolean }> {
  const ticker = readLaunch(home, tickerAgent)?.leader;
  const isTickerGone = ticker === undefined || systemLiveness.isProvenDead(ticker);
  if (isTickerGone && seen === "outdated")
    throw otherBuild({ pid: daemonPid(home), build: undefined, installation: installation() }, "updated");
  if (isTickerGone) throw new Refusal("daemon.not-yours", "the daemon is not running, and an agent may not start it");
  writeTrusted(home, inHome.daemonWanted, "");
  const until = systemClock.monotonicMs() + tickerMs;
  while (systemClock.monotonicMs() < until) {
    if ((await daemonNow(home)) === "answers") {
      context.output.say("constel: the ticker started the daemon");
      return { started: true };
    }
    await systemClock.sleep(50);
  }
  throw new Refusal("daemon.unreachable", `the ticker did not start the daemon within ${tickerMs / 1000} s`, {
    deadlineMs: tickerMs,
  });
}

function endedWithoutReason(how: string): Refusal {
  return new Refusal("daemon.unreachable", `the daemon ended with ${how} before it answered`, { how });
}

function homeIsGone(home: string): Refusal {
  return new Refusal("daemon.unreachable", `${home} was removed while the daemon started`, { home });
}

function spawnDetached(context: CliContext, home: string): Bun.Subprocess {
  const command = [...ownCommand(), "daemon", "run", "--existing-home", "--home", home, ...settingFlags(context)];
  using logs = openLogs(home);
  return logs.appending(basename(inHome.daemonLog), (log) => {
    const child = spawn(command, {
      cwd: home, // it must not keep the caller's directory busy
      env: daemonEnvironment(context.env),
      stdin: "ignore",
      stdout: log,
      stderr: log,
      detached: true,
    });
    child.unref();
    return child;
  });
}

/** The first time this makes the home; from then on it must be there. */
function openLogs(home: string): TrustedDirectory {
  try {
    return TrustedDirectory.open(home, inHome.logs, { create: true });
  } finally {
    keepToRoot(home);
  }
}

function spawn(command: string[], options: Bun.SpawnOptions.OptionsObject<"ignore", number, number>): Bun.Subprocess {
  try {
    return Bun.spawn(command, options);
  } catch (cause) {
    throw new Outage("start", "the daemon", cause);
  }
}

function settingFlags({ flags, cwd }: CliContext): string[] {
  const root = flags.root === undefined ? [] : ["--root", resolve(cwd, flags.root)];
  return [...root, ...(flags.set ?? []).flatMap((pair) => ["--set", pair])];
}

/** The daemon is nobody's: with an agent's mark in its environment it would be ended with that agent. */
function daemonEnvironment(env: CliContext["env"]): Record<string, string> {
  const { CONSTEL_AGENT: _, AGENT_N: __, ...own } = ownEnvironment(env, sparingEngine);
  return own;
}
