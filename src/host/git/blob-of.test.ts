// The blob of a file, held against git's own word, and read again only when the file changed.

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { blobsOfFiles } from "./blob-of.ts";

let directory: ReturnType<typeof temporaryDirectory>;
const at = (name: string): string => join(directory.path, name);
const byGit = (name: string): string =>
  Bun.spawnSync(["git", "hash-object", "--no-filters", at(name)], { env: { PATH: process.env["PATH"] ?? "" } })
    .stdout.toString()
    .trim();

beforeAll(() => {
  directory = temporaryDirectory("blob-of");
});
afterAll(() => directory[Symbol.dispose]());

test("it is what git calls it, of any content", () => {
  const blobOf = blobsOfFiles();
  const contents = {
    empty: "",
    plain: "one\n",
    windows: "one\r\ntwo\r\n",
    bytes: Buffer.from([0, 255, 0, 10]),
    wide: "ä😀",
  };
  for (const [name, content] of Object.entries(contents)) {
    writeFileSync(at(name), content);
    expect([name, blobOf(at(name))]).toEqual([name, byGit(name)]);
  }
});

test("a change is seen, also one that keeps size and time, and a file that another took the place of", () => {
  const blobOf = blobsOfFiles();
  writeFileSync(at("file"), "one\n");
  const first = blobOf(at("file"));
  expect(blobOf(at("file"))).toBe(first);
  utimesSync(at("file"), 1, 1);
  writeFileSync(at("file"), "two\n");
  utimesSync(at("file"), 1, 1);
  expect(blobOf(at("file"))).toBe(byGit("file"));
  appendFileSync(at("file"), "more\n");
  expect(blobOf(at("file"))).toBe(byGit("file"));
  writeFileSync(at("next"), "one\n");
  renameSync(at("next"), at("file"));
  expect(blobOf(at("file"))).toBe(first);
});

test("what is no plain file has none: nothing rests on a link, a directory, a pipe, what is gone or too long", () => {
  const blobOf = blobsOfFiles();
  writeFileSync(at("real"), "one\n");
  symlinkSync(at("real"), at("link"));
  mkdirSync(at("directory"));
  Bun.spawnSync(["mkfifo", at("pipe")]);
  writeFileSync(at("long"), "");
  truncateSync(at("long"), 8 * 1024 * 1024 + 1);
  for (const name of ["link", "directory", "pipe", "nothing", "long", "real/below"])
    expect([name, blobOf(at(name))]).toEqual([name, undefined]);
  const before = blobOf(at("real"));
  rmSync(at("real"));
  expect([before === undefined, blobOf(at("real"))]).toEqual([false, undefined]);
});
