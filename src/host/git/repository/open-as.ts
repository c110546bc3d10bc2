// constel keeps its own files to itself, and what it starts inherits that. But a repository of the user's may be others' too: what git writes
// into it is to be as open as it is itself, or those others can read neither the branch that moved nor the objects it needs.

import { statSync } from "node:fs";
import { join } from "node:path";

/** For git to write into this repository; undefined where it is closed to others as ours are, or is on no disk of this machine. */
export function umaskFor(repository: string | undefined): number | undefined {
  if (repository === undefined) return undefined;
  const path = repository.startsWith("file://") ? repository.slice("file://".length) : repository;
  if (!path.startsWith("/")) return undefined;
  for (const objects of [join(path, "objects"), join(path, ".git", "objects")]) {
    const mode = modeOf(objects);
    if (mode !== undefined) return (mode & 0o077) === 0 ? undefined : ~mode & 0o077;
  }
  return undefined;
}

export function withUmask(command: readonly [string, ...string[]], umask: number | undefined): [string, ...string[]] {
  if (umask === undefined) return [...command];
  return ["/bin/sh", "-c", 'umask "$0"; exec "$@"', `0${umask.toString(8)}`, ...command];
}

function modeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode;
  } catch {
    return undefined; // whoever works in it says why not
  }
}
