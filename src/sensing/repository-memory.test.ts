import { expect, test } from "bun:test";
import type { Reviewed } from "../core/findings/pair-finding.ts";
import { openLanguages } from "../languages/open-languages.ts";
import { openMemory } from "./repository-memory.ts";

const review = { findings: [] } as unknown as Reviewed;

test("reviews of pairs that nobody asks for again do not pile up with edits, and those of the present stay", () => {
  const { reviews } = openMemory(openLanguages(), () => 3);
  for (let edit = 0; edit < 5_000; edit++) reviews.set(`pair ${edit}`, review);
  expect(["pair 4999", "pair 4995"].map((key) => reviews.get(key) !== undefined)).toEqual([true, true]);
  expect(reviews.get("pair 4000")).toBeUndefined();
});

test("one look keeps the reviews of all pairs", () => {
  const { reviews } = openMemory(openLanguages());
  for (let pair = 0; pair < 5_000; pair++) reviews.set(`pair ${pair}`, review);
  expect(reviews.get("pair 0")).toBe(review);
});

test("whether edits of a file can be seen is not kept for every version that there ever was", () => {
  const { visible } = openMemory(openLanguages(), () => 3);
  for (let edit = 0; edit < 5_000; edit++) visible.set(`base version${edit}`, true);
  expect([visible.get("base version4999"), visible.get("base version4500")]).toEqual([true, true]);
  expect(visible.get("base version3000")).toBeUndefined();
});
