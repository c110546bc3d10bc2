// Tests what is due after downtime, sleep and clocks that jump: single cases, a simulated week, and a simulated year against a model.

import { describe, expect, test } from "bun:test";
import { countedMissed, type Due, dueFirings, onTimeMs } from "./due.ts";
import { jitterOf } from "./jitter.ts";
import { placeFiring, type Placing } from "./overlap.ts";
import { randomFrom } from "./random.suite.ts";
import type { CronEntry, CronState, Overlap } from "./schedule.ts";
import { byWalking, walkOf } from "./walk.suite.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const utc = (text: string): number => Date.parse(text);

const entry = (schedule: string, more: Partial<CronEntry> = {}): CronEntry => ({
  label: "nightly",
  schedule,
  zone: "UTC",
  action: { agent: "agent0", prompt: "look at the findings" },
  overlap: "queue",
  jitterMs: 0,
  paused: false,
  ...more,
});

const look = (schedule: string, seen: string, now: string, more: Partial<CronEntry> = {}, firedMs?: number): Due =>
  dueFirings(entry(schedule, more), { seenMs: utc(seen), firedMs }, utc(now));

const short = ({ firings }: Due): string[] =>
  firings.map(({ dueMs, catchUp, missed }) => {
    const at = new Date(dueMs).toISOString().slice(0, 16);
    return `${at}${catchUp ? ` catch-up` : ""}${missed > 0 ? ` for ${missed} more` : ""}`;
  });

describe("what is due", () => {
  test.each<[says: string, due: Due, expected: string[]]>([
    ["nothing before its time", look("0 9 * * *", "2026-11-15T08:58Z", "2026-11-15T08:59Z"), []],
    ["at its minute", look("0 9 * * *", "2026-11-15T08:59Z", "2026-11-15T09:00Z"), ["2026-11-15T09:00"]],
    ["a tick later", look("0 9 * * *", "2026-11-15T08:59:30Z", "2026-11-15T09:00:30Z"), ["2026-11-15T09:00"]],
    ["not again at the next tick", look("0 9 * * *", "2026-11-15T09:00:30Z", "2026-11-15T09:01:30Z"), []],
    ["not again at the same moment", look("0 9 * * *", "2026-11-15T09:00Z", "2026-11-15T09:00Z"), []],
    [
      "once after a sleep of nine hours",
      look("0 * * * *", "2026-11-15T22:10Z", "2026-11-16T07:10Z"),
      ["2026-11-16T07:00 catch-up for 8 more"],
    ],
    [
      "once when the daemon was down for a day",
      look("*/5 * * * *", "2026-11-15T12:01Z", "2026-11-16T12:01Z"),
      ["2026-11-16T12:00 catch-up for 287 more"],
    ],
    [
      "late by itself, and marked so",
      look("0 2 * * *", "2026-11-15T01:00Z", "2026-11-15T08:00Z"),
      ["2026-11-15T02:00 catch-up"],
    ],
    ["nothing missed, nothing made up", look("0 2 * * *", "2026-11-15T03:00Z", "2026-11-15T21:00Z"), []],
    ["nothing while paused", look("* * * * *", "2026-11-15T03:00Z", "2026-11-15T21:00Z", { paused: true }), []],
    ["nothing with a clock set back", look("* * * * *", "2026-11-15T03:00Z", "2026-11-15T02:00Z"), []],
    [
      "in a missing hour once, as it ends",
      look("30 2 * * *", "2026-03-29T00:59Z", "2026-03-29T01:00:20Z", { zone: "Europe/Berlin" }),
      ["2026-03-29T01:00"],
    ],
    [
      "in a doubled hour not the second time",
      look("30 2 * * *", "2026-10-25T01:29Z", "2026-10-25T01:31Z", { zone: "Europe/Berlin" }),
      [],
    ],
    [
      "never what has fired already, though its time was put off meanwhile",
      look("0 9 * * *", "2026-11-15T09:00:30Z", "2026-11-15T09:59Z", { jitterMs: hour }, utc("2026-11-15T09:00Z")),
      [],
    ],
  ])("%s", (_, due, expected) => {
    expect(short(due)).toEqual(expected);
  });

  test("what was seen never shrinks, and the answer says how long a clock that was set back fires nothing", () => {
    const due = look("* * * * *", "2026-11-15T03:00Z", "2026-11-15T02:00Z");
    expect([due.state.seenMs, due.behindMs]).toEqual([utc("2026-11-15T03:00Z"), hour]);
    expect(due.nextMs).toBe(utc("2026-11-15T03:01Z"));
  });

  test("a pause is not made up for", () => {
    const paused = look("0 * * * *", "2026-11-15T03:00Z", "2026-11-15T21:00Z", { paused: true });
    expect(paused.nextMs).toBeUndefined();
    expect(short(dueFirings(entry("0 * * * *"), paused.state, utc("2026-11-15T21:30Z")))).toEqual([]);
  });

  test("years of downtime are counted up to a bound, and at once", () => {
    const due = look("* * * * *", "2016-11-15T03:00Z", "2026-11-15T21:00Z");
    expect(due.firings).toMatchObject([{ missed: countedMissed, dueMs: utc("2026-11-15T21:00Z"), catchUp: true }]);
  });

  test("a firing's key names it", () => {
    const [firing] = look("0 9 * * *", "2026-11-15T08:59Z", "2026-11-15T09:00Z").firings;
    expect(firing?.key).toBe("cron:nightly@2026-11-15T09:00:00.000Z");
  });

  test("the next firing is told, jitter included", () => {
    const jitterMs = 10 * minute;
    const due = look("0 9 * * *", "2026-11-15T08:00Z", "2026-11-15T08:59Z", { jitterMs });
    expect(due.nextMs).toBe(utc("2026-11-15T09:00Z") + jitterOf("nightly", jitterMs));
  });
});

