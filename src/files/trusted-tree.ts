// Whole trees of files below a trusted directory, by paths that others wrote: a saved workspace that comes back, the tree a gate runs
// on. Every component is opened by descriptor, so that neither `..` nor a link that the tree itself holds leads out.

import { Refusal } from "../protocol/errors.ts";
import type { Name } from "./descend.ts";
import { plainName } from "./problems.ts";
import type { TrustedDirectory } from "./trusted-directory.ts";

export interface TreeFile {
  readonly content: Uint8Array;
  /** As it is to be, whatever the umask says. */
  readonly mode: number;
  readonly seconds?: number | undefined;
}

/** Writes below one directory. The directories on the way to the last path are kept open, because paths come in order. */
export class TreeWriter {
  readonly #top: TrustedDirectory;
  #open: { readonly key: string; readonly directory: TrustedDirectory }[] = [];

  constructor(top: TrustedDirectory) {
    this.#top = top;
  }

  makeDirectory(parts: readonly Name[]): void {
    this.#directory(parts);
  }

  /** The file must not be there yet. */
  writeFile(parts: readonly Name[], file: TreeFile): void {
    const { directory, name } = this.#parent(parts);
    directory.writeNew(name, file.content, { sync: false });
    this.finish(parts, file);
  }

  /** For a file that another program wrote. */
  finish(parts: readonly Name[], { mode, seconds }: Omit<TreeFile, "content">): void {
    const { directory, name } = this.#parent(parts);
    // Before the mode: a file that its owner may not read could not be opened any more.
    if (seconds !== undefined) directory.setTime(name, seconds);
    directory.setMode(name, mode);
  }

  makeLink(parts: readonly Name[], target: Uint8Array, seconds?: number): void {
    const { directory, name } = this.#parent(parts);
    directory.makeSymbolicLink(name, target);
    if (seconds !== undefined) directory.setTime(name, seconds);
  }

  setDirectoryMode(parts: readonly Name[], mode: number): void {
    this.#directory(parts).setOwnMode(mode);
  }

  /** Lends out the directory that a path is in, and the path's last name. */
  inDirectoryOf<T>(parts: readonly Name[], use: (directory: TrustedDirectory, name: Name) => T): T {
    const { directory, name } = this.#parent(parts);
    return use(directory, name);
  }

  close(): void {
    this.#closeFrom(0);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #parent(parts: readonly Name[]): { directory: TrustedDirectory; name: Name } {
    const name = parts.at(-1);
    if (name === undefined) throw new Refusal("path.outside-root", "a file name is needed", { root: this.#top.path });
    return { directory: this.#directory(parts.slice(0, -1)), name: plainName(name) };
  }

  #directory(parts: readonly Name[]): TrustedDirectory {
    const keys = parts.map((part) => (typeof part === "string" ? part : Buffer.from(part).toString("latin1")));
    let same = 0;
    while (same < keys.length && this.#open[same]?.key === keys[same]) same += 1;
    this.#closeFrom(same);
    for (const [at, part] of parts.entries()) {
      if (at < same) continue;
      const above = this.#open.at(-1)?.directory ?? this.#top;
      const directory = above.child(part, { create: true });
      this.#open.push({ key: keys[at] ?? "", directory });
    }
    return this.#open.at(-1)?.directory ?? this.#top;
  }

  #closeFrom(at: number): void {
    for (const { directory } of this.#open.slice(at).reverse()) directory.close();
    this.#open = this.#open.slice(0, at);
  }
}
