import { expect, test } from "bun:test";
import { keptDirectories, keptFiles, keptForPairs, keptForSides } from "./kept-for-sides.ts";

test("there is room for every side and every pair twice, and for no more than that grows with edits", () => {
  for (const count of [0, 1, 8, 30, 200]) {
    const sides = (): number => count;
    const pairs = (count * (count + 1)) / 2;
    expect(keptForSides(sides)()).toBeGreaterThanOrEqual(2 * count);
    expect(keptForPairs(sides)()).toBeGreaterThanOrEqual(2 * pairs);
    expect(keptForPairs(sides)()).toBeLessThanOrEqual(200 + 2 * pairs);
    expect(keptDirectories(sides)()).toBeGreaterThanOrEqual(50 * count);
    expect(keptFiles(sides)()).toBeGreaterThanOrEqual(50 * count);
  }
});

test("for one look there is no such number", () => {
  for (const kept of [keptForSides, keptForPairs, keptDirectories, keptFiles]) {
    expect([kept()(), kept(() => undefined)()]).toEqual([undefined, undefined]);
  }
});
