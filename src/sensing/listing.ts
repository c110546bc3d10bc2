// Reads, without a process, what tells that git is worth asking again: which worktrees there are, and where the branch that work lands on
// stands.

import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { WatchedWorktree } from "./watched-worktree.ts";

/**
 * The names of the linked worktrees of every clone: reading them costs nothing, and they change when one comes or goes. git
 * has the name before it can list the worktree, and keeps it locked until its files are there, so both are looked at too.
 */
export function listingOf(members: Iterable<WatchedWorktree>): string {
  const names: string[] = [];
  for (const directory of clonesOf(members)) {
    try {
      names.push(directory);
      for (const name of readdirSync(join(directory, "worktrees")).sort()) {
        const has = (file: string): boolean => existsSync(join(directory, "worktrees", name, file));
        names.push(name, `${has("gitdir")} ${has("locked")}`);
      }
    } catch {
      // None, or the clone itself is gone: the looks at its worktrees say so.
    }
  }
  return names.join("\0");
}

/** Changes when the branch moves: by a push, a fetch or a merge elsewhere, which no worktree need tell of. */
export function landingStampOf(members: Iterable<WatchedWorktree>, branch: string | undefined): string {
  const name = branch?.replace(/^origin\//, "") ?? "main";
  const files = ["packed-refs", "reftable/tables.list", `refs/heads/${name}`, `refs/remotes/origin/${name}`];
  const stamps: string[] = [];
  for (const directory of clonesOf(members)) {
    for (const file of files) {
      try {
        const { ino, size, mtimeMs } = lstatSync(join(directory, file));
        stamps.push(`${ino} ${size} ${mtimeMs}`);
      } catch {
        stamps.push("-"); // packed away, or never there
      }
    }
  }
  return stamps.join("\n");
}

function clonesOf(members: Iterable<WatchedWorktree>): Set<string> {
  const directories = [...members].map(({ facts }) => facts?.commonDirectory);
  return new Set(directories.filter((directory) => directory !== undefined));
}
