import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../clock/system-clock.ts";
import { compare, type Comparison } from "./compare.ts";
import { fingerprint, Scratch } from "./scratch.suite.ts";

let scratch: Scratch;
let top: string;
let other: string;
beforeEach(() => {
  scratch = new Scratch();
  mkdirSync(scratch.path("tmp"));
  top = scratch.repository("r", { "a.txt": "1\n2\n3\n", "src/b.txt": "b\n" });
  other = scratch.worktree(top, "other");
  scratch.commit(other, { "a.txt": "1\ncommitted\n3\n" });
  scratch.write(top, { "a.txt": "1\nuncommitted\n3\n" });
});
afterEach(() => scratch.close());

async function check(ours: string, theirs: string, cwd = top): Promise<string> {
  const options = { ...scratch.gitOptions(), clock: systemClock, cwd, temporaryDirectory: scratch.path("tmp") };
  const { outcome } = (await compare(ours, theirs, options)) as Comparison;
  expect(readdirSync(scratch.path("tmp"))).toEqual([]);
  if (outcome.kind === "skipped") return outcome.reason;
  return outcome.kind === "clean" ? `clean ${outcome.tree}` : outcome.conflicts.map((one) => one.path).join(" ");
}

describe("comparing two sides once", () => {
  test("takes worktrees, branches, and paths inside a worktree, from anywhere, and leaves nothing behind", async () => {
    const before = [fingerprint(scratch, top), fingerprint(scratch, other)];
    expect(await check(top, other)).toBe("a.txt");
    expect(await check(".", "other")).toBe("a.txt");
    expect(await check("src", other)).toBe("a.txt");
    expect(await check("../r", "../other", scratch.path("tmp"))).toBe("a.txt");
    expect(await check("main", "other")).toBe(`clean ${scratch.git(other, "rev-parse", "HEAD^{tree}").trim()}`);
    expect([fingerprint(scratch, top), fingerprint(scratch, other)]).toEqual(before);
  });

  test("takes a branch before a directory of the same name", async () => {
    scratch.git(top, "branch", "src", "other");
    expect(await check("main", "src")).toStartWith("clean");
  });

  test("takes a worktree kept inside another for itself", async () => {
    scratch.git(top, "worktree", "add", "-q", "-b", "inner", join(top, ".trees", "inner"), "other");
    expect(await check(".", join(".trees", "inner"))).toBe("a.txt");
  });

  test("refuses names that are nothing, and sides of different repositories", async () => {
    await expect(check("main", "nothing")).rejects.toThrow("neither a worktree nor a revision");
    await expect(check(top, scratch.repository("stranger", { "x.txt": "x\n" }))).rejects.toThrow("another repository");
    await expect(check("main", "other", scratch.path("tmp"))).rejects.toThrow("in no git repository");
  });
});
