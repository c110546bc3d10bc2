import { expect, test } from "bun:test";
import { bytesOf, fitText } from "./fit-text.ts";

test("a text that fits is left as it is", () => {
  expect(fitText("x".repeat(100), 100)).toBe("x".repeat(100));
});

test("one that does not keeps its beginning and its end, and says how much was left out", () => {
  const text = `begin ${"x".repeat(10_000)} end: constel approvals allow 4k2p9x`;
  const fitted = fitText(text, 1_000);
  expect(fitted.length).toBeLessThanOrEqual(1_000);
  expect(fitted).toStartWith("begin xxx");
  expect(fitted).toEndWith("end: constel approvals allow 4k2p9x");
  const [, count] = /… (\d+) characters left out/.exec(fitted) ?? [];
  const kept = fitted.replace(/\n… .* …\n/, "");
  expect(kept.length + Number(count)).toBe(text.length);
});

test("what counts may be bytes, and no character is cut in two", () => {
  const fitted = fitText("é😀".repeat(3_000), 4_096, bytesOf);
  expect(bytesOf(fitted)).toBeLessThanOrEqual(4_096);
  expect(fitted.isWellFormed()).toBe(true);
});
