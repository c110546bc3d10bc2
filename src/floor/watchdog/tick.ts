// One tick of the watchdog: code only, no model. It looks, writes down what is wanted and what is seen before anything else is
// tried, then takes its steps one after another. Each has a deadline, and one that fails does not keep the next from running.
// Bringing agents back, hang checks and crash loops will be steps of this list; none of them is one yet.

import { messageOf } from "../../protocol/errors.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { listAgents, type ListedAgent } from "../agents/list-agents.ts";
import { listLaunches } from "../agents/launch-files.ts";
import { withDeadline } from "../deadline.ts";
import { type RecordPlace, tryAppendRecord } from "../records.ts";

export interface TickPorts extends RecordPlace {
  /** The right to tick, or undefined while another tick runs. */
  tryTurn(): { release(): void } | undefined;
  terminals(): Promise<readonly Terminal[]>;
  readonly steps: readonly TickStep[];
}

export interface TickStep {
  readonly name: string;
  readonly deadlineMs: number;
  /** Answers what it did, for people. Throwing is an answer too. */
  take(seen: TickSight, signal: AbortSignal): Promise<string>;
}

export interface TickSight {
  /** As far as it could be seen. */
  readonly agents: readonly ListedAgent[];
  /** Why the terminals could not be listed; then nobody counts as missing. */
  readonly blind: string | undefined;
}

export interface TickReport {
  /** False when another tick was under way. */
  readonly ticked: boolean;
  readonly recorded: boolean;
  readonly agents: readonly ListedAgent[];
  readonly blind: string | undefined;
  /** Wanted and not there. */
  readonly missing: readonly string[];
  readonly steps: readonly StepReport[];
}

export interface StepReport {
  readonly name: string;
  readonly ok: boolean;
  readonly says: string;
}

const lookDeadlineMs = 10_000;

export async function tick(ports: TickPorts): Promise<TickReport> {
  const turn = ports.tryTurn();
  if (turn === undefined) {
    return { ticked: false, recorded: false, agents: [], blind: undefined, missing: [], steps: [] };
  }
  try {
    return await tickNow(ports);
  } finally {
    turn.release();
  }
}

async function tickNow(ports: TickPorts): Promise<TickReport> {
  const startedMs = ports.clock.monotonicMs();
  const sight = await look(ports);
  const missing = missingOf(sight);
  const began = tryAppendRecord(
    ports,
    "watchdog-events",
    {
      event: "tick.began",
      wanted: sight.agents.filter(({ wanted }) => wanted === "up").map(({ agent }) => agent),
      seen: Object.fromEntries(sight.agents.map(({ agent, seen }) => [agent, seen])),
      blind: sight.blind ?? null,
      missing,
    },
    { sync: true },
  );
  const steps: StepReport[] = [];
  for (const step of ports.steps) steps.push(await take(ports, step, sight));
  const durationMs = Math.round(ports.clock.monotonicMs() - startedMs);
  tryAppendRecord(ports, "watchdog-events", { event: "tick.ended", duration_ms: durationMs, missing, steps });
  return { ticked: true, recorded: began.ok, ...sight, missing, steps };
}

async function look(ports: TickPorts): Promise<TickSight> {
  const launches = listLaunches(ports.home);
  try {
    const terminals = await withDeadline(ports.clock, lookDeadlineMs, () => ports.terminals());
    return { agents: listAgents(launches, terminals), blind: undefined };
  } catch (cause) {
    return { agents: listAgents(launches, []), blind: messageOf(cause) };
  }
}

function missingOf(sight: TickSight): readonly string[] {
  if (sight.blind !== undefined) return [];
  return sight.agents.filter(({ wanted, seen }) => wanted === "up" && seen !== "up").map(({ agent }) => agent);
}

async function take(ports: TickPorts, step: TickStep, sight: TickSight): Promise<StepReport> {
  try {
    const says = await withDeadline(ports.clock, step.deadlineMs, (signal) => step.take(sight, signal));
    return { name: step.name, ok: true, says };
  } catch (cause) {
    return { name: step.name, ok: false, says: messageOf(cause) };
  }
}
