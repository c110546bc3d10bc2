// A repository that tries to run its own programs when it is looked at. Each trap leaves a file behind when it springs.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Scratch, snapshotOf } from "./scratch.suite.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

/** A program that says that it ran, and passes its input on so as not to be noticed. */
function trap(name: string, then = "cat 2>/dev/null"): string {
  mkdirSync(scratch.path("traps"), { recursive: true });
  mkdirSync(scratch.path("sprung"), { recursive: true });
  const path = scratch.path("traps", name);
  writeFileSync(path, `#!/bin/sh\n: > '${scratch.path("sprung", name)}'\n${then}\nexit 0\n`);
  chmodSync(path, 0o755);
  return path;
}

const sprung = (): string[] => (existsSync(scratch.path("sprung")) ? readdirSync(scratch.path("sprung")).sort() : []);

const hooks = [
  "post-checkout",
  "post-index-change",
  "pre-commit",
  "post-commit",
  "reference-transaction",
  "fsmonitor-watchman",
];
hooks.push("prepare-commit-msg", "pre-auto-gc", "post-merge", "pre-merge-commit", "post-rewrite", "pre-applypatch");

function plant(repository: string): void {
  const gitDirectory = join(repository, ".git");
  const settings: Record<string, string> = {
    "core.fsmonitor": trap("fsmonitor"),
    "core.hooksPath": join(gitDirectory, "myhooks"),
    "core.pager": trap("pager"),
    "core.editor": trap("editor"),
    "core.sshCommand": trap("ssh"),
    "core.askPass": trap("askpass"),
    "core.gitProxy": trap("proxy"),
    "core.alternateRefsCommand": trap("alternate-refs"),
    "credential.helper": trap("credential"),
    "diff.external": trap("diff-external"),
    "diff.evil.command": trap("diff-command"),
    "diff.evil.textconv": trap("textconv"),
    "filter.evil.clean": trap("clean"),
    "filter.evil.smudge": trap("smudge"),
    "filter.evil.required": "true",
    "filter.slow.process": trap("process"),
    "merge.evil.driver": `${trap("merge-driver")} %A`,
    "merge.default": "evil",
    "gpg.program": trap("gpg"),
    "log.showSignature": "true",
    "gc.auto": "1",
    "pager.status": trap("pager-status"),
    "alias.snapshot": `!${trap("alias")}`,
    "sequence.editor": trap("sequence"),
    "uploadpack.packObjectsHook": trap("pack-objects"),
    "trace2.normalTarget": scratch.path("sprung", "trace2"),
    "protocol.ext.allow": "always",
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.partialclonefilter": "blob:none",
    "remote.origin.url": `ext::${trap("ext", "exit 1")} %S`,
    "submodule.recurse": "true",
    "status.submoduleSummary": "true",
    "diff.ignoreSubmodules": "none",
  };
  for (const [name, value] of Object.entries(settings)) scratch.git(repository, "config", name, value);
  writeFileSync(
    scratch.path("included"),
    `[core]\n\tfsmonitor = ${trap("included-fsmonitor")}\n[filter "evil"]\n\tclean = ${trap("included-clean")}\n`,
  );
  scratch.git(repository, "config", "--add", "include.path", scratch.path("included"));
  for (const directory of ["hooks", "myhooks"]) {
    mkdirSync(join(gitDirectory, directory), { recursive: true });
    for (const hook of hooks) symlinkSync(trap(`hook-${hook}`), join(gitDirectory, directory, hook));
  }
  mkdirSync(join(gitDirectory, "info"), { recursive: true });
  writeFileSync(join(gitDirectory, "info", "attributes"), "*.info filter=evil diff=evil merge=evil\n");
}

