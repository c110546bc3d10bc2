// A version that is read beside another must be what JSON.parse makes of it, or not be read at all. Random damage to a text stands for
// all the ways in which two versions can differ.

import { describe, expect, test } from "bun:test";
import { type ReadVersion, readBothVersions } from "./cut-json.ts";

const document = JSON.stringify({
  openapi: "3.1.0",
  tags: [{ name: "a" }, 1, null],
  paths: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`/things${at}`, { get: { id: at, text: '"},{' } }])),
  components: { schemas: { A: { type: "object" }, B: true, C: 12, components: { D: {} } }, parameters: {} },
  empty: {},
  count: 1,
});

function second(before: string, after: string): ReadVersion | undefined {
  try {
    return readBothVersions(before, after)?.[1];
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A generator that gives the same numbers every time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("a version that is read beside another", () => {
  test("takes from it what is written in the same words, wherever it stands", () => {
    const moved = document.replace('"A":{"type":"object"},"B":true', '"B":true,"A":{"type":"object"}');
    const [was, is] = readBothVersions(document, moved) ?? [];
    const path = ["components", "schemas", "A"];
    const at = (root: unknown): unknown => path.reduce((value, key) => (value as Record<string, unknown>)[key], root);
    expect(at(is?.root)).toBe(at(was?.root));
    expect(is?.keys).toBe(was?.keys ?? 0);
    expect(is?.root).toEqual(was?.root ?? {});
  });

  test("counts every key of its text, also those that are there twice", () => {
    expect(second(document, document.replace('"C":12', '"C":12,"C":12'))?.keys).toBe(
      (second(document, document)?.keys ?? 0) + 1,
    );
  });

  test("is what JSON.parse makes of it, or is not read, whatever happens to its text", () => {
    const random = numbers(7);
    const pieces = [
      '"',
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      " ",
      "\n",
      "1",
      "\\",
      "a",
      '"x":1',
      ',"y":{}',
      "__proto__",
      "null",
    ];
    let read = 0;
    for (let round = 0; round < 6_000; round += 1) {
      let text = document;
      for (let times = 1 + random(2); times > 0; times -= 1) {
        const [at, gone] = [random(text.length), random(3) * random(6)];
        text = text.slice(0, at) + (random(3) === 0 ? "" : pieces[random(pieces.length)]) + text.slice(at + gone);
      }
      const [expected, found] = [parsed(text), second(document, text)];
      if (expected === undefined) expect({ text, found }).toEqual({ text, found: undefined });
      else if (found !== undefined) {
        read += 1;
        expect(found.root).toEqual(expected as Record<string, unknown>);
      }
    }
    // Or nothing was tried.
    expect(read).toBeGreaterThan(300);
  });
});
