// `agentinfinity`, the agent behind the watchdog: woken by one message with a repair brief when something is red that code could
// not mend, and only then, because waking it costs tokens. What is red is remembered (`repair-signals`), so that each red signal
// wakes it once; what has turned green may wake it again.

import { watchdogAgent } from "../../protocol/agent-id.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";
import { forModelInline } from "../../protocol/safe-text.ts";
import { tickerAgent } from "../agents/agent-names.ts";
import { send } from "../bus/send.ts";
import { allStartFailures } from "../markers/start-failures.ts";
import type { TickSight, TickStep } from "./tick.ts";
import { note, type WatchPorts } from "./watch-ports.ts";
import { hasMarker, putEmptyMarker, putMarker, readMarkerValues, removeMarker } from "../markers/marker-files.ts";
import { agentsMarked, markers } from "../markers/markers.ts";

interface Red {
  readonly key: string;
  readonly says: string;
}

const name = "repair-signals";
/** A step may fail once because the machine was busy; twice in a row it is broken. */
const ticksToBelieve = 2;
/** A step that is broken for so long is the owner's business too. */
const ticksToPage = 5;

export function wakeStep(ports: WatchPorts): TickStep {
  return {
    name: "watchdog agent",
    deadlineMs: 30_000,
    async take(sight) {
      const reds = redSignals(ports, sight);
      const known = remembered(ports.home);
      const now = new Map(reds.map(({ key }) => [key, seenAgain(known.get(key), key)]));
      const fresh = reds.filter(({ key }) => now.get(key)?.isBelieved === true && now.get(key)?.isWoken === false);
      const listener = sight.agents.find(({ agent }) => agent === watchdogAgent);
      const isThere = listener?.wanted === "up" && listener.seen === "up";
      // If the watchdog agent is not there yet, it is woken when it is.
      if (fresh.length > 0 && isThere) {
        wake(ports, fresh);
        for (const { key } of fresh) now.set(key, { ...seenAgain(known.get(key), key), isWoken: true });
      }
      await pageBroken(ports, reds, now);
      await rememberOrTell(ports, now, known);
      if (reds.length === 0) return "nothing to repair";
      const said = reds.map(({ key }) => key).join(", ");
      return fresh.length === 0 ? `red: ${said}` : isThere ? `woken: ${said}` : `not there to be woken: ${said}`;
    },
  };
}

interface Standing {
  /** Ticks in a row; counted no further than anything depends on it. */
  readonly ticks: number;
  readonly isBelieved: boolean;
  readonly isWoken: boolean;
}

function seenAgain(before: Standing | undefined, key: string): Standing {
  const ticks = Math.min((before?.ticks ?? 0) + 1, ticksToPage + 1);
  return { ticks, isBelieved: !isStep(key) || ticks >= ticksToBelieve, isWoken: before?.isWoken ?? false };
}

const isStep = (key: string): boolean => key.startsWith("step ");

/** Pages about the watchdog's own trouble, which nobody else reports. Trouble of agents is reported by the step that sees it. */
async function pageBroken(ports: WatchPorts, reds: readonly Red[], now: ReadonlyMap<string, Standing>): Promise<void> {
  const broken = reds.filter(({ key }) => isStep(key) && now.get(key)?.ticks === ticksToPage);
  if (broken.length === 0) return;
  const body = broken.map(({ says }) => says).join("\n");
  await ports.page({ subject: "the watchdog cannot do its work", body }, { leaveMarker: true });
}

function redSignals(ports: WatchPorts, sight: TickSight): Red[] {
  const { home } = ports;
  const others = sight.agents.filter(({ agent, wanted }) => agent !== watchdogAgent && wanted === "up");
  const quarantined = new Set(agentsMarked(home, markers.crashloop));
  const hung = new Set(agentsMarked(home, markers.hang));
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
  const look = sight.blind === undefined ? [] : [{ name: "look", ok: false, says: sight.blind }];
  const failed = [...look, ...sight.done.filter(({ ok }) => !ok)];
  return [
    ...reds,
    ...failed.map((step) => ({ key: `step ${step.name}`, says: `the tick's step ${step.name} fails: ${step.says}` })),
  ];
}

