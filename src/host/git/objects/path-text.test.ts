import { describe, expect, test } from "bun:test";
import { alignLines } from "../merge/align-lines.ts";
import { fieldsOf, joinPaths, pathFromBytes, pathToBytes } from "./path-text.ts";
import { chance } from "../scratch.suite.ts";

describe("a file name", () => {
  test("comes back as the bytes it was, whatever they are", () => {
    const random = chance(7);
    for (let round = 0; round < 2_000; round++) {
      const bytes = Uint8Array.from({ length: 1 + random.below(12) }, () => 1 + random.below(255));
      const path = pathFromBytes(bytes);
      expect(Buffer.from(pathToBytes(path)).toString("hex")).toBe(Buffer.from(bytes).toString("hex"));
      expect(JSON.parse(JSON.stringify(path))).toBe(path);
    }
  });

  test("that is text is that text", () => {
    for (const path of ["a.txt", "ünï/ñ", "日本\n語", "🚀", "\uFEFFbom"]) {
      expect(pathFromBytes(new TextEncoder().encode(path))).toBe(path);
    }
  });

  test("list is split where it was joined", () => {
    const paths = ["a", "b\nc", "\udcff"];
    expect(fieldsOf(joinPaths(paths)).map(pathFromBytes)).toEqual(paths);
    expect(fieldsOf(new Uint8Array())).toEqual([]);
  });
});

describe("aligning lines", () => {
  test("finds each kept line where it went", () => {
    const random = chance(11);
    for (let round = 0; round < 200; round++) {
      const from = Array.from({ length: random.below(40) }, (_, line) => `line ${line}`);
      const to: string[] = [];
      const kept = new Map<number, number>();
      for (const [line, text] of from.entries()) {
        if (random.coin(0.1)) to.push(`inserted ${round} ${line}`);
        if (random.coin(0.1)) continue;
        kept.set(line, to.length);
        to.push(text);
      }
      const position = alignLines(from, to);
      for (const [line, expected] of kept) expect(position(line)).toBe(expected);
      expect(position(from.length)).toBe(to.length);
    }
  });

  test("stays within the other text when they have little in common", () => {
    const from = Array.from({ length: 900 }, (_, line) => `a ${line}`);
    const to = Array.from({ length: 300 }, (_, line) => `b ${line}`);
    const position = alignLines(from, to);
    for (const line of [0, 1, 450, 899, 900]) {
      expect(position(line)).toBeGreaterThanOrEqual(0);
      expect(position(line)).toBeLessThanOrEqual(300);
    }
  });
});
