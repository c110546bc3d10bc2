// A tree as paths, read once per tree id and kept for a while, because the same tree is asked for again and again.

import type { TreeEntry } from "../../ports/git.ts";
import { type Directories, sortDirectories } from "./followed-paths.ts";
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

/** The directories of a tree, without the top. A submodule is one of them, with files of its own. */
export async function readDirectories(
  git: Git,
  variables: Readonly<Record<string, string>>,
  id: string,
): Promise<Directories> {
  const paths: string[] = [];
  for (const field of fieldsOf(await git.bytes({ args: ["ls-tree", "-r", "-z", id], variables }))) {
    const path = pathFromBytes(field.subarray(field.indexOf(9) + 1));
    paths.push(isSubmodule(field) ? `${path}/.git` : path);
  }
  return sortDirectories(paths);
}

/** Their mode is 160000, and no other begins so. */
const isSubmodule = (entry: Uint8Array): boolean => entry[0] === 0x31 && entry[1] === 0x36;
