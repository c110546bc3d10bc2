import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { TrustedDirectory } from "../../../files/trusted-directory.ts";
import { readObject, writeObject } from "./loose-object.ts";
import { Scratch, snapshotOf } from "../scratch.suite.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

const megabyte = 1024 * 1024;
const objectsOf = (top: string): string => join(top, ".git", "objects");
const write = (objects: string, ...rest: Tail<Parameters<typeof writeObject>>): string => {
  using directory = TrustedDirectory.open(objects);
  return writeObject(directory, ...rest);
};
type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;
const fileOf = (objects: string, id: string): string => join(objects, id.slice(0, 2), id.slice(2));

describe("a loose object", () => {
  test("that git wrote is read, and git reads what we wrote", () => {
    const top = scratch.repository("r", { "a.txt": "one\n" });
    const id = scratch.git(top, "rev-parse", "HEAD:a.txt").trim();
    expect(Buffer.from(readObject(objectsOf(top), id, megabyte)?.content ?? []).toString()).toBe("one\n");
    expect(readObject(objectsOf(top), scratch.git(top, "rev-parse", "HEAD").trim(), megabyte)?.type).toBe("commit");
    const written = write(objectsOf(top), "sha1", "blob", "two\n");
    expect(scratch.git(top, "cat-file", "-p", written)).toBe("two\n");
  });

  test("larger than the bound is not taken, nor one that is packed into a few bytes", () => {
    const top = scratch.repository("r");
    const id = write(objectsOf(top), "sha1", "blob", Buffer.alloc(100_000));
    expect(readObject(objectsOf(top), id, 100_000)?.content.length).toBe(100_000);
    expect(readObject(objectsOf(top), id, 99_999)).toBeUndefined();
  });

  test("that was read before is not handed to whoever takes less", async () => {
    const top = scratch.repository("r", { "a.txt": "one\n" });
    const observer = await scratch.observe(top);
    const blob = scratch.git(top, "rev-parse", "HEAD:a.txt").trim();
    expect((await observer.read(blob, 4))?.length).toBe(4);
    expect(await observer.read(blob, 3)).toBeUndefined();
    expect((await observer.read(blob))?.length).toBe(4);
  });

  test("that is damaged, lies about its size, or is no file is left to git", () => {
    const top = scratch.repository("r");
    const objects = objectsOf(top);
    const id = write(objects, "sha1", "blob", "whole\n");
    const put = (content: Uint8Array): void => {
      rmSync(fileOf(objects, id));
      writeFileSync(fileOf(objects, id), content);
    };
    put(Buffer.from("not packed"));
    expect(readObject(objects, id, megabyte)).toBeUndefined();
    put(deflateSync("blob 7\0whole\n"));
    expect(readObject(objects, id, megabyte)).toBeUndefined();
    put(deflateSync("whole without a header\n"));
    expect(readObject(objects, id, megabyte)).toBeUndefined();
    rmSync(fileOf(objects, id));
    symlinkSync("/etc/passwd", fileOf(objects, id));
    expect(readObject(objects, id, megabyte)).toBeUndefined();
    rmSync(fileOf(objects, id));
    Bun.spawnSync(["mkfifo", fileOf(objects, id)]);
    expect(readObject(objects, id, megabyte)).toBeUndefined();
  });

  test("that is gone or packed meanwhile is still read, through git", async () => {
    const top = scratch.repository("r", { "a.txt": "one\n" });
    const observer = await scratch.observe(top);
    const snapshot = await snapshotOf(observer, top);
    const blob = (await observer.tree(snapshot.tree)).get("a.txt")?.blob ?? "";
    scratch.git(top, "repack", "-adq");
    scratch.git(top, "prune-packed", "-q");
    expect(readObject(objectsOf(top), blob, megabyte)).toBeUndefined();
    expect(Buffer.from((await observer.read(blob)) ?? []).toString()).toBe("one\n");
  });
});

test("a worktree with nothing uncommitted is its own commit, and one of ours once something is", async () => {
  const top = scratch.repository("r", { "a.txt": "one\n" });
  const observer = await scratch.observe(top);
  const clean = await snapshotOf(observer, top);
  expect(clean.commit).toBe(scratch.git(top, "rev-parse", "HEAD").trim());
  scratch.write(top, { "a.txt": "two\n" });
  const edited = await snapshotOf(observer, top);
  expect(edited.parents).toEqual([clean.commit]);
  expect(edited.commit).not.toBe(clean.commit);
  scratch.write(top, { "a.txt": "one\n" });
  expect((await snapshotOf(observer, top)).commit).toBe(clean.commit);
});
