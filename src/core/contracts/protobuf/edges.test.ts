// The edges of ranges and depths, one number to either side, and what must be told once.

import { describe, expect, test } from "bun:test";
import { caseSource } from "../contract-case.ts";
import { protobufFormat } from "./protobuf.ts";

async function rulesOf(before: string, after: string): Promise<string[]> {
  const compared = await protobufFormat.compare(caseSource(before, "a.proto"), caseSource(after, "a.proto"));
  if (compared.kind === "unreadable") return compared.problems.map(({ message }) => message);
  return compared.changes.map(({ rule, before: was }) => `${rule} ${was}`);
}

const shrunk: readonly (readonly [string, string])[] = [
  ["5 to 9", "5"],
  ["5 to 9", "5 to 8"],
  ["5 to 9", "6 to 9"],
  ["5 to 9", "5 to 6, 8 to 9"],
  ["5 to 9", "5, 9"],
  ["5 to 9", "9 to 12"],
  ["5 to max", "5 to 5000"],
  ["5", "6"],
];
const kept: readonly (readonly [string, string])[] = [
  ["5 to 9", "5 to 9"],
  ["5 to 9", "4 to 10"],
  ["5 to 9", "5 to 7, 8 to 9"],
  ["5 to 9", "8 to 9, 5, 6 to 7"],
  ["5 to 9", "5 to max"],
  ["5, 6", "5 to 6"],
  ["5 to 5", "5"],
];

describe("a range of numbers", () => {
  const kinds: Readonly<Record<string, { readonly write: (range: string) => string; readonly rule: string }>> = {
    "reserved in a message": {
      write: (range) => `syntax = "proto3"; message A { reserved ${range}; }`,
      rule: "message-reserved-range-deleted",
    },
    "reserved in an enum": {
      write: (range) => `syntax = "proto3"; enum E { Z = 0; reserved ${range}; }`,
      rule: "enum-reserved-range-deleted",
    },
    "of extensions": {
      write: (range) => `syntax = "proto2"; message A { extensions ${range}; }`,
      rule: "extension-range-deleted",
    },
  };
  for (const [name, { write, rule }] of Object.entries(kinds)) {
    for (const [was, is] of shrunk) {
      test(`${name}: ${was} shrunk to ${is} is told`, async () => {
        const told = await rulesOf(write(was), write(is));
        expect(told.some((one) => one.startsWith(rule))).toBe(true);
      });
    }
    for (const [was, is] of kept) {
      test(`${name}: ${was} is held by ${is}`, async () => {
        expect((await rulesOf(write(was), write(is))).filter((one) => one.startsWith(rule))).toEqual([]);
      });
    }
  }
});

describe("nesting", () => {
  const messages = (levels: number): string =>
    `syntax = "proto3"; ${"message A { ".repeat(levels)}int32 n = 1; ${"}".repeat(levels)}`;
  const options = (levels: number): string =>
    `syntax = "proto3"; option (a) = ${"{ a: ".repeat(levels)}1 ${"}".repeat(levels)};`;

  test("of messages is read up to its bound, and refused one level on", async () => {
    expect(await rulesOf(messages(65), messages(65))).toEqual([]);
    expect(await rulesOf(messages(66), messages(66))).toEqual([
      "Messages are nested too deeply.",
      "Messages are nested too deeply.",
    ]);
    const deepest = [messages(65), messages(65).replace("int32 n", "string n")] as const;
    expect(await rulesOf(...deepest)).toEqual(["field-type-changed int32"]);
  });

  test("of an option's value is read up to its bound, and refused one level on", async () => {
    expect(await rulesOf(options(65), options(65))).toEqual([]);
    expect(await rulesOf(options(66), options(66))).toContain("The option's value is nested too deeply.");
  });
});

describe("a map and the entries it stands for", () => {
  const entry = "message MEntry { string key = 1; int32 value = 2; }";
  const map = `syntax = "proto3"; ${entry} message A { map<string, int32> m = 1; }`;
  const entries = `syntax = "proto3"; ${entry} message A { repeated MEntry m = 1; }`;

  test("are told once, whichever becomes the other", async () => {
    expect(await rulesOf(map, entries)).toEqual(["field-cardinality-changed a map"]);
    expect(await rulesOf(entries, map)).toEqual(["field-cardinality-changed repeated"]);
  });

  test("are told by their own types where both are maps", async () => {
    expect(await rulesOf(map, map.replace("map<string, int32>", "map<string, int64>"))).toEqual([
      "field-type-changed map<string, int32>",
    ]);
  });
});
