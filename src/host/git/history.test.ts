// Merge bases from one walk, and the rule that saves merges, each against git itself on random histories and trees.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { systemProcesses } from "../process/run.ts";
import type { ChangedFile } from "../../ports/git.ts";
import type { RunOptions } from "../../ports/machine.ts";
import { changedFiles, footprint, mayCollide } from "./objects/changed-files.ts";
import { Git } from "./git.ts";
import { readReports } from "./merge/merge-report.ts";
import { mergeBases, readGraph } from "./merge/merge-bases.ts";
import { startFiles, work } from "./random-work.suite.ts";
import { chance, Scratch } from "./scratch.suite.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

describe("merge bases", () => {
  for (let seed = 1; seed <= 3; seed++) {
    test(`of many pairs are git's own, criss-cross included, for random history ${seed}`, async () => {
      const random = chance(seed);
      const top = scratch.repository(`h${seed}`);
      const tree = scratch.git(top, "write-tree").trim();
      const commits = [scratch.git(top, "rev-parse", "HEAD").trim()];
      for (let made = 0; made < 40; made++) {
        const parents = new Set([random.pick(commits.slice(-8))]);
        if (random.coin(0.5)) parents.add(random.pick(commits.slice(-8)));
        const args = [...parents].flatMap((parent) => ["-p", parent]);
        commits.push(scratch.git(top, "commit-tree", ...args, "-m", String(made), tree).trim());
      }
      const heads = commits.slice(-9);
      const pairs = heads.flatMap((one, at) => heads.slice(at).map((two) => [one, two] as const));
      const verbs: string[] = [];
      const processes = {
        run: (command: readonly string[], options: RunOptions) => {
          verbs.push(command.join(" "));
          return systemProcesses.run(command, options);
        },
      };
      const git = new Git({ ...scratch.gitOptions(), processes });
      const found = await mergeBases({ git, variables: { GIT_DIR: `${top}/.git` } }, pairs);
      expect(verbs).toHaveLength(2);
      for (const [at, [one, two]] of pairs.entries()) {
        expect(found[at]).toEqual(scratch.git(top, "merge-base", "--all", one, two).trim().split("\n").sort());
      }
      const graph = await readGraph({ git, variables: { GIT_DIR: `${top}/.git` } }, heads);
      for (const [one, two] of pairs) {
        const counted = scratch.git(top, "rev-list", "--left-right", "--count", `${one}...${two}`).trim();
        const { ahead, behind } = graph?.distance(one, two) ?? {};
        expect(`${ahead}\t${behind}`).toBe(counted);
      }
    });
  }

  test("of histories with nothing in common are none", async () => {
    const top = scratch.repository("apart");
    const [one, two] = [1, 2].map((at) => scratch.git(top, "commit-tree", "-m", String(at), "HEAD^{tree}").trim());
    const place = { git: scratch.hardenedGit(), variables: { GIT_DIR: `${top}/.git` } };
    const head = scratch.git(top, "rev-parse", "HEAD").trim();
    expect(
      await mergeBases(place, [
        [one ?? "", two ?? ""],
        [head, two ?? ""],
        [head, head],
      ]),
    ).toEqual([[], [], [head]]);
  });
});

describe("changes that cannot meet", () => {
  test("never conflict: of random work, every pair the rule would skip merges cleanly in git", async () => {
    let skipped = 0;
    let conflicted = 0;
    for (let seed = 1; seed <= 6; seed++) {
      const random = chance(1_000 + seed);
      const top = scratch.repository(`p${seed}`, startFiles(random));
      const base = scratch.git(top, "rev-parse", "HEAD").trim();
      const commits: string[] = [];
      const trees: string[] = [];
      for (let side = 0; side < 12; side++) {
        work(random, top, 1 + random.below(2));
        scratch.git(top, "add", "-A");
        const tree = scratch.git(top, "write-tree").trim();
        trees.push(tree);
        commits.push(scratch.git(top, "commit-tree", "-p", base, "-m", "side", tree).trim());
        scratch.git(top, "read-tree", "--reset", "-u", base);
        scratch.git(top, "clean", "-ffdxq");
      }
      const git = scratch.hardenedGit();
      const variables = { GIT_DIR: `${top}/.git` };
      const before = scratch.git(top, "rev-parse", `${base}^{tree}`).trim();
      const changes = await changedFiles(
        git,
        variables,
        trees.map((after) => ({ before, after })),
      );
      const prints = changes.map(footprint);
      const noted = await changedFiles(
        git,
        variables,
        trees.map((after) => ({ before, after })),
        { renames: true },
      );
      expect(noted.map(footprint)).toEqual(prints);
      const pairs = commits.flatMap((_, one) =>
        commits.slice(one + 1).map((_, step) => [one, one + 1 + step] as const),
      );
      const stdin = pairs.map(([one, two]) => `${commits[one]} ${commits[two]}\n`).join("");
      const args = ["merge-tree", "--write-tree", "--stdin", "-z", "--messages"];
      const reports = readReports(await git.bytes({ args, stdin, variables }));
      for (const [at, [one, two]] of pairs.entries()) {
        const [left, right, isClean] = [prints[one], prints[two], reports[at]?.isClean];
        if (left === undefined || right === undefined) throw new Error("no footprint");
        if (isClean === false) conflicted += 1;
        if (mayCollide(left, right)) continue;
        skipped += 1;
        expect({ seed, one, two, isClean }).toEqual({ seed, one, two, isClean: true });
      }
      rmSync(top, { recursive: true });
    }
    expect(skipped).toBeGreaterThan(100);
    expect(conflicted).toBeGreaterThan(20);
  });

  test("do meet where one moved a directory and the other put a file into it, at any depth", () => {
    const moved = footprint([file("d/sub/x", "deleted"), file("e/sub/x", "added")]);
    expect(mayCollide(moved, footprint([file("d/new", "added")]))).toBe(true);
    expect(mayCollide(footprint([file("d/sub/deep/new", "added")]), moved)).toBe(true);
    expect(mayCollide(moved, footprint([file("other/new", "added")]))).toBe(false);
    expect(mayCollide(footprint([file("d/sub/x", "deleted")]), footprint([file("d/new", "added")]))).toBe(false);
    expect(mayCollide(footprint([file("d", "added")]), footprint([file("d/new", "added")]))).toBe(true);
  });
});

function file(path: string, change: "added" | "deleted"): ChangedFile {
  return { path, change, from: undefined, before: undefined, after: undefined };
}
