// A tree as paths, read once per tree id and kept for a while, because the same tree is asked for again and again.

import type { TreeEntry } from "../../../ports/git.ts";
import type { Git } from "../git.ts";
import { modeOf } from "./tree-object.ts";
import { pathFromBytes } from "./path-text.ts";

/**
 * Trees of one repository as maps from path to file. Most of a tree is in the one that was read before, line by line: there the strings and
 * objects of that one are taken, so that another tree costs a fifth of the first.
 */
export class TreeReader {
  #last: Listed = { bytes: Buffer.alloc(0), starts: [], paths: [], entries: [] };

  async read(git: Git, variables: Readonly<Record<string, string>>, id: string): Promise<Map<string, TreeEntry>> {
    const listed = await git.bytes({ args: ["ls-tree", "-r", "-z", id], variables });
    const bytes = Buffer.from(listed.buffer, listed.byteOffset, listed.length);
    const last = this.#last;
    const now: Listed = { bytes, starts: [], paths: [], entries: [] };
    const files = new Map<string, TreeEntry>();
    // Both are in git's order, so the place in the other one only goes up. Where that is not ours, less is shared.
    let at = 0;
    for (let start = 0, end = 0; (end = bytes.indexOf(0, start)) !== -1; start = end + 1) {
      let path = isSameLine(last, at, bytes, start, end) ? last.paths[at] : undefined;
      if (path === undefined) {
        path = pathFromBytes(bytes.subarray(bytes.indexOf(9, start) + 1, end));
        while (at < last.paths.length && (last.paths[at] ?? "") < path) at++;
      }
      const isKnown = last.paths[at] === path;
      const key = (isKnown ? last.paths[at] : undefined) ?? path;
      const same = isKnown && isSameLine(last, at, bytes, start, end) ? last.entries[at] : undefined;
      const entry = same ?? entryIn(bytes, start);
      if (isKnown) at++;
      now.starts.push(start);
      now.paths.push(key);
      now.entries.push(entry);
      files.set(key, entry);
    }
    this.#last = now;
    return files;
  }
}

interface Listed {
  readonly bytes: Buffer;
  readonly starts: number[];
  readonly paths: string[];
  readonly entries: TreeEntry[];
}

/** Tells whether a line of the other list is this one. */
function isSameLine({ bytes, starts }: Listed, at: number, own: Buffer, start: number, end: number): boolean {
  const from = starts[at];
  if (from === undefined) return false;
  const to = from + end - start;
  return bytes[to] === 0 && bytes.compare(own, start, end, from, to) === 0;
}

/** `<mode> <type> <id>` and a tab. */
function entryIn(bytes: Buffer, start: number): TreeEntry {
  const tab = bytes.indexOf(9, start);
  const id = bytes.lastIndexOf(32, tab) + 1;
  return {
    mode: modeOf(bytes.toString("latin1", start, bytes.indexOf(32, start))),
    blob: bytes.toString("latin1", id, tab),
  };
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
