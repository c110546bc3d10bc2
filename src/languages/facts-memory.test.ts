import { expect, test } from "bun:test";
import { FactsMemory } from "./facts-memory.ts";

const facts = (kilobytes: number) => ({ names: ["x".repeat(kilobytes * 1_000)] });

test("what was not asked for longest is forgotten first, when all of it takes too much room", () => {
  const memory = new FactsMemory(10_000).of<object>("python");
  for (const key of ["a", "b", "c"]) memory.set(key, facts(3));
  memory.get("a");
  memory.set("d", facts(3));
  expect(["a", "b", "c", "d"].filter((key) => memory.get(key) !== undefined)).toEqual(["a", "c", "d"]);
});

test("many small facts count by what they take, not by their number", () => {
  const memory = new FactsMemory(10_000).of<object>("python");
  const keys = Array.from({ length: 50 }, (_, at) => `small${at}`);
  for (const key of keys) memory.set(key, facts(0));
  expect(keys.every((key) => memory.get(key) !== undefined)).toBe(true);
  memory.set("large", facts(9));
  expect(keys.some((key) => memory.get(key) === undefined)).toBe(true);
});

test("what is larger than all the room is not kept, and takes nothing else with it", () => {
  const memory = new FactsMemory(10_000).of<object>("python");
  memory.set("a", facts(3));
  memory.set("large", facts(20));
  expect([memory.get("a") !== undefined, memory.get("large")]).toEqual([true, undefined]);
});

test("languages share the room, and each has its own facts of the same text", () => {
  const memory = new FactsMemory(10_000);
  const [python, go] = [memory.of<object>("python"), memory.of<object>("go")];
  python.set("a", facts(3));
  expect(go.get("a")).toBeUndefined();
  go.set("a", facts(9));
  expect(python.get("a")).toBeUndefined();
});
