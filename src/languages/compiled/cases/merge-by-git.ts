// The merge of three trees by git itself, renames included; undefined when git sees a conflict.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Files } from "./judge-trees.ts";

export function mergeByGit(base: Files, ours: Files, theirs: Files): Record<string, string> | undefined {
  const top = mkdtempSync(join(tmpdir(), "constel-merge-"));
  try {
    git(top, "init", "-q", "-b", "ours");
    commit(top, base);
    git(top, "branch", "theirs");
    commit(top, ours);
    git(top, "checkout", "-q", "theirs");
    commit(top, theirs);
    const merged = git(top, "merge", "-q", "--no-edit", "ours");
    return merged ? filesIn(top) : undefined;
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function commit(top: string, files: Files): void {
  for (const name of readdirSync(top)) if (name !== ".git") rmSync(join(top, name), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(top, dirname(path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  git(top, "add", "-A");
  git(top, "commit", "-q", "--allow-empty", "-m", "files");
}

function filesIn(top: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const path of readdirSync(top, { recursive: true }).map(String).sort()) {
    if (path === ".git" || path.startsWith(".git/") || !statSync(join(top, path)).isFile()) continue;
    files[path] = readFileSync(join(top, path), "utf8");
  }
  return files;
}

function git(top: string, ...args: string[]): boolean {
  const who = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "a@example.org" };
  const same = { GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "a@example.org", GIT_CONFIG_NOSYSTEM: "1" };
  const env = { PATH: process.env["PATH"] ?? "", HOME: top, ...who, ...same };
  return Bun.spawnSync(["git", ...args], { cwd: top, env }).exitCode === 0;
}
