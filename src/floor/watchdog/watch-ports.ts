// Declares what the steps of a tick ask for, besides looking. The command line wires the real ones.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { Liveness } from "../../ports/machine.ts";
import type { AgentPorts } from "../agents/agent-ports.ts";
import type { Bus } from "../bus/bus.ts";
import type { DraftPorts } from "../restart/draft-handoff.ts";
import type { RestartStatus } from "../restart/restart-status.ts";
import { tryAppendRecord } from "../records.ts";

export interface WatchPorts extends AgentPorts, Pick<DraftPorts, "workOf"> {
  readonly bus: Bus;
  readonly liveness: Liveness;
  /** Describes the agent's hook file without reading it. Undefined when there is none. */
  hooks(agent: string): { readonly sign: string; readonly lastMs: number } | undefined;
  /** Watches its processes for a second. `toolMs`: when an open tool call began. Undefined if it cannot be told. */
  activity(
    launch: AgentLaunch,
    toolMs: number | undefined,
  ): Promise<{ readonly cpuMs: number; readonly sinceTool: number } | undefined>;
  /** Returns how long the machine has been up. This runs on while the wall clock is set. */
  uptimeMs(): number;
  /** Starts a process that restarts these and outlives this one; answers its number. */
  spawnRestart(order: {
    readonly agents: readonly string[];
    readonly because: RestartStatus["because"];
    readonly fresh: boolean;
    readonly account?: string;
  }): number;
  /** Tells the owner. `told` false: nobody could be told; `channels` 0: there is nobody to tell. */
  page(
    message: { readonly subject: string; readonly body: string; readonly urgent?: boolean },
    options: { readonly leaveMarker: boolean },
  ): Promise<{ readonly told: boolean; readonly channels: number; readonly line: string }>;
}

/** On record for people and for the database, which takes it in later. Never throws: the tick goes on. */
export function note(
  ports: Parameters<typeof tryAppendRecord>[0],
  event: string,
  facts: { readonly agent?: string; readonly says: string; readonly data?: object },
): void {
  const { agent = null, says, data = {} } = facts;
  tryAppendRecord(ports, "watchdog-events", { event, agent, says, data });
}
