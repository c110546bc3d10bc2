// A clone that was turned leaves a repository behind in its workspace that runs programs of its own wherever git reads it. The owner then has it
// looked at, said to be ready, harvested, saved, brought back and thrown away.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TaskHome } from "./kit/task-home.ts";

const at = new TaskHome("true");
const sprung = join(at.top, "sprung");
/** Another repository of the owner's, which the clone's leads to. */
const other = join(at.top, "owners");

beforeAll(async () => {
  mkdirSync(sprung);
  mkdirSync(other);
  at.git(other, "init", "-q");
  await at.run("daemon", "start");
  await at.run("task", "create", "the owner's task");
});
afterAll(() => at[Symbol.asyncDispose]());

/** A program that says that it ran, tries to act as whoever ran it, and passes its input on so as not to be noticed. */
function trap(name: string): string {
  const path = join(at.top, `trap-${name}`);
  const acts = `"${join(at.home, "state/bin/constel")}" task cancel 1 --home "${at.home}" >>"${join(sprung, name)}" 2>&1 </dev/null`;
  writeFileSync(path, `#!/bin/sh\n: >>'${join(sprung, name)}'\n${acts}\ncat\nexit 0\n`);
  chmodSync(path, 0o755);
  return path;
}

const hooks =
  "post-checkout post-index-change pre-commit post-commit commit-msg prepare-commit-msg reference-transaction".split(
    " ",
  );
hooks.push("pre-push", "pre-receive", "update", "post-receive", "post-update", "push-to-checkout", "proc-receive");
hooks.push(
  "pre-auto-gc",
  "post-merge",
  "pre-merge-commit",
  "post-rewrite",
  "pre-applypatch",
  "pre-rebase",
  "fsmonitor-watchman",
);

function poison(workspace: string): void {
  const git = join(workspace, ".git");
  const settings: Readonly<Record<string, string>> = {
    "core.fsmonitor": trap("fsmonitor"),
    "core.hooksPath": join(git, "own-hooks"),
    "core.pager": trap("pager"),
    "core.editor": trap("editor"),
    "core.sshCommand": trap("ssh"),
    "core.askPass": trap("askpass"),
    "core.gitProxy": trap("proxy"),
    "core.alternateRefsCommand": trap("alternate-refs"),
    "credential.helper": `!${trap("credential")}`,
    "diff.external": trap("diff-external"),
    "diff.evil.command": trap("diff-command"),
    "diff.evil.textconv": trap("textconv"),
    "filter.evil.clean": trap("clean"),
    "filter.evil.smudge": trap("smudge"),
    "merge.evil.driver": `${trap("merge-driver")} %A`,
    "merge.default": "evil",
    "commit.gpgSign": "true",
    "tag.gpgSign": "true",
    "gpg.program": trap("gpg"),
    "gpg.ssh.program": trap("gpg-ssh"),
    "log.showSignature": "true",
    "trailer.evil.command": trap("trailer"),
    "uploadpack.packObjectsHook": trap("pack-objects"),
    "uploadpack.hideRefs": "refs/heads",
    "receive.procReceiveRefs": "refs",
    "remote.origin.uploadpack": trap("uploadpack"),
    "remote.origin.receivepack": trap("receivepack"),
    "remote.origin.vcs": "evil",
    "protocol.ext.allow": "always",
    "url.ext::sh.insteadOf": at.origin,
    [`url.ext::${trap("instead-of")} %S.pushInsteadOf`]: at.origin,
    [`url.${other}.insteadOf`]: at.root,
    "submodule.recurse": "true",
    "sequence.editor": trap("sequence"),
    "pager.log": trap("pager-log"),
    "alias.log": `!${trap("alias")}`,
    "gc.auto": "1",
    "maintenance.auto": "true",
  };
  const included = join(at.top, "included");
  writeFileSync(
    included,
    `[core]\n\tfsmonitor = ${trap("included-fsmonitor")}\n\tsshCommand = ${trap("included-ssh")}\n`,
  );
  for (const directory of ["hooks", "own-hooks"]) {
    mkdirSync(join(git, directory), { recursive: true });
    for (const hook of hooks) symlinkSync(trap(`hook-${hook}`), join(git, directory, hook));
  }
  mkdirSync(join(git, "info"), { recursive: true });
  writeFileSync(join(git, "info/attributes"), "* filter=evil diff=evil merge=evil\n");
  writeFileSync(join(git, "objects/info/alternates"), `${other}/.git/objects\n`);
  for (const [name, value] of Object.entries(settings)) at.git(workspace, "config", name, value);
  at.git(workspace, "config", "--add", `includeIf.gitdir:${git}/.path`, included);
}

test("nothing of a clone's repository is run by what the owner does with it, in it or from outside", async () => {
  const { number } = await at.ask<{ number: number }>("task", "create", "Poisoned");
  const given = ["task", "dispatch", String(number), "--to-workspace", "--no-fetch"];
  const { workspace } = await at.ask<{ workspace: string }>(...given);
  at.commit(workspace, { "b.txt": "b\n", ".gitattributes": "*.txt filter=evil diff=evil merge=evil\n" }, "Work");
  poison(workspace);
  writeFileSync(join(workspace, "a.txt"), "one\nTWO\nthree\n");
  writeFileSync(join(workspace, "new.txt"), "not committed\n");
  const named = [String(number)];
  const verbs: readonly (readonly string[])[] = [
    ["repo", "add", workspace],
    ["status"],
    ["conflicts"],
    ["check", workspace, at.root],
    ["try"],
    ["plan"],
    ["task", "show", ...named],
    ["task", "ready", ...named],
    ["task", "harvest", ...named],
    ["workspace", "ls"],
    ["workspace", "rm", ...named],
    ["workspace", "restore", ...named],
    ["workspace", "rm", ...named],
  ];
  for (const verb of verbs) {
    await at.run(...verb);
    expect([verb[0], verb[1], readdirSync(sprung)]).toEqual([verb[0], verb[1], []]);
    // Also where somebody runs it in the workspace itself.
    if (existsSync(workspace)) {
      await at.constel(verb, { cwd: workspace });
      expect(["inside", verb[0], verb[1], readdirSync(sprung)]).toEqual(["inside", verb[0], verb[1], []]);
    }
  }
  // That they were armed: git as it comes runs them.
  await at.run("workspace", "restore", ...named);
  Bun.spawnSync(["git", "status"], { cwd: workspace, env: at.env });
  expect(readdirSync(sprung)).toContain("fsmonitor");
});
