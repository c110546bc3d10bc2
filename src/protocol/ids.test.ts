import { expect, test } from "bun:test";
import { seededRandom } from "../ports/fake-clock.ts";
import { makeId } from "./ids.ts";

test("ids made later sort later, whatever the randomness", () => {
  const random = seededRandom(1);
  const ids = [0, 1, 1000, 1_794_717_412_852, 1_794_717_412_853].map((ms) => makeId("evt", ms, random.bytes(10)));
  expect([...ids].sort()).toEqual(ids);
});

test("every random bit counts, and the form is prefix, ten digits of time, sixteen of chance", () => {
  expect(makeId("evt", 0, new Uint8Array(10))).toBe(`evt_${"0".repeat(26)}`);
  expect(makeId("evt", 0, new Uint8Array(10).fill(255))).toBe(`evt_${"0".repeat(10)}${"z".repeat(16)}`);
  const seen = new Set<string>();
  for (let bit = 0; bit < 80; bit++) {
    const bytes = new Uint8Array(10);
    bytes[bit >> 3] = 1 << (bit & 7);
    seen.add(makeId("evt", 0, bytes));
  }
  expect(seen.size).toBe(80);
});

test("prefixes of any length and times take turns", () => {
  const random = new Uint8Array(10);
  const long = "a".repeat(80);
  for (const [prefix, ms] of [
    ["evt", 1],
    [long, 1],
    ["evt", 1],
    ["task", 1],
    ["task", 33],
    ["evt", 33],
  ] as const)
    expect(makeId(prefix, ms, random)).toBe(`${prefix}_${ms === 1 ? "0000000001" : "0000000011"}${"0".repeat(16)}`);
});
