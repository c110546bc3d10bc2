// Worktrees are known by their real paths; sessions and tools may name a place through a link.

import { realpathSync } from "node:fs";

/** The path itself where nothing is there any more. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
