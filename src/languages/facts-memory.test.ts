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

test("what nobody asks for between two calls is let go where it can be read back, and is still answered", () => {
  const shelf = new Map<string, object>();
  const reads: string[] = [];
  const memory = new FactsMemory(1_000_000, {
    get: (name) => {
      reads.push(name);
      return shelf.get(name);
    },
    set: (name, kept) => void shelf.set(name, kept),
    close: () => undefined,
  });
  const python = memory.of<object>("python");
  for (const key of ["asked", "before"]) python.set(key, facts(1));
  memory.forgetUnasked();
  python.get("asked");
  memory.forgetUnasked();
  expect([python.get("asked"), reads]).toEqual([facts(1), []]);
  expect([python.get("before"), reads]).toEqual([facts(1), ["python before"]]);
  expect([python.get("before"), reads]).toEqual([facts(1), ["python before"]]);
});

test("where nothing can be read back, nothing is let go while there is room", () => {
  const memory = new FactsMemory(1_000_000);
  const python = memory.of<object>("python");
  python.set("a", facts(1));
  for (let call = 0; call < 5; call++) memory.forgetUnasked();
  expect(python.get("a")).toEqual(facts(1));
});
