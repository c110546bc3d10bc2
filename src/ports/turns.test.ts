import { expect, test } from "bun:test";
import { isTurnOver, letOthers, mapInTurns, nextTurn } from "./turns.ts";

/** As long as it takes: what is tested is who comes when, whatever the machine's speed. */
function workUntilOver(): void {
  while (!isTurnOver());
}

test("long work lets others have a turn between two steps", async () => {
  await nextTurn();
  const came: string[] = [];
  setImmediate(() => came.push("another"));
  workUntilOver();
  await letOthers();
  came.push("the next step");
  expect(came).toEqual(["another", "the next step"]);
});

test("a step right after a turn began waits for nobody", async () => {
  await nextTurn();
  await nextTurn();
  const came: string[] = [];
  setImmediate(() => came.push("another"));
  expect(isTurnOver()).toBeFalse();
  await letOthers();
  came.push("the next step");
  expect(came).toEqual(["the next step"]);
  await nextTurn();
});

test("a map in turns makes what a map makes, and others come in between", async () => {
  await nextTurn();
  const came: number[] = [];
  setImmediate(() => came.push(-1));
  const made = await mapInTurns([1, 2, 3], (one) => one * 2);
  const long = await mapInTurns(
    Array.from({ length: 120 }, (_, at) => at),
    (one) => {
      if (one === 0) workUntilOver();
      came.push(one);
      return one;
    },
  );
  expect(made).toEqual([2, 4, 6]);
  expect(long).toHaveLength(120);
  expect(came.indexOf(-1)).toBeLessThan(came.indexOf(50));
});
