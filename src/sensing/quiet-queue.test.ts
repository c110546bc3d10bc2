import { expect, test } from "bun:test";
import { FakeClock } from "../ports/fake-clock.ts";
import { QuietQueue } from "./quiet-queue.ts";

/** A keeper whose jobs say when they begin, and end when they are told to. */
function stage() {
  const clock = new FakeClock();
  const began: string[] = [];
  const stopped: string[] = [];
  const ends = new Map<string, () => void>();
  const keeper = new QuietQueue({ clock, log: () => undefined });
  const ask = (key: string, settleMs = 0, name = key): void =>
    keeper.ask(key, settleMs, (signal) => {
      began.push(name);
      signal.addEventListener("abort", () => stopped.push(name));
      return new Promise((resolve) => {
        ends.set(name, resolve);
        signal.addEventListener("abort", () => resolve());
      });
    });
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return { clock, keeper, ask, began, stopped, end: (name: string) => ends.get(name)?.(), settled };
}

test("one gate runs at a time, in the order in which they were asked for", async () => {
  const { ask, began, end, settled, keeper } = stage();
  ask("r\0a");
  ask("r\0b");
  await settled();
  expect(began).toEqual(["r\0a"]);
  end("r\0a");
  await settled();
  expect(began).toEqual(["r\0a", "r\0b"]);
  end("r\0b");
  await settled();
  // A keeper that had nothing to do for a while goes on.
  ask("r\0c");
  await settled();
  expect(began.at(-1)).toBe("r\0c");
  await keeper.close();
});

test("a pair that is still being worked on waits until it is quiet, and only its last state is run", async () => {
  const { clock, ask, began, settled, keeper } = stage();
  ask("r\0a", 10_000, "first");
  await settled();
  clock.advance(9_000);
  ask("r\0a", 10_000, "second");
  await settled();
  clock.advance(9_000);
  await settled();
  expect(began).toEqual([]);
  clock.advance(1_000);
  await settled();
  expect(began).toEqual(["second"]);
  await keeper.close();
});

test("what is forgotten, and everything at the end, is stopped and does not begin", async () => {
  const { ask, began, stopped, settled, keeper } = stage();
  ask("r\0a");
  ask("r\0b");
  ask("s\0a");
  await settled();
  keeper.forget("r\0");
  await settled();
  expect([began, stopped]).toEqual([["r\0a", "s\0a"], ["r\0a"]]);
  await keeper.close();
  expect(stopped).toEqual(["r\0a", "s\0a"]);
  ask("t\0a");
  await settled();
  expect(began.length).toBe(2);
});
