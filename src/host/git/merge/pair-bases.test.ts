import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { Snapshot, SnapshotPair } from "../../../ports/git.ts";
import type { MergePlace } from "./merge.ts";
import { PairMerger } from "./pair-merger.ts";
import { Scratch } from "../scratch.suite.ts";
import type { TreeDifferences } from "../objects/tree-differences.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

test("more pairs at once than their memory holds all have their merge base", async () => {
  const top = scratch.repository("r");
  const base = scratch.git(top, "rev-parse", "HEAD").trim();
  const heads = Array.from({ length: 22 }, (_, side) =>
    scratch.git(top, "commit-tree", "-p", base, "-m", `side ${side}`, `${base}^{tree}`).trim(),
  );
  const place = { git: scratch.hardenedGit(), variables: () => ({ GIT_DIR: join(top, ".git") }) };
  // No worktree is counted yet: room for 200 pairs, and there are 231.
  const merger = new PairMerger(place as unknown as MergePlace, {} as TreeDifferences, () => 0);
  const snapshot = (head: string): Snapshot => ({ commit: head, parents: [head] }) as unknown as Snapshot;
  const pairs = heads.flatMap((ours, at): SnapshotPair[] =>
    heads.slice(at + 1).map((theirs) => ({ ours: snapshot(ours), theirs: snapshot(theirs) })),
  );
  expect(pairs).toHaveLength(231);
  expect(new Set((await merger.bases(pairs, heads)).map((bases) => bases.join()))).toEqual(new Set([base]));
  // The second time some of them are remembered.
  expect(new Set((await merger.bases(pairs)).map((bases) => bases.join()))).toEqual(new Set([base]));
});
