// Repositories and worktrees in every odd state: observed, or passed over with a reason; never a crash.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RepositoryObserver } from "../../ports/git.ts";
import { systemProcesses } from "../process/run.ts";
import { Scratch, snapshotOf } from "./scratch.suite.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

async function verdict(observer: RepositoryObserver, ours: string, theirs: string): Promise<string> {
  const pair = { ours: await snapshotOf(observer, ours), theirs: await snapshotOf(observer, theirs) };
  const [outcome] = await observer.merge([pair]);
  if (outcome?.kind === "skipped") return `skipped: ${outcome.reason}`;
  return outcome?.kind === "conflicted"
    ? outcome.conflicts.map((one) => `${one.kind} ${one.path}`).join(", ")
    : "clean";
}

describe("worktrees", () => {
  test("are found once each through a subdirectory, a symbolic link and one another", async () => {
    const top = scratch.repository("r", { "sub/a.txt": "a\n" });
    const other = scratch.worktree(top, "other");
    symlinkSync(top, scratch.path("link"));
    const observer = await scratch.observe(scratch.path("link", "sub"));
    for (const path of [join(top, "sub"), scratch.path("link"), other, join(other, "sub")]) await observer.add(path);
    const { found, skipped } = await observer.worktrees();
    expect(found.map((facts) => [facts.path, facts.branch, facts.isMain])).toEqual([
      [top, "main", true],
      [other, "other", false],
    ]);
    expect(skipped).toEqual([]);
  });

  test("that are removed at any moment of a look are gone, and nothing else is wrong", async () => {
    const top = scratch.repository("r", { "a.txt": "a\n", "b.txt": "b\n" });
    for (let moment = 0; ; moment += 1) {
      const worktree = scratch.worktree(top, `w${moment}`);
      scratch.write(worktree, { "a.txt": "changed\n", "new.txt": "new\n" });
      let started = 0;
      const run: typeof systemProcesses.run = (command, options) => {
        // Only those that start in the worktree need it to be there.
        if (options.cwd === worktree && started++ === moment) rmSync(worktree, { recursive: true, force: true });
        return systemProcesses.run(command, options);
      };
      const observer = await scratch.observe(top, { processes: { run } });
      const outcome = await observer.snapshot(worktree);
      if (started <= moment) break;
      expect([moment, outcome]).toMatchObject([moment, { kind: "skipped", reason: "gone" }]);
    }
  });

  test("that are bare, removed, moved away or replaced are passed over with the reason", async () => {
    const top = scratch.repository("r");
    const [gone, replaced] = [scratch.worktree(top, "gone"), scratch.worktree(top, "replaced")];
    scratch.git(scratch.root, "clone", "-q", "--bare", "r", "bare.git");
    const bare = await scratch.observe(scratch.path("bare.git"));
    expect(await bare.worktrees()).toMatchObject({ found: [], skipped: [{ reason: "bare" }] });
    const observer = await scratch.observe(top);
    await snapshotOf(observer, gone);
    rmSync(gone, { recursive: true });
    rmSync(replaced, { recursive: true });
    scratch.repository("replaced");
    expect(await observer.snapshot(gone)).toMatchObject({ kind: "skipped", reason: "gone" });
    const { found, skipped } = await observer.worktrees();
    expect(await observer.snapshot(replaced)).toMatchObject({ kind: "skipped", reason: "foreign" });
    expect(found.map((facts) => facts.path)).toEqual([top]);
    expect(skipped.map((one) => [one.path, one.reason])).toEqual([
      [gone, "gone"],
      [replaced, "foreign"],
    ]);
  });

  test("removed and made again under the same name are observed again", async () => {
    const top = scratch.repository("r");
    const other = scratch.worktree(top, "other");
    const observer = await scratch.observe(top);
    await snapshotOf(observer, other);
    scratch.git(top, "worktree", "remove", "--force", other);
    expect((await observer.snapshot(other)).kind).toBe("skipped");
    scratch.git(top, "worktree", "add", "-q", other, "other");
    scratch.write(other, { "n.txt": "n\n" });
    expect([...(await observer.tree((await snapshotOf(observer, other)).tree)).keys()]).toEqual(["a.txt", "n.txt"]);
  });

  test("with a damaged HEAD, index or object store are passed over", async () => {
    const top = scratch.repository("r");
    const [head, index] = [scratch.worktree(top, "head"), scratch.worktree(top, "index")];
    writeFileSync(join(top, ".git", "worktrees", "head", "HEAD"), "nonsense\n");
    writeFileSync(join(top, ".git", "worktrees", "index", "index"), "nonsense\n");
    const observer = await scratch.observe(top);
    expect(await observer.snapshot(head)).toMatchObject({ kind: "skipped", reason: "corrupt" });
    expect(await observer.snapshot(index)).toMatchObject({ kind: "skipped", reason: "corrupt" });
    const { found, skipped } = await observer.worktrees();
    expect(found.map((facts) => facts.path).sort()).toEqual([index, top].sort());
    expect(skipped).toMatchObject([{ path: head, reason: "corrupt" }]);
    rmSync(join(top, ".git", "objects"), { recursive: true });
    mkdirSync(join(top, ".git", "objects"));
    scratch.write(top, { "n.txt": "n\n" });
    expect((await observer.snapshot(top)).kind).toBe("skipped");
  });

  test("with a config that cannot be read are passed over", async () => {
    const top = scratch.repository("r");
    const observer = await scratch.observe(top);
    writeFileSync(join(top, ".git", "config"), "[core\nnonsense");
    expect(await observer.snapshot(top)).toMatchObject({ kind: "skipped", reason: "corrupt" });
    const { skipped } = await observer.worktrees();
    expect(skipped).toContainEqual(expect.objectContaining({ path: top, reason: "corrupt" }));
  });

  test("that are locked and not there, as on a disk that is not connected, are not taken for removed", async () => {
    const top = scratch.repository("r");
    const away = scratch.worktree(top, "away");
    scratch.git(top, "worktree", "lock", away);
    const observer = await scratch.observe(top);
    await snapshotOf(observer, away);
    renameSync(away, scratch.path("elsewhere"));
    const lost = { path: away, reason: "unreadable", detail: expect.stringContaining("locked") };
    expect((await observer.worktrees()).skipped).toMatchObject([lost]);
    expect(await observer.snapshot(away)).toMatchObject({ kind: "skipped", ...lost });
    renameSync(scratch.path("elsewhere"), away);
    await snapshotOf(observer, away);
    scratch.git(top, "worktree", "unlock", away);
    renameSync(away, scratch.path("elsewhere"));
    expect((await observer.worktrees()).skipped).toMatchObject([{ reason: "gone" }]);
    expect(await observer.snapshot(away)).toMatchObject({ kind: "skipped", reason: "gone" });
  });

  test("whose commit is not there are not taken for new ones", async () => {
    const source = scratch.repository("source");
    scratch.git(scratch.root, "clone", "-q", "--shared", source, "borrower");
    rmSync(source, { recursive: true });
    const observer = await scratch.observe(scratch.path("borrower"));
    const outcome = await observer.snapshot(scratch.path("borrower"));
    expect(outcome).toMatchObject({
      kind: "skipped",
      reason: "corrupt",
      detail: expect.stringContaining("is not there"),
    });
  });

  test("on a detached HEAD and on an unborn branch are observed", async () => {
    const top = scratch.repository("r");
    scratch.git(top, "worktree", "add", "-q", "--detach", scratch.path("detached"));
    scratch.git(top, "worktree", "add", "-q", "--detach", scratch.path("unborn"));
    scratch.git(scratch.path("unborn"), "checkout", "-q", "--orphan", "fresh");
    const observer = await scratch.observe(top);
    const { found } = await observer.worktrees();
    expect(found.map((facts) => [facts.branch, facts.head === undefined])).toEqual([
      ["main", false],
      [undefined, false],
      ["fresh", true],
    ]);
    expect((await snapshotOf(observer, scratch.path("unborn"))).parents).toEqual([]);
    expect(await verdict(observer, top, scratch.path("unborn"))).toBe("skipped: unrelated");
  });

  test("of a repository with no commit at all are observed", async () => {
    scratch.git(scratch.root, "init", "-q", "empty");
    scratch.write(scratch.path("empty"), { "a.txt": "a\n" });
    const observer = await scratch.observe(scratch.path("empty"));
    const snapshot = await snapshotOf(observer, scratch.path("empty"));
    expect([...(await observer.tree(snapshot.tree)).keys()]).toEqual(["a.txt"]);
  });

  test("in packed refs, and in a git directory kept elsewhere, are observed", async () => {
    const top = scratch.repository("r");
    scratch.git(top, "pack-refs", "--all");
    scratch.git(top, "init", "-q", "--separate-git-dir", scratch.path("elsewhere.git"));
    const observer = await scratch.observe(top);
    const { found, skipped } = await observer.worktrees();
    expect(found).toMatchObject([{ path: top, branch: "main", gitDirectory: scratch.path("elsewhere.git") }]);
    expect(skipped).toEqual([]);
    expect(found[0]?.head).toBe(scratch.git(top, "rev-parse", "HEAD").trim());
  });

  test("of a submodule are observed as their own repository", async () => {
    const inner = scratch.repository("inner");
    const top = scratch.repository("r");
    scratch.git(top, "submodule", "--quiet", "add", inner, "sub");
    const observer = await scratch.observe(join(top, "sub"));
    expect((await observer.worktrees()).found.map((facts) => facts.path)).toEqual([join(top, "sub")]);
    scratch.write(join(top, "sub"), { "n.txt": "n\n" });
    expect([...(await observer.tree((await snapshotOf(observer, join(top, "sub"))).tree)).keys()]).toEqual([
      "a.txt",
      "n.txt",
    ]);
  });

  test("say which operation is under way, and a merge under way counts both its parents", async () => {
    const top = scratch.repository("r", { "a.txt": "1\n" });
    const other = scratch.worktree(top, "other");
    scratch.commit(other, { "a.txt": "2\n" });
    scratch.commit(top, { "a.txt": "3\n" });
    const states: Record<string, string | undefined> = {};
    const observer = await scratch.observe(top);
    const look = async (name: string): Promise<void> => {
      states[name] = (await observer.worktrees()).found[0]?.operation;
      await snapshotOf(observer, top);
    };
    scratch.tryGit(top, "merge", "other");
    await look("merge");
    expect((await snapshotOf(observer, top)).parents).toHaveLength(2);
    expect(await verdict(observer, top, other)).toBe("clean");
    scratch.git(top, "merge", "--abort");
    scratch.tryGit(top, "cherry-pick", "other");
    await look("cherry-pick");
    scratch.git(top, "cherry-pick", "--abort");
    scratch.tryGit(top, "rebase", "other");
    await look("rebase");
    scratch.git(top, "rebase", "--abort");
    await look("none");
    expect(states).toEqual({ merge: "merge", "cherry-pick": "cherry-pick", rebase: "rebase", none: undefined });
  });
});