describe("a hostile repository", () => {
  test("runs nothing of its own while it is observed, snapshot, merged and read", async () => {
    const repository = scratch.repository("hostile", {
      ".gitattributes": "*.txt filter=evil diff=evil merge=evil\n*.slow filter=slow\n*.lfs filter=lfs\n",
      "a.txt": "1\n2\n3\n",
      "b.slow": "1\n",
      "c.info": "1\n",
      "d.lfs": "1\n",
    });
    const inner = scratch.repository("inner");
    scratch.git(repository, "submodule", "--quiet", "add", inner, "sub");
    scratch.git(repository, "commit", "-qm", "with submodule");
    const other = scratch.worktree(repository, "other");
    plant(repository);
    scratch.git(join(repository, "sub"), "config", "core.fsmonitor", trap("submodule-fsmonitor"));
    for (const [side, word] of [
      [repository, "ours"],
      [other, "theirs"],
    ] as const) {
      scratch.write(side, {
        "a.txt": `1\n${word}\n3\n`,
        "b.slow": word,
        "c.info": word,
        "d.lfs": word,
        [`${word}.txt`]: word,
      });
    }
    // of the same size, so that whoever asks the submodule for its status has to run the filter
    scratch.git(join(repository, "sub"), "config", "filter.evil.clean", trap("submodule-clean"));
    scratch.write(join(repository, ".git", "modules", "sub", "info"), { attributes: "*.txt filter=evil\n" });
    scratch.write(join(repository, "sub"), { "a.txt": "two\n" });
    symlinkSync("/etc", join(repository, "linked"));
    // git finds these by name in the PATH that it is given; here they are only in the working directory
    scratch.write(repository, { "git-lfs": "#!/bin/sh\n" });
    expect(sprung()).toEqual([]);

    const observer = await scratch.observe(repository);
    const { found } = await observer.worktrees();
    expect(found.map((facts) => facts.path).sort()).toEqual([other, repository].sort());
    const ours = await snapshotOf(observer, repository);
    const theirs = await snapshotOf(observer, other);
    await snapshotOf(observer, repository, { full: true });
    await snapshotOf(observer, repository, { touched: ["a.txt"] });
    const [outcome] = await observer.merge([{ ours, theirs }]);
    const paths = outcome?.kind === "conflicted" ? outcome.conflicts.map((one) => one.path).sort() : [];
    expect(paths).toEqual(["a.txt", "b.slow", "c.info", "d.lfs"]);
    await observer.changedFiles(found[0]?.head ?? "", ours);
    await observer.tree(ours.tree);
    await observer.snapshotOf("other");
    // a commit that is not there, which a partial clone would fetch
    expect(await observer.snapshotOf("f".repeat(40))).toBeUndefined();
    const variables = { GIT_DIR: join(repository, ".git") };
    await scratch.hardenedGit().try({ args: ["cat-file", "-e", "f".repeat(40)], variables });
    await observer.watch(other, () => undefined);
    await observer.prune();
    await observer.close();
    expect(sprung()).toEqual([]);
    expect(ours.flags.filter((flag) => flag.reason === "filtered").map((flag) => flag.path)).toContain("b.slow");
    // and the links it holds were not followed
    expect((await observerTree(repository, ours.tree)).filter((path) => path.startsWith("linked"))).toEqual(["linked"]);
  });

  test("has no hook called, not even by a command that calls one", async () => {
    const repository = scratch.repository("hooked");
    plant(repository);
    const before = sprung();
    const variables = { GIT_DIR: join(repository, ".git") };
    const outcome = await scratch.hardenedGit().try({ args: ["update-ref", "refs/heads/made", "HEAD"], variables });
    expect({ ...outcome, stdout: "" }).toMatchObject({ code: 0 });
    expect(sprung()).toEqual(before);
    scratch.tryGit(repository, "update-ref", "refs/heads/other", "HEAD");
    expect(sprung()).toContain("hook-reference-transaction");
  });

  test("would have run its programs, had git been asked in its own directory", () => {
    scratch.tryGit(scratch.path("hostile"), "status");
    scratch.tryGit(scratch.path("hostile"), "cat-file", "-e", "f".repeat(40));
    expect(sprung()).toContain("ext");
    scratch.tryGit(scratch.path("hostile"), "add", "-A");
    expect(sprung()).toContain("included-clean");
    expect(sprung()).toContain("hook-post-index-change");
    expect(sprung()).toContain("submodule-fsmonitor");
    expect(sprung()).toContain("submodule-clean");
  });

  test("cannot lead us to files outside by naming another directory as its own", async () => {
    const victim = scratch.path("victim");
    scratch.write(victim, { "secret.txt": "secret\n" });
    const repository = scratch.repository("liar");
    scratch.git(repository, "config", "core.worktree", victim);
    const observer = await scratch.observe(repository);
    const { found, skipped } = await observer.worktrees();
    expect(found.map((facts) => facts.path)).not.toContain(victim);
    expect(skipped.some((one) => one.path === victim)).toBe(true);
    expect((await observer.snapshot(victim)).kind).toBe("skipped");
  });
});

async function observerTree(repository: string, tree: string): Promise<string[]> {
  const observer = await scratch.observe(repository);
  return [...(await observer.tree(tree)).keys()];
}
