import { expect, test } from "bun:test";
import { ThisTurn } from "./this-turn.ts";

test("what is known is known until the turn is over", async () => {
  const known = new ThisTurn<number>();
  known.set("a", 1);
  await Promise.resolve();
  known.set("b", 2);
  expect([known.get("a"), known.get("b")]).toEqual([1, 2]);
  await new Promise((resolve) => setImmediate(resolve));
  expect([known.get("a"), known.get("b")]).toEqual([undefined, undefined]);
  known.set("a", 3);
  expect(known.get("a")).toBe(3);
});
