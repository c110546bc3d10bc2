// Reads the state of a worktree: branch, head, what git is in the middle of. It reads git's own small files, because this is asked at every
// glance and a process costs 3 ms; repositories with reftables are asked through git.

import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import type { Operation } from "../../../ports/git.ts";
import type { Git } from "../git.ts";
import { readSmall } from "./locate.ts";

export interface WorktreeState {
  readonly branch: string | undefined;
  /** undefined on an unborn branch. */
  readonly head: string | undefined;
  readonly operation: Operation | undefined;
  /** The other parents of the merge under way. */
  readonly mergeHeads: readonly string[];
}

const objectId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** The state, or undefined when HEAD makes no sense. */
export async function readState(
  git: Git,
  gitDirectory: string,
  commonDirectory: string,
): Promise<WorktreeState | undefined> {
  const head = existsSync(join(commonDirectory, "reftable"))
    ? await askHead(git, gitDirectory)
    : readHead(gitDirectory, commonDirectory);
  if (head === undefined) return undefined;
  const operation = operationOf(gitDirectory);
  return { ...head, operation, mergeHeads: operation === "merge" ? idsIn(join(gitDirectory, "MERGE_HEAD")) : [] };
}

interface Head {
  readonly branch: string | undefined;
  readonly head: string | undefined;
}

export function readHead(gitDirectory: string, commonDirectory: string): Head | undefined {
  const text = readSmall(join(gitDirectory, "HEAD"))?.trim();
  if (text === undefined) return undefined;
  if (objectId.test(text)) return { branch: undefined, head: text };
  const name = /^ref: *(\S.*)$/.exec(text)?.[1];
  if (name === undefined || !isPlainRef(name)) return undefined;
  const resolved = resolveRef(gitDirectory, commonDirectory, name, 5);
  return resolved === "corrupt" ? undefined : { branch: name.replace(/^refs\/heads\//, ""), head: resolved };
}

function resolveRef(
  gitDirectory: string,
  commonDirectory: string,
  name: string,
  depth: number,
): string | undefined | "corrupt" {
  const perWorktree = /^refs\/(worktree|bisect|rewritten)\//.test(name);
  const text = readSmall(join(perWorktree ? gitDirectory : commonDirectory, name))?.trim();
  if (text !== undefined && text !== "") {
    if (objectId.test(text)) return text;
    const next = /^ref: *(\S.*)$/.exec(text)?.[1];
    if (next === undefined || depth === 0 || !isPlainRef(next)) return "corrupt";
    return resolveRef(gitDirectory, commonDirectory, next, depth - 1);
  }
  // Empty, or there and not to be read: a pipe, a directory.
  if (text === "" || isThere(join(perWorktree ? gitDirectory : commonDirectory, name))) return "corrupt";
  const packed = readSmall(join(commonDirectory, "packed-refs")) ?? "";
  const at = packed.indexOf(` ${name}\n`);
  if (at === -1) return undefined;
  const id = packed.slice(packed.lastIndexOf("\n", at) + 1, at);
  return objectId.test(id) ? id : "corrupt";
}

/** Something other than a directory has the name. */
export function isThere(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isDirectory();
}

/** A hostile HEAD must not make us read files outside the git directory. */
function isPlainRef(name: string): boolean {
  return name.startsWith("refs/") && !name.split("/").includes("..") && !name.includes("\0");
}

async function askHead(git: Git, gitDirectory: string): Promise<Head | undefined> {
  const variables = { GIT_DIR: gitDirectory };
  const name = (await git.ask({ args: ["symbolic-ref", "-q", "HEAD"], variables })) ?? "";
  const id = (await git.ask({ args: ["rev-parse", "-q", "--verify", "HEAD^{commit}"], variables })) ?? "";
  if (name === "" && !objectId.test(id)) return undefined;
  return {
    branch: name === "" ? undefined : name.replace(/^refs\/heads\//, ""),
    head: objectId.test(id) ? id : undefined,
  };
}

function operationOf(gitDirectory: string): Operation | undefined {
  const has = (name: string): boolean => existsSync(join(gitDirectory, name));
  if (has("rebase-merge")) return "rebase";
  if (has("rebase-apply")) return has("rebase-apply/applying") ? "am" : "rebase";
  if (has("MERGE_HEAD")) return "merge";
  if (has("CHERRY_PICK_HEAD")) return "cherry-pick";
  if (has("REVERT_HEAD")) return "revert";
  if (has("BISECT_LOG")) return "bisect";
  return undefined;
}

function idsIn(path: string): string[] {
  return (readSmall(path) ?? "").split("\n").filter((line) => objectId.test(line));
}
