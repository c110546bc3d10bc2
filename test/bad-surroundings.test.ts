// Tests useless surroundings that an account may be given: a temporary directory or a home that is not there and cannot be made. Each
// command that needs it says so, with what to do, leaves nothing, and doctor says the same. A home of another account is in
// other-accounts.test.ts.

import { expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectTop, TestHome, until } from "./kit/home.ts";

const program = join(projectTop, "bin/constel");

async function repositoryIn(at: TestHome): Promise<string> {
  const repository = join(at.top, "shop");
  const git = (...words: string[]): void => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
    const ran = Bun.spawnSync(["git", ...identity, ...words], { cwd: at.top, env: at.env });
    if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
  };
  git("init", "-q", "-b", "main", repository);
  writeFileSync(join(repository, "a.txt"), "one\n");
  git("-C", repository, "add", "-A");
  git("-C", repository, "commit", "-qm", "one");
  git("-C", repository, "branch", "other");
  return repository;
}

test("a temporary directory that does not exist is named by what needs it, with what to set, and by doctor", async () => {
  await using at = new TestHome();
  const cwd = await repositoryIn(at);
  // A short name: in place of one that is too long for a socket the demo takes /tmp.
  const env = { TMPDIR: "/constel-missing" };
  for (const words of [["try"], ["check", "main", "other"], ["demo"], ["install", "codex", "--yes"]]) {
    const { code, stderr } = await at.constel(words, { cwd, env });
    expect({ words, code, stderr }).toEqual({
      words,
      code: 4,
      stderr: expect.stringContaining(
        `${env.TMPDIR}: it does not exist. Set TMPDIR to a directory that you may write to`,
      ),
    });
  }
  const { code, stdout } = await at.constel(["doctor"], { cwd, env });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/✗ tool\.temporary .*\/constel-missing does not exist/)]);
  expect(existsSync(join(at.top, ".codex"))).toBe(false);

  // What needs none works.
  expect((await at.constel(["repo", "add"], { cwd, env })).code).toBe(0);
  expect((await at.constel(["task", "create", "x", "--repo", cwd], { cwd, env })).code).toBe(0);
  await at.constel(["down", "--all"], { cwd, env });
  expect((await at.constel(["doctor"], { cwd })).stdout).toContain("✓ tool.temporary");
});

/** Root may make a directory anywhere, so it becomes somebody else; no account has this number. */
const isRoot = process.getuid?.() === 0;
const ordinary = isRoot ? ["setpriv", "--reuid=64999", "--regid=64999", "--clear-groups"] : [];
const canBecome = Bun.spawnSync([...ordinary, program, "--version"]).exitCode === 0;

test.skipIf(!canBecome)("a home that this account cannot make is said to be that, with what to do", async () => {
  await using at = new TestHome();
  const home = "/usr/constel-nobodys/.constel";
  const own = { cwd: "/", program: [...ordinary, program], env: { CONSTEL_HOME: home } };
  for (const words of [
    ["up", "1", "--type", "script", "--no-attach"],
    ["task", "create", "x"],
    ["daemon", "start"],
  ]) {
    const { code, stdout, stderr } = await at.constel(words, own);
    expect({ words, code, stdout, stderr }).toEqual({
      words,
      code: 4,
      stdout: "",
      stderr: expect.stringMatching(
        /make directory \/usr\/constel-nobodys\/\.constel: EACCES[^]*set CONSTEL_HOME to a/,
      ),
    });
  }
  const { code, stdout } = await at.constel(["doctor"], own);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`${home} does not exist, and this account may not make it in /usr\n`),
  ]);
  expect(readdirSync("/usr")).not.toContain("constel-nobodys");
});

test.skipIf(!canBecome)(
  "a directory of the home that cannot be opened is the machine's fault, not a bug of constel's",
  async () => {
    await using at = new TestHome();
    mkdirSync(at.home, { mode: 0o700 });
    if (isRoot) for (const path of [at.top, at.home]) chownSync(path, 64_999, 64_999);
    const own = { cwd: "/", program: [...ordinary, program] };
    const up = ["up", "1", "--type", "script", "--no-attach"];
    expect((await at.constel(up, own)).code).toBe(0);
    expect((await at.constel(["down", "--all"], own)).code).toBe(0);

    const hooks = join(at.home, "state/hooks");
    chmodSync(hooks, 0);
    const refused = await at.constel(up, own);
    const doctor = await at.constel(["doctor"], own);
    await at.constel(["down", "--all"], own);
    chmodSync(hooks, 0o700); // before anything can fail, so that it can be removed
    // Its agents may have ended for want of it before it is looked at.
    expect([1, 4]).toContain(refused.code);
    expect(refused.stderr).not.toContain("a bug");
    expect(doctor.code).toBe(1);

    expect((await at.constel(up, own)).code).toBe(0);
    expect((await at.constel(["down", "--all"], own)).code).toBe(0);
  },
);

test.skipIf(!canBecome)(
  "a worktree whose git files are closed to this account is told, and silence is not called complete",
  async () => {
    await using at = new TestHome();
    const repository = await repositoryIn(at);
    const linked = join(repository, ".git/worktrees");
    const added = Bun.spawnSync(["git", "-C", repository, "worktree", "add", "-q", "../shop-other", "other"], {
      env: at.env,
    });
    expect(added.exitCode).toBe(0);
    if (isRoot) Bun.spawnSync(["chown", "-R", "64999:64999", at.top]);
    const own = { cwd: repository, program: [...ordinary, program] };
    expect((await at.constel(["try"], own)).code).toBe(0);
    for (const [path, named] of [
      [linked, linked],
      [join(linked, "shop-other"), join(linked, "shop-other")],
      [join(linked, "shop-other/gitdir"), join(linked, "shop-other")],
    ] as const) {
      const { mode } = lstatSync(path);
      chmodSync(path, 0);
      const { code, stdout } = await at.constel(["try"], own);
      chmodSync(path, mode & 0o777);
      expect([code, stdout]).toEqual([
        5,
        expect.stringContaining(`was not compared: ${named} is closed to this account`),
      ]);
    }
  },
);

test.skipIf(!canBecome)(
  "a repository whose branches are closed to this account is never said to have no collision",
  async () => {
    await using at = new TestHome();
    const repository = await repositoryIn(at);
    mkdirSync(at.home, { mode: 0o700 });
    if (isRoot) Bun.spawnSync(["chown", "-R", "64999:64999", at.top]);
    const own = { cwd: repository, program: [...ordinary, program] };
    const heads = join(repository, ".git/refs/heads");
    const closed = async (...words: string[]) => {
      chmodSync(heads, 0);
      const ran = await at.constel(words, own);
      chmodSync(heads, 0o755);
      return ran;
    };
    const added = await closed("repo", "add");
    expect([added.code, added.stderr]).toEqual([4, expect.stringContaining(heads)]);
    expect((await at.json<{ repositories: unknown[] }>(["repo", "ls"], own)).repositories).toEqual([]);
    const tried = await closed("try");
    expect([tried.code, tried.stdout]).toEqual([4, ""]);

    // One that is known already keeps its name.
    expect((await at.constel(["repo", "add"], own)).code).toBe(0);
    await at.constel(["daemon", "stop"], own);
    chmodSync(heads, 0);
    await at.constel(["daemon", "start"], own);
    const silent = await until(
      "it was tried",
      () => at.constel(["conflicts"], own),
      ({ stdout }) => stdout.includes(heads),
    );
    chmodSync(heads, 0o755);
    expect([silent.code, silent.stdout.includes("add it again")]).toEqual([5, false]);
    await at.constel(["daemon", "stop"], own);
  },
);
