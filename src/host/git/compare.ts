// Two worktrees, two revisions, or one of each, compared once: no daemon, and nothing left behind.

import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import type { MergeOutcome, RepositoryObserver, Snapshot, WorktreeFacts } from "../../protocol/git.ts";
import { gitDirectoryOf } from "./locate.ts";
import { identityOf, observe, type ObserverOptions } from "./observer.ts";

export interface CompareOptions extends Omit<ObserverOptions, "directory"> {
  /** Where the caller stands: revisions are looked up in this repository, paths count from here. */
  readonly cwd: string;
  /** A directory for what lives only as long as this call. */
  readonly temporaryDirectory: string;
}

export interface Comparison {
  readonly ours: ComparedSide;
  readonly theirs: ComparedSide;
  readonly outcome: MergeOutcome;
}

export interface ComparedSide {
  /** As it was given. */
  readonly name: string;
  readonly snapshot: Snapshot;
  /** undefined for a revision. */
  readonly worktree: WorktreeFacts | undefined;
}

/**
 * What merging the two would bring. A name is a worktree when it is the top directory of one, else a revision, else a path
 * inside a worktree. `use` may read files and trees before everything is removed.
 */
export async function compare<T = Comparison>(
  oursName: string,
  theirsName: string,
  options: CompareOptions,
  use?: (comparison: Comparison, observer: RepositoryObserver) => Promise<T>,
): Promise<T | Comparison> {
  const directory = mkdtempSync(join(options.temporaryDirectory, "constel-check-"));
  try {
    const observer = await observe(await homeOf(oursName, theirsName, options), { ...options, directory });
    try {
      const ours = await side(observer, oursName, options);
      const theirs = await side(observer, theirsName, options);
      const [outcome] = await observer.merge([{ ours: ours.snapshot, theirs: theirs.snapshot }], { trees: true });
      if (outcome === undefined) throw new Error("a pair was given, and no outcome came back");
      const comparison = { ours, theirs, outcome };
      return use === undefined ? comparison : await use(comparison, observer);
    } finally {
      await observer.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The repository to look in: that of the first worktree that is named, else where the caller stands. */
async function homeOf(ours: string, theirs: string, options: CompareOptions): Promise<string> {
  for (const name of [ours, theirs]) {
    const path = resolve(options.cwd, name);
    if (gitDirectoryOf(path) !== undefined && (await identityOf(path, options)) !== undefined) return path;
  }
  return options.cwd;
}

async function side(observer: RepositoryObserver, name: string, options: CompareOptions): Promise<ComparedSide> {
  const path = resolve(options.cwd, name);
  if (gitDirectoryOf(path) !== undefined) return await worktreeSide(observer, name, path, options);
  const snapshot = await observer.snapshotOf(name);
  if (snapshot !== undefined) return { name, snapshot, worktree: undefined };
  if (existsSync(path) && (await identityOf(path, options)) !== undefined)
    return await worktreeSide(observer, name, path, options);
  throw new Refusal("git.unknown-revision", `${name} is neither a worktree nor a revision`, { name });
}

async function worktreeSide(
  observer: RepositoryObserver,
  name: string,
  path: string,
  options: CompareOptions,
): Promise<ComparedSide> {
  const identity = await identityOf(path, options);
  if (identity !== observer.identity) {
    throw new Refusal("git.different-repositories", `${name} belongs to another repository`, {
      name,
      repository: identity,
      expected: observer.identity,
    });
  }
  await observer.add(path);
  const real = realpathSync(path);
  const { found } = await observer.worktrees();
  // The innermost, because worktrees are often kept inside one another.
  const around = found.filter((one) => `${real}/`.startsWith(`${one.path}/`));
  const innermost = around.sort((a, b) => b.path.length - a.path.length)[0];
  const taken = await observer.snapshot(innermost?.path ?? real);
  if (taken.kind === "taken") return { name, snapshot: taken.snapshot, worktree: taken.facts };
  throw new Refusal("git.not-observable", `${name} cannot be looked at: ${taken.detail}`, {
    name,
    reason: taken.reason,
  });
}
