// Checks that no link or list of a confined agent's leads out of its own place when what lies there is read and worked on.

import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../test/kit/directory.ts";
import type { Enclose } from "../../../ports/confinement.ts";
import { encloseGit } from "./enclose-git.ts";
import { readSmall } from "./locate.ts";
import { copyIndex } from "../snapshot/private-index.ts";
import { PrivateStore } from "../objects/private-store.ts";

function scene() {
  const at = temporaryDirectory("own-places");
  const own = join(at.path, "root/workspaces/agent1");
  const owners = join(at.path, "owners");
  for (const path of [`${own}/4/repo/.git/objects/info`, owners]) mkdirSync(path, { recursive: true });
  writeFileSync(join(owners, "index"), "the owner's");
  return { at, own, owners, repository: join(own, "4/repo/.git"), [Symbol.dispose]: () => at[Symbol.dispose]() };
}

test("a link in a confined agent's own place is followed within it and not out of it", () => {
  using here = scene();
  const { own, owners, repository } = here;
  writeFileSync(join(own, "HEAD"), "its own");
  symlinkSync(join(own, "HEAD"), join(repository, "HEAD"));
  symlinkSync(join(owners, "index"), join(repository, "packed-refs"));
  symlinkSync(owners, join(repository, "refs"));
  expect(readSmall(join(repository, "HEAD"))).toBe("its own");
  expect(readSmall(join(repository, "packed-refs"))).toBeUndefined();
  expect(readSmall(join(repository, "refs/index"))).toBeUndefined();
  // Elsewhere links are the owner's own.
  symlinkSync(join(owners, "index"), join(owners, "link"));
  expect(readSmall(join(owners, "link"))).toBe("the owner's");
});

test("an index that leads out is not taken for the worktree's", () => {
  using here = scene();
  const { at, owners, repository } = here;
  const store = new PrivateStore({ root: at.path, relative: "observe" }, "sha1");
  const kept = store.gitDirectory("worktrees", "x");
  symlinkSync(join(owners, "index"), join(repository, "index"));
  expect(() => copyIndex(store, repository, kept)).toThrow("is not a plain file");
  expect(copyIndex(store, owners, kept)?.toString()).toBe("the owner's");
});

test("objects that a confined agent's repository says it borrows are not borrowed from", () => {
  using here = scene();
  const { at, owners, repository } = here;
  mkdirSync(join(owners, "objects/info"), { recursive: true });
  mkdirSync(join(at.path, "more"));
  const store = new PrivateStore({ root: at.path, relative: "observe" }, "sha1");
  writeFileSync(join(repository, "objects/info/alternates"), `${owners}/objects\n`);
  store.borrow(join(repository, "objects"));
  expect(store.places).not.toContain(join(owners, "objects"));
  writeFileSync(join(owners, "objects/info/alternates"), `${at.path}/more\n`);
  store.borrow(join(owners, "objects"));
  expect(store.places).toContain(join(at.path, "more"));
});

test("a git that names a confined agent's own place in any way is enclosed with all that it names; another is not", async () => {
  const own = "/r/workspaces/agent1/4/repo";
  const asked: Parameters<Enclose>[1][] = [];
  const enclose: Enclose = async (argv, place) => {
    asked.push(place);
    return ["enclosed", ...argv];
  };
  const run = (cwd: string | undefined, variables: Record<string, string>) =>
    encloseGit(enclose, ["git", "status"], { cwd, variables, env: { A: "1" } });
  const ways: [string | undefined, Record<string, string>][] = [
    [own, {}],
    [undefined, { GIT_DIR: `${own}/.git` }],
    [undefined, { GIT_DIR: "/keeper", GIT_WORK_TREE: own }],
    [undefined, { GIT_DIR: "/keeper", GIT_INDEX_FILE: `${own}/.git/index` }],
    [undefined, { GIT_DIR: "/keeper", GIT_OBJECT_DIRECTORY: `${own}/.git/objects` }],
    [undefined, { GIT_DIR: "/keeper", GIT_ALTERNATE_OBJECT_DIRECTORIES: `/other:${own}/.git/objects` }],
    [undefined, { GIT_ALTERNATE_OBJECT_DIRECTORIES: '"/\\303\\244:\\\\ /workspaces/agent1/4/objects"' }],
  ];
  for (const [cwd, variables] of ways) expect(await run(cwd, variables)).toEqual(["enclosed", "git", "status"]);
  expect(asked.map(({ cwd }) => cwd)).toEqual([
    own,
    `${own}/.git`,
    own,
    `${own}/.git`,
    `${own}/.git/objects`,
    `${own}/.git/objects`,
    "/ä:\\ /workspaces/agent1/4/objects",
  ]);
  expect(asked[5]?.writes).toEqual(["/keeper", "/other", `${own}/.git/objects`]);
  expect(asked[0]?.env).toEqual({ A: "1" });
  for (const path of ["/r/workspaces/4/repo", "/r", "/r/workspaces/agents-of-mine/x"])
    expect(await run(path, { GIT_DIR: `${path}/.git` })).toEqual(["git", "status"]);
  expect(await encloseGit(undefined, ["git"], { cwd: own, env: {} })).toEqual(["git"]);
});
