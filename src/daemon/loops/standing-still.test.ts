import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import { type HandlerParts, makeHandlers } from "../door/handlers.ts";
import { startLoop } from "./loops.ts";
import { standingStill } from "./standing-still.ts";

const here = withStore(sqliteScene);

test("a loop that fails for a while needs the owner, by its name and problem; a passing failure does not", () => {
  const loops = [
    { name: "agents", state: { lastMs: 90_000, problem: "the disk is full", failingMs: 50_000 } },
    { name: "intake", state: { lastMs: 90_000, problem: "busy", failingMs: 85_000 } },
    { name: "usage", state: { lastMs: 90_000, problem: null, failingMs: null } },
  ];
  expect(standingStill(loops, 90_000)).toEqual([
    {
      key: "daemon:agents",
      kind: "daemon",
      agent: null,
      says: "the daemon's loop agents fails: the disk is full",
      since_ms: 50_000,
      next: "constel doctor",
    },
  ]);
});

test("since when is the first of the rounds that failed, and a good one ends it", async () => {
  const clock = new FakeClock(0);
  const rounds = ["bad", "bad", "good", "good"];
  const loop = startLoop(
    {
      name: "agents",
      everyMs: 15_000,
      round: () => (rounds.shift() === "bad" ? Promise.reject(new Error("full")) : Promise.resolve(undefined)),
    },
    clock,
    () => {},
  );
  const seen: (number | null)[] = [];
  for (let at = 0; at < 3; at++) {
    while (clock.sleeping === 0) await Promise.resolve();
    seen.push(standingStill([loop], clock.nowMs())[0]?.since_ms ?? null);
    clock.advance(15_000);
    while (loop.state.lastMs !== clock.nowMs()) await Promise.resolve();
  }
  expect(seen).toEqual([null, 0, null]);
  await loop.stop();
});

test("status says what stands still before anything else", async () => {
  const need = {
    key: "daemon:agents",
    kind: "daemon",
    agent: null,
    says: "fails",
    since_ms: 1,
    next: "constel doctor",
  };
  const handlers = makeHandlers({
    self: { standstill: () => [need] },
    sensing: { pairsLeft: () => 0 },
    schedules: {},
  } as unknown as HandlerParts);
  const context = {
    store: here.store,
    clock: here.clock,
    random: seededRandom(1),
    constellation: "constel0",
    actor: "owner",
  };
  expect((await handlers["status.look"](context, {})).needs).toEqual([need]);
});
