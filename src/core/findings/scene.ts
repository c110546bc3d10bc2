// The pair as reviewers see it: what each side changed since the common ancestor, the trees when they are asked for, and
// which files do not count. Everything is brought once, and trees are kept over pairs, because the same side is compared
// with many others.

import { textOf } from "../../ports/text-of.ts";
import { Bounded } from "../../ports/bounded.ts";
import { keptForSides, type Sides } from "../../ports/kept-for-sides.ts";
import type { ChangedFile, Conflict, MergeOutcome, RepositoryObserver, Snapshot } from "../../ports/git.ts";
import type { ReadableLanguages, ReadBlob, SemanticConflict, TreeView } from "../../ports/semantic.ts";
import { type AttributesFile, type Excluded, exclusions, type OwnPatterns } from "./exclusions.ts";
import { layered, ownEntries } from "../../ports/tree-layers.ts";

export type MergedOutcome = Exclude<MergeOutcome, { kind: "skipped" }>;

export interface SideChanges {
  readonly files: readonly ChangedFile[];
  /** Every path that is different: the old name of a rename too. */
  readonly paths: ReadonlySet<string>;
  /** New files, and files under a new name. */
  readonly added: readonly ChangedFile[];
}

export interface PairScene {
  readonly ours: SideChanges;
  readonly theirs: SideChanges;
  readonly conflicts: readonly Conflict[];
  /** Paths that the textual reviewer speaks about. */
  readonly conflicted: ReadonlySet<string>;
  readonly excluded: Excluded;
  /** Files that both changed and a merge driver of the owner's merges, with its name. It is not run. */
  readonly driven: ReadonlyMap<string, string>;
  /** The conflicts that the languages see in the merge: uses that hold on their own side and break in it. */
  readonly broken: readonly SemanticConflict[];
  readonly languages: ReadableLanguages;
  readonly read: ReadBlob;
  readonly tree: (which: "base" | "ours" | "theirs" | "merged") => Promise<TreeView>;
  readonly signal: AbortSignal | undefined;
}

/**
 * In bytes, about. Every side is compared with every other in turn, so a memory that holds fewer sides than there are loses each
 * just before it is asked for again.
 */
const room = { views: 64_000_000, changes: 32_000_000, exclusions: 8_000_000 };

/**
 * Checkers hang an index of its directories on a tree, which takes some bytes for each file. The tree's own list takes some only if it is
 * whole.
 */
const bytesOfView = ({ blobs }: TreeView): number => 500 + blobs.size * 40 + ownEntries(blobs) * 150;
const bytesOfChanges = ({ files }: SideChanges): number => 300 + files.length * 600;
const bytesOfPatterns = 2_000;

/** Keeps what is worth keeping between pairs of one repository. */
export class ReviewMemory {
  readonly #views: Newest<TreeView>;
  readonly #changes: Newest<SideChanges>;
  readonly #exclusions: Newest<Excluded>;

  /** `sides`: how many there are at the time; undefined when nobody edits meanwhile. */
  constructor(sides?: Sides) {
    this.#views = new Newest(room.views, bytesOfView, sides);
    this.#changes = new Newest(room.changes, bytesOfChanges, sides);
    this.#exclusions = new Newest(room.exclusions, () => bytesOfPatterns, sides);
  }

