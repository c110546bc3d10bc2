// What a stranger hands over, on real git: an honest diff is committed, and each hostile one is refused with the workspace as it was.

import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { systemProcesses } from "../../../host/process/run.ts";
import { binaryBytes } from "./binary-sizes.ts";
import { bringBranch, bringDiff } from "./bring-in.ts";

const top = mkdtempSync(join(tmpdir(), "constel-bring-"));
const env = { PATH: process.env["PATH"] ?? "", HOME: join(top, "home"), LC_ALL: "C" };
const workspace = { path: join(top, "work"), branch: "main" };
const origin = join(top, "origin.git");
const marker = join(top, "ran");

function git(...words: string[]): string {
  const run = Bun.spawnSync(["git", "-C", workspace.path, ...words], { env });
  if (run.exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${run.stderr.toString()}`);
  return run.stdout.toString();
}

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace.path, path)), { recursive: true });
    writeFileSync(join(workspace.path, path), content);
  }
}

beforeEach(() => {
  rmSync(top, { recursive: true, force: true });
  mkdirSync(join(top, "home"), { recursive: true });
  mkdirSync(workspace.path);
  // A filter and hooks of the owner's, which would leave a trace if they ran for a stranger.
  writeFileSync(
    join(top, "home/.gitconfig"),
    `[user]\n\tname = Ada\n\temail = ada@example.org\n[filter "owners"]\n\tsmudge = "touch ${marker}; cat"\n\tclean = "touch ${marker}; cat"\n\trequired = true\n[core]\n\thooksPath = .hooks\n`,
  );
  git("init", "-q", "-b", "main");
  put({ "a.txt": "one\ntwo\nthree\n", "big.bin": "\0".repeat(4_000), ".hooks/read.me": "hooks\n" });
  symlinkSync(top, join(workspace.path, "out"));
  git("-c", "core.hooksPath=/dev/null", "add", "-A");
  git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "base");
  Bun.spawnSync(["git", "clone", "-q", "--bare", workspace.path, origin], { env });
  git("remote", "add", "origin", origin);
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const bring = (diff: string): Promise<string | undefined> =>
  bringDiff({ processes: systemProcesses, env }, workspace, diff, {
    text: "Do it",
    author: { name: "bob", email: "bob@a2a.invalid" },
  });

/** Everything that a diff could have changed: files, commits, the index and what lies outside. */
const state = (): unknown => ({
  head: git("rev-parse", "HEAD"),
  status: git("status", "--porcelain", "--ignored"),
  files: readdirSync(workspace.path).toSorted(),
  git: readdirSync(join(workspace.path, ".git"))
    .filter((name) => name !== "ORIG_HEAD")
    .toSorted(),
  hooks: readdirSync(join(workspace.path, ".git/hooks")).length,
  config: readFileSync(join(workspace.path, ".git/config"), "utf8"),
  outside: readdirSync(top).toSorted(),
});

const newFile = (path: string, mode = "100644", content = "evil"): string =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${content}\n`;

const mode = (lines: string): string => `diff --git a/a.txt b/a.txt\n${lines}\n`;

/** One line for each 52 bytes, as git writes them. */
function base85(bytes: Uint8Array): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 52) {
    const piece = Buffer.alloc(Math.ceil(Math.min(52, bytes.length - at) / 4) * 4);
    piece.set(bytes.subarray(at, at + 52));
    const length = Math.min(52, bytes.length - at);
    let line = String.fromCharCode(length <= 26 ? 64 + length : 70 + length);
    for (let word = 0; word < piece.length / 4; word++) {
      let value = piece.readUInt32BE(word * 4);
      const five: string[] = [];
      for (let digit = 0; digit < 5; digit++) {
        five.unshift(digits[value % 85] as string);
        value = Math.floor(value / 85);
      }
      line += five.join("");
    }
    lines.push(line);
  }
  return `${lines.join("\n")}\n`;
}

const varint = (size: number): number[] => {
  const bytes: number[] = [];
  let left = size;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return [...bytes, left];
};

const binary = (path: string, kind: string, bytes: Uint8Array): string =>
  `diff --git a/${path} b/${path}\nindex ${"0".repeat(40)}..${"1".repeat(40)} 100644\nGIT binary patch\n${kind}\n${base85(deflateSync(bytes))}\n${kind}\n${base85(deflateSync(bytes))}\n`;

const deltaBomb = Uint8Array.from([...varint(4_000), ...varint(4_000_000_000), 0x90, 0x10]);

