import { afterEach, beforeEach, expect, test } from "bun:test";
import { FollowedPaths, PathLists, sortDirectories } from "./followed-paths.ts";
import { joinPaths } from "../objects/path-text.ts";
import { chance, Scratch } from "../scratch.suite.ts";
import { readNames } from "../objects/trees.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

test("worktrees with the same names share one list, whatever is in their files", async () => {
  const main = scratch.repository("main", { "a/x.txt": "1\n", "b.txt": "1\n" });
  const [one, other, third] = ["one", "other", "third"].map((name) => scratch.worktree(main, name));
  scratch.commit(other ?? "", { "a/x.txt": "2\n" });
  scratch.commit(third ?? "", { "a/y.txt": "1\n" });
  const lists = new PathLists();
  const [ofOne, ofOther, ofThird] = await Promise.all(
    [one, other, third].map(async (top) => lists.of(await namesIn(top ?? ""))),
  );
  expect(ofOther).toBe(ofOne as FollowedPaths);
  expect(ofOne?.all).toEqual(["", "a", "a/x.txt", "b.txt"]);
  expect(ofThird?.all).toEqual(["", "a", "a/x.txt", "a/y.txt", "b.txt"]);
});

test("a submodule is a path to ask the times of, and a directory to watch", async () => {
  const inner = scratch.repository("inner");
  const top = scratch.repository("r", { "deep/down/x.txt": "1\n" });
  scratch.git(top, "submodule", "--quiet", "add", inner, "libs/sub");
  scratch.git(top, "commit", "-qm", "with a submodule");
  const names = await namesIn(top);
  const paths = new FollowedPaths(names);
  expect(paths.all).toEqual(["", ".gitmodules", "deep", "deep/down", "deep/down/x.txt", "libs", "libs/sub"]);
  expect(paths.directories.has("libs/sub")).toBe(false);
  const expected = { holding: new Set(["deep/down", "libs/sub"]), bare: new Set(["deep", "libs"]) };
  expect(sortDirectories(names)).toEqual(expected);
  expect(paths.sorted).toEqual(expected);
});

test("of any names, directories with a file right in them hold files, and all others above are bare", () => {
  const random = chance(7);
  const parts = ["a", "ab", "b", "ü", "\udcff", "a b", "c\tc"];
  for (let round = 0; round < 200; round++) {
    const pathOf = (): string =>
      Array.from({ length: 1 + random.below(4) }, () => parts[random.below(parts.length)]).join("/");
    const files = Array.from({ length: random.below(12) }, () => `${pathOf()}/f${random.below(3)}`);
    if (random.coin(0.5)) files.push("top.txt");
    const above = new Set(files.flatMap((file) => file.split("/").map((_, at, all) => all.slice(0, at).join("/"))));
    const holding = new Set(files.map((file) => file.split("/").slice(0, -1).join("/")));
    for (const set of [above, holding]) set.delete("");
    const sorted = sortDirectories(joinPaths(files.sort()));
    expect([...sorted.holding].sort()).toEqual([...holding].sort());
    expect([...sorted.bare].sort()).toEqual([...above].filter((directory) => !holding.has(directory)).sort());
  }
});

async function namesIn(top: string): Promise<Uint8Array> {
  return await readNames(
    scratch.hardenedGit(),
    { GIT_DIR: scratch.git(top, "rev-parse", "--absolute-git-dir").trim() },
    "HEAD",
  );
}
