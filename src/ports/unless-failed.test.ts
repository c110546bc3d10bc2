import { expect, test } from "bun:test";
import { rememberUnlessFailed } from "./unless-failed.ts";

test("an answer is worked out once, a failure is told to whoever waited for it, and the next one asks anew", async () => {
  const known = new Map<string, Promise<number>>();
  let asked = 0;
  const ask = (answer: () => number): Promise<number> =>
    rememberUnlessFailed(known, "key", async () => {
      asked += 1;
      return answer();
    });
  const fail = (): number => {
    throw new Error("git ended");
  };
  const both = await Promise.allSettled([ask(fail), ask(() => 1)]);
  expect([both.map(({ status }) => status), asked]).toEqual([["rejected", "rejected"], 1]);
  expect([await ask(() => 2), await ask(() => 3), asked]).toEqual([2, 2, 2]);
});
