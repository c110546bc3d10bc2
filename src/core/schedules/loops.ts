// The life of a loop: it fires, waits for its interval or for what its worker asked for, and ends when its `until` command
// succeeds, when it has fired as often as it may, or when somebody stops it. An interval is counted from the last firing, so
// that downtime costs one firing, never a burst; a clock that was set back cannot make it wait longer than its interval.

import { counted } from "../../protocol/counted.ts";
import { Refusal } from "../../protocol/errors.ts";
import { defaultLoopMs, type Loop, type LoopEnd, type LoopState, longestLoopMs, shortestLoopMs } from "./schedule.ts";
import { spanWords } from "../../protocol/span-words.ts";

export interface LoopFiring {
  readonly id: string;
  /** From 1. */
  readonly count: number;
  readonly dueMs: number;
  readonly key: string;
  readonly catchUp: boolean;
  readonly lateMs: number;
}

export interface LoopDue {
  readonly firing: LoopFiring | undefined;
  readonly state: LoopState;
}

/** A loop fires as soon as it is made. */
export function newLoopState(loop: Loop): LoopState {
  return { fired: 0, nextMs: loop.createdMs, unanswered: 0 };
}

/** Tells whether a loop is due, and its state after that. `until` is asked before: a loop that is done does not fire once more. */
export function dueLoop(loop: Loop, state: LoopState, nowMs: number): LoopDue {
  if (state.ended !== undefined || loop.paused) return { firing: undefined, state };
  const standing = afterSetBack(loop, state, nowMs);
  const { nextMs } = standing;
  if (nowMs < nextMs) return { firing: undefined, state: standing };
  const count = state.fired + 1;
  const lateMs = nowMs - nextMs;
  const firing = {
    id: loop.id,
    count,
    dueMs: nextMs,
    key: loopKey(loop, count),
    catchUp: lateMs > lateAfterMs,
    lateMs,
  };
  const fired: LoopState = {
    ...standing,
    fired: count,
    firedMs: nowMs,
    nextMs: nowMs + (loop.everyMs ?? defaultLoopMs),
  };
  if (loop.most === undefined || count < loop.most) return { firing, state: fired };
  return { firing, state: ended(fired, nowMs, "most", `it has fired ${counted(loop.most, "time")}`) };
}

/** A clock that shows less than at the last firing was set back: the wait begins anew, as long as it was meant to be. */
function afterSetBack(loop: Loop, state: LoopState, nowMs: number): LoopState {
  const sinceMs = state.firedMs ?? loop.createdMs;
  if (nowMs >= sinceMs) return state;
  return { ...state, firedMs: nowMs, nextMs: nowMs + Math.max(0, state.nextMs - sinceMs) };
}

/** As in due.ts: the failsafe tick comes every 120 s. */
const lateAfterMs = 150_000;

/** The key holds the time the loop was made: a loop that is made again under the same name begins to count anew. */
const loopKey = ({ id, createdMs }: Loop, count: number): string =>
  `loop:${id}@${new Date(createdMs).toISOString()}#${count}`;

/** A loop that ended long ago is of no use to anybody; its firings and the timeline tell of it. */
export const keepEndedLoopMs = 7 * 86_400_000;

/** The outcome of the `until` command. `ran` is false when it could not be started, ran into its deadline or died of a signal. */
export interface UntilOutcome {
  readonly ran: boolean;
  readonly exit?: number | undefined;
  readonly says?: string | undefined;
}

/** So many times in a row may the command fail to answer; then the owner has to mend it. */
export const mostUnanswered = 3;

/** What is to be done after the `on_change` command: a loop whose command printed the same waits for its next time, and does not count a firing. */
export function afterLook(
  loop: Loop,
  state: LoopState,
  outcome: UntilOutcome & { readonly printed?: string | undefined },
  nowMs: number,
): { readonly state: LoopState; readonly fires: boolean } {
  if (state.ended !== undefined) return { state, fires: false };
  const waits = { ...state, nextMs: nowMs + (loop.everyMs ?? defaultLoopMs) };
  if (isNoAnswer(outcome)) return { state: unansweredOnce(waits, "on-change", outcome, nowMs), fires: false };
  const seen = outcome.printed ?? "";
  const answered = { ...state, unanswered: 0, seen };
  // The first look has nothing to compare with.
  if (state.seen === undefined || state.seen === seen)
    return { state: { ...waits, unanswered: 0, seen }, fires: false };
  return { state: answered, fires: true };
}

const isNoAnswer = ({ ran, exit }: UntilOutcome): boolean => !ran || exit === undefined || exit === 126 || exit === 127;

function unansweredOnce(state: LoopState, which: string, outcome: UntilOutcome, nowMs: number): LoopState {
  const unanswered = state.unanswered + 1;
  if (unanswered < mostUnanswered) return { ...state, unanswered };
  const says = `its ${which} command could not be run ${unanswered} times in a row: ${outcome.says ?? "no reason was given"}`;
  return ended({ ...state, unanswered }, nowMs, "unanswered", says);
}

/** Success ends the loop, failure goes on, and no answer is neither: a broken command must not look like a green gate. */
export function afterUntil(state: LoopState, outcome: UntilOutcome, nowMs: number): LoopState {
  if (state.ended !== undefined) return state;
  if (isNoAnswer(outcome)) return unansweredOnce(state, "until", outcome, nowMs);
  if (outcome.exit !== 0) return { ...state, unanswered: 0 };
  return ended({ ...state, unanswered: 0 }, nowMs, "until", "its until command succeeded");
}

/** Lets the agent that works in a dynamic loop say when it comes again. */
export function rescheduleLoop(loop: Loop, state: LoopState, delayMs: number, nowMs: number): LoopState {
  if (state.ended !== undefined) {
    throw refuse(loop, `has ended: ${state.ended.says}`, "Make a new loop.");
  }
  if (loop.everyMs !== undefined) {
    const hint = "Only a loop without an interval can be rescheduled; remove it and make another.";
    throw refuse(loop, `fires every ${spanWords(loop.everyMs)}`, hint);
  }
  if (!Number.isFinite(delayMs) || delayMs < shortestLoopMs || delayMs > longestLoopMs) {
    throw refuse(loop, "cannot wait so long or so short", "Ask for something between a minute and a week.");
  }
  return { ...state, nextMs: nowMs + Math.round(delayMs) };
}

function ended(state: LoopState, atMs: number, why: LoopEnd["why"], says: string): LoopState {
  return { ...state, ended: { atMs, why, says } };
}

function refuse(loop: Loop, problem: string, hint: string): Refusal {
  return new Refusal("usage.bad-value", `loop ${loop.id} ${problem}`, { loop: loop.id }, hint);
}
