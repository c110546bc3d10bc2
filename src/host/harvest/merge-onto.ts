// Three-way merges of trees in the landing repository, without a worktree. A base is named by a stand-in: a commit with our tree
// that hangs from it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Conflict } from "../../ports/git.ts";
import { Blobs } from "../git/objects/blobs.ts";
import { GitFailure, hasComplained } from "../git/git.ts";
import { hunksOf } from "../git/merge/merge.ts";
import { markerSize } from "../git/merge/merge-context.ts";
import { nameConflicts, readReports } from "../git/merge/merge-report.ts";
import { writeCommit } from "./commit-text.ts";
import type { GroundParts } from "./landing-parts.ts";

export type Merged =
  | { readonly tree: string }
  /** `tree` is git's own, with its marks in the files that conflict. */
  | { readonly conflicts: readonly Conflict[]; readonly marked: string };

export const hasConflicts = (merged: Merged): merged is Extract<Merged, { conflicts: unknown }> =>
  "conflicts" in merged;

/** Applies to a tree the changes that `theirs` made since `base`. */
export async function mergeOnto(
  parts: GroundParts,
  wish: { readonly base: string | undefined; readonly tree: string; readonly theirs: string },
): Promise<Merged> {
  const nobody = Buffer.from("constel <constel@localhost> 0 +0000");
  const standIn = await writeCommit(parts.git, parts.directory, {
    tree: wish.tree,
    parents: wish.base === undefined ? [] : [wish.base],
    author: nobody,
    committer: nobody,
    message: Buffer.from(`stands for the target\n`),
    encoding: undefined,
  });
  return merge(parts, standIn, wish.theirs);
}

export async function merge(parts: GroundParts, ours: string, theirs: string): Promise<Merged> {
  const { git, directory } = parts;
  const args = ["merge-tree", "--write-tree", "--stdin", "-z", "--messages", "--allow-unrelated-histories"];
  const outcome = await git.try({ args, variables: { GIT_DIR: directory }, stdin: `${ours} ${theirs}\n` });
  const [report] = readReports(outcome.stdout);
  if (report === undefined || hasComplained(outcome)) throw new GitFailure(["merge-tree"], outcome);
  if (report.isClean) return { tree: report.tree };
  const blobs = new Blobs(git.reading, { GIT_DIR: directory });
  try {
    const conflicts: Conflict[] = [];
    for (const { treePath, ...known } of nameConflicts(report, [ours, theirs])) {
      const hunks = await hunksOf(blobs, report.tree, treePath, known);
      conflicts.push({ ...known, oursHunks: hunks.ours, theirsHunks: hunks.theirs, uncertain: false });
    }
    return { conflicts, marked: report.tree };
  } finally {
    await blobs.close();
  }
}

/** The target's own rules for merging (union, binary), and markers that no file has by itself. No driver is configured. */
export async function prepareAttributes(parts: GroundParts, onto: string): Promise<void> {
  const { git, directory } = parts;
  const variables = { GIT_DIR: directory };
  // A link there is not followed by git either.
  const listed = await git.text({ args: ["ls-tree", "--end-of-options", onto, "--", ".gitattributes"], variables });
  const blob = /^100\d{3} blob ([0-9a-f]+)\t/.exec(listed)?.[1];
  const read = blob === undefined ? undefined : await git.bytes({ args: ["cat-file", "blob", blob], variables });
  const own = Buffer.from(read ?? []).toString("latin1");
  const text = `${own}\n* conflict-marker-size=${markerSize}\n`;
  writeFileSync(join(directory, "info", "attributes"), text, { encoding: "latin1", mode: 0o600 });
}
