import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeClock } from "../ports/fake-clock.ts";
import { Refusal } from "../protocol/errors.ts";
import { temporaryDirectory, unwritableHome } from "./floor.suite.ts";
import { quietUntil } from "./markers/quiet-until.ts";
import { parseDuration } from "../protocol/duration.ts";
import { quiet } from "./quiet.ts";

const hour = 3_600_000;

function place(): { home: string; clock: FakeClock } {
  const home = temporaryDirectory();
  mkdirSync(join(home, "state"));
  return { home, clock: new FakeClock() };
}

const sentinels = (home: string): string[] => readdirSync(join(home, "state")).sort();
const putSentinel = (home: string, epoch: string): void =>
  writeFileSync(join(home, "state", `quiet-until-${epoch}`), "");

describe("quiet", () => {
  test("holds for the time asked, with the expiry in the name, and then is gone", () => {
    const here = place();
    const until = here.clock.nowMs() + 2 * hour;
    expect(quiet(here, { for: "2h" })).toEqual({
      quiet: true,
      untilMs: until,
      line: "quiet until 2026-01-02T05:04:05Z (120 min)",
    });
    expect(sentinels(here.home)).toEqual([`quiet-until-${until / 1000}`]);
    here.clock.advance(2 * hour - 1);
    expect(quiet(here, { show: true }).quiet).toBe(true);
    here.clock.advance(1);
    expect(quiet(here, { show: true })).toEqual({ quiet: false, untilMs: undefined, line: "quiet is off" });
    expect(sentinels(here.home)).toEqual([]);
  });

  test("until a time of day is the next one to come, in UTC", () => {
    const here = place();
    expect(quiet(here, { until: "03:05" }).untilMs).toBe(Date.UTC(2026, 0, 2, 3, 5));
    expect(quiet(here, { until: "03:04" }).untilMs).toBe(Date.UTC(2026, 0, 3, 3, 4));
    expect(quiet(here, { until: "2026-01-02T07:30" }).untilMs).toBe(Date.UTC(2026, 0, 2, 7, 30));
    expect(quiet(here, { until: "2026-01-02T07:30+02:00" }).untilMs).toBe(Date.UTC(2026, 0, 2, 5, 30));
    expect(quiet(here, { until: "2026-01-03" }).untilMs).toBe(Date.UTC(2026, 0, 3));
  });

  test("said again, the last word counts, also when it is shorter", () => {
    const here = place();
    quiet(here, { for: "8h" });
    expect(quiet(here, { for: "1h" }).untilMs).toBe(here.clock.nowMs() + hour);
    expect(quiet(here, { off: true }).quiet).toBe(false);
    expect(sentinels(here.home)).toEqual([]);
  });

  test("of several sentinels the largest counts, and past ones are deleted", () => {
    const here = place();
    const seconds = here.clock.nowMs() / 1000;
    for (const offset of [-5, 0, 60, 600, 30]) putSentinel(here.home, String(seconds + offset));
    expect(quiet(here, { show: true }).untilMs).toBe((seconds + 600) * 1000);
    expect(sentinels(here.home)).toEqual([30, 60, 600].map((offset) => `quiet-until-${seconds + offset}`).sort());
  });

  test("the largest is the latest, not the one whose name sorts last", () => {
    const here = place();
    here.clock.jumpTo(999_999_900_000);
    for (const epoch of ["999999990", "1000000010"]) putSentinel(here.home, epoch);
    expect(quiet(here, { show: true }).untilMs).toBe(1_000_000_010_000);
  });

  test("with the clock set back it still ends at the moment that was said", () => {
    const here = place();
    const { untilMs } = quiet(here, { for: "1h" });
    here.clock.jumpTo(here.clock.nowMs() - 24 * hour);
    expect(quiet(here, { show: true }).untilMs).toBe(untilMs);
    here.clock.jumpTo((untilMs ?? 0) + 1);
    expect(quiet(here, { show: true }).quiet).toBe(false);
  });

  test("a sentinel with an absurd or broken time silences nothing", () => {
    const here = place();
    for (const epoch of ["1767323045000", "99999999999", "soon", "", "-5", "1e9"]) putSentinel(here.home, epoch);
    expect(quiet(here, { show: true }).quiet).toBe(false);
  });

  test("too long, past and senseless times are refused", () => {
    const here = place();
    for (const request of [
      { for: "31d" },
      { for: "90" },
      { for: "" },
      { for: "-1h" },
      { for: "0s" },
      { until: "2020-01-01" },
      { until: "25:00" },
      { until: "tomorrow" },
      { until: "7" },
    ]) {
      expect(() => quiet(here, request)).toThrow(Refusal);
    }
    expect(sentinels(here.home)).toEqual([]);
  });

  test("a home that cannot be written can be asked", () => {
    expect(quietUntil(unwritableHome(), new FakeClock())).toBeUndefined();
  });

  test("durations add up", () => {
    expect(parseDuration("1h30m")).toBe(1.5 * hour);
    expect(parseDuration("2d")).toBe(48 * hour);
    expect(parseDuration("90s")).toBe(90_000);
  });
});
