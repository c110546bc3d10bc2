import { describe, expect, test } from "bun:test";
import { type AgentCase, couldNotStart, decide, mostRestarts, restartWindowMs } from "./policy.ts";

const nowMs = 10_000_000;
const dead: AgentCase = {
  nowMs,
  restart: "always",
  wanted: "up",
  seen: "dead",
  exitSignal: 9,
  launchedMs: nowMs - 3_600_000,
  hasLeader: true,
  lived: true,
  attempts: [],
  lastUnseen: false,
  quarantined: false,
  underWay: false,
};

function check(differs: Partial<AgentCase>, expected: object): void {
  expect(decide({ ...dead, ...differs })).toMatchObject(expected);
}

describe("an agent that is down", () => {
  test("is restarted when it is wanted", () => check({}, { act: "restart", fresh: false, why: "ended by signal 9" }));
  test("is restarted when its terminal is gone", () => check({ seen: "missing" }, { act: "restart" }));
  test("is left when it was taken down or paused, or has no launch file", () => {
    for (const wanted of ["down", "paused", "unknown"] as const) check({ wanted }, { act: "leave" });
  });
  test("is left while somebody restarts it", () => check({ underWay: true }, { act: "leave" }));
  test("is waited for while it is being started, and no longer than that", () => {
    check({ hasLeader: false, launchedMs: nowMs - 500 }, { act: "wait" });
    check({ hasLeader: false, launchedMs: nowMs - 11_000 }, { act: "restart" });
    // The clock was set back: its launch seems to lie ahead.
    check({ hasLeader: false, launchedMs: nowMs + 3_600_000 }, { act: "restart" });
  });
});

describe("the restart kind", () => {
  test("never leaves it down", () => check({ restart: "never" }, { act: "leave" }));
  test("after-failure leaves one that ended well, and only that", () => {
    check({ restart: "after-failure", exitSignal: undefined, exitStatus: 0 }, { act: "leave" });
    check({ restart: "after-failure", exitSignal: undefined, exitStatus: 1 }, { act: "restart" });
    check({ restart: "after-failure", seen: "missing", exitSignal: undefined }, { act: "restart" });
  });
  test("always brings back one that ended well", () =>
    check({ exitSignal: undefined, exitStatus: 0 }, { act: "restart" }));
});

describe("intensity", () => {
  const at = (...secondsAgo: number[]): number[] => secondsAgo.map((seconds) => nowMs - seconds * 1000);
  test("a second start comes at least a second after the first, later ones later", () => {
    check({ attempts: [nowMs - 999] }, { act: "wait", untilMs: nowMs + 1 });
    check({ attempts: [nowMs - 1000] }, { act: "restart" });
    check({ attempts: at(20, 10, 7) }, { act: "restart" });
    check({ attempts: at(20, 10, 3) }, { act: "wait" });
  });
  test("a restart of which nothing was seen yet is not asked for a second time, but not waited for long", () => {
    check({ attempts: at(9), lastUnseen: true }, { act: "wait", untilMs: nowMs + 1000 });
    check({ attempts: at(10), lastUnseen: true }, { act: "restart" });
    // The clock was set back since.
    check({ attempts: at(-5), lastUnseen: true }, { act: "wait", untilMs: nowMs + 15_000 });
  });
  test("five restarts within ten minutes are made, a sixth is not", () => {
    check({ attempts: at(500, 400, 300, 200) }, { act: "restart" });
    check({ attempts: at(500, 400, 300, 200, 100) }, { act: "quarantine" });
    expect(mostRestarts).toBe(5);
    expect(restartWindowMs).toBe(600_000);
  });
  test("who is quarantined is left alone", () => check({ quarantined: true }, { act: "leave" }));
});

describe("a program that cannot start", () => {
  const refused = { seen: "dead", exitStatus: 1, exitSignal: undefined, lived: false } as const;
  test("is one that ended by itself, with an error or without, before it showed any life", () => {
    expect(couldNotStart(refused)).toBe(true);
    expect(couldNotStart({ ...refused, lived: true })).toBe(false);
    expect(couldNotStart({ ...refused, exitStatus: undefined, exitSignal: 9 })).toBe(false);
    expect(couldNotStart({ ...refused, exitStatus: 0 })).toBe(true);
    expect(couldNotStart({ ...refused, exitStatus: 0, lived: true })).toBe(false);
    expect(couldNotStart({ ...refused, exitStatus: undefined })).toBe(false);
    expect(couldNotStart({ ...refused, seen: "missing" })).toBe(false);
  });
  test("is tried once more from scratch, then seldom, and never quarantined for it", () => {
    const after = (count: number, agoMs: number) => ({
      ...refused,
      startFailures: { count, lastMs: nowMs - agoMs, says: "no root", outage: false },
    });
    check(after(1, 60_000), { act: "restart", fresh: true });
    check(after(2, 60_000), { act: "wait", why: "it cannot start: no root", untilMs: nowMs + 540_000 });
    check(after(2, 600_000), { act: "restart", fresh: true });
    check(after(3, 600_000), { act: "wait" });
    check(after(30, 3_599_999), { act: "wait" });
    check(after(30, 3_600_000), { act: "restart" });
    // The clock was set back since.
    check(after(2, -7_200_000), { act: "restart" });
  });
});

describe("a start at which the machine failed", () => {
  const after = (count: number, agoMs: number) => ({
    seen: "missing" as const,
    exitSignal: undefined,
    startFailures: { count, lastMs: nowMs - agoMs, says: "the server is gone", outage: true },
  });
  test("is made again at the next tick as it was, and then every few minutes", () => {
    check(after(1, 60_000), { act: "restart", fresh: false });
    check(after(2, 60_000), { act: "wait", why: "it cannot start: the server is gone", untilMs: nowMs + 60_000 });
    check(after(2, 120_000), { act: "restart", fresh: false });
    check(after(30, 599_999), { act: "wait" });
    check(after(30, 600_000), { act: "restart", fresh: false });
  });
  test("never makes a quarantine by itself", () => {
    const attempts: number[] = [];
    let failures: AgentCase["startFailures"];
    for (let minute = 0; minute < 60; minute++) {
      const atMs = nowMs + minute * 60_000;
      const within = attempts.filter((one) => one > atMs - restartWindowMs);
      expect(within.length).toBeLessThan(mostRestarts);
      const look = { ...dead, ...after(1, 0), nowMs: atMs, attempts: within, startFailures: failures };
      if (decide(look).act !== "restart") continue;
      attempts.push(atMs);
      failures = { count: (failures?.count ?? 0) + 1, lastMs: atMs, says: "the server is gone", outage: true };
    }
    expect(attempts.length).toBeGreaterThan(5);
  });
});
