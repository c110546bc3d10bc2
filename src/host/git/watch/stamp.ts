// The cheap look: has HEAD, the index, an operation or a setting of a worktree moved since last time? A few stats and
// small reads, no process. Edits to working files do not show here; the watch says those.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { indexStamp } from "../snapshot/private-index.ts";
import { readHead } from "../repository/worktree-state.ts";

export interface Stamp {
  readonly index: string;
  /** HEAD, operations and settings, as one text. */
  readonly rest: string;
}

const watched = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "BISECT_LOG",
  "rebase-merge",
  "rebase-apply",
] as const;
const lists = ["info/sparse-checkout", "config.worktree"] as const;
const shared = ["config", "info/exclude", "info/attributes", "shallow", "objects/info/alternates"] as const;

export function stampOf(top: string, gitDirectory: string, commonDirectory: string): Stamp {
  const head = readHead(gitDirectory, commonDirectory);
  const parts = [
    head === undefined ? "?" : `${head.branch ?? ""} ${head.head ?? ""}`,
    timeOf(join(top, ".git")),
    ...watched.map((name) => timeOf(join(gitDirectory, name))),
    ...lists.map((name) => timeOf(join(gitDirectory, name))),
    ...shared.map((name) => timeOf(join(commonDirectory, name))),
  ];
  return { index: indexStamp(gitDirectory), rest: parts.join("\n") };
}

export function timeOf(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  // A directory's own time moves with every file in it; that it is there, and which one, is what counts.
  if (stat === undefined) return "-";
  return stat.isDirectory() ? String(stat.ino) : `${stat.ino}:${stat.size}:${stat.mtimeNs}`;
}
