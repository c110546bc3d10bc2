// Every pair that was written by hand for Go, Java and Rust, one by one, both ways round.

import { expect, test } from "bun:test";
import { goPairs } from "../go/cases/pairs.ts";
import { javaPairs } from "../java/cases/pairs.ts";
import { rustPairs } from "../rust/cases/pairs.ts";
import { saidOf } from "./cases/pairs.ts";

for (const [language, pairs] of [
  ["go", goPairs],
  ["java", javaPairs],
  ["rust", rustPairs],
] as const) {
  for (const pair of pairs)
    test(`${language}: ${pair.name}: ${pair.breaks ? "is told" : "stays silent"}`, async () => {
      expect((await saidOf(language, pair)).length > 0).toBe(pair.breaks);
      const turned = { ...pair, ours: pair.theirs, theirs: pair.ours };
      expect((await saidOf(language, turned)).length > 0).toBe(pair.breaks);
    });
}
