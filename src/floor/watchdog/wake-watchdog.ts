// `agentinfinity`, the agent behind the watchdog: woken by one message with a repair brief when something is red that code could
// not mend, and only then, because waking it costs tokens. What is red is remembered (`repair-signals`), so that each red signal
// wakes it once; what has turned green may wake it again.

import { watchdogAgent } from "../../protocol/agent-id.ts";
import { forModelInline } from "../../protocol/safe-text.ts";
import { tickerAgent } from "../agents/agent-names.ts";
import { send } from "../bus/send.ts";
import { crashloopingAgents } from "../markers/crashloop.ts";
import { hungAgents } from "../markers/hang.ts";
import { putMarker, readMarkerValues } from "../markers/marker-files.ts";
import { allStartFailures } from "../markers/start-failures.ts";
import type { TickSight, TickStep } from "./tick.ts";
import { note, type WatchPorts } from "./watch-ports.ts";

interface Red {
  readonly key: string;
  readonly says: string;
}

const name = "repair-signals";
/** A step may fail once because the machine was busy; twice in a row it is broken. */
const ticksToBelieve = 2;

export function wakeStep(ports: WatchPorts): TickStep {
  return {
    name: "watchdog agent",
    deadlineMs: 10_000,
    async take(sight) {
      const reds = redSignals(ports, sight);
      const known = remembered(ports.home);
      const now = new Map(reds.map(({ key }) => [key, (known.get(key) ?? 0) + 1]));
      const fresh = reds.filter(({ key }) => now.get(key) === (key.startsWith("step ") ? ticksToBelieve : 1));
      const listener = sight.agents.find(({ agent }) => agent === watchdogAgent);
      const isThere = listener?.wanted === "up" && listener.seen === "up";
      // Who is not there yet is woken when it is: what is new stays new.
      for (const { key } of isThere ? [] : fresh) now.set(key, (now.get(key) ?? 1) - 1);
      if (fresh.length > 0 && isThere) wake(ports, fresh);
      if (now.size > 0 || known.size > 0) remember(ports.home, now, known);
      if (reds.length === 0) return "nothing to repair";
      const said = reds.map(({ key }) => key).join(", ");
      return fresh.length === 0
        ? `red already: ${said}`
        : isThere
          ? `woken: ${said}`
          : `not there to be woken: ${said}`;
    },
  };
}

function redSignals(ports: WatchPorts, sight: TickSight): Red[] {
  const { home } = ports;
  const others = sight.agents.filter(({ agent, wanted }) => agent !== watchdogAgent && wanted === "up");
  const quarantined = new Set(crashloopingAgents(home));
  const hung = hungAgents(home);
  const failing = allStartFailures(home);
  const reds = others.flatMap(({ agent }): Red[] => {
    const failures = failing.get(agent);
    if (quarantined.has(agent))
      return [{ key: `crashloop ${agent}`, says: `${agent} crashes again and again; it is left down` }];
    if (hung.has(agent)) return [{ key: `hang ${agent}`, says: `${agent} hangs` }];
    if (failures !== undefined && failures.count >= 2)
      return [{ key: `cannot-start ${agent}`, says: `${agent} cannot start: ${failures.says}` }];
    return [];
  });
  const failed = sight.done.filter(({ ok }) => !ok);
  return [
    ...reds,
    ...failed.map((step) => ({ key: `step ${step.name}`, says: `the tick's step ${step.name} fails: ${step.says}` })),
  ];
}

function wake(ports: WatchPorts, reds: readonly Red[]): void {
  const text = [
    "The watchdog could not mend this by itself:",
    ...reds.map(({ says }) => `- ${forModelInline(says).slice(0, 400)}`),
    "",
    "Find the cause and mend it, by verbs, as your role says. Begin with `constel doctor` and `constel status`.",
    `The newest lines: ${ports.home}/logs/watchdog-events-*.jsonl. What an agent had in hand: \`constel handoffs ls\`.`,
    "`constel restart <agent>` releases one that was given up. When you are done, rest.",
  ].join("\n");
  const key = `repair ${ports.clock.nowMs()}`;
  send(ports.bus, { from: tickerAgent, to: watchdogAgent, kind: "repair", text, idempotency_key: key });
  note(ports, "watchdog.woken", { agent: watchdogAgent, says: reds.map((red) => red.key).join(", ") });
}

function remembered(home: string): Map<string, number> {
  const values = readMarkerValues(home, name) ?? {};
  return new Map(Object.entries(values).flatMap(([key, count]) => (typeof count === "number" ? [[key, count]] : [])));
}

/** Counts past the one that wakes say nothing more; a file that says the same is not written again. */
function remember(home: string, now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): void {
  const text = JSON.stringify(
    Object.fromEntries([...now].map(([key, count]) => [key, Math.min(count, ticksToBelieve + 1)])),
  );
  if (text !== JSON.stringify(Object.fromEntries(before))) putMarker(home, name, text);
}
