// `state/restart-status/<ts>-<pid>.json`: how far a restart has come, written by the detached process that makes it. Whoever
// asked for it reads it here, and a tick sees that somebody is at it already; the process's mark tells whether it still lives.

import type { Liveness, ProcessMark } from "../../ports/machine.ts";
import { inHome } from "../../settings/paths.ts";
import { listTrusted, readTrusted, writeTrusted } from "../../files/trusted-files.ts";

export type RestartPhase = "waiting" | "starting" | "started" | "ready" | "done" | "skipped" | "failed";

export interface AgentRestart {
  readonly phase: RestartPhase;
  readonly at_ms: number;
  /** The reason why it failed or was skipped, or the proof that it is ready. */
  readonly says?: string;
  readonly pid?: number;
  /** The conversation that was taken up again. */
  readonly resumed?: string;
  /** Ids of the envelopes with handoffs. */
  readonly handoffs?: readonly string[];
}

export interface RestartStatus {
  readonly id: string;
  readonly by: ProcessMark;
  readonly because: "restart" | "crash" | "hang";
  readonly started_ms: number;
  readonly ended_ms: number | null;
  readonly agents: Readonly<Record<string, AgentRestart>>;
}

const rule = /^(\d{1,16}-\d{1,10})\.json$/;
const open: ReadonlySet<RestartPhase> = new Set(["waiting", "starting", "started", "ready"]);

export const statusId = (startedMs: number, pid: number): string => `${Math.floor(startedMs)}-${pid}`;

export function writeRestartStatus(home: string, status: RestartStatus): void {
  writeTrusted(home, `${inHome.restartStatus}/${status.id}.json`, `${JSON.stringify(status, null, 2)}\n`, {
    sync: false, // with the power, the process that makes the restart is gone too
  });
}

/** Oldest first; what cannot be read is left out. */
export function restartStatuses(home: string): readonly RestartStatus[] {
  return listTrusted(home, inHome.restartStatus)
    .flatMap((name) => rule.exec(name)?.[1] ?? [])
    .flatMap((id) => readRestartStatus(home, id) ?? [])
    .sort((a, b) => a.started_ms - b.started_ms);
}

export function readRestartStatus(home: string, id: string): RestartStatus | undefined {
  const text = readTrusted(home, `${inHome.restartStatus}/${id}.json`)?.toString("utf8");
  try {
    const status = JSON.parse(text ?? "") as Partial<RestartStatus>;
    const isWhole = status.id === id && typeof status.agents === "object" && typeof status.by?.pid === "number";
    return isWhole ? (status as RestartStatus) : undefined;
  } catch {
    return undefined;
  }
}

/** Written by the process of this number, at or after this moment. */
export function statusOf(home: string, pid: number, sinceMs: number): RestartStatus | undefined {
  return restartStatuses(home).findLast((status) => status.by.pid === pid && status.started_ms >= sinceMs);
}

/** Past this a restart does not keep anybody waiting, living process or not: its own deadlines are far shorter. */
const longestMs = 600_000;

/** The agents that a living process is restarting right now. */
export function underWay(home: string, liveness: Liveness, nowMs: number): ReadonlySet<string> {
  const isRecent = ({ started_ms: startedMs }: RestartStatus): boolean => Math.abs(nowMs - startedMs) < longestMs;
  return new Set(
    restartStatuses(home)
      .filter((status) => status.ended_ms === null && isRecent(status) && !liveness.isProvenDead(status.by))
      .flatMap(({ agents }) => Object.entries(agents))
      .filter(([, { phase }]) => open.has(phase))
      .map(([agent]) => agent),
  );
}
