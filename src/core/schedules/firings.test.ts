// Tests when cron expressions fire: a table of cases, what is refused, and random expressions against a walk through every minute.

import { describe, expect, test } from "bun:test";
import type { Refusal } from "../../protocol/errors.ts";
import { cronCases } from "./cron-cases.suite.ts";
import { parseCron } from "./cron-fields.ts";
import { lastFiring, nextFiring, nextFirings } from "./firings.ts";
import { randomFrom } from "./random.suite.ts";
import { byWalking, walkOf } from "./walk.suite.ts";
import { minuteMs, zoneNamed } from "./zone.ts";

const utc = (text: string): number => Date.parse(text);
const shown = (ms: number): string => new Date(ms).toISOString().replace(/:00\.000Z$/, "Z");

describe("an expression fires when it should", () => {
  for (const { says, cron, zone, after, fires } of cronCases) {
    test(`${cron} in ${zone} after ${after}: ${says}`, () => {
      expect(nextFirings(parseCron(cron), zoneNamed(zone), utc(after), fires.length).map(shown)).toEqual([...fires]);
    });
  }

  test("there are enough cases", () => {
    expect(cronCases.length).toBeGreaterThanOrEqual(80);
  });
});

describe("what cannot be used is refused with a hint", () => {
  test.each([
    ["0 0 L * *", "uses L or W", "List the days"],
    ["0 0 LW * *", "uses L or W", "List the days"],
    ["0 0 15W * *", "uses L or W", "List the days"],
    ["0 0 L-3 * *", "uses L or W", "List the days"],
    ["0 0 * * 5L", "uses L or W", "List the days"],
    ["0 0 * * FRIL", "uses L or W", "List the days"],
    ["0 0 * * 5#2", "uses #", "8-14"],
    ["0 0 ? * *", "has a ?", "Write *"],
    ["0 0 30 2 *", "no month it names has a day 30", "FEB has 29 days at most"],
    ["0 0 31 4,6,9,11 *", "has a day 31", "more than 30 days"],
    ["0 0 31 2 *", "no month it names has a day 31", "up to 29"],
    ["60 * * * *", "is out of range", "from 0 to 59"],
    ["* 24 * * *", "is out of range", "from 0 to 23"],
    ["* * 0 * *", "is out of range", "from 1 to 31"],
    ["* * * 13 *", "is out of range", "from 1 to 12"],
    ["* * * * 8", "is out of range", "from 0 to 7"],
    ["-5 * * * *", "cannot be read", "from 0 to 59"],
    ["1.5 * * * *", "cannot be read", "from 0 to 59"],
    ["0x5 * * * *", "cannot be read", "from 0 to 59"],
    ["* * * * MONDAY", "cannot be read", "SUN to SAT"],
    ["* * * FEBR *", "cannot be read", "JAN to DEC"],
    ["MON * * * *", "cannot be read", "numbers from 0"],
    ["*/0 * * * *", "no usable step", "*/15"],
    ["*/x * * * *", "no usable step", "*/15"],
    ["*/ * * * *", "no usable step", "*/15"],
    ["*/90 * * * *", "past its end", "0 */2"],
    ["*/5/5 * * * *", "two steps", "one step"],
    ["0 22-6 * * *", "runs backwards", "22-23,0-6"],
    ["0 0 * * FRI-MON", "runs backwards", "FRI-SAT,SUN-MON"],
    ["1-2-3 * * * *", "is not a range", "0-59"],
    ["1, * * * *", "cannot be read", "lists"],
    [", * * * *", "cannot be read", "lists"],
    ["* * * *", "has 4 fields", "Five fields"],
    ["0 * * * * *", "has 6 fields", "no seconds"],
    ["0 0 1 1 * 2027 *", "has 7 fields", "no years"],
    ["", "is empty", "Five fields"],
    ["   ", "is empty", "Five fields"],
    ["@daily", "@daily", "Write 0 0 * * *"],
    ["@reboot", "@daily", "Five fields"],
    ["TZ=UTC 0 0 * * *", "time zone", "--tz"],
    ["0 0 * * *\n* * * * *", "fields", "Five fields"],
  ])("%p", (text, says, hint) => {
    try {
      parseCron(text);
    } catch (cause) {
      const refusal = cause as Refusal;
      expect([refusal.code, refusal.message, refusal.hint]).toEqual([
        "usage.bad-value",
        expect.stringContaining(says),
        expect.stringContaining(hint),
      ]);
      return;
    }
    throw new Error(`${text} was accepted`);
  });

  test("a zone that does not exist", () => {
    for (const zone of ["Europe/Atlantis", "", "local", "CEST?", "../etc/localtime"]) {
      expect(() => zoneNamed(zone)).toThrow("there is no time zone");
    }
  });
});