describe("clones", () => {
  test("of one repository are compared with one another, over separate object stores", async () => {
    const source = scratch.repository("source", { "a.txt": "1\n2\n3\n" });
    for (const name of ["one", "two"]) scratch.git(scratch.root, "clone", "-q", "--no-local", "source", name);
    scratch.commit(scratch.path("one"), { "a.txt": "1\none\n3\n" });
    scratch.write(scratch.path("two"), { "a.txt": "1\ntwo\n3\n" });
    const observer = await scratch.observe(scratch.path("one"));
    await snapshotOf(observer, scratch.path("one"));
    await observer.add(scratch.path("two"));
    await observer.add(source);
    expect((await observer.worktrees()).found).toHaveLength(3);
    expect(await verdict(observer, scratch.path("one"), scratch.path("two"))).toBe("content a.txt");
  });

  test("whose histories are cut off before they meet are not called unrelated", async () => {
    const source = scratch.repository("source");
    for (const branch of ["a", "b"]) {
      scratch.git(source, "checkout", "-q", "-b", branch, "main");
      scratch.commit(source, { [`${branch}.txt`]: "1\n" });
    }
    scratch.git(source, "checkout", "-q", "main");
    scratch.commit(source, { "main.txt": "1\n" });
    const clone = (name: string, ...depth: string[]): string => {
      scratch.git(scratch.root, "clone", "-q", ...depth, "--no-single-branch", `file://${source}`, name);
      return scratch.path(name);
    };
    const between = async (observer: RepositoryObserver): Promise<string | undefined> => {
      const [ours, theirs] = [await observer.snapshotOf("origin/a"), await observer.snapshotOf("origin/b")];
      if (ours === undefined || theirs === undefined) throw new Error("the branches are not there");
      const [outcome] = await observer.merge([{ ours, theirs }]);
      return outcome?.kind === "skipped" ? `${outcome.reason}: ${outcome.detail}` : outcome?.kind;
    };
    const cut = await scratch.observe(clone("cut", "--depth", "1"));
    expect(await between(cut)).toMatch(/^cut: .*cut off/);
    const whole = await scratch.observe(clone("whole"), { directory: scratch.path("observe-whole") });
    expect(await between(whole)).toBe("clean");
  });

  test("that are shallow are compared as far as their history goes, and further when another clone has it", async () => {
    const source = scratch.repository("source", { "a.txt": "1\n2\n3\n" });
    const base = scratch.commit(source, { "b.txt": "b\n" });
    scratch.commit(source, { "a.txt": "1\nmain\n3\n" });
    scratch.git(scratch.root, "clone", "-q", "--depth", "1", `file://${source}`, "shallow");
    scratch.git(scratch.root, "clone", "-q", "--no-local", "source", "deep");
    scratch.git(scratch.path("deep"), "reset", "-q", "--hard", base);
    scratch.write(scratch.path("deep"), { "a.txt": "1\ndeep\n3\n" });
    const alone = await scratch.observe(scratch.path("shallow"), { directory: scratch.path("observe-alone") });
    expect((await alone.worktrees()).found).toMatchObject([{ isShallow: true }]);
    await snapshotOf(alone, scratch.path("shallow"));
    const observer = await scratch.observe(scratch.path("shallow"));
    await observer.add(scratch.path("deep"));
    expect(await verdict(observer, scratch.path("shallow"), scratch.path("deep"))).toBe("content a.txt");
  });

  test("that borrow objects, and those that use sha256, are observed", async () => {
    const source = scratch.repository("source");
    scratch.git(scratch.root, "clone", "-q", "--shared", "source", "borrowing");
    const observer = await scratch.observe(scratch.path("borrowing"));
    scratch.write(scratch.path("borrowing"), { "n.txt": "n\n" });
    expect(await verdict(observer, scratch.path("borrowing"), scratch.path("borrowing"))).toBe("clean");
    expect(source).toBeTruthy();
    const modern = scratch.path("modern");
    scratch.git(scratch.root, "init", "-q", "--object-format=sha256", "modern");
    scratch.commit(modern, { "a.txt": "a\n" });
    const other = scratch.worktree(modern, "modern-other");
    scratch.write(modern, { "a.txt": "b\n" });
    scratch.write(other, { "a.txt": "c\n" });
    expect(await verdict(await scratch.observe(modern), modern, other)).toBe("content a.txt");
  });

  test("moved away while observed are passed over", async () => {
    const top = scratch.repository("r");
    const observer = await scratch.observe(top);
    await snapshotOf(observer, top);
    renameSync(top, scratch.path("moved"));
    expect(await observer.snapshot(top)).toMatchObject({ kind: "skipped", reason: "gone" });
    expect((await observer.worktrees()).skipped).toMatchObject([{ reason: "gone" }]);
  });
});

