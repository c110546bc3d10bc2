// Files that were broken at random: whatever comes, a comparison answers, and says a line when it cannot read.

import { describe, expect, test } from "bun:test";
import { caseSource } from "./contract-case.ts";
import type { ContractCase } from "./contract-case.ts";
import type { ContractFormat } from "./format.ts";
import { graphqlCases } from "./graphql/cases/all.ts";
import { graphqlFormat } from "./graphql/graphql.ts";
import { protobufCases } from "./protobuf/cases/all.ts";
import { protobufFormat } from "./protobuf/protobuf.ts";

const rounds = 2500;

/** mulberry32, so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const crumbs = [
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  "<",
  ">",
  ";",
  "=",
  '"',
  "'",
  "\\",
  "/*",
  "//",
  "#",
  '"""',
  "\n",
  "\0",
  "\uFEFF",
  "🙂",
  "-",
  ".",
  "0x",
  "1e9",
  "max",
  "to",
  "extend ",
  "type ",
  "message ",
  "enum ",
  "reserved ",
  "oneof ",
  "group ",
  "map<",
  "stream ",
  "@oneOf ",
  "union ",
  "implements ",
  "__proto__",
  "constructor",
];

function mutated(text: string, other: string, random: () => number): string {
  let result = text;
  for (let count = 1 + Math.floor(random() * 2); count > 0; count -= 1) {
    const [from, length] = [Math.floor(random() * result.length), Math.floor(random() * 12)];
    const start = Math.floor(random() * other.length);
    const pieces = [
      "",
      crumbs[Math.floor(random() * crumbs.length)] ?? "",
      other.slice(start, start + Math.floor(random() * 40)),
      result.slice(from, from + 30),
      (crumbs[Math.floor(random() * crumbs.length)] ?? "").repeat(1 + Math.floor(random() * 200)),
    ];
    const piece = pieces[Math.floor(random() * pieces.length)] ?? "";
    result = result.slice(0, from) + piece + result.slice(from + length);
  }
  return result;
}

async function torment(
  format: ContractFormat,
  cases: readonly ContractCase[],
  file: string,
): Promise<{ compared: number; unreadable: number }> {
  const texts = cases.flatMap(({ before, after }) => [before, after]).filter((text) => typeof text === "string");
  const random = randomFrom(20_251);
  const count = { compared: 0, unreadable: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const pick = (): string => texts[Math.floor(random() * texts.length)] ?? "";
    const text = pick();
    const broken = mutated(text, pick(), random);
    const [before, after] = random() < 0.5 ? [text, broken] : [broken, text];
    const result = await format.compare(caseSource(before, file), caseSource(after, file));
    count[result.kind] += 1;
    if (result.kind === "unreadable") {
      expect(result.problems.length).toBeGreaterThan(0);
      for (const { line, message } of result.problems)
        expect([message !== "", line === null || line >= 1]).toEqual([true, true]);
    }
  }
  return count;
}

describe("a file broken at random", () => {
  test("is compared or unreadable, as GraphQL", async () => {
    const { compared, unreadable } = await torment(graphqlFormat, graphqlCases, "schema.graphql");
    expect(compared).toBeGreaterThan(rounds / 50);
    expect(unreadable).toBeGreaterThan(rounds / 50);
  }, 180_000);

  test("is compared or unreadable, as protobuf", async () => {
    const { compared, unreadable } = await torment(protobufFormat, protobufCases, "a.proto");
    expect(compared).toBeGreaterThan(rounds / 50);
    expect(unreadable).toBeGreaterThan(rounds / 50);
  }, 180_000);
});