describe("jitter", () => {
  test("is the same for a label every time, and spreads labels over the span", () => {
    const labels = Array.from({ length: 400 }, (_, at) => `nightly-${at}`);
    const delays = labels.map((label) => jitterOf(label, 600_000));
    expect(labels.map((label) => jitterOf(label, 600_000))).toEqual(delays);
    expect(delays.every((delay) => delay >= 0 && delay < 600_000)).toBe(true);
    for (let tenth = 0; tenth < 10; tenth++) {
      const inside = delays.filter((delay) => Math.floor(delay / 60_000) === tenth).length;
      expect(inside).toBeGreaterThan(15);
    }
  });

  test("of no span is none", () => {
    expect(jitterOf("nightly", 0)).toBe(0);
  });
});

describe("a firing whose predecessor is under way", () => {
  const free = { running: false, waiting: false, full: false };
  test.each<[Overlap, Partial<typeof free>, Placing]>([
    ["queue", {}, "start"],
    ["skip", {}, "start"],
    ["replace", {}, "start"],
    ["queue", { running: true }, "wait"],
    ["skip", { running: true }, "skip"],
    ["replace", { running: true }, "replace"],
    ["queue", { full: true }, "wait"],
    ["skip", { full: true }, "wait"],
    ["replace", { full: true }, "wait"],
    ["queue", { running: true, full: true }, "wait"],
    ["skip", { running: true, full: true }, "skip"],
    ["replace", { running: true, full: true }, "replace"],
    ["queue", { waiting: true, full: true }, "join"],
    ["skip", { waiting: true, full: true }, "join"],
    ["replace", { waiting: true, full: true }, "replace-waiting"],
    ["queue", { waiting: true, running: true }, "join"],
    ["replace", { waiting: true, running: true }, "replace-waiting"],
  ])("%s with %j: %s", (rule, standing, expected) => {
    expect(placeFiring(rule, { ...free, ...standing })).toBe(expected);
  });
});

