import { expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandFile } from "../ports/runtime.ts";
import { applyCommandFiles, planCommandFiles } from "./command-files.ts";
import { temporaryDirectory } from "./floor.suite.ts";

const file = (directory: string, content: string, name = "up.md"): CommandFile => ({
  name: "up",
  path: join(directory, "commands", name),
  content,
  invokedBy: "/up",
});

function install(files: readonly CommandFile[], undo = false): string[] {
  const plans = planCommandFiles(files, undo);
  applyCommandFiles(plans);
  return plans.map(({ change }) => change);
}

test("a file is written once, updated while it is ours, and taken away again", () => {
  const directory = temporaryDirectory();
  const first = file(directory, "one\ntwo\n");
  expect(planCommandFiles([first], false)[0]?.diff.slice(0, 2)).toEqual(["+one", "+two"]);
  expect(existsSync(first.path)).toBe(false);
  expect(install([first])).toEqual(["write"]);
  expect(readFileSync(first.path, "utf8")).toStartWith("one\ntwo\n<!-- Written by constel (");
  expect(install([first])).toEqual(["same"]);
  const second = file(directory, "one\nthree\n");
  expect(planCommandFiles([second], false)[0]?.diff.slice(0, 1)).toEqual(["-two"]);
  expect(install([second])).toEqual(["write"]);
  expect(install([second], true)).toEqual(["remove"]);
  expect(install([second], true)).toEqual(["absent"]);
  expect(existsSync(second.path)).toBe(false);
});

test("what is not ours, or was changed since, is neither overwritten nor taken away", () => {
  const directory = temporaryDirectory();
  const ours = file(directory, "ours\n");
  install([ours]);
  const changed = readFileSync(ours.path, "utf8").replace("ours", "mine");
  for (const content of ["my own\n", "", changed, `${readFileSync(ours.path, "utf8")}more\n`]) {
    writeFileSync(ours.path, content);
    expect(install([ours])).toEqual(["not-ours"]);
    expect(install([ours], true)).toEqual(["not-ours"]);
    expect(readFileSync(ours.path, "utf8")).toBe(content);
  }
});

test("a link where the file should be is refused, and TOML gets a TOML comment", () => {
  const directory = temporaryDirectory();
  const toml = file(directory, "a = 1\n", "up.toml");
  install([toml]);
  expect(readFileSync(toml.path, "utf8").split("\n")[1]).toStartWith("# Written by constel");
  const target = join(directory, "target");
  writeFileSync(target, "theirs");
  const linked = file(directory, "x\n", "linked.md");
  symlinkSync(target, linked.path);
  expect(() => install([linked])).toThrow("symbolic link");
  expect(readFileSync(target, "utf8")).toBe("theirs");
});
