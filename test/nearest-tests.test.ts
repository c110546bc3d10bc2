import { expect, test } from "bun:test";
import { inTurns, nearestTests } from "../scripts/nearest-tests.ts";

test("the test beside a source is the nearest to it", () => {
  expect(nearestTests(1)("src/doors/cli/input/closest.ts")).toEqual(["src/doors/cli/input/closest.test.ts"]);
  expect(nearestTests(8)("src/nothing.ts")).toEqual([]);
});

test("changed files take turns, no test is run twice, and there is an end", () => {
  expect(inTurns([["a", "b", "c"], ["a", "d"], []], 10)).toEqual(["a", "b", "d", "c"]);
  expect(
    inTurns(
      [
        ["a", "b", "c"],
        ["d", "e"],
      ],
      3,
    ),
  ).toEqual(["a", "d", "b"]);
});
