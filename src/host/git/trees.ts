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

/** The directories of a tree, without the top. */
export async function readDirectories(
  git: Git,
  variables: Readonly<Record<string, string>>,
  id: string,
): Promise<Set<string>> {
  const args = ["ls-tree", "-r", "-d", "-z", "--name-only", id];
  return new Set(fieldsOf(await git.bytes({ args, variables })).map(pathFromBytes));
}
