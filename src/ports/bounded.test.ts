import { expect, test } from "bun:test";
import { Bounded } from "./bounded.ts";

test("what was not asked for longest goes first", () => {
  const memory = new Bounded<string>(2);
  memory.set("a", "1");
  memory.set("b", "2");
  memory.get("a");
  memory.set("c", "3");
  expect(["a", "b", "c"].map((key) => memory.get(key))).toEqual(["1", undefined, "3"]);
});

test("by weight, and one that is too heavy is kept alone", () => {
  const memory = new Bounded<string>(10, (value) => value.length);
  memory.set("a", "12345");
  memory.set("b", "12345");
  memory.set("c", "x".repeat(50));
  expect(["a", "b", "c"].map((key) => memory.get(key)?.length)).toEqual([undefined, undefined, 50]);
  memory.set("d", "1");
  expect(["c", "d"].map((key) => memory.get(key)?.length)).toEqual([undefined, 1]);
});

test("what is unwanted goes", () => {
  const memory = new Bounded<string>(10);
  memory.set("a", "keep");
  memory.set("b", "drop");
  memory.removeWhere((value) => value === "drop");
  expect([memory.get("a"), memory.get("b")]).toEqual(["keep", undefined]);
});

test("where their number is bounded too, what was not asked for longest goes, and the bound is that of the moment", () => {
  let most: number | undefined = 3;
  const memory = new Bounded<string>(
    1_000_000,
    () => 1,
    () => most,
  );
  for (const key of ["a", "b", "c"]) memory.set(key, key);
  memory.get("a");
  memory.set("d", "d");
  expect([memory.size, memory.get("b"), memory.get("a")]).toEqual([3, undefined, "a"]);
  most = undefined;
  for (let at = 0; at < 100; at++) memory.set(`more ${at}`, "");
  expect(memory.size).toBe(103);
  most = 2;
  memory.set("last", "last");
  expect([memory.size, memory.get("last")]).toEqual([2, "last"]);
});
