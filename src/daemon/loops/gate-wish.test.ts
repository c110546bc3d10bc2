import { expect, test } from "bun:test";
import { readGatePairs } from "./gate-wish.ts";

test("what the owner writes is taken, with the rest at its default", () => {
  expect(readGatePairs([{ repository: "app" }, { repository: "*", command: "make", deadline_seconds: 5 }])).toEqual([
    { repository: "app", command: undefined, deadlineMs: undefined, settleMs: 10_000 },
    { repository: "*", command: "make", deadlineMs: 5_000, settleMs: 10_000 },
  ]);
});

test("what is wrong in it is refused by its place, not passed over", () => {
  const wrong = [
    {},
    { repository: "a", command: "" },
    { repository: "a", comand: "x" },
    { repository: "a", deadline_seconds: 0 },
  ];
  for (const table of wrong) expect(() => readGatePairs([table])).toThrow("gate.pairs[0]");
});
