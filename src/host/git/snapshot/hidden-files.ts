// Files that git was told to leave alone (assume-unchanged, skip-worktree). git says nothing of them whatever is done to them, so a
// look at the worktree does not see the change either; that there is one can be seen.

import { lstatSync, readFileSync } from "node:fs";
import type { Git } from "../git.ts";
import type { HiddenFile, IndexFacts } from "./index-file.ts";
import type { ObjectFormat } from "../repository/locate.ts";
import { fieldsOf, fileName, pathFromBytes } from "../objects/path-text.ts";

/** Larger ones are told by their size alone. */
const mostBytes = 16 * 1024 * 1024;

/** Those that are on disk with another content than the index has. */
export function changedUnseen(worktree: string, hidden: readonly HiddenFile[], format: ObjectFormat): string[] {
  return hidden.filter((file) => isChanged(worktree, file, format)).map(({ path }) => path);
}

function isChanged(worktree: string, { path, blob, bytes }: HiddenFile, format: ObjectFormat): boolean {
  const name = fileName(worktree, path);
  const stat = lstatSync(name, { throwIfNoEntry: false });
  // Not there is how a sparse checkout has it.
  if (stat === undefined || !stat.isFile()) return false;
  if (stat.size > mostBytes) return stat.size !== bytes;
  try {
    const content = readFileSync(name);
    const hasher = new Bun.CryptoHasher(format === "sha256" ? "sha256" : "sha1");
    return hasher.update(`blob ${content.length}\0`).update(content).digest("hex") !== blob;
  } catch {
    return true; // it is there and cannot be read: nobody knows what it says
  }
}

/** The same from git, for an index that we do not read ourselves. */
export async function markedEntries(
  git: Git,
  variables: Readonly<Record<string, string>>,
  worktree: string,
): Promise<Pick<IndexFacts, "unmerged" | "hidden">> {
  const unmerged = new Set<string>();
  const hidden: HiddenFile[] = [];
  const listed = await git.bytes({ args: ["ls-files", "-v", "-s", "-z"], variables, cwd: worktree });
  for (const field of fieldsOf(listed)) {
    const tab = field.indexOf(9);
    const [tag = "", , blob = "", stage] = Buffer.from(field.subarray(0, tab)).toString("latin1").split(" ");
    const path = pathFromBytes(field.subarray(tab + 1));
    if (stage !== "0") unmerged.add(path);
    else if (tag !== tag.toUpperCase() || tag === "S") hidden.push({ path, blob, bytes: -1 });
  }
  return { unmerged: [...unmerged], hidden };
}
