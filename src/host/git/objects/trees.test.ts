import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { chance, Scratch } from "../scratch.suite.ts";
import { TreeReader } from "./trees.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

const read = (reader: TreeReader, top: string) =>
  reader.read(scratch.hardenedGit(), { GIT_DIR: join(top, ".git") }, scratch.git(top, "rev-parse", "HEAD").trim());

test("what one tree has in common with the one before is the same object, and not another with the same content", async () => {
  const top = scratch.repository("r", { "a/x.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n" });
  const reader = new TreeReader();
  const first = await read(reader, top);
  rmSync(join(top, "a"), { recursive: true });
  scratch.commit(top, { "b.txt": "2\n", "bb.txt": "new\n" });
  const second = await read(reader, top);
  expect([...second.keys()]).toEqual(["b.txt", "bb.txt", "c.txt"]);
  expect(second.get("c.txt")).toBe(first.get("c.txt") as NonNullable<ReturnType<typeof first.get>>);
  expect(second.get("b.txt")).not.toEqual(first.get("b.txt") as NonNullable<ReturnType<typeof first.get>>);
});

test("after any changes a tree is what git says it is", async () => {
  const random = chance(3);
  const names = ["a", "a.b", "a/b", "ab", "b/a", "b/c/d", "\u00e9", "\u{1f600}", "\uffee", "z z", "z\tz"].map(
    (name) => `${name}.txt`,
  );
  const top = scratch.repository("r", { "keep.txt": "1\n" });
  const reader = new TreeReader();
  for (let round = 0; round < 30; round++) {
    for (const name of names) {
      const chosen = random.below(3);
      if (chosen === 0) rmSync(join(top, name), { force: true });
      if (chosen === 1) scratch.write(top, { [name]: `${random.below(5)}\n` });
    }
    scratch.commit(top, { "keep.txt": `${round}\n` });
    const lines = scratch.git(top, "ls-tree", "-r", "-z", "HEAD").split("\0").slice(0, -1);
    const expected = lines.map((line) => {
      const [, mode, blob, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
      return [path, { mode, blob }];
    });
    expect([...(await read(reader, top))]).toEqual(expected as never);
  }
});
