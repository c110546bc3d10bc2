import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { systemProcesses } from "../../process/run.ts";
import { Blobs } from "./blobs.ts";
import { changedFiles } from "./changed-files.ts";
import { CompareTrees } from "./compare-trees.ts";
import { Git } from "../git.ts";
import { Scratch } from "../scratch.suite.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

test("differences are told as git tells them, or git must be asked, whether objects are packed or not", async () => {
  const files = { "a.txt": "1\n", "d/b.txt": "2\n", "d/e/c.txt": "3\n", "d.x/z": "4\n", "ü/\udc80": "5\n" };
  const top = scratch.repository("r", { ...files, "a-b": "6\n", "s/only": "7\n" });
  const git = new Git({ processes: systemProcesses, environment: scratch.environment });
  const variables = { GIT_DIR: join(top, ".git") };
  const base = scratch.git(top, "rev-parse", "HEAD^{tree}").trim();
  const after = (edit: () => void): string => {
    edit();
    scratch.git(top, "add", "-A");
    const tree = scratch.git(top, "write-tree").trim();
    scratch.git(top, "reset", "-q", "--hard");
    return tree;
  };
  const write = (changed: Record<string, string>) => after(() => scratch.write(top, changed));
  const plain = {
    edited: write({ "a.txt": "x\n", "d/e/c.txt": "x\n", "d.x/z": "x\n", "a-b": "x\n" }),
    added: write({ "d/e/new.txt": "x\n", "a.new": "x\n", "d/b.txt": "x\n" }),
    deleted: after(() => rmSync(join(top, "d/b.txt"))),
    mode: after(() => chmodSync(join(top, "a.txt"), 0o755)),
    same: base,
  };
  const asked = {
    moved: after(() => scratch.git(top, "mv", "d/b.txt", "d/moved.txt")),
    replaced: after(() => {
      rmSync(join(top, "a.txt"));
      symlinkSync("b", join(top, "a.txt"));
    }),
    directoryAdded: write({ "new/directory/f.txt": "x\n" }),
    directoryGone: after(() => rmSync(join(top, "s"), { recursive: true })),
    directoryForFile: after(() => {
      rmSync(join(top, "a.txt"));
      scratch.write(top, { "a.txt/inside": "1\n" });
    }),
  };
  const truth = async (tree: string) =>
    (await changedFiles(git, variables, [{ before: base, after: tree }], { renames: true }))[0];
  for (const isPacked of [false, true]) {
    if (isPacked) scratch.git(top, "repack", "-adkq");
    const blobs = new Blobs(git, variables, () => [join(top, ".git", "objects")]);
    const compare = new CompareTrees(blobs, "sha1");
    for (const path of ["a.txt", "d/e/c.txt", "d.x/z"]) {
      const blob = scratch.git(top, "rev-parse", `${base}:${path}`).trim();
      expect([path, await compare.find(base, path)]).toEqual([path, { mode: "100644", blob }]);
    }
    expect(await compare.find(base, "ü/\ufffd")).toMatchObject({ mode: "100644" });
    for (const path of ["d", "d/e", "nowhere/x", "a.txt/inside"])
      expect(await compare.find(base, path)).toBeUndefined();
    for (const [name, tree] of Object.entries(plain)) {
      expect([name, await compare.of({ before: base, after: tree })]).toEqual([name, await truth(tree)]);
    }
    for (const [name, tree] of Object.entries(asked)) {
      expect([name, await compare.of({ before: base, after: tree })]).toEqual([name, undefined]);
    }
    const commit = scratch.git(top, "rev-parse", "HEAD").trim();
    expect(await compare.of({ before: commit, after: base })).toBeUndefined();
    expect(await compare.of({ before: "0".repeat(40), after: base })).toBeUndefined();
    await blobs.close();
  }
});
