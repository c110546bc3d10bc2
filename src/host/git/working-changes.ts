// Which files of a worktree differ from a private index: by stat for tracked files, by listing for untracked ones. No
// file's content is read, except where git's own race rule demands it (changed within the second the index was written).

import type { Git } from "./git.ts";
import { fieldsOf, pathFromBytes } from "./path-text.ts";

export interface WorkingChanges {
  /** Tracked and different, or in conflict, but there. */
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
  readonly untracked: readonly string[];
  /** Untracked repositories inside the worktree. */
  readonly nested: readonly string[];
}

export async function workingChanges(
  git: Git,
  variables: Readonly<Record<string, string>>,
  worktree: string,
  paths: readonly string[],
): Promise<WorkingChanges> {
  const only = paths.length === 0 ? [] : ["--", ...paths];
  const [tracked, untracked] = await Promise.all([
    git.bytes({
      // Never --ignore-submodules=none: that would run git inside the submodule, with the submodule's configuration.
      args: ["diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=dirty", ...only],
      variables,
      cwd: worktree,
    }),
    git.bytes({ args: ["ls-files", "-z", "--others", "--exclude-standard", ...only], variables, cwd: worktree }),
  ]);
  const modified = new Set<string>();
  const deleted = new Set<string>();
  const fields = fieldsOf(tracked);
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const status = String.fromCharCode(fields[index]?.[0] ?? 0);
    const path = pathFromBytes(fields[index + 1] ?? new Uint8Array());
    (status === "D" ? deleted : modified).add(path);
  }
  // An unmerged path is told twice, as U and as its difference to our own version; deleted is the truer word.
  for (const path of deleted) modified.delete(path);
  const others = fieldsOf(untracked).map(pathFromBytes);
  return {
    modified: [...modified],
    deleted: [...deleted],
    untracked: others.filter((path) => !path.endsWith("/")),
    nested: others.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1)),
  };
}
