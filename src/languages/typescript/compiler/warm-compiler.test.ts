// One compiler serves all pairs, and goes from tree to tree by what differs. What it says of a pair must not depend on what it saw before.

import { expect, test } from "bun:test";
import type { SemanticInput } from "../../../ports/semantic.ts";
import { specialCases } from "../cases/special-cases.ts";
import { treesOf } from "../rules/trees.suite.ts";
import { CompilerProcess } from "./compiler-check.ts";
import type { CompilerAnswer } from "./typescript-compiler.ts";

const inputs = specialCases().flatMap(({ sides }, at): SemanticInput[] => {
  const trees = at % 4 === 0 ? treesOf(sides) : undefined;
  return trees === undefined ? [] : [trees.input];
});

async function answersOf(order: readonly SemanticInput[]): Promise<Map<SemanticInput, CompilerAnswer>> {
  const compiler = new CompilerProcess();
  const answers = new Map<SemanticInput, CompilerAnswer>();
  try {
    for (const input of order) {
      const paths = [...input.merged.blobs.keys()].filter((path) => /\.[cm]?[jt]sx?$/.test(path));
      const wish = { paths, between: [], betweenMs: 1_000, deadlineMs: 50_000 };
      answers.set(input, await compiler.compare({ ...input, ...wish }));
    }
  } finally {
    compiler.close();
  }
  return answers;
}

test("a pair gets the same answer whatever was asked before it", async () => {
  const forth = await answersOf(inputs);
  const back = await answersOf(inputs.toReversed());
  expect([...forth.values()].filter(({ complete }) => !complete)).toEqual([]);
  expect([...forth.values()].filter(({ findings }) => findings.length > 0).length).toBeGreaterThan(10);
  for (const input of inputs) expect(back.get(input)).toEqual(forth.get(input) as CompilerAnswer);
}, 60_000);