test("a partial clone that lacks files of the branch it lands on is compared as far as its files are there", async () => {
  const origin = scratch.repository("origin", { "a.py": "a = 1\n", "old.py": "one = 1\ntwo = 2\nthree = 3\n" });
  scratch.git(origin, "config", "uploadpack.allowFilter", "true");
  scratch.git(scratch.root, "clone", "-q", "--filter=blob:none", `file://${origin}`, "clone");
  scratch.git(origin, "mv", "old.py", "new.py");
  scratch.commit(origin, { "a.py": "a = 2\n", "new.py": "one = 1\ntwo = 2\nthree = 3\nfour = 4\n" });
  const clone = scratch.path("clone");
  scratch.git(clone, "fetch", "-q");
  scratch.write(clone, { "b.py": "b = 1\n" });
  const observer = await scratch.observe(clone);
  const theirs = await observer.snapshotOf("refs/remotes/origin/main");
  if (theirs === undefined) throw new Error("the origin's branch is not there");
  const ours = await snapshotOf(observer, clone);
  expect(await observer.merge([{ ours, theirs }])).toMatchObject([{ kind: "clean" }]);
  const [base = ""] = ours.parents;
  // Only the content of the files would tell what moved.
  const changed = (await observer.changedFiles(base, theirs)).map(({ path, change }) => `${change} ${path}`);
  expect(changed.sort()).toEqual(["added new.py", "deleted old.py", "modified a.py"]);
});
