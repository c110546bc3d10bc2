// That a hold of the daemon's thread is measured and named, by a clock and a timer that the test turns.

import { expect, test } from "bun:test";
import { StallMeter } from "./stall-meter.ts";

class Turning {
  ms = 0;
  cpuMs = 0;
  readonly waiting: { readonly dueMs: number; readonly callback: () => void }[] = [];
  readonly meter = new StallMeter(
    { monotonicMs: () => this.ms, nowMs: () => 1_000_000 + this.ms },
    (callback, ms) => void this.waiting.push({ dueMs: this.ms + ms, callback }),
    () => this.cpuMs,
  );

  /** The event loop turns: whatever is due comes now. */
  turn(): void {
    for (const one of this.waiting.splice(0)) {
      if (one.dueMs <= this.ms) one.callback();
      else this.waiting.push(one);
    }
  }

  passes(ms: number): void {
    for (const end = this.ms + ms; this.ms < end; this.ms += 10) this.turn();
  }
}

test("work that holds the thread before its first wait is measured by itself and named", () => {
  const at = new Turning();
  expect(at.meter.report).toEqual({ longest: null, last_hour: null, long: 0 });
  at.meter.during("plan", () => void (at.ms += 700));
  at.turn();
  expect(at.meter.report.longest).toEqual({ ms: 700, cpu_ms: 0, by: "plan", at_ms: 1_000_700 });
});

test("work that holds the thread after a wait is measured by the timer that comes late, and whoever was in hand is named", async () => {
  const at = new Turning();
  const waits = Promise.withResolvers<void>();
  const done = at.meter.during("round contracts", () => waits.promise);
  at.passes(100);
  at.ms += 900;
  at.turn();
  expect(at.meter.report.longest?.by).toBe("round contracts");
  expect(at.meter.report.longest?.ms).toBeGreaterThan(850);
  waits.resolve();
  await done;
  at.passes(3_000);
  at.ms += 5_000;
  at.turn();
  expect(at.meter.report.longest?.by).toBe("something else");
});

test("an ordinary turn is no hold, and what is older than an hour is only the longest of all", () => {
  const at = new Turning();
  at.meter.during("status", () => void (at.ms += 5));
  at.passes(200);
  expect(at.meter.report.longest).toBeNull();
  at.meter.during("plan", () => void (at.ms += 400));
  at.turn();
  at.ms += 3_700_000;
  at.waiting.length = 0;
  at.meter.during("status", () => void (at.ms += 60));
  expect([at.meter.report.longest?.ms, at.meter.report.last_hour?.ms]).toEqual([400, 60]);
});

test("a hold is long by the processor time that it used, whoever else kept the machine busy", () => {
  const at = new Turning();
  at.meter.during("status", () => {
    at.ms += 400;
    at.cpuMs += 12;
  });
  expect([at.meter.report.longest?.ms, at.meter.report.longest?.cpu_ms, at.meter.report.long]).toEqual([400, 12, 0]);
  at.meter.during("plan", () => {
    at.ms += 500;
    at.cpuMs += 90;
  });
  expect([at.meter.report.longest?.by, at.meter.report.longest?.cpu_ms, at.meter.report.long]).toEqual(["plan", 90, 1]);
});
