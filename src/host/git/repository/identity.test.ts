import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { identityAt } from "../observer.ts";
import { normaliseRemote } from "./identity.ts";
import { Scratch } from "../scratch.suite.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

describe("a remote's address", () => {
  check("git@github.com:Owner/Repo.git", "github.com/Owner/Repo");
  check("ssh://git@GitHub.com:22/Owner/Repo.git/", "github.com/Owner/Repo");
  check("ssh://git@github.com:2222/Owner/Repo", "github.com:2222/Owner/Repo");
  check("https://user:token@github.com/Owner/Repo.git", "github.com/Owner/Repo");
  check("https://github.com:443/Owner/Repo", "github.com/Owner/Repo");
  check("http://github.com:80//Owner/Repo", "github.com/Owner/Repo");
  check("https://github.com:8443/Owner/Repo?x=1", "github.com:8443/Owner/Repo");
  check("git://github.com:9418/Owner/Repo.git", "github.com/Owner/Repo");
  check("git+ssh://git@github.com/Owner/Repo.git", "github.com/Owner/Repo");
  check("github.com:Owner/Repo", "github.com/Owner/Repo");
  check("git@host.example:/srv/git/repo.git", "host.example/srv/git/repo");
  check("git@host.example:~me/repo.git", "host.example/me/repo");
  check("git@[::1]:repo.git", "[::1]/repo");
  check("ssh://git@[::1]:22/repo.git", "[::1]/repo");
  check("/srv/git/repo.git", undefined);
  check("../repo.git", undefined);
  check("./a:b", undefined);
  check("file:///srv/git/repo.git", undefined);
  check("C:/repos/x", undefined);
  check("", undefined);
});

describe("a repository", () => {
  test("is the same through clones with differently written remotes", async () => {
    const [one, two] = [scratch.repository("one"), scratch.repository("two", { "other.txt": "x\n" })];
    scratch.git(one, "remote", "add", "origin", "git@Example.org:team/app.git");
    scratch.git(two, "remote", "add", "origin", "https://me@example.org/team/app");
    scratch.git(two, "remote", "add", "aaa", "https://example.org/fork/app");
    expect(await identity(one)).toBe("remote:example.org/team/app");
    expect(await identity(two)).toBe("remote:example.org/team/app");
  });

  test("without a remote is its oldest root commit, also through a clone of the directory", async () => {
    const source = scratch.repository("source");
    const root = scratch.git(source, "rev-parse", "HEAD").trim();
    scratch.git(scratch.root, "clone", "-q", "source", "copy");
    scratch.git(scratch.path("copy"), "checkout", "-q", "--orphan", "pages");
    scratch.git(scratch.path("copy"), "commit", "-qm", "orphan", "--date", "2030-01-01T00:00:00Z");
    scratch.git(scratch.root, "clone", "-q", "copy", "copy-of-copy");
    expect(await identity(source)).toBe(`root:${root}`);
    expect(await identity(scratch.path("copy"))).toBe(`root:${root}`);
    expect(await identity(scratch.path("copy-of-copy"))).toBe(`root:${root}`);
  });

  test("of which a local remote is gone falls back to its root", async () => {
    const lost = scratch.repository("lost");
    scratch.git(lost, "remote", "add", "origin", "/nowhere/at/all");
    expect(await identity(lost)).toStartWith("root:");
  });

  test("with no commit is its place, and no repository has no identity", async () => {
    scratch.git(scratch.root, "init", "-q", "empty");
    expect(await identity(scratch.path("empty"))).toBe(`path:${scratch.path("empty", ".git")}`);
    expect(await identity(scratch.root)).toBeUndefined();
  });

  test("whose branches cannot be read is not taken for one without commits", async () => {
    const closed = scratch.repository("closed");
    const heads = join(closed, ".git/refs/heads");
    const aside = join(closed, ".git/aside");
    renameSync(heads, aside);
    symlinkSync(heads, heads); // closed to root too
    const met = await identity(closed).catch((cause: unknown) => cause);
    expect(met).toMatchObject({ message: expect.stringContaining(join(closed, ".git/refs")) });
    rmSync(heads);
    renameSync(aside, heads);
    expect(await identity(closed)).toStartWith("root:");
  });
});

function check(url: string, expected: string | undefined): void {
  test(`${url} is ${expected ?? "no remote address"}`, () => expect(normaliseRemote(url)).toBe(expected));
}

function identity(path: string): Promise<string | undefined> {
  return identityAt(path, scratch.gitOptions());
}