describe("random expressions against a walk through every minute", () => {
  const spans: readonly (readonly [zone: string, from: string, to: string])[] = [
    ["Europe/Berlin", "2026-03-20", "2026-04-05"],
    ["Europe/Berlin", "2026-10-18", "2026-11-02"],
    ["America/New_York", "2026-03-01", "2026-03-15"],
    ["America/New_York", "2026-10-25", "2026-11-08"],
    ["Asia/Kolkata", "2026-12-25", "2027-01-08"],
    ["Australia/Lord_Howe", "2026-09-28", "2026-10-10"],
    ["Australia/Lord_Howe", "2026-03-30", "2026-04-12"],
    ["Pacific/Apia", "2011-12-22", "2012-01-06"],
    ["America/Sao_Paulo", "2018-10-28", "2018-11-11"], // clocks went forward at midnight
    ["America/Havana", "2026-10-25", "2026-11-08"], // they go back to midnight
    ["Africa/Casablanca", "2026-02-08", "2026-03-29"], // they go back for Ramadan and forward after it
    ["UTC", "2028-02-22", "2028-03-07"],
  ];
  for (const [zone, from, to] of spans) {
    test(`${zone}, ${from} to ${to}`, () => {
      const walk = walkOf(zone, utc(`${from}T00:00Z`), utc(`${to}T00:00Z`));
      const random = randomFrom(`${zone} ${from}`);
      for (let round = 0; round < 60; round++) {
        const text = randomCron(random);
        const cron = parseCron(text);
        const at = zoneNamed(zone);
        const expected = byWalking(text, walk);
        const start = (walk[0]?.atMs ?? 0) + 3 * 86_400_000;
        const end = walk.at(-1)?.atMs ?? 0;
        const wanted = expected.filter((ms) => ms > start).slice(0, 40);
        const found = nextFirings(cron, at, start, wanted.length);
        expect([text, found.map(shown)]).toEqual([text, wanted.map(shown)]);
        const middle = start + Math.floor((random() * (end - start)) / minuteMs) * minuteMs;
        const last = expected.findLast((ms) => ms <= middle && ms > start);
        expect([text, lastFiring(cron, at, middle, start)]).toEqual([text, last]);
      }
    }, 60_000);
  }

  function randomCron(random: () => number): string {
    const pick = <T>(...all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const upTo = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
    const field = (low: number, high: number): string => {
      const from = upTo(low, high);
      return pick(
        String(from),
        `${from}-${upTo(from, high)}`,
        `${from},${upTo(low, high)}`,
        `${low}-${high}/${upTo(1, Math.max(1, high - low))}`,
      );
    };
    const day = pick("*", "*", "*", field(1, 28));
    const weekday = pick("*", "*", field(0, 6));
    return [
      pick(field(0, 59), "*/15", "*", "0", "30"),
      pick(field(0, 3), field(0, 23), "*", "*/2", "2"),
      day,
      "*",
      weekday,
    ].join(" ");
  }
});

test("a leap day on a certain weekday is found years ahead", () => {
  const next = nextFiring(parseCron("0 0 29 2 */6"), zoneNamed("Europe/Berlin"), utc("2026-11-15T00:00Z"));
  expect(shown(next ?? 0)).toBe("2032-02-28T23:00Z");
});
