// One tick of the watchdog: code only, no model. It looks, writes down what is wanted and what is seen before anything else is
// tried, then takes its steps one after another. Each has a deadline, and one that fails does not keep the next from running.
// What the steps are is in tick-steps.ts; this file leaves deciding to them.
//
// How an agent comes back: `bring-back.ts` finds whoever is wanted and not there, writes the crash record and a draft
// (`floor/restart/draft-handoff.ts`); `policy.ts` decides purely: leave, wait, restart, quarantine. `constel restart-run` outlives the
// tick: `floor/restart/restart-agents.ts` starts the agent as it was, waits for a sign of life (`sign-of-life.ts`), clears what was
// held against it, and sends the handoff (`deliver-handoffs.ts`). `hang-check.ts` and `hang-policy.ts` look for those that stand
// still. `daemon/intake/intake-rows.ts` makes rows of it.

import { messageOf } from "../../protocol/errors.ts";
import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { listAgents, type ListedAgent } from "../agents/list-agents.ts";
import { listLaunches } from "../agents/launch-files.ts";
import { withDeadline } from "../deadline.ts";
import { type RecordPlace, tryAppendRecord } from "../records.ts";
import { tickPoint } from "./tick-points.ts";

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
  readonly launches: ReadonlyMap<string, AgentLaunch>;
  /** Agents whose launch file cannot be read: whether they are wanted is not known. */
  readonly damaged: readonly string[];
  readonly terminals: readonly Terminal[];
  /** The reason why the terminals could not be listed. Then nobody counts as missing. */
  readonly blind: string | undefined;
  /** The reports of the steps before this one. */
  readonly done: readonly StepReport[];
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
  const began = tryAppendRecord(ports, "watchdog-events", { event: "tick.began", ...account(sight, missing) }, sync);
  tickPoint("tick.began");
  const steps: StepReport[] = [];
  for (const step of ports.steps) {
    steps.push(await take(ports, step, { ...sight, done: [...steps] }));
    tickPoint("tick.step-taken");
  }
  const durationMs = Math.round(ports.clock.monotonicMs() - startedMs);
  // Of a tick in which all was well, the steps have nothing to tell; what they did is on record as events of their own.
  const isWell = missing.length === 0 && sight.blind === undefined && steps.every(({ ok }) => ok);
  const { agents, blind } = sight;
  const told = { event: "tick.ended", duration_ms: durationMs, missing, steps: isWell ? [] : steps };
  tryAppendRecord(ports, "watchdog-events", blind === undefined ? told : { ...told, blind });
  tickPoint("tick.ended");
  return { ticked: true, recorded: began.ok, agents, blind, missing, steps };
}

const sync = { sync: true };

/** Names in full only when something is amiss: a hundred names a minute for ever would be all that the log holds. */
function account(sight: TickSight, missing: readonly string[]): Readonly<Record<string, unknown>> {
  const wanted = sight.agents.filter((agent) => agent.wanted === "up").map(({ agent }) => agent);
  if (missing.length === 0 && sight.blind === undefined) return { wanted: wanted.length, missing };
  const seen = Object.fromEntries(sight.agents.map(({ agent, seen }) => [agent, seen]));
  return { wanted, seen, blind: sight.blind ?? null, missing };
}

async function look(ports: TickPorts): Promise<TickSight> {
  const listed = listLaunches(ports.home);
  const launches = new Map(listed.launches.map((launch) => [launch.agent, launch]));
  const known = { launches, damaged: listed.damaged, done: [] };
  try {
    const terminals = await withDeadline(ports.clock, lookDeadlineMs, () => ports.terminals());
    return { ...known, agents: listAgents(listed, terminals), terminals, blind: undefined };
  } catch (cause) {
    return { ...known, agents: listAgents(listed, []), terminals: [], blind: messageOf(cause) };
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