function wake(ports: WatchPorts, reds: readonly Red[]): void {
  const text = [
    "The watchdog could not repair this by itself:",
    ...reds.map(({ says }) => `- ${forModelInline(says).slice(0, 400)}`),
    "",
    "Find the cause and fix it, with constel's commands, as your role says. Begin with `constel doctor` and `constel status`.",
    `The newest lines: ${ports.home}/logs/watchdog-events-*.jsonl. What an agent had in hand: \`constel handoffs ls\`.`,
    "`constel restart <agent>` releases one that was given up. When you are done, rest.",
  ].join("\n");
  const key = `repair ${ports.clock.nowMs()}`;
  send(ports.bus, { from: tickerAgent, to: watchdogAgent, kind: "repair", text, idempotency_key: key });
  note(ports, "watchdog.woken", { agent: watchdogAgent, says: reds.map((red) => red.key).join(", ") });
}

/** The steps of the tick that failed at the last two ticks or more: of what they look after nothing is known. */
export function brokenSteps(home: string): readonly string[] {
  return [...remembered(home)]
    .filter(([key, { ticks }]) => isStep(key) && ticks >= ticksToBelieve)
    .map(([key]) => key.slice("step ".length));
}

function remembered(home: string): ReadonlyMap<string, Standing> {
  const known = new Map<string, Standing>();
  for (const [key, value] of Object.entries(valuesOf(home))) {
    const { ticks, woken } = (value ?? {}) as { ticks?: unknown; woken?: unknown };
    if (typeof ticks === "number") known.set(key, { ticks, isBelieved: true, isWoken: woken === true });
  }
  return known;
}

/** Something else may stand in the file's place: then nothing is known, and writing it says so. */
function valuesOf(home: string): Readonly<Record<string, unknown>> {
  try {
    return readMarkerValues(home, name) ?? {};
  } catch (cause) {
    if (cause instanceof Refusal) return {};
    throw cause;
  }
}

/**
 * A disk that is full, or a home that cannot be written, keeps the watchdog from nearly everything, and from counting to five: it is told
 * of at once. That it was told is an empty file, which a full disk has room for; where not even that can be made, the clock says when.
 */
async function rememberOrTell(
  ports: WatchPorts,
  now: ReadonlyMap<string, Standing>,
  before: ReadonlyMap<string, Standing>,
): Promise<void> {
  const { home, clock } = ports;
  try {
    remember(home, now, before);
    if (hasMarker(home, cannotWrite)) removeMarker(home, cannotWrite);
  } catch (cause) {
    const isKnown = hasMarker(home, cannotWrite);
    const isKept = isKnown || putEmptyMarker(home, cannotWrite);
    const isOnTheHour = Math.floor(clock.nowMs() / 60_000) % 60 < 2;
    if (!isKnown && (isKept || isOnTheHour)) {
      const subject = "the watchdog cannot write to its home";
      const body = `${messageOf(cause)}\nNobody who comes down is brought back until it can: constel doctor`;
      const { told } = await ports.page({ subject, body, urgent: true }, { leaveMarker: false });
      if (!told) removeMarker(home, cannotWrite);
    }
    throw cause;
  }
}

const cannotWrite = "watchdog-cannot-write";

/** A file that says the same is not written again. */
function remember(home: string, now: ReadonlyMap<string, Standing>, before: ReadonlyMap<string, Standing>): void {
  const text = textOf(now);
  if (text !== textOf(before)) putMarker(home, name, text, { sync: false });
}

const textOf = (standings: ReadonlyMap<string, Standing>): string =>
  JSON.stringify(
    Object.fromEntries([...standings].map(([key, { ticks, isWoken }]) => [key, { ticks, woken: isWoken }])),
  );
