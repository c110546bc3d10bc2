// Our own place for one repository: an object directory that borrows from the clones' (alternates), a git directory per
// worktree, and one per merge context. The user's repository is only ever read from here. What we write goes by descriptors below
// the directory that is held open; git is given names, after it was seen that no link stands where it writes.
//
//   objects/               what merges and we ourselves write
//   own/                   what git writes for snapshots, without seeing the clones' objects
//   worktrees/<key>/       a git directory with a private index and a copy of the harmless settings
//   merge/<context>/       a git directory and the attribute files that decide how files merge
//   origin/                a bare repository of ours with what the origin has and no clone does (ask-origin.ts)
//   sides/                 the same with the work of other machines, which nobody here vouches for (sides/take-sides.ts)

import { existsSync, lstatSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { TrustedDirectory } from "../../../files/trusted-directory.ts";
import { linkRefusal } from "../../../files/problems.ts";
import { refuseLinksInside, type TrustedPlace } from "../../../files/trusted-place.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { privateConfig } from "../repository/allowed-settings.ts";
import { likelyOwnPlace } from "../../../protocol/own-place.ts";
import { type ObjectFormat, readSmall } from "../repository/locate.ts";
import { writeObject } from "./loose-object.ts";

const sampleShelf = "17";

export class PrivateStore {
  readonly directory: string;
  readonly objects: string;
  /** git marks an object that it finds instead of writing it as fresh, also a borrowed one; what it cannot see it leaves alone. */
  readonly own: string;
  readonly origin: string;
  readonly sides: string;
  readonly format: ObjectFormat;
  readonly #place: TrustedPlace;
  readonly #top: TrustedDirectory;
  readonly #objects: TrustedDirectory;
  readonly #own: TrustedDirectory;
  readonly #borrowed = new Set<string>();
  /** The times of the directories when no link was in them: none was planted while they are the same. */
  #seenWithoutLinks = "";

  constructor(place: TrustedPlace, format: ObjectFormat) {
    this.#place = place;
    this.directory = join(place.root, place.relative);
    this.format = format;
    this.objects = join(this.directory, "objects");
    this.own = join(this.directory, "own");
    this.origin = join(this.directory, "origin");
    this.sides = join(this.directory, "sides");
    this.#top = TrustedDirectory.open(place.root, place.relative, { create: true });
    for (const name of ["objects", "own", "origin/objects", "sides/objects"])
      for (const inner of ["info", "pack"]) this.#top.descend(join(name, inner), { create: true }).close();
    this.#objects = this.#top.child("objects");
    this.#own = this.#top.child("own");
    // Never trust what an earlier run borrowed: that clone may be gone, and git complains about it at every command.
    this.#writeAlternates();
  }

  close(): void {
    for (const directory of [this.#objects, this.#own, this.#top]) directory.close();
  }

  /** Borrows a clone's objects, and those it borrows itself. True when that brought something new. */
  borrow(objects: string): boolean {
    const before = this.#borrowed.size;
    this.#take(objects, 6);
    for (const known of this.#borrowed) if (!existsSync(known)) this.#borrowed.delete(known);
    this.#writeAlternates();
    return this.#borrowed.size !== before;
  }

  #writeAlternates(): void {
    this.#writeAlternatesOf(this.objects, [
      this.own,
      join(this.origin, "objects"),
      join(this.sides, "objects"),
      ...this.#borrowed,
    ]);
  }

  #writeAlternatesOf(objects: string, borrowed: readonly string[]): void {
    const text = borrowed.map((path) => `${quote(path)}\n`).join("");
    this.writeIfChanged(join(objects, "info", "alternates"), text);
  }

  /**
   * The repository that takes in what the origin has, as git needs it: it borrows one clone's objects, so that only what is new
   * there is fetched. Made anew when that clone is another, because what it was spared of would be missing.
   */
  originDirectory(clone: { readonly objects: string; readonly shallow: string }): string {
    const alternates = join(this.origin, "objects", "info", "alternates");
    if (existsSync(alternates) && readSmall(alternates) !== `${quote(clone.objects)}\n`) this.clearOrigin();
    return this.#bareDirectory("origin", [clone.objects], clone.shallow);
  }

  clearOrigin(): void {
    this.#clear("origin");
  }

  /** The repository that takes in the work of other machines. It borrows from every clone, and from what the origin has. */
  sidesDirectory(shallow: string): string {
    return this.#bareDirectory("sides", [...this.#borrowed, join(this.origin, "objects")], shallow);
  }

  clearSides(): void {
    this.#clear("sides");
  }

  #bareDirectory(name: "origin" | "sides", borrowed: readonly string[], shallow: string): string {
    const directory = join(this.directory, name);
    for (const inner of ["refs", "objects/info", "objects/pack"])
      this.#top.descend(join(name, inner), { create: true }).close();
    this.#writeAlternatesOf(join(directory, "objects"), borrowed);
    this.writeIfChanged(join(directory, "HEAD"), "ref: refs/heads/none\n");
    this.writeIfChanged(join(directory, "config"), privateConfig(new Map(), this.format));
    // An empty list would still make git believe that history is cut.
    if (shallow === "") this.remove(join(directory, "shallow"));
    else this.writeIfChanged(join(directory, "shallow"), shallow);
    refuseLinksInside({ root: this.#place.root, relative: join(this.#place.relative, name) }, 3);
    return directory;
  }

  #clear(name: "origin" | "sides"): void {
    this.#top.removeTree(name);
    for (const inner of ["info", "pack"]) this.#top.descend(join(name, "objects", inner), { create: true }).close();
  }

  #take(objects: string, depth: number): void {
    if (this.#borrowed.has(objects) || depth === 0) return;
    if (lstatSync(objects, { throwIfNoEntry: false }) === undefined) return;
    this.#borrowed.add(objects);
    for (const line of (readSmall(join(objects, "info", "alternates")) ?? "").split("\n")) {
      if (line === "" || line.startsWith("#") || line.startsWith('"')) continue;
      // A confined agent's own repository borrows from nobody: what its file names may be what the agent cannot read.
      if (likelyOwnPlace(objects) !== undefined) continue;
      this.#take(isAbsolute(line) ? line : resolve(objects, line), depth - 1);
    }
  }

  /** Every directory that may have an object, ours first. */
  get places(): string[] {
    const fetched = [this.origin, this.sides].map((place) => join(place, "objects"));
    return [this.objects, this.own, ...fetched, ...this.#borrowed];
  }

  /** A git directory of ours, made when missing. */
  gitDirectory(kind: "worktrees" | "merge", key: string): string {
    const path = join(this.directory, kind, key);
    if (!existsSync(join(path, "HEAD"))) {
      for (const inner of ["refs", "info"]) this.#top.descend(join(kind, key, inner), { create: true }).close();
      this.write(join(path, "HEAD"), "ref: refs/heads/none\n");
    }
    return path;
  }

  variables(gitDirectory: string, worktree?: string): Record<string, string> {
    this.#refuseLinks(gitDirectory);
    return {
      GIT_DIR: gitDirectory,
      GIT_OBJECT_DIRECTORY: this.objects,
      ...(worktree === undefined ? {} : { GIT_WORK_TREE: worktree }),
    };
  }

  /** For what writes objects and need not read any. */
  writing(gitDirectory: string, worktree: string): Record<string, string> {
    return { ...this.variables(gitDirectory, worktree), GIT_OBJECT_DIRECTORY: this.own };
  }

  writeBlob(content: string | Uint8Array): string {
    return writeObject(this.#objects, this.format, "blob", content);
  }

  writeTree(content: Uint8Array): string {
    return writeObject(this.#objects, this.format, "tree", content);
  }

  writeCommit(content: string): string {
    return writeObject(this.#objects, this.format, "commit", content);
  }

  /** Lends out the directory that a path of ours is in, and its last name. */
  inDirectoryOf<T>(path: string, use: (directory: TrustedDirectory, name: string) => T): T {
    if (!path.startsWith(`${this.directory}/`))
      throw new Refusal("path.outside-root", `${path} is not below ${this.directory}`, { path });
    const relative = path.slice(this.directory.length + 1);
    using directory = this.#top.descend(dirname(relative), { create: true });
    return use(directory, basename(relative));
  }

  /** Whole or not at all; may be lost with the power, because it can be made again. */
  write(path: string, content: string | Uint8Array): void {
    this.inDirectoryOf(path, (directory, name) => directory.write(name, content, { sync: false }));
  }

  /** True when the file had to be written. */
  writeIfChanged(path: string, content: string | Uint8Array): boolean {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    if (existsSync(path) && readFileSync(path).equals(bytes)) return false;
    this.write(path, bytes);
    return true;
  }

  remove(path: string): void {
    this.inDirectoryOf(path, (directory, name) => directory.remove(name));
  }

  /** Loose objects that git or we wrote: their directory, and what they are called in it. */
  *looseObjects(): Generator<{ readonly fan: TrustedDirectory; readonly id: string; readonly name: string }> {
    for (const objects of [this.#objects, this.#own]) {
      for (const shelf of objects.list()) {
        if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
        using fan = objects.child(shelf);
        for (const name of fan.list()) yield { fan, id: shelf + name, name };
      }
    }
  }

  /** About how many loose objects there are: they spread evenly, so one shelf of the 256 stands for all, as git itself guesses. */
  estimatedObjects(): number {
    let found = 0;
    for (const objects of [this.#objects, this.#own]) {
      if (objects.stat(sampleShelf)?.isDirectory() !== true) continue;
      using fan = objects.child(sampleShelf);
      found += fan.list().length;
    }
    return found * 256;
  }

  /** git would write through a link that stands for one of our directories, or for the index. */
  #refuseLinks(gitDirectory: string): void {
    const index = join(gitDirectory, "index");
    for (const path of [gitDirectory, index])
      if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw linkRefusal(path);
    const times = [this.#top, this.#objects, this.#own].map((held) => {
      if (!held.isInPlace()) return "moved";
      const { mtimeMs, ctimeMs } = held.ownStat();
      return `${mtimeMs}.${ctimeMs}`;
    });
    const kinds = ["worktrees", "merge"].map((kind) => {
      const stat = lstatSync(join(this.directory, kind), { throwIfNoEntry: false });
      return stat === undefined ? "" : `${stat.ino}.${stat.mtimeMs}`;
    });
    const now = [...times, ...kinds].join(" ");
    if (now === this.#seenWithoutLinks) return;
    refuseLinksInside(this.#place, 2);
    if (times.includes("moved"))
      throw new Refusal("path.symlink", `${this.directory} was exchanged`, { path: this.directory });
    this.#seenWithoutLinks = now;
  }
}

export function keyOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 24);
}

/** As git reads alternates: a line in double quotes may hold any byte. */
function quote(path: string): string {
  return /["\\\n#]/.test(path) ? `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"` : path;
}
