import { expect, test } from "bun:test";
import { FakeClock } from "../ports/fake-clock.ts";
import type { DatabaseHead } from "./database-head.ts";
import { HeadWatch } from "./head-watch.ts";

function scene({ untilKept = () => Promise.resolve() }: { untilKept?: () => Promise<void> } = {}) {
  const clock = new FakeClock(0);
  const put: number[] = [];
  const keeper = {
    read: () => undefined,
    write: () => {},
    async put(head: DatabaseHead) {
      put.push(head.seq);
      await untilKept();
    },
    close: () => {},
  };
  const watch = new HeadWatch(keeper, clock, (problem) => {
    throw new Error(problem);
  });
  const commit = async (seq: number): Promise<void> => {
    await watch.beside();
    watch.acknowledged({ constellation: "c", writes: seq, seq, hash: "" });
  };
  /** Lets whoever slept do what it does then. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { clock, put, watch, commit, settled };
}

test("a busy writer keeps its head once in a moment, and the last one when it is quiet", async () => {
  const { clock, put, watch, commit, settled } = scene();
  for (let seq = 1; seq <= 10; seq++) {
    await commit(seq);
    clock.advance(5);
    await settled();
  }
  // Beside the second commit, and then with every fourth: nothing that was acknowledged 20 ms and a commit ago is unknown to it.
  expect(put).toEqual([1, 5, 9]);
  clock.advance(20);
  await settled();
  clock.advance(20);
  await settled();
  expect(put).toEqual([1, 5, 9, 10]);
  await watch.close();
  expect(put).toEqual([1, 5, 9, 10]);
});

test("what was not kept yet is kept at closing", async () => {
  const { put, watch, commit } = scene();
  await commit(1);
  await commit(2);
  await watch.close();
  expect(put).toEqual([1, 2]);
});

test("a commit does not wait for the head beside it, but for one that is not kept when the next is due", async () => {
  const kept: (() => void)[] = [];
  const { clock, put, watch, commit, settled } = scene({
    untilKept() {
      const { promise, resolve } = Promise.withResolvers<void>();
      kept.push(resolve);
      return promise;
    },
  });
  for (const seq of [1, 2, 3]) await commit(seq);
  expect(put).toEqual([1]);
  clock.advance(20);
  let isDone = false;
  const fourth = commit(4).then(() => (isDone = true));
  await settled();
  expect({ isDone, put }).toEqual({ isDone: false, put: [1] });
  kept[0]?.();
  await fourth;
  await commit(5);
  expect(put).toEqual([1, 4]);
  const closed = watch.close();
  await settled();
  expect(put).toEqual([1, 4]);
  kept[1]?.();
  await settled();
  kept[2]?.();
  await closed;
  expect(put).toEqual([1, 4, 5]);
});
