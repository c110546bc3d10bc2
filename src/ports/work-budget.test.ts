import { expect, test } from "bun:test";
import { costOf, type Cost, type Overrun, WorkBudget } from "./work-budget.ts";

/** Returns what is said at each second about a program that used so much by then. */
function saidOf(costs: readonly (Partial<Cost> | undefined)[], stepMs = 1_000): (Overrun | undefined)[] {
  const work = new WorkBudget({ cpuMs: 10_000, memoryBytes: 1_000 }, 5_000);
  return costs.map((cost, at) =>
    work.overrun(cost === undefined ? undefined : { cpuMs: 0, bytes: 0, ...cost }, 5_000 + (at + 1) * stepMs),
  );
}

test("a busy machine makes work slow, not late", () => {
  // A twentieth of a core, for 90 seconds.
  const slow = Array.from({ length: 90 }, (_, at) => ({ cpuMs: (at + 1) * 50 }));
  expect(saidOf(slow).filter((one) => one !== undefined)).toEqual([]);
  expect(saidOf([...slow, { cpuMs: 10_001 }]).at(-1)).toBe("late");
});

test("who does nothing for half a minute is ended, and who never comes to an end", () => {
  // It moved in the first half minute.
  const still = Array.from({ length: 70 }, () => ({ cpuMs: 400 }));
  expect(saidOf(still).findIndex((one) => one === "still")).toBe(59);
  const hardly = Array.from({ length: 101 }, (_, at) => ({ cpuMs: (at + 1) * 50 }));
  expect(saidOf(hardly).findIndex((one) => one === "still")).toBe(100);
});

test("memory is bounded, and what an ended process used stays counted", () => {
  expect(saidOf([{ bytes: 1_000 }, { bytes: 1_001 }])).toEqual([undefined, "large"]);
  const work = new WorkBudget({ cpuMs: 10_000, memoryBytes: 1_000 }, 0);
  work.overrun({ cpuMs: 9_000, bytes: 0 }, 1_000);
  work.overrun({ cpuMs: 10, bytes: 0 }, 2_000);
  expect(work.cpuMs).toBe(9_000);
});

test("a moment without a process says nothing", () => {
  const seen = Array.from({ length: 20 }, (_, at) => (at % 3 === 1 ? undefined : { cpuMs: at * 100 }));
  expect(saidOf(seen).filter((one) => one !== undefined)).toEqual([]);
});

test("where the machine tells nothing, the clock is all there is", () => {
  expect(saidOf(Array.from({ length: 11 }, () => undefined)).findIndex((one) => one === "late")).toBe(10);
});

test.skipIf(process.platform !== "linux")(
  "the cost of living processes is read, and of others nothing is known",
  () => {
    // The system counts in hundredths of a second.
    while (process.cpuUsage().user < 60_000) JSON.stringify(process.versions);
    const own = costOf([process.pid]);
    expect(own?.cpuMs).toBeGreaterThan(0);
    expect(own?.bytes).toBeGreaterThan(1_000_000);
    expect(costOf([])).toBeUndefined();
    expect(costOf([2 ** 22 + 1])).toBeUndefined();
  },
);
