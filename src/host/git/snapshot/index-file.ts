// Reads from a copy of the user's index what would otherwise take a process to ask: its attribute files, the tree it stands for, and whether
// any entry asks to be treated in a way of its own. Only the plain formats (2 and 3, whole) are read; of any other there is no answer, and
// git is asked.

import type { ObjectFormat } from "../repository/locate.ts";
import type { AttributeFile } from "../merge/merge-context.ts";
import { pathFromBytes } from "../objects/path-text.ts";

export interface IndexFacts {
  readonly attributes: readonly AttributeFile[];
  /** The tree that was written from just these entries; undefined when some changed since. */
  readonly tree: string | undefined;
  /** No entry is in conflict, to be taken as unchanged, out of the worktree, or only meant to be added. */
  readonly isPlain: boolean;
  /** Files in conflict. */
  readonly unmerged: readonly string[];
  /** Files that git was told to leave alone, as the index has them. */
  readonly hidden: readonly HiddenFile[];
}

export interface HiddenFile {
  readonly path: string;
  readonly blob: string;
  readonly bytes: number;
}

/** In a sparse checkout nearly every file is one, and none of them is there. */
const mostHidden = 5_000;

const statBytes = 40;
const attributesName = Buffer.from(".gitattributes");

export function readIndexFile(index: Buffer, format: ObjectFormat): IndexFacts | undefined {
  const idBytes = format === "sha256" ? 32 : 20;
  if (index.length < 12 + idBytes || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const attributes: AttributeFile[] = [];
  const unmerged = new Set<string>();
  const hidden: HiddenFile[] = [];
  let isPlain = true;
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + statBytes + idBytes;
    if (flagsAt + 2 > index.length) return undefined;
    const flags = index.readUInt16BE(flagsAt);
    const isExtended = (flags & 0x4000) !== 0;
    const nameAt = flagsAt + (isExtended ? 4 : 2);
    const end = index.indexOf(0, nameAt);
    if (end === -1) return undefined;
    // Assumed unchanged (the top bit), a stage, or one of the extended bits.
    if ((flags & 0xb000) !== 0 || isExtended) isPlain = false;
    const isSkipped = isExtended && (index.readUInt16BE(flagsAt + 2) & 0x4000) !== 0;
    if ((flags & 0x3000) !== 0) unmerged.add(pathFromBytes(index.subarray(nameAt, end)));
    else if (((flags & 0x8000) !== 0 || isSkipped) && hidden.length < mostHidden)
      hidden.push({
        path: pathFromBytes(index.subarray(nameAt, end)),
        blob: index.toString("hex", at + statBytes, flagsAt),
        bytes: index.readUInt32BE(at + 36),
      });
    const mode = index.readUInt32BE(at + 24);
    const startsAt = end - attributesName.length;
    const isNamed =
      startsAt >= nameAt &&
      (startsAt === nameAt || index[startsAt - 1] === 47) &&
      index.compare(attributesName, 0, attributesName.length, startsAt, end) === 0;
    if (isNamed && mode >> 12 === 8) {
      const blob = index.toString("hex", at + statBytes, flagsAt);
      attributes.push({ path: pathFromBytes(index.subarray(nameAt, end)), blob });
    }
    // Entries are filled up with NULs, at least one, to a multiple of eight.
    at += (end - at + 8) & ~7;
  }
  let tree: string | undefined;
  for (; at + 8 <= index.length - idBytes;) {
    const name = index.toString("latin1", at, at + 4);
    const size = index.readUInt32BE(at + 4);
    // Part of the entries are elsewhere, or some stand for whole directories.
    if (name === "link" || name === "sdir") return undefined;
    if (name === "TREE") tree = rootTree(index.subarray(at + 8, at + 8 + size), idBytes);
    at += 8 + size;
  }
  return { attributes, tree, isPlain, unmerged: [...unmerged], hidden };
}

/** The first record: an empty name, how many entries it covers (none when out of date), its subtrees, and its id. */
function rootTree(extension: Buffer, idBytes: number): string | undefined {
  const newline = extension.indexOf(10);
  if (extension[0] !== 0 || newline === -1) return undefined;
  const covered = /^(\d+) \d+$/.exec(extension.toString("latin1", 1, newline));
  return covered === null ? undefined : extension.toString("hex", newline + 1, newline + 1 + idBytes);
}
