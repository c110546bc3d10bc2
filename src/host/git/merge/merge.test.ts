// Checks what a conflict is called, where its lines are, and which pairs are merged at all.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MergeOutcome } from "../../../ports/git.ts";
import { Scratch, snapshotOf } from "../scratch.suite.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

type Work = (side: string) => void;
let count = 0;

/** Two worktrees with uncommitted work over the same files. */
async function mergeOf(start: Record<string, string>, left: Work, right: Work): Promise<MergeOutcome> {
  const top = scratch.repository(`r${++count}`, start);
  const other = scratch.worktree(top, `other${count}`);
  left(top);
  right(other);
  const observer = await scratch.observe(top);
  const pair = { ours: await snapshotOf(observer, top), theirs: await snapshotOf(observer, other) };
  const [outcome] = await observer.merge([pair]);
  await observer.close();
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

const write =
  (files: Record<string, string>): Work =>
  (side) =>
    scratch.write(side, files);
const remove =
  (path: string): Work =>
  (side) =>
    rmSync(join(side, path), { recursive: true });
const move =
  (from: string, to: string): Work =>
  (side) => {
    mkdirSync(dirname(join(side, to)), { recursive: true });
    renameSync(join(side, from), join(side, to));
  };
const both =
  (...steps: Work[]): Work =>
  (side) =>
    steps.forEach((step) => step(side));

const long = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join("");

describe("a conflict is named", () => {
  const start = { "a.txt": long, "d/b.txt": long.replaceAll("line", "row"), "keep.txt": "k\n" };
  check("content", start, write({ "a.txt": `x\n${long}` }), write({ "a.txt": `y\n${long}` }), ["content: a.txt"]);
  check("add/add, with both untracked", start, write({ "n.txt": "1\n" }), write({ "n.txt": "2\n" }), [
    "add/add: n.txt",
  ]);
  check("nothing, when both add the same", start, write({ "n.txt": "1\n" }), write({ "n.txt": "1\n" }), ["clean"]);
  check("modify/delete", start, write({ "a.txt": `x\n${long}` }), remove("a.txt"), ["modify/delete: a.txt"]);
  check("rename/delete", start, move("a.txt", "z.txt"), remove("a.txt"), ["rename/delete: z.txt"]);
  check("rename/rename of one file to two names", start, move("a.txt", "y.txt"), move("a.txt", "z.txt"), [
    "rename/rename: a.txt",
    "rename/rename: y.txt",
    "rename/rename: z.txt",
  ]);
  check("a rename onto a name that the other side adds", start, move("a.txt", "z.txt"), write({ "z.txt": "other\n" }), [
    "add/add: z.txt",
  ]);
  check("binary", { "b.dat": "\0one" }, write({ "b.dat": "\0two" }), write({ "b.dat": "\0three" }), ["binary: b.dat"]);
  check("file/directory", start, write({ new: "file\n" }), write({ "new/x.txt": "x\n" }), ["file/directory: new"]);
  check(
    "mode",
    start,
    both(write({ "run.sh": "x\n" }), (side) => chmodSync(join(side, "run.sh"), 0o755)),
    write({ "run.sh": "x\n" }),
    ["mode: run.sh"],
  );
  check("type", start, (side) => symlinkSync("a.txt", join(side, "n")), write({ n: "file\n" }), ["type: n", "type: n"]);
  check("a file put into a directory that the other side moved", start, move("d", "e"), write({ "d/new.txt": "n\n" }), [
    "directory-rename: e/new.txt",
  ]);
  check(
    "nothing, for an edit to a file that the other side moved",
    start,
    move("a.txt", "e/z.txt"),
    write({ "a.txt": `${long}end\n` }),
    ["clean"],
  );
  check(
    "nothing, for separate edits to one file",
    start,
    write({ "a.txt": `first\n${long}` }),
    write({ "a.txt": `${long}last\n` }),
    ["clean"],
  );
});

describe("a submodule", () => {
  test("moved to different commits by both sides is a conflict of its own kind", async () => {
    const inner = scratch.repository("inner");
    const top = scratch.repository("outer");
    scratch.git(top, "submodule", "--quiet", "add", inner, "sub");
    scratch.git(top, "commit", "-qm", "submodule");
    const other = scratch.worktree(top, "outer-other");
    scratch.git(other, "submodule", "--quiet", "update", "--init");
    scratch.commit(join(top, "sub"), { "a.txt": "ours\n" });
    scratch.commit(join(other, "sub"), { "a.txt": "theirs\n" });
    const observer = await scratch.observe(top);
    scratch.write(top, { "a.txt": "ours\n" });
    scratch.write(other, { "a.txt": "theirs\n" });
    const [ours, theirs] = [await snapshotOf(observer, top), await snapshotOf(observer, other)];
    const pair = { ours, theirs };
    const conflicts = [{ path: "a.txt" }, { kind: "submodule", path: "sub", uncertain: false }];
    // twice in one process: what git says of submodules must not spoil the answer for the next pair
    const outcomes = await observer.merge([pair, { ours: theirs, theirs: ours }]);
    expect(outcomes).toMatchObject([
      { kind: "conflicted", conflicts },
      { kind: "conflicted", conflicts },
    ]);
  });

  /** Two worktrees of a repository with a submodule in a directory, filled in both; and what is at its origin. */
  function withSubmodule(name: string): { inner: string; top: string; other: string } {
    const inner = scratch.repository(`${name}-inner`);
    const top = scratch.repository(name);
    scratch.git(top, "submodule", "--quiet", "add", inner, "lib/sub");
    scratch.git(top, "commit", "-qm", "submodule");
    const other = scratch.worktree(top, `${name}-other`);
    scratch.git(other, "submodule", "--quiet", "update", "--init");
    return { inner, top, other };
  }

  test("moved by both sides merges cleanly where one commit contains the other, whichever side has it", async () => {
    const { inner, top, other } = withSubmodule("forward");
    const older = scratch.commit(inner, { "a.txt": "two\n" });
    const newer = scratch.commit(inner, { "a.txt": "three\n" });
    for (const [place, commit] of [
      [top, older],
      [other, newer],
    ] as const) {
      scratch.git(join(place, "lib/sub"), "fetch", "-q");
      scratch.git(join(place, "lib/sub"), "checkout", "-q", commit);
    }
    const observer = await scratch.observe(top);
    const [ours, theirs] = [await snapshotOf(observer, top), await snapshotOf(observer, other)];
    // git, which may run inside the submodule, is the judge.
    scratch.git(top, "commit", "-qam", "older");
    scratch.git(other, "commit", "-qam", "newer");
    expect(scratch.tryGit(top, "merge", "-q", "--no-edit", "forward-other").code).toBe(0);
    for (const outcome of await observer.merge([
      { ours, theirs },
      { ours: theirs, theirs: ours },
    ])) {
      if (outcome.kind !== "clean" || outcome.tree === undefined) throw new Error(JSON.stringify(outcome));
      expect((await observer.tree(outcome.tree)).get("lib/sub")).toEqual({ mode: "160000", blob: newer });
    }
  });

  test("moved back by one side, or in a history that is nowhere on this machine, stays a conflict", async () => {
    const { inner, top, other } = withSubmodule("back");
    const base = scratch.git(inner, "rev-parse", "HEAD").trim();
    const [first = "", second = ""] = [
      scratch.commit(inner, { "a.txt": "two\n" }),
      scratch.commit(inner, { "a.txt": "3\n" }),
    ];
    scratch.git(join(top, "lib/sub"), "pull", "-q", "origin", "main");
    scratch.git(join(top, "lib/sub"), "checkout", "-q", first);
    scratch.git(top, "commit", "-qam", "where both begin");
    scratch.git(other, "reset", "-q", "--hard", "main");
    scratch.git(join(other, "lib/sub"), "fetch", "-q");
    scratch.git(join(top, "lib/sub"), "checkout", "-q", base);
    scratch.git(join(other, "lib/sub"), "checkout", "-q", second);
    const observer = await scratch.observe(top);
    const pair = { ours: await snapshotOf(observer, top), theirs: await snapshotOf(observer, other) };
    const kind = "conflicted";
    expect(await observer.merge([pair])).toMatchObject([{ kind, conflicts: [{ path: "lib/sub", uncertain: false }] }]);
    for (const place of [top, other]) {
      scratch.git(place, "commit", "-qam", "moved");
      scratch.git(place, "submodule", "--quiet", "deinit", "--force", "--all");
    }
    const blind = await scratch.observe(top, { directory: scratch.path("blind") });
    const [ours, theirs] = [await snapshotOf(blind, top), await snapshotOf(blind, other)];
    const [unseen] = await blind.merge([{ ours, theirs }]);
    expect(unseen).toMatchObject({ kind, conflicts: [{ path: "lib/sub", uncertain: true }] });
  });
});

describe("hunks", () => {
  test("give both sides' lines with the place of each in its own file, whatever the lines look like", async () => {
    const markers = "<<<<<<< HEAD\n=======\n>>>>>>> other\n";
    const body = (first: string, middle: string, last: string): string =>
      `${first}${long}${markers}${middle}${markers}${long}${last}`;
    const outcome = await mergeOf(
      { "a.txt": body("", "m\n", "") },
      write({ "a.txt": body("added 1\nadded 2\n", "ours 1\nours 2\n", "") }),
      write({ "a.txt": body("", "theirs\n", "end\n") }),
    );
    const [conflict] = outcome.kind === "conflicted" ? outcome.conflicts : [];
    expect(conflict?.oursHunks).toEqual([{ line: 36, count: 2, text: "ours 1\nours 2", cut: false }]);
    expect(conflict?.theirsHunks).toEqual([{ line: 34, count: 1, text: "theirs", cut: false }]);
  });

  test("are empty on the side that took the lines away", async () => {
    const outcome = await mergeOf(
      { "a.txt": `${long}x\n${long}` },
      write({ "a.txt": `${long}${long}` }),
      write({ "a.txt": `${long}y\n${long}` }),
    );
    const [conflict] = outcome.kind === "conflicted" ? outcome.conflicts : [];
    expect(conflict?.oursHunks).toEqual([{ line: 31, count: 0, text: "", cut: false }]);
    expect(conflict?.theirsHunks).toMatchObject([{ line: 31, count: 1, text: "y" }]);
  });
});

describe("merging many pairs", () => {
  test("goes on past a pair without common history, in order", async () => {
    const top = scratch.repository("many", { "a.txt": "1\n" });
    const [left, right] = [scratch.worktree(top, "many-left"), scratch.worktree(top, "many-right")];
    scratch.commit(left, { "a.txt": "2\n" });
    scratch.commit(right, { "a.txt": "3\n" });
    scratch.git(top, "checkout", "-q", "--orphan", "lonely");
    scratch.git(top, "commit", "-qm", "lonely");
    const observer = await scratch.observe(top);
    const [a, b, c] = await Promise.all([left, right, top].map((path) => snapshotOf(observer, path)));
    if (a === undefined || b === undefined || c === undefined) throw new Error("no snapshot");
    const outcomes = await observer.merge([
      { ours: a, theirs: c },
      { ours: a, theirs: b },
      { ours: c, theirs: b },
      { ours: b, theirs: a },
      { ours: a, theirs: a },
    ]);
    expect(outcomes.map((one) => one.kind)).toEqual(["skipped", "conflicted", "skipped", "conflicted", "clean"]);
  });

  for (const what of ["a commit", "all objects"]) {
    test(`says of ${what} out of reach that it could not read them, not that the two have nothing in common, and knows better the next time`, async () => {
      const top = scratch.repository(`r${++count}`, { "a.txt": long });
      const other = scratch.worktree(top, `other${count}`);
      const commit = scratch.commit(top, { "a.txt": `x\n${long}` });
      scratch.commit(other, { "a.txt": `y\n${long}` });
      const observer = await scratch.observe(top);
      const pair = { ours: await snapshotOf(observer, top), theirs: await snapshotOf(observer, other) };
      // From now on the observer knows where both began, and need not read it again.
      await observer.mergeBases(pair.ours, pair.theirs);
      scratch.commit(other, { "b.txt": "b\n" });
      const objects = join(top, ".git/objects");
      const away = what === "a commit" ? join(objects, commit.slice(0, 2), commit.slice(2)) : objects;
      renameSync(away, `${away}.away`);
      // Whoever looks now, because HEAD moved, finds nothing to borrow.
      await observer.snapshot(other).catch(() => undefined);
      const said = await observer.merge([pair]).catch(() => "failed");
      renameSync(`${away}.away`, away);
      const unread = { kind: "skipped", reason: "missing-objects" } as const;
      expect(said).toEqual(what === "a commit" ? [expect.objectContaining(unread)] : "failed");
      // It takes one more failure to see that they are back.
      await observer.merge([pair]).catch(() => undefined);
      expect(await observer.merge([pair])).toMatchObject([{ kind: "conflicted" }]);
      await observer.close();
    });
  }

  test("takes the true merge base, not a main that has fallen behind", async () => {
    const top = scratch.repository("stale", { "a.txt": long });
    scratch.git(top, "checkout", "-q", "-b", "work");
    scratch.commit(top, { "a.txt": long.replace("line 3", "changed"), "b.txt": "b\n" });
    const other = scratch.worktree(top, "stale-other", "work");
    scratch.write(top, { "c.txt": "c\n" });
    scratch.write(other, { "d.txt": "d\n" });
    const observer = await scratch.observe(top);
    const pair = { ours: await snapshotOf(observer, top), theirs: await snapshotOf(observer, other) };
    const head = scratch.git(top, "rev-parse", "work").trim();
    expect(await observer.merge([pair])).toEqual([{ kind: "clean", tree: undefined, bases: [head] }]);
    expect((await observer.changedFiles(head, pair.ours)).map((file) => file.path)).toEqual(["c.txt"]);
  });

  test("answers for branches as for worktrees", async () => {
    const top = scratch.repository("refs", { "a.txt": "1\n", ".gitattributes": "*.log merge=union\n", "x.log": "1\n" });
    scratch.git(top, "branch", "side");
    scratch.commit(top, { "a.txt": "2\n", "x.log": "1\n2\n" });
    const side = scratch.worktree(top, "refs-side", "side");
    scratch.commit(side, { "a.txt": "3\n", "x.log": "1\n3\n" });
    const observer = await scratch.observe(top);
    const [ours, theirs] = [await observer.snapshotOf("main"), await observer.snapshotOf("refs-side")];
    if (ours === undefined || theirs === undefined) throw new Error("no snapshot");
    expect(await observer.merge([{ ours, theirs }])).toMatchObject([{ conflicts: [{ path: "a.txt" }] }]);
    expect(await observer.snapshotOf("no-such-branch")).toBeUndefined();
    expect(await observer.snapshotOf("--help")).toBeUndefined();
  });
});

function check(name: string, start: Record<string, string>, left: Work, right: Work, expected: string[]): void {
  test(name, async () => {
    const outcome = await mergeOf(start, left, right);
    const named =
      outcome.kind === "conflicted" ? outcome.conflicts.map((one) => `${one.kind}: ${one.path}`) : [outcome.kind];
    expect(named.sort()).toEqual(expected);
  });
}
