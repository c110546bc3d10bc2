// Works out here what differs between two trees: after an edit all but a few of the trees on the way are known from the last time, and git
// would read each of them again. Only where the answer is plain: files that were changed in place, or that only came, or only went. Where
// files came and went git must say which were moved, and for everything unusual there is no answer.

import { Bounded } from "../../../ports/bounded.ts";
import { keptDirectories, type Sides } from "../../../ports/kept-for-sides.ts";
import type { ChangedFile, ConflictStage } from "../../../ports/git.ts";
import type { Blobs } from "./blobs.ts";
import type { TreePair } from "./changed-files.ts";
import type { ObjectFormat } from "../repository/locate.ts";
import { pathFromBytes, pathToBytes } from "./path-text.ts";
import { readTreeObject } from "./tree-object.ts";

interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** By the bytes of the name, in git's order. */
type Tree = ReadonlyMap<string, Entry>;

/** In bytes: the trees above the files that a few hundred worktrees have changed. */
const treesBytes = 6_000_000;
const maxTreeBytes = 1_000_000;
/** More differ after a checkout or a formatter's run: git reads those faster. */
const mostDirectories = 300;

const fileModes: ReadonlySet<string> = new Set(["100644", "100755", "120000", "160000"]);
const treeMode = "40000";

export class CompareTrees {
  readonly #blobs: Blobs;
  readonly #format: ObjectFormat;
  readonly #known: Bounded<Tree>;

  constructor(blobs: Blobs, format: ObjectFormat, sides?: Sides) {
    this.#known = new Bounded(treesBytes, ({ size }) => 200 + size * 200, keptDirectories(sides));
    this.#blobs = blobs;
    this.#format = format;
  }

  /** As git says it, with renames noted; undefined where git must be asked. */
  async of({ before, after }: TreePair): Promise<readonly ChangedFile[] | undefined> {
    const walk = { directories: 0 };
    const files = await this.#compare(before, after, "", walk);
    const moves = files?.some(({ change }) => change === "added") && files.some(({ change }) => change === "deleted");
    return moves === true ? undefined : files;
  }

  /** Returns the file at a path. Undefined if it is not a file, or if only git can tell. */
  async find(tree: string, path: string): Promise<ConflictStage | undefined> {
    const names = Buffer.from(pathToBytes(path)).toString("latin1").split("/");
    let id = tree;
    for (const [at, name] of names.entries()) {
      const entry = (await this.#read(id))?.get(name);
      if (entry === undefined) return undefined;
      if (at === names.length - 1) return fileModes.has(entry.mode) ? { mode: entry.mode, blob: entry.id } : undefined;
      if (entry.mode !== treeMode) return undefined;
      id = entry.id;
    }
    return undefined;
  }

  async #compare(
    before: string,
    after: string,
    above: string,
    walk: { directories: number },
  ): Promise<ChangedFile[] | undefined> {
    if (before === after) return [];
    walk.directories += 1;
    if (walk.directories > mostDirectories) return undefined;
    const [was, is] = await Promise.all([this.#read(before), this.#read(after)]);
    if (was === undefined || is === undefined) return undefined;
    const names = differingNames(was, is);
    if (names === undefined) return undefined;
    const found: (ChangedFile | Promise<ChangedFile[] | undefined>)[] = [];
    for (const name of names) {
      const [old, now] = [was.get(name), is.get(name)];
      const path = above + pathFromBytes(Buffer.from(name, "latin1"));
      if (old?.mode === treeMode && now?.mode === treeMode) {
        found.push(this.#compare(old.id, now.id, `${path}/`, walk));
        continue;
      }
      const file = changedFile(path, old, now);
      if (file === undefined) return undefined;
      found.push(file);
    }
    const parts = await Promise.all(found);
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }

  async #read(id: string): Promise<Tree | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const object = await this.#blobs.read(id, maxTreeBytes);
    if (object === undefined) return undefined;
    try {
      const records = readTreeObject(Buffer.from(object), this.#format);
      const tree = new Map(records.map(({ name, mode, id }) => [name.toString("latin1"), { mode, id }]));
      this.#known.set(id, tree);
      return tree;
    } catch {
      return undefined; // not a tree, or a damaged one: git says which
    }
  }
}

/** The names that differ, in git's order; undefined where some came and some went. */
function differingNames(was: Tree, is: Tree): readonly string[] | undefined {
  const names: string[] = [];
  let kept = 0;
  for (const [name, now] of is) {
    const old = was.get(name);
    if (old !== undefined) kept += 1;
    if (old === undefined || old.id !== now.id || old.mode !== now.mode) names.push(name);
  }
  if (kept === was.size) return names;
  if (kept < is.size) return undefined;
  const differs = new Set(names);
  return [...was.keys()].filter((name) => differs.has(name) || !is.has(name));
}

function changedFile(path: string, old: Entry | undefined, now: Entry | undefined): ChangedFile | undefined {
  const isPlain = [old, now].every((entry) => entry === undefined || fileModes.has(entry.mode));
  // Another kind of thing under the same name is more than a change.
  const isSameKind = old === undefined || now === undefined || old.mode.slice(0, 3) === now.mode.slice(0, 3);
  if (!isPlain || !isSameKind) return undefined;
  return {
    path,
    change: old === undefined ? "added" : now === undefined ? "deleted" : "modified",
    from: undefined,
    before: old && { mode: old.mode, blob: old.id },
    after: now && { mode: now.mode, blob: now.id },
  };
}
