// Loops: when they fire, what their `until` command means, how they are rescheduled and how they end.

import { describe, expect, test } from "bun:test";
import { afterUntil, dueLoop, mostUnanswered, newLoopState, rescheduleLoop } from "./loops.ts";
import { randomFrom } from "./random.suite.ts";
import { defaultLoopMs, type Loop, type LoopState } from "./schedule.ts";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse("2026-11-15T22:00:00Z");

const stoppedFrom = (state: LoopState, says: string): LoopState => ({
  ...state,
  ended: { atMs: start, why: "stopped", says },
});

const fixed: Loop = {
  id: "green-gate",
  action: { agent: "agent1", prompt: "make the gate green" },
  everyMs: 10 * minute,
  overlap: "queue",
  createdMs: start,
  paused: false,
};
const { everyMs: _, ...rest } = fixed;
const dynamic: Loop = rest;

/** Looks every minute and says at which minutes it fired. */
function run(
  loop: Loop,
  minutes: number,
  state = newLoopState(loop),
  from = start,
): { at: number[]; state: LoopState } {
  const at: number[] = [];
  for (let tick = 0; tick <= minutes; tick++) {
    const due = dueLoop(loop, state, from + tick * minute);
    if (due.firing !== undefined) at.push(tick);
    ({ state } = due);
  }
  return { at, state };
}

describe("a loop fires", () => {
  test("at once and then at its interval", () => {
    expect(run(fixed, 35).at).toEqual([0, 10, 20, 30]);
  });

  test("every 25 minutes when it has no interval and nobody reschedules it", () => {
    expect(defaultLoopMs).toBe(1_500_000);
    expect(run(dynamic, 80).at).toEqual([0, 25, 50, 75]);
  });

  test("once after a sleep of nine hours, marked, and then at its interval again", () => {
    const { state } = run(fixed, 5);
    const due = dueLoop(fixed, state, start + 9 * hour);
    expect(due.firing).toMatchObject({
      count: 2,
      catchUp: true,
      key: `loop:green-gate@${new Date(fixed.createdMs).toISOString()}#2`,
    });
    expect(run(fixed, 25, due.state, start + 9 * hour).at).toEqual([10, 20]);
  });

  test("no later than its interval after a clock was set back, and not at once", () => {
    for (const loop of [fixed, dynamic]) {
      const { state } = run(loop, 5);
      const wait = (loop.everyMs ?? defaultLoopMs) / minute;
      expect(run(loop, wait + 2, state, start - 5 * hour).at).toEqual([wait]);
    }
  });

  test("not while it is paused", () => {
    expect(run({ ...fixed, paused: true }, 60).at).toEqual([]);
  });

  test("as often as it may, and then it has ended", () => {
    const { at, state } = run({ ...fixed, most: 2 }, 60);
    expect(at).toEqual([0, 10]);
    expect(state.ended).toMatchObject({ why: "most", says: "it has fired 2 times" });
  });
});

describe("the until command", () => {
  const { state } = run(fixed, 5);

  test("ends the loop when it succeeds", () => {
    const after = afterUntil(state, { ran: true, exit: 0 }, start + 6 * minute);
    expect(after.ended).toMatchObject({ why: "until", atMs: start + 6 * minute });
    expect(run(fixed, 60, after).at).toEqual([]);
  });

  test.each([1, 2, 125, 128, 255])("lets it go on when it fails with %d", (exit) => {
    expect(afterUntil(state, { ran: true, exit }, start).ended).toBeUndefined();
  });

  test.each([
    { ran: false },
    { ran: true },
    { ran: true, exit: 126 },
    { ran: true, exit: 127 },
    { ran: false, exit: 0 },
  ])("is no answer when it could not be run: %j", (outcome) => {
    let after = state;
    for (let time = 1; time < mostUnanswered; time++) {
      after = afterUntil(after, outcome, start);
      expect([after.ended, after.unanswered]).toEqual([undefined, time]);
    }
    expect(afterUntil(after, outcome, start).ended).toMatchObject({ why: "unanswered" });
  });

  test("starts counting anew when it answers", () => {
    const once = afterUntil(state, { ran: false }, start);
    expect(afterUntil(once, { ran: true, exit: 1 }, start).unanswered).toBe(0);
  });

  test("changes nothing about a loop that has ended", () => {
    const stopped = stoppedFrom(state, "the owner stopped it");
    expect(afterUntil(stopped, { ran: true, exit: 0 }, start)).toEqual(stopped);
  });
});

describe("rescheduling", () => {
  const { state } = run(dynamic, 5);

  test("brings a dynamic loop back when its worker asked for it", () => {
    const later = rescheduleLoop(dynamic, state, 3 * hour, start + 5 * minute);
    expect(run(dynamic, 200, later).at).toEqual([185]);
    const sooner = rescheduleLoop(dynamic, state, 2 * minute, start + 5 * minute);
    expect(run(dynamic, 10, sooner).at).toEqual([7]);
  });

  test("is refused for a loop with an interval, one that has ended, and a time that makes no sense", () => {
    expect(() => rescheduleLoop(fixed, state, hour, start)).toThrow("fires every 10 minutes");
    expect(() => rescheduleLoop(dynamic, stoppedFrom(state, "done"), hour, start)).toThrow("has ended: done");
    for (const delay of [0, -1, 1000, Number.NaN, Number.POSITIVE_INFINITY, 8 * 24 * hour]) {
      expect(() => rescheduleLoop(dynamic, state, delay, start)).toThrow("so long or so short");
    }
  });
});

test("random downtimes and clock jumps: never two firings closer than the interval by the clock that was seen, no burst", () => {
  const random = randomFrom("loops");
  for (let round = 0; round < 50; round++) {
    let state = newLoopState(fixed);
    let clock = start;
    let sinceLastMs = Number.POSITIVE_INFINITY; // elapsed by the steps forward only
    for (let step = 0; step < 500; step++) {
      const dice = random();
      const delta = dice < 0.8 ? random() * 3 * minute : dice < 0.9 ? random() * 30 * hour : -random() * 10 * hour;
      clock += Math.round(delta);
      if (delta > 0) sinceLastMs += Math.round(delta);
      const due = dueLoop(fixed, state, clock);
      ({ state } = due);
      if (due.firing === undefined) continue;
      expect(sinceLastMs).toBeGreaterThanOrEqual(10 * minute);
      sinceLastMs = 0;
    }
    expect(state.nextMs - clock).toBeLessThanOrEqual(10 * minute);
  }
});
