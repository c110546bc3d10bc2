// Paths whose times are asked for again and again: the files of a snapshot and the directories they are in. Worktrees of one
// repository mostly have the same paths, whatever is written in them, so they share one list: 200 worktrees of 3,000 files
// would otherwise keep 600,000 names.

import { FileNames } from "./file-times.ts";
import { fieldsOf, pathFromBytes } from "../objects/path-text.ts";

const slash = 0x2f;

export class FollowedPaths {
  /** Sorted, directories without a slash at the end; the top is the empty name. */
  readonly all: readonly string[];
  readonly directories: ReadonlySet<string>;
  /** The number of directories right below each, submodules included. */
  readonly within: ReadonlyMap<string, number>;
  readonly sorted: Directories;
  readonly names: FileNames;
  #fullestFirst: readonly string[] | undefined;

  /** `names`: as `readNames` has them. */
  constructor(names: Uint8Array) {
    const fields = fieldsOf(names);
    const paths = fields.map((name) => pathFromBytes(name.at(-1) === slash ? name.subarray(0, -1) : name));
    this.directories = directoriesOf(paths);
    const submodules = paths.filter((_, index) => fields[index]?.at(-1) === slash);
    this.within = countWithin([...this.directories, ...submodules]);
    this.all = [...this.directories, ...paths].sort();
    this.sorted = sortDirectories(names);
    this.names = new FileNames(this.all);
  }

  /** The directories with files in them, those with most first. */
  get fullestFirst(): readonly string[] {
    if (this.#fullestFirst !== undefined) return this.#fullestFirst;
    const files = new Map<string, number>();
    for (const path of this.all) {
      if (this.directories.has(path)) continue;
      const directory = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      files.set(directory, (files.get(directory) ?? 0) + 1);
    }
    this.#fullestFirst = [...files].sort(([, one], [, other]) => other - one).map(([directory]) => directory);
    return this.#fullestFirst;
  }

  indexOf(path: string): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.all[middle] ?? "") < path) low = middle + 1;
      else high = middle;
    }
    return this.all[low] === path ? low : -1;
  }
}

/** The lists in use, for as long as somebody uses them. */
export class PathLists {
  readonly #known = new Map<string, WeakRef<FollowedPaths>>();
  /** Whoever is watched in full only passes by: the next one finds it still there. */
  #newest: { readonly key: string; readonly list: FollowedPaths } | undefined;

  /** `names`: as `readNames` has them. */
  of(names: Uint8Array): FollowedPaths {
    const key = new Bun.CryptoHasher("sha256").update(names).digest("hex");
    if (this.#newest?.key === key) return this.#newest.list;
    const known = this.#known.get(key)?.deref();
    if (known !== undefined) return known;
    for (const [name, list] of this.#known) if (list.deref() === undefined) this.#known.delete(name);
    const made = new FollowedPaths(names);
    this.#known.set(key, new WeakRef(made));
    this.#newest = { key, list: made };
    return made;
  }
}

/** The directories below the top: those with files in them, and those with nothing but other directories. */
export interface Directories {
  readonly holding: ReadonlySet<string>;
  readonly bare: ReadonlySet<string>;
}

/** `names`: as `readNames` has them. A submodule is a directory with files of its own. */
export function sortDirectories(names: Uint8Array): Directories {
  const holding = new Set<string>();
  const bytes = Buffer.from(names.buffer, names.byteOffset, names.length);
  // git lists what is in a directory together, so most names have the directory of the one before.
  let [from, to] = [0, 0];
  for (let start = 0, end = 0; (end = bytes.indexOf(0, start)) !== -1; start = end + 1) {
    const after = slashIn(bytes, start, end);
    if (after - start === to - from && bytes.compare(bytes, from, to, start, after) === 0) continue;
    [from, to] = [start, after];
    holding.add(pathFromBytes(bytes.subarray(from, to)));
  }
  const bare = new Set<string>();
  for (const directory of directoriesOf(holding)) if (!holding.has(directory)) bare.add(directory);
  for (const directories of [holding, bare]) directories.delete("");
  return { holding, bare };
}

function countWithin(directories: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const directory of directories) {
    if (directory === "") continue;
    const above = directory.slice(0, Math.max(0, directory.lastIndexOf("/")));
    counts.set(above, (counts.get(above) ?? 0) + 1);
  }
  return counts;
}

/** Returns the position of the last slash of a name, or the start of the name. */
function slashIn(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && bytes[at] !== slash) at--;
  return at;
}

function directoriesOf(paths: Iterable<string>): Set<string> {
  const directories = new Set([""]);
  for (const path of paths) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const directory = path.slice(0, end);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return directories;
}
