import { expect, test } from "bun:test";
import { tidyMemory } from "./tidy-memory.ts";

test("a little work is not worth a collection; much without a pause is collected in between, and what is left when it is quiet", async () => {
  let collected = 0;
  const quiet = Promise.withResolvers<void>();
  const collect = (): void => {
    collected += 1;
    if (collected === 3) quiet.resolve();
  };
  const tidy = tidyMemory({ collect });
  for (let round = 0; round < 140; round++) tidy.worked();
  expect(collected).toBe(2);
  await quiet.promise;
  expect(collected).toBe(3);
  for (let round = 0; round < 20; round++) tidy.worked();
  tidy.stop();
});

test("whoever waits for the work that makes a collection due is answered before it", async () => {
  const order: string[] = [];
  const collected = Promise.withResolvers<void>();
  const collect = (): void => {
    order.push("collected");
    collected.resolve();
  };
  const tidy = tidyMemory({ collect });
  for (let round = 0; round < 40; round++) tidy.worked();
  setImmediate(() => order.push("answered"));
  await collected.promise;
  expect(order).toEqual(["answered", "collected"]);
  tidy.stop();
});

test("even after a little work all that can be had again is let go, once, when nothing happened for long", async () => {
  let released = 0;
  const rested = Promise.withResolvers<void>();
  const release = (): void => {
    released += 1;
    rested.resolve();
  };
  const tidy = tidyMemory({ release, restMs: 1 });
  tidy.worked();
  tidy.worked();
  expect(released).toBe(0);
  await rested.promise;
  expect(released).toBe(1);
  tidy.worked();
  tidy.stop();
  const later = Promise.withResolvers<void>();
  const other = tidyMemory({ release: () => later.resolve(), restMs: 2 });
  other.worked();
  await later.promise;
  expect(released).toBe(1);
  other.stop();
});
