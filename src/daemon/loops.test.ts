import { expect, test } from "bun:test";
import { FakeClock } from "../ports/fake-clock.ts";
import { startLoop } from "./loops.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a loop does a round at once, then one each time the interval has passed, or when it is woken", async () => {
  const clock = new FakeClock();
  let rounds = 0;
  const loop = startLoop({ name: "x", everyMs: 1000, round: async () => void rounds++ }, clock, () => {});
  await settled();
  expect(rounds).toBe(1);
  clock.advance(999);
  await settled();
  expect(rounds).toBe(1);
  clock.advance(1);
  await settled();
  expect(rounds).toBe(2);
  loop.wake();
  await settled();
  expect(rounds).toBe(3);
  await loop.stop();
});

test("a round that fails is told once, shown in the state, and does not end the loop", async () => {
  const clock = new FakeClock();
  const lines: string[] = [];
  let fails = true;
  const loop = startLoop(
    {
      name: "x",
      everyMs: 10,
      round: async () => {
        if (fails) throw new Error("no luck");
        return undefined;
      },
    },
    clock,
    (line) => lines.push(line),
  );
  for (let round = 0; round < 3; round++) {
    await settled();
    clock.advance(10);
  }
  await settled();
  expect(lines.length).toBe(1);
  expect(loop.state.problem).toBe("no luck");
  fails = false;
  clock.advance(10);
  await settled();
  expect(loop.state.problem).toBeNull();
  await loop.stop();
});

test("stop waits for the round under way", async () => {
  const clock = new FakeClock();
  const gate = Promise.withResolvers<undefined>();
  let ended = false;
  const loop = startLoop({ name: "x", everyMs: 10, round: () => gate.promise }, clock, () => {});
  const stopped = loop.stop().then(() => (ended = true));
  await settled();
  expect(ended).toBe(false);
  gate.resolve(undefined);
  await stopped;
  expect(ended).toBe(true);
});
