// The files of one tree at a time in a directory of ours. Going from one tree to the next writes only what differs. No
// symbolic link is ever made: one to a file of the tree becomes a copy of that file, any other is left out, so that nothing
// outside is read by way of the tree.

import { posix } from "node:path";
import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import { TreeWriter } from "../../files/trusted-tree.ts";
import { Outage, Refusal, systemCode } from "../../protocol/errors.ts";
import type { RepositoryObserver, TreeEntry } from "../../ports/git.ts";
import type { TreeView } from "../../ports/semantic.ts";
import { isSafe } from "../gate/check-out.ts";
import { partsOf } from "../git/objects/path-text.ts";

/** Larger files are no source. */
const maxFileBytes = 16 * 1024 * 1024;
/** Past these a tree is too large to be written out for one question. */
const maxFiles = 40_000;

export type TreeReader = Pick<RepositoryObserver, "tree" | "read" | "isThere">;

export class ScratchTree {
  readonly #observer: TreeReader;
  readonly #top: TrustedDirectory;
  /** The files that are there: path to blob. */
  #there = new Map<string, string>();
  #missing: string[] = [];

  constructor(observer: TreeReader, top: TrustedDirectory) {
    this.#observer = observer;
    this.#top = top;
  }

  /** Files that the clone lacks, or that cannot be written. */
  get missing(): readonly string[] {
    return this.#missing;
  }

  async become(tree: TreeView, wants: (path: string) => boolean, signal: AbortSignal | undefined): Promise<void> {
    const entries = isInGit(tree.id) ? await this.#observer.tree(tree.id) : plainFiles(tree);
    const wanted = await this.#wanted(entries, wants);
    if (wanted.size > maxFiles) {
      throw new Outage("write out", "the tree for a compiler", `it has more than ${maxFiles} files`);
    }
    using writer = new TreeWriter(this.#top);
    this.#missing = [];
    for (const [path, blob] of this.#there) {
      if (wanted.get(path) === blob) continue;
      writer.inDirectoryOf(partsOf(path), (directory, name) => directory.remove(name));
      this.#there.delete(path);
    }
    for (const [path, blob] of wanted) {
      if (this.#there.has(path)) continue;
      signal?.throwIfAborted();
      const bytes = await this.#observer.read(blob, maxFileBytes);
      if (bytes !== undefined && put(writer, path, bytes)) this.#there.set(path, blob);
      else if (bytes !== undefined || !(await this.#observer.isThere(blob))) this.#missing.push(path);
    }
  }

  /** A file that a program wrote where the tree has none. */
  drop(path: string): void {
    if (this.#there.has(path)) return;
    using writer = new TreeWriter(this.#top);
    writer.inDirectoryOf(partsOf(path), (directory, name) => directory.remove(name));
  }

  async #wanted(
    entries: ReadonlyMap<string, TreeEntry>,
    wants: (path: string) => boolean,
  ): Promise<Map<string, string>> {
    const wanted = new Map<string, string>();
    for (const [path, { mode, blob }] of entries) {
      if (!wants(path) || !isSafe(path)) continue;
      if (mode.startsWith("100")) wanted.set(path, blob);
      if (mode !== "120000") continue;
      const target = await this.#observer.read(blob, 4096);
      const to = target === undefined ? "" : posix.join(posix.dirname(path), new TextDecoder().decode(target));
      const file = entries.get(to);
      if (file?.mode.startsWith("100") === true) wanted.set(path, file.blob);
    }
    return wanted;
  }
}

const isInGit = (id: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id);

/** A tree that was put together here, of files alone. */
const plainFiles = ({ blobs }: TreeView): ReadonlyMap<string, TreeEntry> =>
  new Map([...blobs].map(([path, blob]) => [path, { mode: "100644", blob }]));

/** False when the tree names something that cannot be there. */
function put(writer: TreeWriter, path: string, bytes: Uint8Array): boolean {
  try {
    writer.inDirectoryOf(partsOf(path), (directory, name) => {
      // A directory that is empty by now, or what a program that ran here wrote in its place.
      if (directory.stat(name) !== undefined) directory.removeTree(name);
      directory.writeNew(name, bytes, { sync: false, mode: 0o600 });
    });
    return true;
  } catch (cause) {
    if (cause instanceof Refusal) return false;
    const why = cause instanceof Outage ? cause.cause : cause;
    if (["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes(systemCode(why) ?? "")) return false;
    throw new Outage("write", "a tree for a compiler", cause);
  }
}
