// The watchdog's tick, and the ticker that calls it once a minute.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { tickSteps } from "../../../floor/watchdog/tick-steps.ts";
import { tick as tickOnce, type TickReport } from "../../../floor/watchdog/tick.ts";
import { systemClock, systemRandom } from "../../../host/clock/system-clock.ts";
import { tryLock } from "../../../host/process/file-lock.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { refuseUnlessAllowed } from "../../../protocol/authority.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { messageOf } from "../../../protocol/errors.ts";
import { defaultConfig } from "../../../settings/declarations.ts";
import { inHome } from "../../../settings/paths.ts";
import { keepToRoot } from "../../../files/trusted-directory.ts";
import { removeTrusted } from "../../../files/trusted-files.ts";
import { withAgents } from "../machine/agent-machine.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { utc } from "../present/time.ts";
import { mayActForOwner, ownCommand, ownEnvironment } from "../reach/start-daemon.ts";
import { stepsPorts } from "../machine/watch-machine.ts";
import { whoRuns } from "../who-runs.ts";

export const tick: RunCommand = async (context, input) => {
  const { home } = context.places;
  refuseClones(context);
  if (input.has("existing-home")) keepToRoot(home);
  const keepDays = await keepDaysOf(context);
  const report = await withAgents(context, { lenient: true, creates: true }, (ports) =>
    tickOnce({
      home,
      constellation: ports.constellation,
      clock: systemClock,
      random: systemRandom,
      tryTurn: () => tryLock(home, inHome.watchdogLock),
      terminals: () => ports.terminals.list(),
      steps: tickSteps(stepsPorts(context, ports, keepDays)),
    }),
  );
  const well = report.missing.length === 0 && report.blind === undefined && report.steps.every(({ ok }) => ok);
  return { json: report, text: () => tickText(report), ...(well ? {} : { exit: exitCodes.negative }) };
};

/** A round in a clone's hands would count restarts that the clone may not make. The root and the watchdog may call one, and so may the machine's scheduler. */
function refuseClones({ places: { home } }: CliContext): void {
  if (mayActForOwner(home)) return;
  const refusal = refuseUnlessAllowed(whoRuns({ home, agent: undefined }), {
    name: "watchdog tick",
    may: "operators",
    effect: "writes",
  });
  if (refusal !== undefined) throw refusal;
}

/** A malformed config costs the settings in it, not the tick. */
async function keepDaysOf(context: CliContext): Promise<number> {
  const { config } = await context.settings().catch(() => ({ config: defaultConfig }));
  return config["logs.keep_days"];
}

function tickText(report: TickReport): string {
  if (!report.ticked) return "Another tick is under way.";
  const lines = report.steps.map(({ name, ok, says }) => `${ok ? "ok" : "FAILED"}  ${name}: ${says}`);
  if (report.blind !== undefined) lines.unshift(`The terminals could not be listed: ${report.blind}`);
  else if (report.missing.length > 0) lines.unshift(`Wanted but not running: ${report.missing.join(", ")}`);
  return lines.join("\n");
}

const everyMs = 60_000;
/** Shorter than the time between two, so that one that hangs costs one. */
const tickDeadlineMs = 50_000;
/** The time until an agent that misses the daemon is heard: one look at a file. */
const lookMs = 500;

/** Agents may not start it, and ask so. */
const isDaemonWanted = (home: string): boolean =>
  existsSync(join(home, inHome.daemonWanted)) && removeTrusted(home, inHome.daemonWanted);

export const ticker: RunCommand = async (context) => {
  const { home, root } = context.places;
  const command = [...ownCommand(), "watchdog", "tick", "--existing-home", "--home", home, "--root", root];
  // Read by those who tell how agents fare, as a `script` agent's is.
  const title = (state: "idle" | "busy"): void => context.output.raw(`\u001b]2;constel:${state}\u0007`);
  // A home that was removed has nobody left to look after.
  while (!context.signal.aborted && existsSync(home)) {
    const startedMs = systemClock.monotonicMs();
    title("busy");
    context.output.data(`${utc(systemClock.nowMs())}\n${await runTick(command, context.env, context.signal)}\n`);
    title("idle");
    const untilMs = Math.max(startedMs + everyMs, systemClock.monotonicMs() + 1_000);
    while (systemClock.monotonicMs() < untilMs && !context.signal.aborted && !isDaemonWanted(home))
      await systemClock.sleep(lookMs, context.signal);
  }
  return undefined;
};

async function runTick(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<string> {
  try {
    const outcome = await systemProcesses.run(command, {
      env: ownEnvironment(env),
      deadlineMs: tickDeadlineMs,
      signal,
    });
    if (outcome.timedOut) return `the tick took longer than ${tickDeadlineMs / 1000} s and was ended`;
    return `${new TextDecoder().decode(outcome.stdout)}${outcome.stderr}`.trimEnd();
  } catch (cause) {
    return messageOf(cause); // it could not be started: the next minute may be better
  }
}
