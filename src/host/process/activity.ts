// Tells whether an agent's processes do anything: how much of the processor they use within a moment, and which of them are younger than
// something that happened. It reads /proc; elsewhere this is not known.

import { uptime } from "node:os";
import { readFileSync } from "node:fs";
import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { Clock } from "../../ports/machine.ts";
import { Cgroup } from "./cgroup.ts";
import { identify, findTree } from "./tree.ts";

/** The kernel counts in hundredths of a second, whatever its own clock. */
const tickMs = 10;
const lookMs = 1_000;
/** A hook tells of a tool a moment before or after its process starts. */
const slackMs = 2_000;

export interface Activity {
  /** Used by all of them within a second. */
  readonly cpuMs: number;
  /** The number of processes started since the tool. 0 when nothing was asked. */
  readonly sinceTool: number;
}

export async function activityOf(
  launch: Pick<AgentLaunch, "agent" | "leader" | "cgroup" | "launch">,
  toolMs: number | undefined,
  clock: Clock,
): Promise<Activity | undefined> {
  if (process.platform !== "linux") return undefined;
  const pids = pidsOf(launch);
  if (pids.length === 0) return undefined;
  const before = pids.map(readStat);
  await clock.sleep(lookMs);
  const after = pids.map(readStat);
  let cpuTicks = 0;
  for (const [at, now] of after.entries()) cpuTicks += Math.max(0, (now?.cpuTicks ?? 0) - (before[at]?.cpuTicks ?? 0));
  const bootMs = clock.nowMs() - uptime() * 1000;
  const isSince = (stat: Stat | undefined): boolean =>
    stat !== undefined && toolMs !== undefined && bootMs + stat.startTicks * tickMs >= toolMs - slackMs;
  return { cpuMs: cpuTicks * tickMs, sinceTool: after.filter(isSince).length };
}

function pidsOf({
  agent,
  leader,
  cgroup,
  launch,
}: Pick<AgentLaunch, "agent" | "leader" | "cgroup" | "launch">): number[] {
  const root = leader === undefined ? undefined : identify(leader.pid);
  const group = cgroup === undefined ? undefined : Cgroup.at(cgroup);
  return findTree({
    ...(root === undefined ? {} : { root }),
    ...(group === undefined ? {} : { cgroup: group }),
    mark: { CONSTEL_AGENT: agent, CONSTEL_HOME: launch.home },
  }).map(({ pid }) => pid);
}

interface Stat {
  readonly cpuTicks: number;
  readonly startTicks: number;
}

function readStat(pid: number): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { cpuTicks: Number(fields[11]) + Number(fields[12]), startTicks: Number(fields[19]) };
  } catch {
    return undefined; // it has ended
  }
}
