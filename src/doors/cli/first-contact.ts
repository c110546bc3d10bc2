// Tells whether somebody met constel this moment: no home yet, and they stand in a repository with worktrees to compare. It costs some stats
// and no process, because `constel` alone must answer at once everywhere else.

import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

export function isFirstContact({ home, cwd }: { readonly home: string; readonly cwd: string }): boolean {
  if (existsSync(home)) return false;
  for (let at = cwd; ; at = dirname(at)) {
    const git = lstatSync(join(at, ".git"), { throwIfNoEntry: false });
    // A linked worktree has a file there, and so has a submodule: the look says what it is.
    if (git?.isFile() === true) return true;
    if (git?.isDirectory() === true) return hasEntries(join(at, ".git", "worktrees"));
    if (dirname(at) === at) return false;
  }
}

function hasEntries(directory: string): boolean {
  try {
    return readdirSync(directory).length > 0;
  } catch {
    return false; // none was ever made
  }
}
