// Pure decisions about a worker: when its next turn begins, what parks it, how long a failure keeps it back.

import { isReserved, ownerOnBus } from "../../protocol/bus-names.ts";
import { counted } from "../../protocol/counted.ts";
import type { WorkersTable } from "../../store/tables/workers.ts";
import { answerKind } from "./answer-kind.ts";
import type { Cause } from "./worker.ts";

/** After a failure; doubled each time. */
const firstRetryMs = 10_000;
const longestRetryMs = 3_600_000;
/** So many failures in a row, and somebody has to look. */
const mostFailures = 5;
/** So many turns in a row that say and do the same. */
const mostSame = 3;

export interface Spent {
  readonly turnsThisHour: number;
  readonly tokensToday: number;
}

/** The reason why it is parked instead of having another turn. */
export function guard(worker: WorkersTable, spent: Spent): string | undefined {
  const { turns_per_hour: turns, tokens_per_day: tokens } = worker;
  if (worker.failures >= mostFailures) return `${counted(worker.failures, "turn")} in a row failed`;
  if (worker.same_turns >= mostSame) return `no progress: ${worker.same_turns} turns in a row said and did the same`;
  if (spent.turnsThisHour >= turns) return `it has had ${counted(turns, "turn")} within an hour, as many as it may`;
  if (tokens > 0 && spent.tokensToday >= tokens)
    return `it has used ${spent.tokensToday} of the ${tokens} tokens that it may use in a day`;
  return undefined;
}

export const retryAfterMs = (failures: number): number =>
  Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, failures - 1));

/** Causes that come together are one turn: how long to wait still; undefined when nothing waits. */
export function waitMs(
  { state, wake_seq, taken_seq, woken_ms, retry_ms }: WorkersTable,
  { nowMs, gatherMs }: { readonly nowMs: number; readonly gatherMs: number },
): number | undefined {
  if (state !== "waiting" || wake_seq <= taken_seq) return undefined;
  return Math.max(leftMs((woken_ms ?? nowMs) + gatherMs, nowMs, gatherMs), leftMs(retry_ms ?? 0, nowMs));
}

/** Until a moment that was set at most so far ahead; one that is further away was set by a clock that has gone back since, and has come. */
export function leftMs(untilMs: number, nowMs: number, mostMs: number = longestRetryMs): number {
  const left = untilMs - nowMs;
  return left > mostMs ? 0 : Math.max(0, left);
}

/** From when on turns and tokens count: what lies ahead of the clock was noted before it went back. */
export const countsFromMs = (worker: Pick<WorkersTable, "guards_since_ms">, periodMs: number, nowMs: number): number =>
  worker.guards_since_ms > nowMs ? periodMs : Math.max(worker.guards_since_ms, periodMs);

/**
 * A message of an agent's or of the owner's wants an answer. What constel itself sends does not: nobody reads a mailbox of its own
 * names, and a review is answered by its own command. Neither does the answer to a question of the worker's, nor what it says to itself.
 */
export const isQuestion = ({ kind, messageKind, from }: Cause, worker: string): boolean =>
  kind === "message" && messageKind !== answerKind && from !== worker && (from === ownerOnBus || !isReserved(from));

/** How many turns in a row were alike, after this one. */
export const sameTurns = (worker: Pick<WorkersTable, "last_print" | "same_turns">, print: string): number =>
  worker.last_print === print ? worker.same_turns + 1 : 1;
