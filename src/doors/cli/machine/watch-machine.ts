// The real machine behind the watchdog's steps and restarts: the bus, processes, the database where it can be read, the owner's
// channels, and this program started anew for what must outlive a tick.

import { statSync } from "node:fs";
import { uptime } from "node:os";
import type { AgentPorts } from "../../../floor/agents/agent-ports.ts";
import type { RestartPorts } from "../../../floor/restart/restart-agents.ts";
import { turnRestartLog } from "../../../floor/restart/restart-log.ts";
import type { StepsPorts } from "../../../floor/watchdog/tick-steps.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { activityOf } from "../../../host/process/activity.ts";
import { systemLiveness } from "../../../host/process/liveness.ts";
import { earlierHookFile, hookFile } from "../../../host/runtime/hook-records.ts";
import { inHome } from "../../../settings/paths.ts";
import type { CliContext } from "../context.ts";
import { daemonNow } from "../reach/daemon-now.ts";
import { localBus } from "../reach/local-bus.ts";
import { spawnDetached } from "../reach/spawn-detached.ts";
import { startDaemon } from "../reach/start-daemon.ts";
import { killSilentDaemon } from "../reach/stop-daemon.ts";
import { workInHand } from "./work-in-hand.ts";

export function restartPorts(context: CliContext, ports: AgentPorts): RestartPorts {
  return { ...ports, bus: localBus(context.places), liveness: systemLiveness };
}

export function stepsPorts(context: CliContext, ports: AgentPorts, keepDays: number): StepsPorts {
  const { home } = context.places;
  return {
    ...restartPorts(context, ports),
    keepMs: keepDays * 86_400_000,
    uptimeMs: () => uptime() * 1000,
    hooks: (agent) => hooksOf(home, agent),
    activity: (launch, toolMs) => activityOf(launch, toolMs, systemClock),
    workOf: (agent, hint) => workInHand(context, agent, hint),
    spawnRestart: (order) => spawnRestart(context, order),
    async page(message, options) {
      const { page } = await import("../commands/session.ts");
      return page(context, message, options);
    },
    daemonNow: (signal) => daemonNow(home, signal),
    startDaemon: () => startDaemon(context),
    endDaemon: () => killSilentDaemon(context),
    usageLimits: async () => context.backstage.tellLifted(await context.settings()),
    dueSchedules: async () => context.backstage.fireDueSchedules(await context.settings()),
  };
}

export function spawnRestart(context: CliContext, order: Parameters<StepsPorts["spawnRestart"]>[0]): number {
  const { agents, because, fresh, account } = order;
  const onAccount = account === undefined ? [] : ["--account", account];
  const words = ["restart-run", ...agents, "--because", because, ...(fresh ? ["--fresh"] : []), ...onAccount];
  turnRestartLog(context.places.home);
  return spawnDetached(context, words, inHome.restartLog);
}

/** A program that holds its hook file open goes on writing to it after it was set aside, so both are looked at. */
export function hooksOf(home: string, agent: string): ReturnType<StepsPorts["hooks"]> {
  const stats = [hookFile(home, agent), earlierHookFile(home, agent)].flatMap(
    (path) => statSync(path, { throwIfNoEntry: false }) ?? [],
  );
  if (stats.length === 0) return undefined;
  const sign = stats.map(({ size, mtimeMs }) => `${size}:${mtimeMs}`).join(" ");
  return { sign, lastMs: Math.max(...stats.map(({ mtimeMs }) => mtimeMs)) };
}
