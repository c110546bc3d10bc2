import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RepositoryObserver } from "../../../ports/git.ts";
import { fingerprint, Scratch, snapshotOf } from "../scratch.suite.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

async function contents(observer: RepositoryObserver, tree: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [path, entry] of await observer.tree(tree)) {
    const bytes = entry.mode === "160000" ? undefined : await observer.read(entry.blob);
    files[path] = bytes === undefined ? entry.blob : Buffer.from(bytes).toString("utf8");
  }
  return files;
}

describe("a snapshot", () => {
  test("of content that the repository has already leaves its objects as old as they were", async () => {
    for (const isPacked of [false, true]) {
      const top = scratch.repository(`r${isPacked}`, { "a.txt": "one\n", "d/b.txt": "b\n" });
      scratch.commit(top, { "a.txt": "two\n", "d/b.txt": "other\n" });
      if (isPacked) scratch.git(top, "gc", "-q");
      const objects = join(top, ".git", "objects");
      const files = readdirSync(objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const paths = files.map((entry) => join(entry.parentPath, entry.name));
      for (const path of paths) utimesSync(path, 1_000, 1_000);
      const observer = await scratch.observe(top);
      for (const files of [{ "a.txt": "one\n", "d/b.txt": "b\n" }, { "d/b.txt": "other\n" }, { "a.txt": "two\n" }]) {
        scratch.write(top, files);
        const { tree } = await snapshotOf(observer, top, { full: true });
        expect(await contents(observer, tree)).toMatchObject(files);
      }
      expect(paths.filter((path) => statSync(path).mtimeMs !== 1_000_000)).toEqual([]);
    }
  });

  test("holds committed, staged, unstaged and untracked work, and leaves out what is ignored or deleted", async () => {
    const top = scratch.repository("r", {
      "kept.txt": "k\n",
      "gone.txt": "g\n",
      "edited.txt": "e\n",
      ".gitignore": "*.log\n",
    });
    scratch.write(top, { "staged.txt": "s\n" });
    scratch.git(top, "add", "staged.txt");
    scratch.write(top, { "edited.txt": "edited\n", "new dir/ünï\nx": "u\n", "x.log": "ignored\n" });
    rmSync(join(top, "gone.txt"));
    const observer = await scratch.observe(top);
    const snapshot = await snapshotOf(observer, top);
    expect(await contents(observer, snapshot.tree)).toEqual({
      ".gitignore": "*.log\n",
      "edited.txt": "edited\n",
      "kept.txt": "k\n",
      "new dir/ünï\nx": "u\n",
      "staged.txt": "s\n",
    });
  });

  test("leaves the repository as it was: index, objects, refs, status, every file", async () => {
    const top = scratch.repository("r", { "a.txt": "a\n", "b.txt": "b\n" });
    const other = scratch.worktree(top, "other");
    scratch.write(top, { "a.txt": "changed\n", "new.txt": "n\n" });
    scratch.write(other, { "a.txt": "changed too\n" });
    scratch.git(top, "add", "new.txt");
    // a file touched without a change is what makes a plain `git status` rewrite the index
    utimesSync(join(top, "b.txt"), 1, 1);
    const before = [fingerprint(scratch, top), fingerprint(scratch, other)];
    const observer = await scratch.observe(top);
    const ours = await snapshotOf(observer, top);
    const theirs = await snapshotOf(observer, other);
    await observer.merge([{ ours, theirs }], { trees: true });
    await observer.worktrees();
    await observer.watch(top, () => undefined);
    await snapshotOf(observer, top, { touched: ["a.txt"] });
    await observer.prune();
    await observer.close();
    expect([fingerprint(scratch, top), fingerprint(scratch, other)]).toEqual(before);
  });

  test("works while somebody holds the lock on the index, and takes none itself", async () => {
    const top = scratch.repository("r");
    writeFileSync(join(top, ".git", "index.lock"), "");
    scratch.write(top, { "a.txt": "changed\n" });
    const observer = await scratch.observe(top);
    expect(await contents(observer, (await snapshotOf(observer, top)).tree)).toEqual({ "a.txt": "changed\n" });
  });

  test("has an id that depends on nothing but content and parents", async () => {
    const top = scratch.repository("r");
    const twin = scratch.worktree(top, "twin");
    const observer = await scratch.observe(top);
    for (const side of [top, twin]) scratch.write(side, { "a.txt": "same\n", "n.txt": "n\n" });
    const first = await snapshotOf(observer, top);
    expect((await snapshotOf(observer, twin)).commit).toBe(first.commit);
    utimesSync(join(top, "a.txt"), 5, 5);
    const again = await observer.snapshot(top);
    expect(again).toMatchObject({ kind: "taken", isNew: false, snapshot: { commit: first.commit } });
  });

  test("sees a change made within the second in which the index was written", async () => {
    const top = scratch.repository("r", { "a.txt": "one\n" });
    scratch.git(top, "config", "core.trustctime", "false"); // else the change time gives it away
    const time = Math.floor(Date.now() / 1000) - 100;
    utimesSync(join(top, "a.txt"), time, time);
    scratch.git(top, "update-index", "--refresh");
    writeFileSync(join(top, "a.txt"), "two\n"); // same size, same time
    utimesSync(join(top, "a.txt"), time, time);
    utimesSync(join(top, ".git", "index"), time, time);
    const observer = await scratch.observe(top);
    expect(await contents(observer, (await snapshotOf(observer, top)).tree)).toEqual({ "a.txt": "two\n" });
  });

  test("does not read a huge file: a marker of size and time stands for it, and is flagged", async () => {
    const top = scratch.repository("r");
    writeFileSync(join(top, "model.bin"), "");
    truncateSync(join(top, "model.bin"), 200 * 1024 * 1024);
    const observer = await scratch.observe(top);
    const snapshot = await snapshotOf(observer, top);
    expect(snapshot.flags).toEqual([{ path: "model.bin", reason: "too-large" }]);
    const marker = (await contents(observer, snapshot.tree))["model.bin"] ?? "";
    expect(marker).toContain(String(200 * 1024 * 1024));
    expect(marker.length).toBeLessThan(200);
    expect((await snapshotOf(observer, top, { full: true })).commit).toBe(snapshot.commit);
    appendFileSync(join(top, "model.bin"), "x");
    expect((await snapshotOf(observer, top)).commit).not.toBe(snapshot.commit);
  });

  test("keeps the pointer of a file in LFS, changed or not, without running LFS", async () => {
    const top = scratch.repository("r", { "a.big": pointer(sha("content"), 7), "b.big": pointer(sha("old"), 3) });
    scratch.commit(top, { ".gitattributes": "*.big filter=lfs diff=lfs merge=lfs -text\n" });
    scratch.write(top, { "a.big": "content", "b.big": "new content" });
    const observer = await scratch.observe(top);
    const files = await contents(observer, (await snapshotOf(observer, top)).tree);
    expect(files["a.big"]).toBe(pointer(sha("content"), 7));
    expect(files["b.big"]).toBe(pointer(sha("new content"), 11));
  });

  test("follows the clone's rules for line ends", async () => {
    const top = scratch.repository("r", { "a.txt": "a\n" });
    scratch.git(top, "config", "core.autocrlf", "true");
    scratch.write(top, { "a.txt": "a\r\nb\r\n", "new.txt": "n\r\n" });
    const observer = await scratch.observe(top);
    expect(await contents(observer, (await snapshotOf(observer, top)).tree)).toEqual({
      "a.txt": "a\nb\n",
      "new.txt": "n\n",
    });
  });

  test("follows the user's own ignore file", async () => {
    scratch.write(scratch.home, { ".myignore": "*.tmp\n", ".gitconfig": "[core]\n\texcludesFile = ~/.myignore\n" });
    const top = scratch.repository("r");
    scratch.write(top, { "x.tmp": "x\n", "y.txt": "y\n" });
    const observer = await scratch.observe(top);
    expect(Object.keys(await contents(observer, (await snapshotOf(observer, top)).tree))).toEqual(["a.txt", "y.txt"]);
  });

  test("takes modes and links as they are, and passes over pipes", async () => {
    const top = scratch.repository("r", { "run.sh": "#!/bin/sh\n" });
    chmodSync(join(top, "run.sh"), 0o755);
    symlinkSync("run.sh", join(top, "link"));
    Bun.spawnSync(["mkfifo", join(top, "pipe")]);
    const observer = await scratch.observe(top);
    const tree = await observer.tree((await snapshotOf(observer, top)).tree);
    expect([...tree].map(([path, entry]) => `${entry.mode} ${path}`)).toEqual(["120000 link", "100755 run.sh"]);
  });

  test("goes on when a tracked file became a pipe or lies behind a link", async () => {
    const top = scratch.repository("r", { "a.txt": "a\n", "d/x.txt": "x\n" });
    rmSync(join(top, "a.txt"));
    Bun.spawnSync(["mkfifo", join(top, "a.txt")]);
    rmSync(join(top, "d"), { recursive: true });
    mkdirSync(scratch.path("elsewhere"));
    scratch.write(scratch.path("elsewhere"), { "x.txt": "outside\n" });
    symlinkSync(scratch.path("elsewhere"), join(top, "d"));
    const observer = await scratch.observe(top);
    const tree = await observer.tree((await snapshotOf(observer, top)).tree);
    expect([...tree].map(([path, entry]) => `${entry.mode} ${path}`)).toEqual(["120000 d"]);
  });

  test("records the commit a submodule is at, and leaves out repositories that are not tracked", async () => {
    const inner = scratch.repository("inner");
    const top = scratch.repository("r");
    scratch.git(top, "submodule", "--quiet", "add", inner, "sub");
    scratch.git(top, "commit", "-qm", "submodule");
    const moved = scratch.commit(join(top, "sub"), { "more.txt": "m\n" });
    scratch.write(join(top, "sub"), { "dirty.txt": "d\n" });
    scratch.git(top, "clone", "-q", inner, "nested");
    const observer = await scratch.observe(top);
    const snapshot = await snapshotOf(observer, top);
    const tree = await observer.tree(snapshot.tree);
    expect(tree.get("sub")).toEqual({ mode: "160000", blob: moved });
    expect([...tree.keys()].some((path) => path.startsWith("nested"))).toBe(false);
    expect(snapshot.flags).toEqual([
      { path: "sub", reason: "unfinished-submodule" },
      { path: "nested", reason: "nested-repository" },
    ]);
  });

  test("says that a submodule has uncommitted work, runs nothing of its settings, and says so no longer when it is committed", async () => {
    const inner = scratch.repository("inner", { "a.txt": "one\n", ".gitattributes": "*.txt filter=trap\n" });
    const top = scratch.repository("r");
    scratch.git(top, "submodule", "--quiet", "add", inner, "libs/sub");
    scratch.git(top, "commit", "-qm", "submodule");
    const sub = join(top, "libs/sub");
    const trap = `touch ${scratch.path("trap")} && cat`;
    for (const name of ["filter.trap.clean", "filter.trap.smudge", "core.fsmonitor", "diff.external"])
      scratch.git(sub, "config", name, trap);
    const observer = await scratch.observe(top);
    const flags = async (): Promise<string[]> =>
      (await snapshotOf(observer, top, { full: true })).flags.map(({ path, reason }) => `${reason} ${path}`);
    expect(await flags()).toEqual([]);
    const before = await snapshotOf(observer, top);
    scratch.write(sub, { "a.txt": "edited\n" });
    expect(await flags()).toEqual(["unfinished-submodule libs/sub"]);
    expect((await snapshotOf(observer, top)).commit).toBe(before.commit);
    expect(existsSync(scratch.path("trap"))).toBe(false);
    scratch.write(sub, { "a.txt": "one\n" });
    expect(await flags()).toEqual([]);
    scratch.write(sub, { "new.txt": "new\n" });
    expect(await flags()).toEqual(["unfinished-submodule libs/sub"]);
    for (const name of ["filter.trap.clean", "filter.trap.smudge", "core.fsmonitor"])
      scratch.git(sub, "config", "--unset", name);
    scratch.commit(sub, {});
    expect(await flags()).toEqual([]);
  });

  test("keeps names that are not UTF-8", async () => {
    const top = scratch.repository("r");
    writeFileSync(Buffer.concat([Buffer.from(`${top}/odd-`), Buffer.of(0xff, 0xfe)]), "odd\n");
    const observer = await scratch.observe(top);
    const files = await contents(observer, (await snapshotOf(observer, top)).tree);
    expect(files["odd-\udcff\udcfe"]).toBe("odd\n");
  });

  test("respects intent to add, assume-unchanged and files left out of a sparse checkout", async () => {
    const top = scratch.repository("r", { "in/a.txt": "a\n", "out/b.txt": "b\n", "quiet.txt": "q\n" });
    scratch.git(top, "sparse-checkout", "set", "in");
    scratch.git(top, "update-index", "--assume-unchanged", "quiet.txt");
    scratch.write(top, { "quiet.txt": "changed\n", "later.txt": "l\n", "in/a.txt": "changed\n" });
    scratch.git(top, "add", "-N", "later.txt");
    const observer = await scratch.observe(top);
    expect(await contents(observer, (await snapshotOf(observer, top)).tree)).toEqual({
      "in/a.txt": "changed\n",
      "later.txt": "l\n",
      "out/b.txt": "b\n",
      "quiet.txt": "q\n",
    });
  });

  test("says which files git was told to leave alone though they changed, and which conflicts are not resolved", async () => {
    const top = scratch.repository("r", { "quiet.txt": "q\n", "away.txt": "a\n", "same.txt": "s\n", "x.txt": "one\n" });
    scratch.git(top, "update-index", "--assume-unchanged", "quiet.txt", "same.txt");
    scratch.git(top, "update-index", "--skip-worktree", "away.txt");
    const observer = await scratch.observe(top);
    const flags = async (): Promise<string[]> =>
      (await snapshotOf(observer, top)).flags.map(({ path, reason }) => `${reason} ${path}`).sort();
    expect(await flags()).toEqual([]);
    scratch.write(top, { "quiet.txt": "changed\n", "away.txt": "b\n", "same.txt": "s\n" });
    expect(await flags()).toEqual(["hidden away.txt", "hidden quiet.txt"]);
    // An index of another format says the same.
    scratch.git(top, "update-index", "--index-version", "4");
    expect(await flags()).toEqual(["hidden away.txt", "hidden quiet.txt"]);
    scratch.write(top, { "quiet.txt": "q\n", "away.txt": "a\n" });
    expect(await flags()).toEqual([]);
    scratch.write(top, { "x.txt": "stashed\n" });
    scratch.git(top, "stash", "-q");
    scratch.commit(top, { "x.txt": "later\n" });
    expect(() => scratch.git(top, "stash", "pop")).toThrow();
    expect(await flags()).toEqual(["unmerged x.txt"]);
    scratch.git(top, "add", "x.txt");
    expect(await flags()).toEqual([]);
  });

  test("goes on saying that a file was stored past its filter, until the file or its attributes say otherwise", async () => {
    const top = scratch.repository("r", {
      ".gitattributes": "*.dat filter=odd\n",
      "a.dat": "a\n",
      "b.dat": "b\n",
      x: "x\n",
    });
    scratch.git(top, "config", "filter.odd.clean", "tr a-z A-Z");
    const observer = await scratch.observe(top);
    const flags = async (options: { full?: boolean; touched?: string[] } = { full: true }): Promise<string[]> =>
      (await snapshotOf(observer, top, options)).flags.map(({ path, reason }) => `${reason} ${path}`).sort();
    scratch.write(top, { "a.dat": "changed\n" });
    expect(await flags()).toEqual(["filtered a.dat"]);
    // Looked at again, with other work, and with somebody's word that it was edited.
    expect(await flags()).toEqual(["filtered a.dat"]);
    scratch.write(top, { x: "y\n" });
    expect(await flags()).toEqual(["filtered a.dat"]);
    expect(await flags({ touched: ["a.dat"] })).toEqual(["filtered a.dat"]);
    rmSync(join(top, "a.dat"));
    expect(await flags()).toEqual([]);
    scratch.write(top, { "a.dat": "again\n", "b.dat": "other\n" });
    expect(await flags()).toEqual(["filtered a.dat", "filtered b.dat"]);
    scratch.write(top, { ".gitattributes": "b.dat filter=odd\n" });
    expect(await flags()).toEqual(["filtered b.dat"]);
    scratch.write(top, { ".gitattributes": "*.dat filter=odd\n*.x filter=odd\n" });
    expect(await flags()).toEqual(["filtered a.dat", "filtered b.dat"]);
  });

  test("reads a split index, an index with a file monitor's notes, and a sparse index", async () => {
    const top = scratch.repository("r", { "in/a.txt": "a\n", "out/b.txt": "b\n" });
    scratch.git(top, "update-index", "--split-index");
    scratch.write(top, { "in/a.txt": "changed\n" });
    const observer = await scratch.observe(top);
    const expected = { "in/a.txt": "changed\n", "out/b.txt": "b\n" };
    expect(await contents(observer, (await snapshotOf(observer, top)).tree)).toEqual(expected);
    scratch.git(top, "update-index", "--no-split-index");
    scratch.git(top, "config", "index.sparse", "true");
    scratch.git(top, "sparse-checkout", "set", "--cone", "--sparse-index", "in");
    expect(await contents(observer, (await snapshotOf(observer, top)).tree)).toEqual(expected);
  });

  test("of named paths looks at these only, and at everything once the index moved", async () => {
    const top = scratch.repository("r", { "a.txt": "a\n", "b.txt": "b\n", ".gitignore": "*.log\n" });
    const observer = await scratch.observe(top);
    await snapshotOf(observer, top);
    scratch.write(top, { "a.txt": "changed\n", "b.txt": "changed\n", "n/x.txt": "x\n", "n/y.log": "y\n" });
    const limited = await snapshotOf(observer, top, { touched: ["a.txt", "n", "n/y.log"] });
    expect(await contents(observer, limited.tree)).toEqual({
      ".gitignore": "*.log\n",
      "a.txt": "changed\n",
      "b.txt": "b\n",
      "n/x.txt": "x\n",
    });
    scratch.git(top, "add", "a.txt");
    const whole = await snapshotOf(observer, top, { touched: ["a.txt"] });
    expect((await contents(observer, whole.tree))["b.txt"]).toBe("changed\n");
  });

  test("survives objects that vanish from under the private index", async () => {
    const top = scratch.repository("r");
    scratch.write(top, { "a.txt": "changed\n" });
    const observer = await scratch.observe(top);
    await snapshotOf(observer, top);
    for (const line of Bun.spawnSync([
      "find",
      scratch.path("observe"),
      "-regex",
      ".*/\\(objects\\|own\\)/../.*",
      "-type",
      "f",
    ])
      .stdout.toString()
      .split("\n")) {
      if (line !== "") rmSync(line, { force: true });
    }
    scratch.write(top, { "b.txt": "b\n" });
    expect(await contents(observer, (await snapshotOf(observer, top)).tree)).toEqual({
      "a.txt": "changed\n",
      "b.txt": "b\n",
    });
    expect(readFileSync(join(top, "a.txt"), "utf8")).toBe("changed\n");
  });
});

function pointer(hash: string, size: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize ${size}\n`;
}

function sha(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
