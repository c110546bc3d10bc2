// Our verdict against git's own merge, on random work left in every state: committed, staged, unstaged, untracked.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import type { MergeOutcome } from "../../../ports/git.ts";
import { startFiles, work } from "../random-work.suite.ts";
import { chance, Scratch, snapshotOf } from "../scratch.suite.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

/** Returns the paths that git leaves unmerged after a real merge, with the suffixes it invents taken off. */
function realMerge(ours: string, theirs: string): { clean: boolean; paths: string[] | undefined; tree: string } {
  const outcome = scratch.tryGit(ours, "merge", "-q", "--no-edit", "-m", "merge", theirs);
  // git 2.39 itself dies on some directory renames ("BUG: merge-ort.c"), after it has found that there are conflicts.
  if (outcome.stderr.startsWith("BUG:")) return { clean: false, paths: undefined, tree: "" };
  if (outcome.code > 1) throw new Error(outcome.stderr);
  const fields = scratch.git(ours, "ls-files", "-u", "-z").split("\0").filter(Boolean);
  const paths = fields.map((field) => field.slice(field.indexOf("\t") + 1).replace(/~(HEAD|[\w-]+)$/, ""));
  const tree = outcome.code === 0 ? scratch.git(ours, "rev-parse", "HEAD^{tree}").trim() : "";
  return { clean: outcome.code === 0, paths: [...new Set(paths)].sort(), tree };
}

function pathsOf(outcome: MergeOutcome | undefined): string[] {
  if (outcome?.kind !== "conflicted") return [];
  const unmerged = outcome.conflicts.filter((one) => one.base ?? one.ours ?? one.theirs);
  return [...new Set(unmerged.map((one) => one.path))].sort();
}

describe("the verdict on two worktrees", () => {
  for (
    let seed = Number(process.env["CONSTEL_FIRST_SEED"] ?? 1);
    seed <= Number(process.env["CONSTEL_SEEDS"] ?? 16);
    seed++
  ) {
    test(`is git's own, for random work ${seed}`, async () => {
      const random = chance(seed);
      const repository = scratch.repository(`r${seed}`, startFiles(random));
      const sides = ["left", "right"].map((side) => scratch.worktree(repository, `${side}-${seed}`));
      const [ours = "", theirs = ""] = sides;
      for (const side of sides) {
        work(random, side, random.below(4));
        if (random.coin(0.6)) scratch.tryGit(side, "add", "-A");
        if (random.coin(0.5)) scratch.tryGit(side, "commit", "-qm", "some");
        work(random, side, 1 + random.below(4));
        if (random.coin(0.4)) scratch.tryGit(side, "add", "-A");
        if (random.coin(0.5)) work(random, side, 1);
      }
      const observer = await scratch.observe(repository);
      const pair = { ours: await snapshotOf(observer, ours), theirs: await snapshotOf(observer, theirs) };
      const [verdict] = await observer.merge([pair]);
      const [withTree] = await observer.merge([pair], { trees: true });
      for (const [side, snapshot] of [
        [ours, pair.ours],
        [theirs, pair.theirs],
      ] as const) {
        scratch.git(side, "add", "-A");
        expect(snapshot.tree).toBe(scratch.git(side, "write-tree").trim());
        scratch.tryGit(side, "commit", "-qm", "all");
      }
      const truth = realMerge(ours, `right-${seed}`);
      expect(verdict?.kind === "clean").toBe(truth.clean);
      if (truth.paths !== undefined) expect(pathsOf(verdict)).toEqual(truth.paths);
      if (truth.clean) expect(withTree).toMatchObject({ kind: "clean", tree: truth.tree });
      await observer.close();
      for (const path of [repository, ...sides, scratch.path("observe")]) rmSync(path, { recursive: true });
    });
  }
});