const hostile: Readonly<Record<string, string>> = {
  "a path above": newFile("../evil.txt"),
  "a path above, further in": newFile("sub/../../evil.txt"),
  "an absolute path": `diff --git a//tmp/evil.txt b//tmp/evil.txt\nnew file mode 100644\n--- /dev/null\n+++ b/${top}/evil.txt\n@@ -0,0 +1 @@\n+evil\n`,
  "git's own directory": newFile(".git/hooks/post-checkout", "100755"),
  "git's own settings": newFile(".git/config"),
  "git's directory in capitals": newFile(".GIT/hooks/post-checkout", "100755"),
  "git's directory by its short name": newFile("git~1/hooks/post-checkout", "100755"),
  "git's directory with a dot and a blank": newFile(".git. /hooks/post-checkout", "100755"),
  "git's directory with a character nobody sees": newFile(".g\u200cit/hooks/post-checkout", "100755"),
  "git's directory behind a backslash": newFile(String.raw`sub\.git\config`),
  "a name in octal": `diff --git "a/\\056git/config" "b/\\056git/config"\nnew file mode 100644\n--- /dev/null\n+++ "b/\\056git/config"\n@@ -0,0 +1 @@\n+evil\n`,
  "a symbolic link": newFile("link", "120000", "/etc/passwd"),
  "a symbolic link, with CR at the ends of lines": newFile("link", "120000\r", "/etc/passwd"),
  "a file that becomes a symbolic link": mode("old mode 100644\nnew mode 120000"),
  "a link that leads elsewhere": `diff --git a/out b/out\nindex 1..2 120000\n--- a/out\n+++ b/out\n@@ -1 +1 @@\n-${top}\n\\ No newline at end of file\n+/etc\n\\ No newline at end of file\n`,
  "a file below a link": newFile("out/evil.txt"),
  "a link and a file below it": newFile("way", "120000", "..") + newFile("way/evil.txt"),
  "a submodule": `diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit ${"1".repeat(40)}\n`,
  "a submodule's settings": newFile(".gitmodules"),
  "a mode of nothing": mode("old mode 100644\nnew mode 777777"),
  "a rename onto a hook":
    "diff --git a/a.txt b/.git/hooks/post-commit\nsimilarity index 100%\nrename from a.txt\nrename to .git/hooks/post-commit\n",
  "a copy onto a hook":
    "diff --git a/a.txt b/.git/hooks/post-commit\nsimilarity index 100%\ncopy from a.txt\ncopy to .git/hooks/post-commit\n",
  "thousands of copies": Array.from(
    { length: 9_000 },
    (_, n) => `diff --git a/big.bin b/c${n}\nsimilarity index 100%\ncopy from big.bin\ncopy to c${n}\n`,
  ).join(""),
  "thousands of files": Array.from(
    { length: 5_001 },
    (_, n) => `diff --git a/f${n} b/f${n}\nnew file mode 100644\nindex 0000000..e69de29\n`,
  ).join(""),
  "a bomb of a binary file": binary("big.bin", "literal 4000000000", new Uint8Array(4_000_000)),
  "a bomb that says another size": binary("big.bin", "literal 10", new Uint8Array(40_000_000)),
  "a bomb of a delta": binary("big.bin", `delta ${deltaBomb.length}`, deltaBomb),
  "a bomb of a delta, with CR": binary("big.bin", `delta ${deltaBomb.length}`, deltaBomb).replaceAll("\n", "\r\n"),
  "a delta that nobody can read": `diff --git a/big.bin b/big.bin\nindex 1..2 100644\nGIT binary patch\ndelta 5\nzzzz\n\n`,
  "a path above with CR at its end": newFile("..\r"),
  "context that is not there": "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n uno\n-dos\n+zwei\n tres\n",
  "no diff at all": "diff --git is what I would write\n",
  "a file of ours that is not committed": newFile("mine.txt"),
};

describe("a hostile diff is refused, and nothing has changed", () => {
  for (const [name, diff] of Object.entries(hostile))
    test(
      name,
      async () => {
        put({ "mine.txt": "mine\n" });
        const before = state();
        const complaint = await bring(diff);
        expect(complaint).toBeString();
        expect(state()).toEqual(before);
        expect(readFileSync(join(workspace.path, "mine.txt"), "utf8")).toBe("mine\n");
        expect(existsSync(marker)).toBe(false);
      },
      60_000,
    );
});

