import { expect, test } from "bun:test";
import { FakeClock } from "../../ports/fake-clock.ts";
import { startLoop } from "./loops.ts";
import { withoutRepeats } from "./repeated-lines.ts";

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

test("loops that wait for nothing but time wake together, whenever they began", async () => {
  const clock = new FakeClock();
  const rounds: string[] = [];
  const begin = (name: string, everyMs: number, ownMs?: number) =>
    startLoop({ name, everyMs, round: async () => (rounds.push(name), ownMs) }, clock, () => {});
  const loops = [begin("second", 1_000)];
  clock.advance(300);
  loops.push(begin("two", 2_000), begin("own", 5_000, 1_900));
  await settled();
  clock.advance(600);
  loops.push(begin("late", 1_000));
  await settled();
  rounds.length = 0;
  const after = async (ms: number): Promise<string> => {
    clock.advance(ms);
    await settled();
    return rounds.splice(0).sort().join(" ");
  };
  expect([await after(99), await after(1), await after(999), await after(1), await after(200)]).toEqual([
    "",
    "second",
    "",
    "late second two",
    "own",
  ]);
  await Promise.all(loops.map((loop) => loop.stop()));
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
  clock.advance(30_000); // by now it rests between its tries
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

test("a loop that keeps failing and is woken all the time rests longer and longer, and goes on when it works again", async () => {
  const clock = new FakeClock();
  let rounds = 0;
  let fails = true;
  const declaration = {
    name: "x",
    everyMs: 2_000,
    begin: (wake: () => void) => void (waker = wake),
    round: async () => {
      rounds += 1;
      if (!fails) return undefined;
      // As a reaction does that waits for an event of its own.
      waker();
      throw new Error(`no luck ${rounds}`);
    },
  };
  let waker = (): void => {};
  const lines: string[] = [];
  const loop = startLoop(
    declaration,
    clock,
    withoutRepeats((line) => lines.push(line), clock),
  );
  for (let second = 0; second < 600; second++) {
    for (let turn = 0; turn < 5; turn++) await settled();
    clock.advance(1_000);
  }
  expect(rounds).toBeLessThan(30);
  fails = false;
  clock.advance(30_000);
  await settled();
  expect(loop.state.problem).toBeNull();
  await loop.stop();
});

test("a line that comes again and again is written once, and after a while with how often it came", () => {
  const clock = new FakeClock();
  const lines: string[] = [];
  const log = withoutRepeats((line) => lines.push(line), clock);
  for (let index = 0; index < 1_000; index++) {
    log("one");
    if (index % 2 === 0) log("two");
  }
  expect(lines).toEqual(["one", "two"]);
  clock.advance(600_000);
  log("one");
  log("three");
  expect(lines.slice(2)).toEqual(["one (and 999 times more since it was last written)", "three"]);
});
