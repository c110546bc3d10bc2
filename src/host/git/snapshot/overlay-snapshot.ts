// The snapshot after a few files were edited, made from the last one without a process: their contents go in, and the trees
// above them are written again. Only where it is certain that git would store just these bytes at just this place; for
// everything else there is no answer, and the index is asked as always. The private index is left behind: the next look
// at it finds these files changed and takes them in.

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Blobs } from "../objects/blobs.ts";
import { fileName, pathToBytes } from "../objects/path-text.ts";
import type { PrivateStore } from "../objects/private-store.ts";
import { readTreeObject, type TreeRecord, treeObject } from "../objects/tree-object.ts";

export interface OverlayPlace {
  readonly store: PrivateStore;
  readonly blobs: Blobs;
  readonly worktree: string;
  /** True if the executable bit on disk counts. */
  readonly trustsMode: boolean;
}

/** More are better looked at by git, all at once. */
const maxFiles = 32;
const maxBytes = 1024 * 1024;
const maxTreeBytes = 16 * 1024 * 1024;

/** The tree with the files as they are on disk; undefined when that cannot be said for certain. */
export async function overlayTree(
  place: OverlayPlace,
  tree: string,
  paths: readonly string[],
): Promise<string | undefined> {
  if (paths.length === 0 || paths.length > maxFiles) return undefined;
  const root: Directory = { id: tree, records: undefined, children: new Map(), isChanged: false };
  for (const path of paths) if (!(await put(place, root, path))) return undefined;
  return await write(place, root);
}

/** A tree on the way to some file. */
interface Directory {
  readonly id: string;
  records: TreeRecord[] | undefined;
  readonly children: Map<string, Directory>;
  isChanged: boolean;
}

async function put(place: OverlayPlace, root: Directory, path: string): Promise<boolean> {
  const names = path.split("/");
  const last = names.pop() ?? "";
  if (![...names, last].every(isPlainName)) return false;
  let directory = root;
  let above = place.worktree;
  let isOnDisk = true;
  for (const name of names) {
    above = join(above, name);
    const stat: Stats | undefined = isOnDisk ? lstatSync(above, { throwIfNoEntry: false }) : undefined;
    isOnDisk = stat !== undefined;
    // Beyond a link there are no files of this worktree.
    if (stat !== undefined && !stat.isDirectory()) return false;
    if (isOnDisk && lstatSync(join(above, ".git"), { throwIfNoEntry: false }) !== undefined) return false;
    const record = await recordOf(place, directory, name);
    if (record === undefined) return !isOnDisk;
    if (record.mode !== "40000") return false;
    const child = directory.children.get(name) ?? {
      id: record.id,
      records: undefined,
      children: new Map(),
      isChanged: false,
    };
    directory.children.set(name, child);
    directory = child;
  }
  const record = await recordOf(place, directory, last);
  const file = isOnDisk ? readPlain(place.worktree, path) : "gone";
  // Come and gone between two looks, as editors' temporary files do.
  if (file === "gone") return record === undefined;
  if (file === undefined || (record?.mode !== "100644" && record?.mode !== "100755")) return false;
  record.id = place.store.writeBlob(file.content);
  place.blobs.keep(record.id, file.content);
  if (place.trustsMode) record.mode = file.executable ? "100755" : "100644";
  directory.isChanged = true;
  return true;
}

async function recordOf(place: OverlayPlace, directory: Directory, name: string): Promise<TreeRecord | undefined> {
  if (directory.records === undefined) {
    const object = await place.blobs.read(directory.id, maxTreeBytes);
    directory.records = readTreeObject(Buffer.from(object ?? []), place.store.format);
  }
  const wanted = pathToBytes(name);
  return directory.records.find((record) => record.name.equals(wanted));
}

async function write(place: OverlayPlace, directory: Directory): Promise<string> {
  for (const [name, child] of directory.children) {
    const record = await recordOf(place, directory, name);
    const id = await write(place, child);
    if (record === undefined || record.id === id) continue;
    record.id = id;
    directory.isChanged = true;
  }
  if (!directory.isChanged || directory.records === undefined) return directory.id;
  const tree = treeObject(directory.records);
  const id = place.store.writeTree(tree);
  place.blobs.keep(id, tree);
  return id;
}

/** git itself would refuse the others, or they mean something else. */
function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && name.toLowerCase() !== ".git" && name.isWellFormed();
}

/** A plain file that no line-end rule could change; undefined when it is anything else. */
function readPlain(worktree: string, path: string): { content: Buffer; executable: boolean } | "gone" | undefined {
  const name = fileName(worktree, path) as string;
  const entry = lstatSync(name, { throwIfNoEntry: false });
  if (entry === undefined) return "gone";
  if (!entry.isFile()) return undefined;
  let fd: number;
  try {
    fd = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined; // not ours to read, or gone in this moment: the longer way says which
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    const content = readFileSync(fd);
    if (content.length > maxBytes || content.includes(13)) return undefined;
    return { content, executable: (stat.mode & 0o100) !== 0 };
  } finally {
    closeSync(fd);
  }
}
