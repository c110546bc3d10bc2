// The workspaces of this machine, as core asks for them.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { SourceFacts, WorkspaceFacts, Workspaces } from "../../ports/workspace.ts";
import { fieldsOf, pathFromBytes } from "../git/objects/path-text.ts";
import { makeWorkspace } from "./make-workspace.ts";
import { forgetRescue } from "./forget.ts";
import { keepReady, letGo } from "./keep-ready.ts";
import { saveNow } from "./save-now.ts";
import { removeWorkspace } from "./remove.ts";
import { settleWorkspace, sweepWorkspaces } from "./settle.ts";
import { restoreWorkspace } from "./restore.ts";
import { inspectSource, type Source } from "./source.ts";
import { uncommittedFiles } from "./uncommitted.ts";
import { workspaceDiff } from "./workspace-diff.ts";
import { WorkGit, type WorkGitOptions } from "./work-git.ts";

export function systemWorkspaces(options: WorkGitOptions): Workspaces {
  const git = new WorkGit(options);
  /** All that was seen, for who makes a workspace with these facts. */
  const inspected = new WeakMap<SourceFacts, Source>();
  return {
    async inspect(path) {
      const source = await inspectSource(git, path);
      const { commonDirectory, top, origin, defaultTarget } = source;
      const facts = { commonDirectory, top, origin, defaultTarget };
      inspected.set(facts, source);
      return facts;
    },
    async make(wish) {
      const known = wish.facts === undefined ? undefined : inspected.get(wish.facts);
      return makeWorkspace(git, known ?? (await inspectSource(git, wish.source)), wish);
    },
    look: (path, base, branch) => look(git, path, base, branch),
    diff: (path, base) => workspaceDiff(git, path, base),
    uncommitted: (path, head) => uncommittedFiles(git, path, head),
    changed: (path, base, tip) => changedPaths(git, path, base, tip),
    atOrigin: (origin, branch) => atOrigin(git, origin, branch),
    async branch(path, name) {
      const variables = { GIT_DIR: join(path, ".git"), GIT_WORK_TREE: path };
      const bad = await git.try({ args: ["check-ref-format", "--branch", name] });
      if (bad.code !== 0) throw new Refusal("usage.bad-value", `${name} is not a valid name for a branch`, { name });
      await git.bytes({ args: ["update-ref", `refs/heads/${name}`, "HEAD", ""], variables });
      await git.bytes({ args: ["symbolic-ref", "HEAD", `refs/heads/${name}`], variables });
    },
    remove: (wish) => removeWorkspace(git, wish),
    restore: (wish) => restoreWorkspace(git, wish),
    settle: async (place) => settleWorkspace(place),
    sweep: async (root) => sweepWorkspaces(root),
    saveNow: (wish) => saveNow(git, wish),
    keep: (wish) => keepReady(git, wish),
    letGo: (place) => letGo(git, place),
    forget: (wish) => forgetRescue(git, wish),
  };
}

async function look(git: WorkGit, path: string, base: string, branch: string): Promise<WorkspaceFacts> {
  const gitDirectory = join(path, ".git");
  if (!existsSync(gitDirectory)) {
    return {
      exists: false,
      branch: undefined,
      head: undefined,
      uncommitted: 0,
      ahead: 0,
      tip: undefined,
      pushed: undefined,
    };
  }
  const variables = { GIT_DIR: gitDirectory, GIT_WORK_TREE: path };
  const word = (...args: string[]): Promise<string | undefined> => git.ask({ args, variables, cwd: path });
  const head = await word("rev-parse", "-q", "--verify", "HEAD");
  const tip = await word("rev-parse", "-q", "--verify", `refs/heads/${branch}^{commit}`);
  return {
    exists: true,
    branch: await word("symbolic-ref", "-q", "--short", "HEAD"),
    head,
    uncommitted: (await uncommittedFiles(git, path, head)).length,
    ahead: tip === undefined ? 0 : Number(await word("rev-list", "--count", `${base}..${tip}`)),
    tip,
    pushed: await word("rev-parse", "-q", "--verify", `refs/remotes/origin/${branch}^{commit}`),
  };
}

async function changedPaths(git: WorkGit, path: string, base: string, tip: string): Promise<string[]> {
  const variables = { GIT_DIR: join(path, ".git"), GIT_WORK_TREE: path };
  const shown = ["--first-parent", "--no-merges", "--no-renames", "--name-only", "--format=", "-z"];
  const output = await git.bytes({ args: ["log", ...shown, `${base}..${tip}`], variables, cwd: path });
  return [...new Set(fieldsOf(output).map(pathFromBytes))].filter((one) => one !== "");
}

async function atOrigin(git: WorkGit, origin: string, branch: string): Promise<string | undefined> {
  const name = `refs/heads/${branch}`;
  // From nowhere: inside a repository its configuration could send the question elsewhere.
  const outcome = await git.talk({ args: ["ls-remote", "--refs", "--", origin, name], cwd: "/", deadlineMs: 30_000 });
  if (outcome.code !== 0) {
    const why = outcome.timedOut ? "it did not answer in 30 s" : outcome.stderr.trim().slice(-500);
    throw new Outage("ask", origin, why, { mayRetry: true });
  }
  const lines = Buffer.from(outcome.stdout).toString("utf8").split("\n");
  return lines.find((line) => line.endsWith(`\t${name}`))?.split("\t")[0];
}