  /** The same object for the same tree, so that checkers can hang what they know on it. */
  async view(observer: RepositoryObserver, tree: string): Promise<TreeView> {
    return await this.#views.get(tree, async () => {
      const blobs = new Map<string, string>();
      const links = new Map<string, string>();
      for (const [path, { mode, blob }] of await observer.tree(tree)) {
        // A link's text is a path and a submodule's id is another repository's commit: neither is a file of ours.
        if (mode === "120000") links.set(path, blob);
        else if (mode !== "160000") blobs.set(path, blob);
      }
      return { id: tree, blobs, links };
    });
  }

  /** A side's tree, made from the base's and what changed: reading it anew would cost as much as all the rest. */
  async sideView(observer: RepositoryObserver, base: string, side: Snapshot): Promise<TreeView> {
    return await this.#views.get(side.tree, async () => {
      const changes = await this.changes(observer, base, side);
      return { id: side.tree, blobs: overlaid(await this.view(observer, base), changes).blobs };
    });
  }

  async changes(observer: RepositoryObserver, base: string, side: Snapshot): Promise<SideChanges> {
    return await this.#changes.get(`${base} ${side.tree}`, async () =>
      sideChanges(await observer.changedFiles(base, side)),
    );
  }

  async exclusions(view: TreeView, read: ReadBlob, own: OwnPatterns): Promise<Excluded> {
    const key = `${view.id} ${JSON.stringify(own)}`;
    let isWhole = true;
    const found = await this.#exclusions.get(key, async () => {
      const files: AttributesFile[] = [];
      for (const [path, blob] of view.blobs) {
        if (path !== ".gitattributes" && !path.endsWith("/.gitattributes")) continue;
        const text = await read(blob);
        isWhole &&= text !== undefined;
        files.push({ directory: path.slice(0, Math.max(0, path.lastIndexOf("/"))), text: text ?? "" });
      }
      return exclusions(files, own);
    });
    // Whoever asks next is to notice too that a file could not be read.
    if (!isWhole) this.#exclusions.forget(key);
    return found;
  }
}

export function sideChanges(files: readonly ChangedFile[]): SideChanges {
  const paths = new Set<string>();
  for (const file of files) {
    paths.add(file.path);
    if (file.from !== undefined) paths.add(file.from);
  }
  return { files, paths, added: files.filter(({ change }) => change === "added" || change === "renamed") };
}

/** Text of a blob, as checkers and reviewers want it. */
export function readText(observer: RepositoryObserver): ReadBlob {
  return async (blob) => {
    // A tree that has no such file gives an empty name.
    const bytes = blob === "" ? undefined : await observer.read(blob);
    const text = bytes === undefined ? undefined : textOf(bytes);
    return text?.includes("\0") ? undefined : text;
  };
}

/**
 * When both sides touch different paths git was not asked to merge: then the merged tree is one side with the other's
 * changes put on top. Such a tree is not in git; its name says what was put on what, so that answers about it can be kept.
 */
export function overlaid(under: TreeView, changes: SideChanges): TreeView {
  const blobs: [string, string | undefined][] = [];
  for (const { path, from, after } of changes.files) {
    if (from !== undefined) blobs.push([from, undefined]);
    const isFile = after !== undefined && after.mode !== "120000" && after.mode !== "160000";
    blobs.push([path, isFile ? after.blob : undefined]);
  }
  const above = new Bun.CryptoHasher("sha256").update(JSON.stringify(blobs)).digest("hex").slice(0, 40);
  return { id: `${under.id}+${above}`, blobs: layered(under.blobs, blobs) };
}

/** Keeps the newest answers; the same question asked twice at once is worked out once. */
class Newest<Value> {
  /** The size of an answer is known only once the answer is there. */
  readonly #answers: Bounded<{ readonly answer: Promise<Value>; readonly bytes: number }>;
  readonly #weigh: (value: Value) => number;

  constructor(bytes: number, weigh: (value: Value) => number, sides: Sides | undefined) {
    this.#answers = new Bounded(bytes, (kept) => kept.bytes, keptForSides(sides));
    this.#weigh = weigh;
  }

  forget(key: string): void {
    this.#answers.delete(key);
  }

  async get(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#answers.get(key);
    if (known !== undefined) return await known.answer;
    const answer = make();
    this.#answers.set(key, { answer, bytes: 1 });
    try {
      const value = await answer;
      this.#answers.set(key, { answer, bytes: this.#weigh(value) });
      return value;
    } catch (cause) {
      this.#answers.delete(key);
      throw cause;
    }
  }
}
