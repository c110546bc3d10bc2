import { expect, test } from "bun:test";
import type { RepositoryObserver, TreeEntry } from "../../ports/git.ts";
import { readRepositoryConfig, repositoryConfigOrNotes } from "./repository-config.ts";
import { rejection } from "../../../test/kit/rejection.ts";

function treeWith(entry: TreeEntry | undefined, text?: string): RepositoryObserver {
  const tree = async () => new Map(entry === undefined ? [] : [["constel.toml", entry]]);
  const read = async () => (text === undefined ? undefined : Buffer.from(text));
  return { tree, read } as unknown as RepositoryObserver;
}

const file: TreeEntry = { mode: "100644", blob: "b" };

test("the tree's own file counts; none, and there is none", async () => {
  const own = await readRepositoryConfig(treeWith(file, '[gate]\ncommand = "make"\n'), "t");
  expect(own.gate?.command).toBe("make");
  expect((await readRepositoryConfig(treeWith(undefined), "t")).gate).toBeUndefined();
});

test("a link, a directory and a file that cannot be understood stop the verb; what git cannot give is an outage", async () => {
  const malformed = { code: "config.malformed" };
  expect(await rejection(readRepositoryConfig(treeWith({ ...file, mode: "120000" }, "x"), "t"))).toMatchObject(
    malformed,
  );
  expect(await rejection(readRepositoryConfig(treeWith({ ...file, mode: "160000" }), "t"))).toMatchObject(malformed);
  expect(await rejection(readRepositoryConfig(treeWith(file, 'gate = "make"\n'), "t"))).toMatchObject(malformed);
  expect(await rejection(readRepositoryConfig(treeWith(file), "t"))).toMatchObject({ name: "Outage" });
});

test("whoever must go on is told what was left aside", async () => {
  const { config, notes } = await repositoryConfigOrNotes(treeWith(file, "[gate]\ncomand = 'x'\n"), "t");
  expect([config, notes]).toEqual([undefined, [expect.stringContaining("constel.toml:2: [gate] comand is not known")]]);
});
