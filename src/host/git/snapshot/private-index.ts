// A worktree's index in our own git directory: copied from the user's when that changed, then brought up to what is on
// disk. Stat data is kept between snapshots, so that after one edit only that file is read.

import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Git, GitFailure } from "../git.ts";
import type { TrustedDirectory } from "../../../files/trusted-directory.ts";
import { leadsOut } from "../repository/locate.ts";
import { joinPaths, pathToBytes } from "../objects/path-text.ts";
import type { PrivateStore } from "../objects/private-store.ts";

/** Tells one state of the user's index from another. `none` when there is no index. */
export function indexStamp(gitDirectory: string): string {
  const stat = lstatSync(join(gitDirectory, "index"), { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "none" : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

/** Copies the user's index and answers what it holds; undefined when there is none. git replaces an index by rename, so that an open one never changes under us. */
export function copyIndex(store: PrivateStore, fromGitDirectory: string, toGitDirectory: string): Buffer | undefined {
  return store.inDirectoryOf(join(toGitDirectory, "index"), (directory, name) => {
    directory.remove(`${name}.lock`); // left by a git that was killed; nobody else writes here
    const found = readWithTime(join(fromGitDirectory, "index"));
    if (found === undefined) {
      directory.remove(name);
      return undefined;
    }
    directory.write(name, found.content, { sync: false });
    // git takes a file as certainly unchanged only when it is older than the index. The copy must not look younger
    // than what it was copied from; rounding down errs on the safe side.
    directory.setTime(name, Math.floor(found.mtimeMs / 1000));
    if (found.content.includes("link", 12)) copySharedIndexes(directory, fromGitDirectory);
    return found.content;
  });
}

/** A split index names a second file beside it. */
function copySharedIndexes(to: TrustedDirectory, from: string): void {
  for (const name of readdirSync(from)) {
    if (!/^sharedindex\.[0-9a-f]+$/.test(name)) continue;
    const found = readWithTime(join(from, name));
    if (found !== undefined) to.write(name, found.content, { sync: false });
  }
}

/** undefined when it is not there. A pipe that somebody put there would never be read to its end. */
function readWithTime(path: string): { readonly content: Buffer; readonly mtimeMs: number } | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || leadsOut(path, fd)) throw notPlain(path);
    return { content: readFileSync(fd), mtimeMs: stat.mtimeMs };
  } finally {
    closeSync(fd);
  }
}

function notPlain(path: string): GitFailure {
  const outcome = { code: 128, signal: null, stdout: new Uint8Array(), timedOut: false, truncated: false };
  return new GitFailure(["read", "the index"], { ...outcome, stderr: `${path} is not a plain file` });
}

export interface IndexEntry {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
}

/** Puts entries as given and takes paths away, without looking at the files. */
export async function putEntries(
  git: Git,
  variables: Readonly<Record<string, string>>,
  worktree: string,
  entries: readonly IndexEntry[],
  removed: readonly string[],
  nullId: string,
): Promise<void> {
  if (entries.length + removed.length === 0) return;
  const parts: Uint8Array[] = [];
  const line = (mode: string, blob: string, path: string): void => {
    parts.push(Buffer.from(`${mode} ${blob}\t`), pathToBytes(path), Uint8Array.of(0));
  };
  for (const path of removed) line("0", nullId, path);
  for (const entry of entries) line(entry.mode, entry.blob, entry.path);
  const args = ["update-index", "--add", "--replace", "--remove", "-z", "--index-info"];
  await git.bytes({ args, variables, cwd: worktree, stdin: Buffer.concat(parts) });
}

/** Reads files from disk into the index. Those that cannot be read are answered, the rest is done. */
export async function addFiles(
  git: Git,
  variables: Readonly<Record<string, string>>,
  worktree: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const args = ["update-index", "--add", "--replace", "--remove", "-z", "--stdin"];
  const outcome = await git.try({ args, variables, cwd: worktree, stdin: joinPaths(paths) });
  if (outcome.code === 0) return [];
  if (outcome.code === null || outcome.timedOut) throw new GitFailure(args, outcome); // no single file is to blame
  if (paths.length <= 1) return paths;
  // It stops at the first file it cannot take, and then has changed nothing: halve until that one is found.
  const middle = paths.length >> 1;
  const first = await addFiles(git, variables, worktree, paths.slice(0, middle));
  return [...first, ...(await addFiles(git, variables, worktree, paths.slice(middle)))];
}
