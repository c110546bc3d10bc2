// Holds what git says of a worktree in which nothing is out of the ordinary.

import type { WorktreeFacts } from "../ports/git.ts";

export const plainFacts = (path: string, more: Partial<WorktreeFacts> = {}): WorktreeFacts => ({
  path,
  gitDirectory: `${path}/.git`,
  commonDirectory: `${path}/.git`,
  branch: undefined,
  head: undefined,
  upstream: undefined,
  operation: undefined,
  isMain: false,
  isShallow: false,
  isSparse: false,
  isLocked: false,
  ...more,
});