const schedules: readonly (readonly [schedule: string, zone: string, jitterMs: number])[] = [
  ["30 2 * * *", "Europe/Berlin", 0],
  ["0 * * * *", "America/New_York", 0],
  ["*/15 9-17 * * MON-FRI", "Asia/Kolkata", 0],
  ["45 1 * * *", "Australia/Lord_Howe", 20 * minute],
  ["0 0 1 * *", "Pacific/Apia", 0],
  ["0 */6 * * *", "UTC", 40 * minute],
];

test("a week of ticks with suspend, a day of downtime and a clock set back fires as documented", () => {
  const at = { zone: "Europe/Berlin" };
  const hourly = entry("0 * * * *", at);
  const start = utc("2026-10-20T00:30Z");
  let state: CronState = { seenMs: start };
  const fired: string[] = [];
  const catchUps: number[] = [];
  let clock = start;
  for (let tick = 0; tick < 7 * 24 * 60; tick++) {
    clock += minute;
    if (tick === 600) clock += 9 * hour;
    if (tick === 2000) clock += 24 * hour;
    if (tick === 3000) clock -= 2 * hour;
    const due = dueFirings(hourly, state, clock);
    ({ state } = due);
    for (const { key, catchUp, missed } of due.firings) {
      fired.push(key);
      if (catchUp) catchUps.push(missed);
    }
  }
  expect(new Set(fired).size).toBe(fired.length);
  expect(catchUps).toEqual([8, 23]);
  // Every hour of the span that was seen is fired or stood for.
  expect(fired.length + 8 + 23).toBe(Math.floor((state.seenMs - start) / hour));
}, 120_000);

/** The walk reads no names. */
const numbered = (schedule: string): string => schedule.replace("MON-FRI", "1-5");

describe("a simulated year of random downtimes and clock jumps", () => {
  for (const [schedule, zone, jitterMs] of schedules) {
    test(`${schedule} in ${zone}`, () => {
      const one = entry(schedule, { zone, jitterMs, label: `year-${schedule.length}` });
      const random = randomFrom(`${schedule} ${zone}`);
      const start = utc("2026-01-01T00:00Z");
      const delay = jitterOf(one.label, jitterMs);
      let state: CronState = { seenMs: start };
      let clock = start;
      let seen = start;
      const keys = new Set<string>();
      let stoodFor = 0;
      while (clock < utc("2027-01-01T00:00Z")) {
        const dice = random();
        if (dice < 0.6) clock += Math.ceil(random() * 30) * minute;
        else if (dice < 0.9) clock += random() * 12 * hour;
        else if (dice < 0.95) clock += random() * 72 * hour;
        else clock -= random() * 20 * hour;
        clock = Math.round(clock);
        const before = state;
        const due = dueFirings(one, state, clock);
        ({ state } = due);
        expect(due.firings.length).toBeLessThanOrEqual(1);
        for (const { key, dueMs, missed, catchUp, lateMs } of due.firings) {
          expect(keys.has(key)).toBe(false);
          keys.add(key);
          stoodFor += missed;
          expect(clock).toBeGreaterThan(seen);
          expect(dueMs + delay).toBeGreaterThan(before.seenMs);
          expect(dueMs + delay).toBeLessThanOrEqual(clock);
          expect(catchUp).toBe(missed > 0 || lateMs > onTimeMs);
        }
        seen = Math.max(seen, clock);
        expect(state.seenMs).toBe(seen);
      }
      // Nothing is lost and nothing fires twice: each firing of the year is made, or stood for by exactly one that is.
      const quarter = 15 * minute;
      const walk = walkOf(zone, start - 48 * hour, seen + quarter, quarter);
      const made = byWalking(numbered(schedule), walk, quarter).filter(
        (ms) => ms + delay > start && ms + delay <= seen,
      );
      expect(keys.size + stoodFor).toBe(made.length);
    }, 60_000);
  }
});
