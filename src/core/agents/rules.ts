// Pure decisions about agents: what state follows from a look, which events a change deserves, when messages must wait, when
// a budget is used up.

import { counted } from "../../protocol/counted.ts";
import type { AgentStatus } from "../../ports/runtime.ts";
import type { AgentSighting, Seen, SeenState, SessionEnd, Spent } from "./agent.ts";

/** An agent at work whose screen, hooks and transcript all stood still for this long hangs. */
export const hangMs = 1_800_000;
/** A terminal that is not there yet belongs to a launch under way, for so long. */
const launchMs = 60_000;

export interface Look {
  readonly nowMs: number;
  readonly wanted: AgentSighting["wanted"];
  readonly launchedMs: number;
  /** `alive` while the program in it runs. */
  readonly terminal: "none" | "alive" | "dead";
  readonly ended?: SessionEnd | undefined;
  /** The last words its program showed, if it ended by itself with an error. */
  readonly words?: string | undefined;
  /** The runtime's word; undefined when nobody could ask. */
  readonly status?: AgentStatus | undefined;
  /** Since the screen, the hooks or the transcript last changed. */
  readonly quietMs: number;
}

export function seenFrom(look: Look): Seen {
  if (look.terminal === "dead") return seen("dead", "process", endText(look.ended, look.words));
  if (look.terminal === "none") {
    if (look.wanted === "down") return seen("dead", "process", "it is down, as wanted");
    const launching = look.nowMs - look.launchedMs < launchMs;
    return launching
      ? seen("starting", "nothing", "its terminal is not there yet")
      : seen("dead", "process", "its terminal is gone");
  }
  const { status } = look;
  if (status?.state === "dead") return fromStatus(status);
  if (look.wanted === "paused") return seen("paused", "nothing", "it was paused; messages wait");
  if (status === undefined) return seen("unknown", "nothing", "nobody could ask its program");
  // Waiting for a person, for a limit or for work is no hang, however long it lasts.
  const atWork = status.state === "busy" || status.state === "unknown" || status.state === "starting";
  if (atWork && look.quietMs >= hangMs) {
    const minutes = Math.floor(look.quietMs / 60_000);
    return seen(
      "hung",
      status.rests.on,
      `nothing moved for ${counted(minutes, "minute")}; before that: ${status.rests.says}`,
    );
  }
  return fromStatus(status);
}

export interface AgentEvent {
  readonly type: "agent.seen-changed" | "agent.limited" | "agent.resumed";
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the timeline events that a change of the stored state deserves. The same state again deserves none. */
export function eventsFor(before: SeenState | undefined, after: Seen): AgentEvent[] {
  if (before === after.state) return [];
  const events: AgentEvent[] = [
    { type: "agent.seen-changed", data: { from: before ?? null, to: after.state, on: after.on, says: after.says } },
  ];
  if (after.state === "limited") {
    events.push({ type: "agent.limited", data: { until_ms: after.untilMs ?? null, says: after.says } });
  }
  const canWork = after.state === "idle" || after.state === "busy";
  if (before === "limited" && canWork) events.push({ type: "agent.resumed", data: { to: after.state } });
  return events;
}

export interface Budget {
  /** 0: none. */
  readonly tokensPerDay: number;
  readonly microsPerDay: number;
  /** For all agents together; absent: no limit. */
  readonly together?: { readonly tokensPerDay: number; readonly microsPerDay: number } | undefined;
}

export interface BudgetReached {
  /** `constellation`: what all agents may use together. Absent: the agent's own. */
  readonly of?: "constellation";
  readonly kind: "tokens" | "micros";
  readonly used: number;
  readonly limit: number;
}

export function budgetReached(spent: Spent | undefined, budget: Budget): BudgetReached | undefined {
  if (spent === undefined) return undefined;
  const { tokensPerDay, microsPerDay } = budget;
  if (tokensPerDay > 0 && spent.tokens >= tokensPerDay)
    return { kind: "tokens", used: spent.tokens, limit: tokensPerDay };
  if (microsPerDay > 0 && spent.micros >= microsPerDay)
    return { kind: "micros", used: spent.micros, limit: microsPerDay };
  return undefined;
}

/** The budget of all agents together comes first: once it is used up, nobody begins a turn. */
export function budgetReachedBy(
  agent: string,
  spent: ReadonlyMap<string, Spent>,
  budget: Budget,
): BudgetReached | undefined {
  return togetherReached(spent, budget) ?? budgetReached(spent.get(agent), budget);
}

export function togetherReached(spent: ReadonlyMap<string, Spent>, { together }: Budget): BudgetReached | undefined {
  if (together === undefined) return undefined;
  const all = [...spent.values()].reduce(
    (sum, one) => ({
      tokens: sum.tokens + one.tokens,
      micros: sum.micros + one.micros,
    }),
    { tokens: 0, micros: 0 },
  );
  const reached = budgetReached(all, together);
  return reached === undefined ? undefined : { of: "constellation", ...reached };
}

export const hasBudget = ({ tokensPerDay, microsPerDay, together }: Budget): boolean =>
  tokensPerDay > 0 || microsPerDay > 0 || (together !== undefined && hasBudget(together));

/** Returns the reason why no message may be given to the agent now. Undefined if one may. */
export function mailHold(seen: Seen, reached: BudgetReached | undefined): string | undefined {
  switch (seen.state) {
    case "idle":
    case "busy":
      return reached === undefined ? undefined : budgetText(reached);
    case "limited":
      return seen.untilMs === undefined
        ? "its usage limit is reached"
        : `its usage limit lifts at ${new Date(seen.untilMs).toISOString()}`;
    case "waiting-permission":
      return "it is at a permission prompt; messages wait";
    case "waiting-answer":
      return "it waits for an answer to a question; messages wait";
    case "starting":
      return "it is starting";
    case "logged-out":
      return "nobody is logged in there";
    case "paused":
      return "it is paused";
    case "hung":
      return "it hangs";
    case "dead":
      return "it is not running";
    case "unknown":
      return "its state is not known, so nothing is typed";
  }
}

export function budgetText(reached: BudgetReached): string {
  const whose = reached.of === undefined ? "its budget" : "the budget of all agents";
  return reached.kind === "tokens"
    ? `${whose} for today is used up: ${reached.used} of ${reached.limit} tokens`
    : `${whose} for today is used up: $${(reached.used / 1e6).toFixed(2)} of $${(reached.limit / 1e6).toFixed(2)}`;
}

function seen(state: SeenState, on: Seen["on"], says: string): Seen {
  return { state, on, says };
}

function fromStatus(status: AgentStatus): Seen {
  const { state, untilMs, rests } = status;
  return { state, untilMs, on: rests.on, says: rests.says, atMs: rests.atMs };
}

/** The number first: screens cut what comes last. */
function endText(ended: SessionEnd | undefined, words = ""): string {
  if (ended?.exitSignal !== undefined) return `ended by signal ${ended.exitSignal}`;
  if (ended?.exitStatus !== undefined) {
    const said = words === "" ? "" : `: ${words}`;
    return `ended with status ${ended.exitStatus}${said}`;
  }
  return "its program has ended";
}
