// Our own place for one repository: an object directory that borrows from the clones' (alternates), a git directory per
// worktree, and one per merge context. The user's repository is only ever read from here.
//
//   objects/               what merges and we ourselves write
//   own/                   what git writes for snapshots, without seeing the clones' objects
//   worktrees/<key>/       a git directory with a private index and a copy of the harmless settings
//   merge/<context>/       a git directory and the attribute files that decide how files merge

import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { type ObjectFormat, readSmall } from "./locate.ts";
import { writeObject } from "./loose-object.ts";

export class PrivateStore {
  readonly directory: string;
  readonly objects: string;
  /** git marks an object that it finds instead of writing it as fresh, also a borrowed one; what it cannot see it leaves alone. */
  readonly own: string;
  readonly format: ObjectFormat;
  readonly #borrowed = new Set<string>();

  constructor(directory: string, format: ObjectFormat) {
    this.directory = directory;
    this.format = format;
    this.objects = join(directory, "objects");
    this.own = join(directory, "own");
    for (const place of [this.objects, this.own]) {
      mkdirSync(join(place, "info"), { recursive: true, mode: 0o700 });
      mkdirSync(join(place, "pack"), { recursive: true, mode: 0o700 });
    }
    // Never trust what an earlier run borrowed: that clone may be gone, and git complains about it at every command.
    this.#writeAlternates();
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
    const text = [this.own, ...this.#borrowed].map((path) => `${quote(path)}\n`).join("");
    writeIfChanged(join(this.objects, "info", "alternates"), text);
  }

  #take(objects: string, depth: number): void {
    if (this.#borrowed.has(objects) || depth === 0) return;
    if (lstatSync(objects, { throwIfNoEntry: false }) === undefined) return;
    this.#borrowed.add(objects);
    for (const line of (readSmall(join(objects, "info", "alternates")) ?? "").split("\n")) {
      if (line === "" || line.startsWith("#") || line.startsWith('"')) continue;
      this.#take(isAbsolute(line) ? line : resolve(objects, line), depth - 1);
    }
  }

  /** Every directory that may have an object, ours first. */
  get places(): string[] {
    return [this.objects, this.own, ...this.#borrowed];
  }

  /** A git directory of ours, made when missing. */
  gitDirectory(kind: "worktrees" | "merge", key: string): string {
    const path = join(this.directory, kind, key);
    if (!existsSync(join(path, "HEAD"))) {
      mkdirSync(join(path, "refs"), { recursive: true, mode: 0o700 });
      mkdirSync(join(path, "info"), { recursive: true, mode: 0o700 });
      writeFileSync(join(path, "HEAD"), "ref: refs/heads/none\n", { mode: 0o600 });
    }
    return path;
  }

  variables(gitDirectory: string, worktree?: string): Record<string, string> {
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
    return writeObject(this.objects, this.format, "blob", content);
  }

  writeTree(content: Uint8Array): string {
    return writeObject(this.objects, this.format, "tree", content);
  }

  writeCommit(content: string): string {
    return writeObject(this.objects, this.format, "commit", content);
  }
}

export function keyOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 24);
}

/** True when the file had to be written. Whole or not at all. */
export function writeIfChanged(path: string, content: string | Uint8Array): boolean {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  if (existsSync(path) && readFileSync(path).equals(bytes)) return false;
  writeFileSync(`${path}.new`, bytes, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return true;
}

/** As git reads alternates: a line in double quotes may hold any byte. */
function quote(path: string): string {
  return /["\\\n#]/.test(path) ? `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"` : path;
}
