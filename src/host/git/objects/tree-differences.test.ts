// Checks what is kept of differences while sides are edited on and on. history.test.ts and compare-trees.test.ts check what git says of
// them.

import { expect, test } from "bun:test";
import type { ChangedFile } from "../../../ports/git.ts";
import type { TreePair } from "./changed-files.ts";
import type { CompareTrees } from "./compare-trees.ts";
import type { Git } from "../git.ts";
import { TreeDifferences } from "./tree-differences.ts";

const pair = (edit: number): TreePair => ({ before: "base", after: `tree ${edit}` });

function counted(sides?: () => number): { readonly differences: TreeDifferences; readonly worked: string[] } {
  const worked: string[] = [];
  const compare = {
    of: async ({ after }: TreePair): Promise<readonly ChangedFile[]> => {
      worked.push(after);
      return [];
    },
  };
  return { differences: new TreeDifferences({} as Git, {}, compare as unknown as CompareTrees, sides), worked };
}

test("differences of trees from before an edit are let go, those of now are kept", async () => {
  const { differences, worked } = counted(() => 3);
  for (let edit = 0; edit < 1_000; edit++) await differences.of([pair(edit)]);
  await differences.of([pair(999), pair(998), pair(997)]);
  expect(worked.length).toBe(1_000);
  await differences.of([pair(1)]);
  expect(worked.length).toBe(1_001);
});

test("one look works out no difference twice", async () => {
  const { differences, worked } = counted();
  for (let side = 0; side < 1_000; side++) await differences.of([pair(side)]);
  await differences.of([pair(0)]);
  expect(worked.length).toBe(1_000);
});
