// Tests which repository a task is about: the one its author stands in, or the one that is named. What is none is refused before anything is
// made.

import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestHome } from "./kit/home.ts";

test("a task is about the repository that its author stands in; what is none is refused at once", async () => {
  await using at = new TestHome();
  const shop = join(at.top, "shop");
  mkdirSync(join(shop, "src"), { recursive: true });
  Bun.spawnSync(["git", "init", "-q", "-b", "main"], { cwd: shop, env: at.env });
  const made = await at.constel(["task", "create", "one"], { cwd: join(shop, "src") });
  expect(made.stdout).toBe(`Created task 1 for ${shop}.\n`);
  expect(await at.json(["task", "show", "1"])).toMatchObject({ task: { repository: shop } });
  expect((await at.constel(["task", "create", "two"])).stdout).toBe(
    "Created task 2. It is about no repository yet; name one before it is given out: constel task update 2 --repo PATH\n",
  );
  const failed = await at.constel(["task", "dispatch", "2", "--to-workspace"]);
  expect([failed.code, failed.stderr]).toEqual([3, expect.stringContaining("[task.no-repository]")]);
  expect(failed.stderr).toContain(`task 2 names no repository, and ${at.home} is not in one`);
  expect(failed.stderr).toContain("constel task update <number> --repo PATH");
  const bare = join(at.top, "bare.git");
  Bun.spawnSync(["git", "init", "-q", "--bare", bare], { env: at.env });
  const inBare = await at.constel(["task", "create", "in a bare one"], { cwd: join(bare, "refs") });
  expect(inBare.stdout).toBe(`Created task 3 for ${bare}.\n`);
  for (const path of ["/nonexistent", at.home, join(at.top, "shop/src/none")]) {
    const refused = await at.constel(["task", "create", "three", "--repo", path]);
    expect([refused.code, refused.stderr.includes("[git.not-a-repository]")]).toEqual([3, true]);
  }
  expect((await at.json<unknown[]>(["task", "list"])).length).toBe(3);

  // Not by another verb either.
  writeFileSync(join(at.top, "list.md"), "- [ ] four\n");
  for (const words of [
    ["update", "2"],
    ["import", join(at.top, "list.md")],
  ]) {
    const { code, stderr } = await at.constel(["task", ...words, "--repo", "/nonexistent"]);
    expect([words, code, stderr.includes("[git.not-a-repository]")]).toEqual([words, 3, true]);
  }
  expect((await at.json<unknown[]>(["task", "list"])).length).toBe(3);
  for (const target of ["5 parsecs", "a..b", "x\u001b[31m", "-x", "x.lock"]) {
    const { code, stderr } = await at.constel(["task", "update", "1", `--target=${target}`]);
    expect([target, code, stderr]).toEqual([target, 2, expect.stringContaining("a name that git takes for a branch")]);
  }
});

test("git that is missing, or cannot look at a directory, is not taken for a directory without a repository", async () => {
  await using at = new TestHome();
  const shop = join(at.top, "shop");
  mkdirSync(shop);
  Bun.spawnSync(["git", "init", "-q", "-b", "main"], { cwd: shop, env: at.env });
  writeFileSync(join(shop, ".git/config"), "[core\n");
  const unreadable = await at.constel(["task", "create", "one"], { cwd: shop });
  expect([unreadable.code, unreadable.stderr]).toEqual([3, expect.stringContaining("cannot be looked at: git")]);

  await at.constel(["daemon", "stop"]);
  const bin = join(at.top, "bin");
  mkdirSync(bin);
  symlinkSync("/bin/sh", join(bin, "sh"));
  const missing = await at.constel(["task", "create", "one"], { cwd: shop, env: { PATH: bin } });
  expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining("start git")]);
});
