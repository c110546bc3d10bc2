// A tree as paths, read once per tree id and kept for a while, because the same tree is asked for again and again.

import type { TreeEntry } from "../../ports/git.ts";
import type { Git } from "./git.ts";
import { fieldsOf, pathFromBytes } from "./path-text.ts";

export async function readTree(
  git: Git,
  variables: Readonly<Record<string, string>>,
  id: string,
): Promise<Map<string, TreeEntry>> {
  const files = new Map<string, TreeEntry>();
  for (const field of fieldsOf(await git.bytes({ args: ["ls-tree", "-r", "-z", id], variables }))) {
    const tab = field.indexOf(9);
    const [mode = "", , blob = ""] = Buffer.from(field.subarray(0, tab)).toString("latin1").split(" ");
    files.set(pathFromBytes(field.subarray(tab + 1)), { mode, blob });
  }
  return files;
}

/**
 * The names of a tree's files, each with a NUL after it; that of a submodule ends in a slash. No string and no list is made: most worktrees of a
 * repository have the same names, and one list serves them all (followed-paths.ts).
 */
export async function readNames(
  git: Git,
  variables: Readonly<Record<string, string>>,
  id: string,
): Promise<Uint8Array> {
  const listed = await git.bytes({ args: ["ls-tree", "-r", "-z", id], variables });
  // A name is shorter than its line, also with a slash: the lines give way to the names in their own place.
  let to = 0;
  for (let start = 0, end = 0; (end = listed.indexOf(0, start)) !== -1; start = end + 1) {
    const name = listed.indexOf(9, start) + 1;
    const isLink = isSubmodule(listed, start);
    listed.copyWithin(to, name, end);
    to += end - name;
    if (isLink) listed[to++] = slash;
    listed[to++] = 0;
  }
  return listed.subarray(0, to);
}

/** Their mode is 160000, and no other begins so. */
const isSubmodule = (listed: Uint8Array, at: number): boolean => listed[at] === 0x31 && listed[at + 1] === 0x36;
const slash = 0x2f;
