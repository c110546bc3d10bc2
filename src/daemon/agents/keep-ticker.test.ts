// Tests when the daemon calls the watchdog because there is no ticker. test/who-asks.test.ts tests that agents may not start one.

import { expect, test } from "bun:test";
import type { FollowedAgent } from "./followed-agent.ts";
import { TickerKeeper } from "./keep-ticker.ts";

type Member = Pick<FollowedAgent, "launch" | "seen" | "isAlive">;
const member = (role: string, state: string, wanted = "up"): Member =>
  ({ launch: { role, wanted }, seen: { state }, isAlive: state !== "dead" }) as unknown as Member;

test("while the ticker that is wanted is dead, the watchdog is called once a minute, and at no other time", () => {
  let nowMs = 0;
  let ticks = 0;
  const keeper = new TickerKeeper({ clock: { monotonicMs: () => nowMs }, tick: () => void (ticks += 1) });
  const after = (ms: number, ...members: Member[]): number => {
    nowMs += ms;
    keeper.round(members);
    return ticks;
  };
  expect(after(0, member("clone", "dead"))).toBe(0);
  expect(after(100_000, member("clone", "dead"), member("ticker", "idle"))).toBe(0);
  expect(after(0, member("ticker", "dead"))).toBe(0); // one that has just died may be on its way back
  expect(after(59_999, member("ticker", "dead"))).toBe(0);
  expect(after(1, member("ticker", "dead"))).toBe(1);
  expect(after(30_000, member("ticker", "dead"))).toBe(1);
  expect(after(30_000, member("ticker", "dead"))).toBe(2);
  expect(after(0, member("ticker", "idle"))).toBe(2);
  expect(after(60_000, member("ticker", "dead"))).toBe(2); // counted anew
  expect(after(60_000, member("ticker", "dead", "down"))).toBe(2);
});
