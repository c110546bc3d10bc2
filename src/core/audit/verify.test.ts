import { expect, test } from "bun:test";
import type { Anchor } from "./anchors.ts";
import { fits } from "./verify.ts";

const head = (seq: number, hash: string): Anchor => ({ seq, hash }) as Anchor;

test("an anchored head is the event that it names; two heads of one number that differ fit no event", () => {
  const check = fits([head(1, "a"), head(2, "b"), head(2, "b"), head(3, "c"), head(3, "d")]);
  const row = (seq: number, hash: string) => check({ seq, hash } as never);
  expect([row(1, "a"), row(2, "b"), row(4, "z")]).toEqual([undefined, undefined, undefined]);
  for (const [seq, hash] of [
    [1, "b"],
    [2, "a"],
    [3, "c"],
    [3, "d"],
  ] as const)
    expect({ seq, hash, said: row(seq, hash) }).toEqual({
      seq,
      hash,
      said: "it is not the event that was anchored: the timeline was rewritten",
    });
});
