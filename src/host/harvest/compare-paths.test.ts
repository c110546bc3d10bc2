// Checks on real trees what a branch changed, and whether the target has it.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemProcesses } from "../process/run.ts";
import { Scratch } from "../git/scratch.suite.ts";
import { WorkGit } from "../workspace/work-git.ts";
import { isAncestor } from "./ancestors.ts";
import { differences, lostPaths, missingOn, readsAs } from "./compare-paths.ts";
import type { GroundParts } from "./landing-parts.ts";
import { throwing } from "../../../test/kit/rejection.ts";

let scratch: Scratch;
let top: string;
let parts: GroundParts;
beforeEach(() => {
  scratch = new Scratch();
  top = scratch.repository("landing");
  const { environment } = scratch.gitOptions();
  parts = {
    git: new WorkGit({ processes: systemProcesses, environment }),
    directory: join(top, ".git"),
  } as unknown as GroundParts;
});
afterEach(() => scratch.close());

const lines = (more: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 30 }, (_, at) => more[at] ?? `line ${at}`).join("\n");

/** Commits these files on top of a commit; undefined removes one. */
function commit(on: string | undefined, files: Readonly<Record<string, string | undefined>>): string {
  if (on !== undefined) scratch.git(top, "checkout", "-q", "--detach", on);
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(top, name));
    else writeFileSync(join(top, name), text);
  }
  scratch.git(top, "add", "-A");
  scratch.git(top, "commit", "-q", "--allow-empty", "-m", "work");
  return scratch.git(top, "rev-parse", "HEAD").trim();
}

test("what differs is named path by path, with what was and what is", async () => {
  const base = commit(undefined, { a: "1", b: "1", c: "1" });
  const tip = commit(base, { a: "2", b: undefined, "new\nname": "x" });
  const found = await differences(parts, base, tip);
  expect([...found.keys()].sort()).toEqual(["a", "b", "new\nname"]);
  expect(found.get("b")?.after).toBe("");
  expect(found.get("new\nname")?.before).toBe("");
  expect((await differences(parts, tip, tip)).size).toBe(0);
});

test("a change is in effect on a target that has it, also squashed, rebased or changed further; else its paths are named", async () => {
  const base = commit(undefined, { a: lines(), b: "1" });
  const tip = commit(base, { a: lines({ 3: "mine" }), b: "2" });
  const squashed = commit(base, { a: lines({ 3: "mine" }), b: "2", other: "x" });
  const further = commit(base, { a: lines({ 3: "mine", 25: "later" }), b: "2" });
  for (const on of [tip, squashed, further]) expect(await readsAs(parts, { from: base, to: tip, on })).toBe(true);
  expect(await missingOn(parts, { from: base, to: tip, on: base })).toEqual(["a", "b"]);
  const half = commit(base, { a: lines({ 3: "mine" }) });
  expect(await missingOn(parts, { from: base, to: tip, on: half })).toEqual(["b"]);
  const reverted = commit(tip, { a: lines(), b: "2" });
  expect(await missingOn(parts, { from: base, to: tip, on: reverted })).toEqual(["a"]);
});

test("a removed file that the target still has is missing there", async () => {
  const base = commit(undefined, { a: "1", b: "1" });
  const tip = commit(base, { b: undefined });
  expect(await missingOn(parts, { from: base, to: tip, on: commit(base, { a: "2" }) })).toEqual(["b"]);
  expect(await missingOn(parts, { from: base, to: tip, on: commit(base, { b: undefined, a: "2" }) })).toEqual([]);
});

test("a path that the landing left as the target had it, though the branch changed it, is lost", async () => {
  const base = commit(undefined, { a: lines(), b: "1" });
  const tip = commit(base, { a: lines({ 3: "mine" }), b: "2" });
  const onto = commit(base, { a: lines({ 25: "theirs" }) });
  const whole = commit(onto, { a: lines({ 3: "mine", 25: "theirs" }), b: "2" });
  const without = commit(onto, { a: lines({ 3: "mine", 25: "theirs" }) });
  const changed = await differences(parts, base, tip);
  expect(await lostPaths(parts, changed, { base, tip, onto, result: whole })).toEqual([]);
  expect(await lostPaths(parts, changed, { base, tip, onto, result: without })).toEqual(["b"]);
  expect(await lostPaths(parts, changed, { base, tip, onto, result: onto })).toEqual(["a", "b"]);
});

test("a commit that is not there is nobody's ancestor, and a git that cannot say is no answer", async () => {
  const base = commit(undefined, { a: "1" });
  const tip = commit(base, { a: "2" });
  expect(await isAncestor(parts, base, tip)).toBe(true);
  expect(await isAncestor(parts, tip, base)).toBe(false);
  expect(await isAncestor(parts, "1".repeat(40), tip)).toBe(false);
  expect(await throwing(isAncestor(parts, base, "1".repeat(40)))).toThrow();
});
