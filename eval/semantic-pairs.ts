// Asks the real compilers about the pairs that were written by hand for Go, Java and Rust: both sides have to compile, and the merge has
// to break where the pair says so, and nowhere else. Exit 1 when one does not. Without its compiler a language is left out.
//   bun eval/semantic-pairs.ts [--language NAME]

import { parseArgs } from "node:util";
import { openJudge } from "../src/languages/compiled/cases/real/judge-real.ts";
import type { RealLanguage } from "../src/languages/compiled/cases/real/read-pieces.ts";
import { mergeFiles } from "../src/languages/python/rules/scenario.suite.ts";
import { goPairs } from "../src/languages/go/cases/pairs.ts";
import { javaPairs } from "../src/languages/java/cases/pairs.ts";
import { rustPairs } from "../src/languages/rust/cases/pairs.ts";

const { values } = parseArgs({ options: { language: { type: "string" } } });
let wrong = 0;
for (const [language, pairs, compiler] of [
  ["go", goPairs, "go"],
  ["java", javaPairs, "javac"],
  ["rust", rustPairs, "rustc"],
] as const) {
  if (values.language !== undefined && values.language !== language) continue;
  if (Bun.which(compiler) === null) console.log(`${language}: LEFT OUT, because its compiler is not on this machine`);
  else wrong += await judged(language, pairs);
}
process.exit(wrong === 0 ? 0 : 1);

async function judged(language: RealLanguage, pairs: typeof goPairs): Promise<number> {
  const judge = openJudge(language, "2021", []);
  let count = 0;
  try {
    for (const { name, breaks, base, ours, theirs } of pairs) {
      const errors: number[] = [];
      const sides = [
        { ...base, ...ours },
        { ...base, ...theirs },
      ] as const;
      for (const tree of [...sides, mergeFiles(base, ...sides)])
        if (tree !== undefined) errors.push((await judge.errors(tree)).length);
      // Without a clean merge there is nothing to be said.
      const [left, right, merged = Number.NaN] = errors;
      if (left === 0 && right === 0 && merged > 0 === breaks) continue;
      count += 1;
      console.log(
        `${language}: ${name}: errors ${errors.join(", ")}, and the merge should ${breaks ? "break" : "hold"}`,
      );
    }
  } finally {
    judge.close();
  }
  console.log(`${language}: ${pairs.length} pairs, ${count} not as they say`);
  return count;
}
