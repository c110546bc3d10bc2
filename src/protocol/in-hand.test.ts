import { expect, test } from "bun:test";
import { inHand, inHandText, inHandWords } from "./in-hand.ts";

test("every task that an agent has in hand is named, and what it was told of once", () => {
  expect(inHand({ task: "2", tasks: [2, 5] })).toEqual(["2", "5"]);
  expect(inHand({ task: "task 7", tasks: [2] })).toEqual(["2", "7"]);
  expect(inHand({ task: null, tasks: [] })).toEqual([]);
});

test("a column has room for three, and the others are counted", () => {
  expect(inHandText({ task: "2", tasks: [2, 5] })).toBe("2, 5");
  expect(inHandText({ task: null, tasks: [2, 5, 7, 9, 11] })).toBe("2, 5, 7 +2");
  expect(inHandText({ task: null, tasks: [] })).toBe("");
});

test("in a line they are told in words", () => {
  expect(inHandWords({ task: "2", tasks: [2, 5] })).toBe("tasks 2, 5");
  expect(inHandWords({ task: null, tasks: [2] })).toBe("task 2");
  expect(inHandWords({ task: "write the page", tasks: [] })).toBe("write the page");
  expect(inHandWords({ task: null, tasks: [] })).toBeUndefined();
});
