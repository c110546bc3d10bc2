import { expect, test } from "bun:test";
import { tidyMemory } from "./tidy-memory.ts";

test("a little work is not worth a collection; much without a pause is collected in between, and what is left when it is quiet", async () => {
  let collected = 0;
  const quiet = Promise.withResolvers<void>();
  const tidy = tidyMemory(() => {
    collected += 1;
    if (collected === 3) quiet.resolve();
  });
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
  const tidy = tidyMemory(() => {
    order.push("collected");
    collected.resolve();
  });
  for (let round = 0; round < 40; round++) tidy.worked();
  setImmediate(() => order.push("answered"));
  await collected.promise;
  expect(order).toEqual(["answered", "collected"]);
});
