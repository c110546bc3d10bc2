// Checks a snapshot made past the index against `git add --all` on the same files, and that it takes no process where it may do without one.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RunOptions } from "../../../ports/machine.ts";
import { systemProcesses } from "../../process/run.ts";
import { startFiles } from "../random-work.suite.ts";
import { chance, Scratch, snapshotOf } from "../scratch.suite.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

function counting(): { count: number; processes: typeof systemProcesses } {
  const counter = {
    count: 0,
    processes: {
      run: (command: readonly string[], options: RunOptions) => {
        counter.count += 1;
        return systemProcesses.run(command, options);
      },
    },
  };
  return counter;
}

/** The tree that git itself would commit, worked out on a copy of the index. */
function truth(top: string): string {
  const index = scratch.path("truth-index");
  rmSync(index, { force: true });
  const own = join(top, ".git", "index");
  if (existsSync(own)) {
    copyFileSync(own, index);
    // A copy that looks younger than the edits would make git believe that a file of the same size is unchanged.
    const seconds = Math.floor(statSync(own).mtimeMs / 1000);
    utimesSync(index, seconds, seconds);
  }
  const env = { ...scratch.environment, GIT_INDEX_FILE: index };
  for (const args of [["add", "--all"], ["write-tree"]]) {
    const run = Bun.spawnSync(["git", ...args], { cwd: top, env });
    if (args[0] === "write-tree") return run.stdout.toString().trim();
  }
  throw new Error("git wrote no tree");
}

describe("a snapshot after named files were edited", () => {
  for (const [seed, attributes] of [
    "",
    "* text=auto\n*.dat binary\n",
    "*.txt text eol=crlf\n",
    "*.txt ident\n",
    "*.dat filter=nothing\n",
  ].entries()) {
    test(`is what git would commit, with attributes ${JSON.stringify(attributes)}`, async () => {
      const random = chance(700 + seed);
      const files = { ...startFiles(random), ".gitattributes": attributes, "d/sub/deep.txt": "$Id$\n" };
      const top = scratch.repository("r", files);
      const counter = counting();
      const observer = await scratch.observe(top, counter);
      await snapshotOf(observer, top);
      const paths = Object.keys(files).filter((path) => !path.startsWith(".git"));
      let without = 0;
      for (let step = 0; step < 30; step++) {
        const touched = edit(random, top, random.pick(paths), step);
        const before = counter.count;
        const snapshot = await snapshotOf(observer, top, { touched });
        if (counter.count === before) without += 1;
        expect([step, touched, snapshot.tree]).toEqual([step, touched, truth(top)]);
      }
      if (/ident|filter/.test(attributes)) expect(without).toBe(0);
      else expect(without).toBeGreaterThan(3);
      const other = await scratch.observe(top, { directory: scratch.path("other") });
      expect((await snapshotOf(observer, top, { full: true })).tree).toBe((await snapshotOf(other, top)).tree);
    });
  }

  test("leaves alone what the index says is not to be looked at, and what is in a repository inside", async () => {
    const top = scratch.repository("r", { "a.txt": "1\n", "b/c.txt": "2\n" });
    scratch.git(top, "update-index", "--assume-unchanged", "a.txt");
    const observer = await scratch.observe(top);
    const first = await snapshotOf(observer, top);
    scratch.write(top, { "a.txt": "changed\n" });
    expect((await snapshotOf(observer, top, { touched: ["a.txt"] })).tree).toBe(first.tree);
    scratch.git(top, "update-index", "--no-assume-unchanged", "a.txt");
    expect((await snapshotOf(observer, top, { touched: ["a.txt"] })).tree).toBe(truth(top));
    scratch.git(join(top, "b"), "init", "-q");
    scratch.write(top, { "b/c.txt": "changed\n" });
    expect((await snapshotOf(observer, top, { touched: ["b/c.txt"] })).tree).toBe(
      (await snapshotOf(await scratch.observe(top, { directory: scratch.path("other") }), top)).tree,
    );
  });

  test("heeds attributes that the user keeps for all repositories", async () => {
    const top = scratch.repository("r", { "a.txt": "$Id$\n" });
    mkdirSync(join(scratch.home, ".config", "git"), { recursive: true });
    writeFileSync(join(scratch.home, ".config", "git", "attributes"), "*.txt ident\n");
    const observer = await scratch.observe(top);
    await snapshotOf(observer, top);
    scratch.write(top, { "a.txt": "$Id: some words $\nmore\n" });
    expect((await snapshotOf(observer, top, { touched: ["a.txt"] })).tree).toBe(truth(top));
  });

  test("keeps what the index needs when it has fallen behind and old objects go", async () => {
    const top = scratch.repository("r", { "a.txt": "1\n", "b.txt": "1\n" });
    const observer = await scratch.observe(top, { pruneGraceMs: -60_000 });
    scratch.write(top, { "a.txt": "not committed\n" });
    await snapshotOf(observer, top);
    for (const text of ["2\n", "3\n"]) {
      scratch.write(top, { "b.txt": text, "a.txt": `${text} more\n` });
      await snapshotOf(observer, top, { touched: ["a.txt", "b.txt"] });
    }
    await observer.prune();
    scratch.write(top, { "new.txt": "new\n" });
    expect((await snapshotOf(observer, top, { touched: ["new.txt"] })).tree).toBe(truth(top));
  });
});

/** One edit; the paths that a hook would name. */
function edit(random: ReturnType<typeof chance>, top: string, path: string, step: number): string[] {
  const file = join(top, path);
  const isPlain = existsSync(file) && !existsSync(join(file, "inner"));
  switch (random.below(14)) {
    case 0:
      if (isPlain) chmodSync(file, random.coin(0.5) ? 0o755 : 0o644);
      return [path];
    case 1:
      rmSync(file, { force: true, recursive: true });
      return [path];
    case 2:
      rmSync(file, { force: true, recursive: true });
      if (existsSync(join(file, ".."))) symlinkSync("elsewhere", file);
      return [path];
    case 3:
      if (isPlain) writeFileSync(file, `a line\r\nanother ${step}\r\n`);
      return [path];
    case 4:
      if (!isPlain) return [path];
      renameSync(file, `${file}.moved`);
      return [path, `${path}.moved`];
    case 5:
      rmSync(file, { force: true, recursive: true });
      scratch.write(top, { [`${path}/inner`]: "now a directory\n" });
      return [path];
    case 6:
      scratch.write(top, { "x.log": "ignored\n", [`fresh/${step}.txt`]: "new\n" });
      return ["x.log", `fresh/${step}.txt`];
    case 7:
      return [path, "never/was.tmp"];
    default:
      if (isPlain) writeFileSync(file, `edited ${step}\n$Id: words $\n`);
      return [path];
  }
}
