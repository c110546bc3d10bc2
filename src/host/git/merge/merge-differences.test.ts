// Checks how a merge differs from our side, worked out from both sides, against git's own comparison of the two trees.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ConflictStage } from "../../../ports/git.ts";
import { systemProcesses } from "../../process/run.ts";
import { changedFiles } from "../objects/changed-files.ts";
import { Git } from "../git.ts";
import { mergeDifferences } from "./merge-differences.ts";
import { startFiles, work } from "../random-work.suite.ts";
import { chance, Scratch, snapshotOf } from "../scratch.suite.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

const lines = (random: ReturnType<typeof chance>): string =>
  Array.from({ length: 12 }, (_, at) => (random.coin(0.2) ? `changed ${random.below(3)}\n` : `${at}\n`)).join("");

test("is what git says of the two trees, or git is asked", async () => {
  const seen = { told: 0, conflicted: 0, asked: 0 };
  for (let seed = 1; seed <= 24; seed++) {
    const random = chance(seed);
    const shared = { "same.txt": lines(random), "deep/er/same.txt": lines(random), "deep/bin.dat": "1\n" };
    const repository = scratch.repository(`d${seed}`, { ...startFiles(random), ...shared });
    const paths = ["left", "right"].map((side) => scratch.worktree(repository, `${side}-d${seed}`));
    for (const [at, path] of paths.entries()) {
      for (const name of Object.keys(shared)) if (random.coin(0.7)) scratch.write(path, { [name]: lines(random) });
      if (random.coin(0.5)) scratch.write(path, { [`new/of ${at}.txt`]: "new\n" });
      if (random.coin(0.3)) work(random, path, 1 + random.below(2));
    }
    const directory = scratch.path(`observe-d${seed}`);
    const observer = await scratch.observe(repository, { directory });
    const [ours, theirs] = [await snapshotOf(observer, paths[0] ?? ""), await snapshotOf(observer, paths[1] ?? "")];
    const base = scratch.git(repository, "rev-parse", "HEAD").trim();
    const [outcome] = await observer.merge([{ ours, theirs }], { trees: true });
    if (outcome === undefined || outcome.kind === "skipped" || outcome.tree === undefined) continue;
    const { tree } = outcome;
    const git = new Git({ processes: systemProcesses, environment: scratch.environment });
    const objects = readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith("/objects"))
      .map((name) => join(directory, name))
      .join(":");
    const variables = { GIT_DIR: join(repository, ".git"), GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
    const [truth = []] = await changedFiles(git, variables, [{ before: ours.tree, after: tree }], { renames: true });
    const find = async (_: string, path: string): Promise<ConflictStage | undefined> => {
      const all = await observer.tree(tree);
      return all.get(path);
    };
    const [our, their] = [await observer.changedFiles(base, ours), await observer.changedFiles(base, theirs)];
    const files = await mergeDifferences(our, their, outcome, find);
    if (files !== undefined) expect({ seed, files }).toEqual({ seed, files: truth });
    // And as whoever reviews the pair hears it.
    expect(await observer.changedFiles(ours.tree, { ...ours, tree })).toEqual(truth);
    seen[files === undefined ? "asked" : "told"] += 1;
    if (files !== undefined && outcome.kind === "conflicted") seen.conflicted += 1;
    await observer.close();
  }
  for (const [what, count] of Object.entries(seen)) expect([what, count > 2]).toEqual([what, true]);
});
