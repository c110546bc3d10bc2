// Rules about agents in tiny cases, and the recorded screens and hooks of the real programs through the same rule.

import { Glob } from "bun";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runtimes } from "../../host/runtime/all.ts";
import type { AgentState, AgentStatus, Evidence } from "../../ports/runtime.ts";
import type { Seen, SeenState } from "./agent.ts";
import { budgetReached, eventsFor, hangMs, type Look, mailHold, seenFrom } from "./rules.ts";

const status = (state: AgentState, untilMs?: number): AgentStatus => ({
  state,
  ...(untilMs === undefined ? {} : { untilMs }),
  rests: { on: "hooks", says: `it is ${state}` },
});
const look = (more: Partial<Look> = {}): Look => ({
  nowMs: 10_000_000,
  wanted: "up",
  launchedMs: 1,
  terminal: "alive",
  status: status("idle"),
  quietMs: 0,
  ...more,
});

describe("what is seen", () => {
  const check = (name: string, more: Partial<Look>, state: SeenState, says?: string): void =>
    test(name, () => {
      const seen = seenFrom(look(more));
      expect(seen.state).toBe(state);
      if (says !== undefined) expect(seen.says).toContain(says);
    });
  for (const state of [
    "starting",
    "busy",
    "idle",
    "waiting-permission",
    "waiting-answer",
    "limited",
    "logged-out",
    "unknown",
  ] as const) {
    check(`${state}, when the runtime says so`, { status: status(state) }, state, `it is ${state}`);
  }
  check("dead with its exit status", { terminal: "dead", ended: { exitStatus: 3 } }, "dead", "ended with status 3");
  check("dead by a signal", { terminal: "dead", ended: { exitSignal: 9 } }, "dead", "signal 9");
  check("dead, though the runtime last said busy", { terminal: "dead", status: status("busy") }, "dead");
  check("dead when the runtime says so, in a living terminal", { status: status("dead") }, "dead");
  check("dead when its terminal is gone", { terminal: "none" }, "dead", "gone");
  check("down as wanted", { terminal: "none", wanted: "down" }, "dead", "as wanted");
  check("starting while its terminal is made", { terminal: "none", launchedMs: 9_999_000 }, "starting");
  check("paused when we paused it, whatever it does", { wanted: "paused", status: status("busy") }, "paused");
  check("dead, not paused, when it has ended", { wanted: "paused", terminal: "dead" }, "dead");
  check("unknown when nobody could ask", { status: undefined }, "unknown");
  check("busy just before it counts as a hang", { status: status("busy"), quietMs: hangMs - 1 }, "busy");
  check("hung after half an hour without any move", { status: status("busy"), quietMs: hangMs }, "hung", "30 minutes");
  check("hung when nothing was ever known of it", { status: status("unknown"), quietMs: hangMs }, "hung");
  for (const state of ["idle", "waiting-permission", "waiting-answer", "limited", "logged-out"] as const) {
    check(`${state}, not hung, however quiet`, { status: status(state), quietMs: hangMs * 10 }, state);
  }
});

describe("recorded evidence of the real programs", () => {
  let recorded = 0;
  for (const runtime of runtimes) {
    const room = join(import.meta.dir, "../../host/runtime");
    for (const name of [...new Glob(`${runtime.name}/fixtures/*.json`).scanSync(room)].sort()) {
      recorded++;
      const fixture = JSON.parse(readFileSync(join(room, name), "utf8")) as {
        expect: SeenState;
        evidence: Evidence;
      };
      test(`${name} is seen as ${fixture.expect}, and never as hung while it moves`, () => {
        const judged = runtime.status(fixture.evidence);
        for (const quietMs of [0, hangMs - 1]) {
          expect(seenFrom(look({ status: judged, quietMs })).state).toBe(fixture.expect);
        }
      });
    }
  }
  test("is there", () => expect(recorded).toBeGreaterThan(15));
});

describe("what goes on the timeline", () => {
  const types = (before: SeenState | undefined, state: SeenState): string[] =>
    eventsFor(before, { state, on: "hooks", says: "" }).map(({ type }) => type);
  test("the first sight and every change, and nothing for the same state", () => {
    expect(types(undefined, "idle")).toEqual(["agent.seen-changed"]);
    expect(types("idle", "busy")).toEqual(["agent.seen-changed"]);
    expect(types("busy", "busy")).toEqual([]);
  });
  test("a limit and its end", () => {
    expect(types("busy", "limited")).toEqual(["agent.seen-changed", "agent.limited"]);
    expect(types("limited", "limited")).toEqual([]);
    expect(types("limited", "idle")).toEqual(["agent.seen-changed", "agent.resumed"]);
    expect(types("limited", "dead")).toEqual(["agent.seen-changed"]);
  });
});

describe("messages wait", () => {
  const hold = (state: SeenState): string | undefined =>
    mailHold({ state, on: "hooks", says: "", untilMs: 0 } satisfies Seen, undefined);
  test("unless the agent is idle or busy", () => {
    const states: SeenState[] = [
      "starting",
      "waiting-permission",
      "waiting-answer",
      "limited",
      "logged-out",
      "hung",
      "paused",
      "dead",
      "unknown",
    ];
    for (const state of states) expect(hold(state)).toBeString();
    expect(hold("idle")).toBeUndefined();
    expect(hold("busy")).toBeUndefined();
  });
  test("when a budget is used up", () => {
    const reached = { kind: "micros", used: 2_500_000, limit: 2_000_000 } as const;
    expect(mailHold({ state: "idle", on: "hooks", says: "" }, reached)).toContain("$2.50 of $2.00");
  });
});

test("a budget of 0 is none, and is used up at its bound", () => {
  const spent = { tokens: 100, micros: 50 };
  expect(budgetReached(spent, { tokensPerDay: 0, microsPerDay: 0 })).toBeUndefined();
  expect(budgetReached(spent, { tokensPerDay: 101, microsPerDay: 0 })).toBeUndefined();
  expect(budgetReached(spent, { tokensPerDay: 100, microsPerDay: 0 })).toMatchObject({ kind: "tokens", used: 100 });
  expect(budgetReached(spent, { tokensPerDay: 0, microsPerDay: 50 })).toMatchObject({ kind: "micros", limit: 50 });
  expect(budgetReached(undefined, { tokensPerDay: 1, microsPerDay: 1 })).toBeUndefined();
});
