import { expect, test } from "bun:test";
import { makeOutput } from "./output.ts";
import { progressLine, startProgress } from "./progress.ts";

test("a line says what is done, how much of it, and for how long", () => {
  expect(progressLine("comparing pairs", { done: 33, total: 66 }, 4_200)).toBe(
    "comparing pairs  ━━━━━━━━━━──────────  33 of 66  4s",
  );
  expect(progressLine("making the workspace", undefined, 61_000)).toBe("making the workspace  1m");
  expect(progressLine("x", { done: 9, total: 3 }, 0)).toContain("━".repeat(20));
});

test("where stdout is no terminal, or JSON is wanted, nothing is ever printed", () => {
  for (const [terminal, json] of [
    [undefined, false],
    [{ columns: 80 }, true],
  ] as const) {
    let printed = "";
    const streams = {
      out: (text: string) => void (printed += text),
      err: (text: string) => void (printed += text),
      terminal,
      hasReader: true,
    };
    const progress = startProgress(makeOutput(streams, {}, { json, plain: false }), "work");
    progress.tell("more", { done: 1, total: 2 });
    progress.end();
    expect(printed).toBe("");
  }
});
