// Tests when the daemon has an agent brought back at once. test/agents.test.ts kills a real one.

import { expect, test } from "bun:test";
import type { FollowedAgent } from "./followed-agent.ts";
import { QuickReturn } from "./quick-return.ts";

type Member = Pick<FollowedAgent, "agent" | "launch" | "seen" | "isAlive" | "isQuarantined">;

const member = (role: string, state: string, sinceMs = 1, more: object = {}): Member =>
  ({
    agent: role === "ticker" ? "agentticker" : "agent1",
    launch: { role, wanted: "up", sinceMs, ...more },
    seen: { state },
    isAlive: state !== "dead",
    isQuarantined: false,
  }) as unknown as Member;

function scene() {
  const here = { nowMs: 0, ticks: 0 };
  const back = new QuickReturn({ clock: { monotonicMs: () => here.nowMs }, tick: () => void (here.ticks += 1) });
  const after = (ms: number, ...members: Member[]): number => {
    here.nowMs += ms;
    back.round(members);
    return here.ticks;
  };
  return { back, after };
}

const ticker = member("ticker", "idle");

test("a death is answered at once, and again while nothing came of it, but not for ever", () => {
  const { back, after } = scene();
  expect(after(0, ticker, member("clone", "busy"))).toBe(0);
  expect(after(0, ticker, member("clone", "dead"))).toBe(1);
  expect(back.awaitsReturn([member("clone", "dead")])).toBe(true);
  expect(after(2_999, ticker, member("clone", "dead"))).toBe(1);
  expect(after(1, ticker, member("clone", "dead"))).toBe(2);
  for (let at = 0; at < 10; at++) after(3_000, ticker, member("clone", "dead"));
  expect(after(0, ticker, member("clone", "dead"))).toBe(4);
  expect(back.awaitsReturn([member("clone", "dead")])).toBe(false);
});

test("the third death within ten minutes is left to the ticks; after them it is answered again", () => {
  const { after } = scene();
  expect(after(0, ticker, member("clone", "dead", 1))).toBe(1);
  expect(after(5_000, ticker, member("clone", "dead", 2))).toBe(2);
  expect(after(5_000, ticker, member("clone", "dead", 3))).toBe(2);
  expect(after(600_000, ticker, member("clone", "dead", 4))).toBe(3);
});

test("nobody is brought back who is not wanted, was given up, never comes back, or where no ticker is wanted", () => {
  const { after } = scene();
  expect(after(0, member("clone", "dead"))).toBe(0);
  expect(after(0, ticker, member("clone", "dead", 1, { wanted: "down" }))).toBe(0);
  expect(after(0, ticker, member("clone", "dead", 1, { restart: "never" }))).toBe(0);
  expect(after(0, ticker, { ...member("clone", "dead"), isQuarantined: true })).toBe(0);
  expect(after(0, member("ticker", "dead"))).toBe(0);
});
