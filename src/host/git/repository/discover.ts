// The worktrees of a clone, each once whatever path led to it, and those that cannot be observed with the reason why.

import { accessSync, constants, lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { SkippedWorktree, WorktreeFacts } from "../../../ports/git.ts";
import { systemCode } from "../../../protocol/errors.ts";
import type { Settings } from "./allowed-settings.ts";
import { type Git, GitFailure } from "../git.ts";
import { commonDirectoryOf, gitDirectoryOf, readSmall } from "./locate.ts";
import { fieldsOf } from "../objects/path-text.ts";
import { readState } from "./worktree-state.ts";

export interface Discovery {
  readonly found: readonly WorktreeFacts[];
  readonly skipped: readonly SkippedWorktree[];
}

/**
 * `tops` are worktrees known by other means: git itself does not know where the files of a submodule or of a separate git
 * directory are.
 */
export async function discover(
  git: Git,
  commonDirectory: string,
  tops: readonly string[],
  readSettings: ReadSettings,
): Promise<Discovery> {
  const args = ["worktree", "list", "--porcelain", "-z"];
  const outcome = await git.try({ args, variables: { GIT_DIR: commonDirectory } });
  const found = new Map<string, WorktreeFacts>();
  const skipped: SkippedWorktree[] = [];
  const listed = outcome.code === 0 ? readList(outcome.stdout) : listByHand(commonDirectory, skipped);
  if (outcome.code === 0) skipped.push(...closedIn(join(commonDirectory, "worktrees")));
  else {
    const detail = new GitFailure(args.slice(0, 2), outcome).message;
    const isGone = lstatSync(commonDirectory, { throwIfNoEntry: false }) === undefined;
    if (isGone) return { found: [], skipped: [{ path: tops[0] ?? commonDirectory, reason: "gone", detail }] };
    // One worktree that git cannot read must not hide the others.
    if (skipped.length === 0) skipped.push({ path: commonDirectory, reason: "corrupt", detail });
  }
  for (const top of tops)
    if (!listed.some((one) => one.path === top)) listed.push({ path: top, isBare: false, isLocked: false });
  for (const { path, isBare, isLocked } of listed) {
    if (isBare) {
      if (tops.length === 0) skipped.push({ path, reason: "bare", detail: "a bare repository has no working files" });
      continue;
    }
    const facts = await describeWorktree(git, path, commonDirectory, isLocked, readSettings);
    if ("reason" in facts) {
      // A git directory that stands in for its worktree in git's list is no worktree, and nothing is missing.
      if (realOr(path) !== commonDirectory) skipped.push(facts);
    } else if (!found.has(facts.gitDirectory)) found.set(facts.gitDirectory, facts);
  }
  return { found: [...found.values()], skipped };
}

/** Reads the settings of a worktree. */
type ReadSettings = (gitDirectory: string, commonDirectory: string, top: string) => Promise<Settings>;

/** The facts of one worktree, or why it cannot be observed. */
export async function describeWorktree(
  git: Git,
  path: string,
  commonDirectory: string,
  isLocked: boolean,
  readSettings: ReadSettings,
): Promise<WorktreeFacts | SkippedWorktree> {
  const skip = (reason: SkippedWorktree["reason"], detail: string): SkippedWorktree => ({ path, reason, detail });
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
    return isLocked ? skip("unreadable", lockedAway) : skip("gone", "the directory no longer exists");
  const top = realOr(path);
  const gitDirectory = gitDirectoryOf(top);
  if (gitDirectory === undefined) return skip("gone", "the directory has no git directory any more");
  if (commonDirectoryOf(gitDirectory) !== commonDirectory) {
    return skip("foreign", "the directory now belongs to another repository");
  }
  const state = await readState(git, gitDirectory, commonDirectory);
  if (state === undefined) return skip("corrupt", "HEAD cannot be read");
  let settings: Settings;
  try {
    settings = await readSettings(gitDirectory, commonDirectory, top);
  } catch (cause) {
    if (!(cause instanceof GitFailure)) throw cause;
    return skip(cause.outcome.timedOut ? "timed-out" : "corrupt", cause.message);
  }
  return {
    path: top,
    gitDirectory,
    commonDirectory,
    branch: state.branch,
    head: state.head,
    upstream: state.branch === undefined ? undefined : settings.upstreams.get(state.branch),
    operation: state.operation,
    isMain: gitDirectory === commonDirectory,
    isShallow: (readSmall(join(commonDirectory, "shallow")) ?? "") !== "",
    isSparse: /^(true|yes|on|1)$/i.test(settings.values.get("core.sparsecheckout") ?? ""),
    isLocked,
  };
}

/** Whoever locks a worktree says that it is to come back: it is on a disk that is not always there. */
export const lockedAway = "its directory is not there, and it is locked, as one on a disk that is not connected";

/** Tells whether the clone keeps a place for a worktree that is not there. */
export function isLockedAway(commonDirectory: string, path: string): boolean {
  return listByHand(commonDirectory, []).some((one) => one.isLocked && one.path === path);
}

interface Listed {
  readonly path: string;
  readonly isBare: boolean;
  readonly isLocked: boolean;
}

/** Reads the files that git's list of worktrees rests on, without git. Those that cannot be read are added to `skipped`. */
function listByHand(commonDirectory: string, skipped: SkippedWorktree[]): Listed[] {
  const listed: Listed[] = [];
  if (basename(commonDirectory) === ".git")
    listed.push({ path: dirname(commonDirectory), isBare: false, isLocked: false });
  for (const name of namesIn(join(commonDirectory, "worktrees"))) {
    const own = join(commonDirectory, "worktrees", name);
    const gitFile = readSmall(join(own, "gitdir"))?.trim();
    if (gitFile === undefined || gitFile === "")
      skipped.push({ path: own, reason: "unreadable", detail: `${join(own, "gitdir")} cannot be read` });
    else {
      const path = dirname(isAbsolute(gitFile) ? gitFile : resolve(own, gitFile));
      listed.push({ path, isBare: false, isLocked: readSmall(join(own, "locked")) !== undefined });
    }
  }
  return listed;
}

/** git's list has no word of worktrees whose files this account may not read, such as root's. */
function closedIn(directory: string): SkippedWorktree[] {
  if (isClosed(directory, constants.R_OK | constants.X_OK)) return [closed(directory)];
  const own = namesIn(directory).map((name) => join(directory, name));
  return own.filter((path) => isClosed(join(path, "gitdir"), constants.R_OK)).map(closed);
}

const closed = (path: string): SkippedWorktree => ({
  path,
  reason: "unreadable",
  detail: `${path} is closed to this account`,
});

function isClosed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return false;
  } catch (cause) {
    return systemCode(cause) === "EACCES";
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return []; // the clone has no linked worktrees
  }
}

/** Attributes end with NUL, and an empty one ends a worktree. */
function readList(output: Uint8Array): Listed[] {
  const listed: Listed[] = [];
  let path: string | undefined;
  let isBare = false;
  let isLocked = false;
  for (const field of fieldsOf(output)) {
    const text = Buffer.from(field).toString("utf8");
    if (text.startsWith("worktree ")) path = text.slice("worktree ".length);
    else if (text === "bare") isBare = true;
    else if (text === "locked" || text.startsWith("locked ")) isLocked = true;
    else if (text === "" && path !== undefined) {
      listed.push({ path, isBare, isLocked });
      path = undefined;
      isBare = false;
      isLocked = false;
    }
  }
  return listed;
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