describe("what is honest is committed", () => {
  /** As git writes it, with the ids by which it merges three ways. */
  const edit = (): string => {
    put({ "a.txt": "one\n2\nthree\n" });
    const diff = git("diff", "a.txt");
    git("checkout", "-q", "a.txt");
    return diff;
  };

  test("an edit, by its author, with the workspace brought along", async () => {
    const diff = edit();
    expect(await bring(diff)).toBeUndefined();
    expect(readFileSync(join(workspace.path, "a.txt"), "utf8")).toBe("one\n2\nthree\n");
    expect(git("log", "-1", "--format=%an <%ae>|%cn|%s")).toBe("bob <bob@a2a.invalid>|Ada|Do it\n");
    expect(git("status", "--porcelain")).toBe("");
    expect(await bring(diff)).toContain("it changes nothing here");
    expect(readdirSync(join(workspace.path, ".git")).filter((one) => one.startsWith("constel"))).toEqual([]);
  }, 60_000);

  test("a rename, an executable file, a deletion and a binary file, as git writes them", async () => {
    git("mv", "a.txt", "b.txt");
    put({ "run.sh": "#!/bin/sh\n", "pic.bin": "\0\u0001".repeat(500) });
    Bun.spawnSync(["chmod", "755", join(workspace.path, "run.sh")]);
    writeFileSync(join(workspace.path, "big.bin"), `${"\0".repeat(3_999)}x`);
    git("add", "-A");
    const diff = git("diff", "--cached", "--binary", "HEAD");
    git("reset", "-q", "--hard");
    expect(diff).toContain("\ndelta ");
    expect(binaryBytes(diff)).toBeLessThan(20_000);
    expect(await bring(diff)).toBeUndefined();
    expect(git("status", "--porcelain")).toBe("");
    expect(git("ls-tree", "HEAD", "run.sh")).toStartWith("100755");
    expect(existsSync(join(workspace.path, "a.txt"))).toBe(false);
  }, 60_000);

  test("an attribute file and hooks in the tree: they are files like others, and nothing of them runs", async () => {
    const hook = (name: string) => newFile(`.hooks/${name}`, "100755", `touch ${marker}`);
    const attributes = newFile(".gitattributes", "100644", "* filter=owners diff=owners merge=owners");
    const hooks = ["post-commit", "post-checkout", "post-merge", "pre-commit", "reference-transaction"]
      .map(hook)
      .join("");
    expect(await bring(attributes + hooks + edit())).toBeUndefined();
    expect(existsSync(join(workspace.path, ".hooks/post-commit"))).toBe(true);
    expect(existsSync(marker)).toBe(false);
    // The next one, with all of it in the tree.
    expect(await bring(newFile("more.txt"))).toBeUndefined();
    expect(existsSync(marker)).toBe(false);
  }, 60_000);

  test("what looks as if it led out, and leads nowhere: an absolute path is one below, and no file sets its owner", async () => {
    const absolute = `--- /dev/null\n+++ ${top}/evil.txt\n@@ -0,0 +1 @@\n+evil\n`;
    expect(await bring(absolute)).toBeUndefined();
    expect(await bring(newFile("suid", "104755"))).toBeUndefined();
    expect(git("ls-tree", "HEAD", "suid")).toStartWith("100755");
    expect(git("show", "--name-only", "--format=", "HEAD~")).toEndWith("/evil.txt\n");
    expect(readdirSync(top).toSorted()).toEqual(["home", "origin.git", "work"]);
  }, 60_000);
});

test("a branch is judged by the same rules before it is merged", async () => {
  const branch = (name: string, make: () => void): void => {
    git("-c", "core.hooksPath=/dev/null", "checkout", "-qb", name, "main");
    make();
    git("add", "-A");
    git("-c", "core.hooksPath=/dev/null", "commit", "-qm", name);
    git("push", "-q", "origin", name);
    git("-c", "core.hooksPath=/dev/null", "checkout", "-q", "main");
    git("branch", "-qD", name);
  };
  branch("links", () => symlinkSync("/etc/passwd", join(workspace.path, "link")));
  branch("modules", () => put({ ".gitmodules": '[submodule "x"]\n' }));
  branch("honest", () => put({ "new.txt": "new\n" }));
  const parts = { processes: systemProcesses, env };
  const before = state();
  for (const name of ["links", "modules"]) expect(await bringBranch(parts, workspace, name)).toContain("is not merged");
  expect(await bringBranch(parts, workspace, "none")).toContain("gives no branch");
  expect(git("rev-parse", "HEAD")).toBe((before as { head: string }).head);
  expect(await bringBranch(parts, workspace, "honest")).toBeUndefined();
  expect(existsSync(join(workspace.path, "new.txt"))).toBe(true);
  expect(existsSync(marker)).toBe(false);
}, 60_000);
