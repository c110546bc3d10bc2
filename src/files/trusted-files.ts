// Files under a trusted root (the home, the root directory). Directories are made 0700 and files 0600, and a symbolic link
// anywhere between the root and the target is refused, because an agent could have planted it to make us write elsewhere.
//
// The refusal holds against a swap between check and use: we never check a path and then use it. Each directory is opened
// from the one before it with O_NOFOLLOW, and the last step goes through the open directory (on Linux by
// /proc/self/fd/<n>/name, which is openat in all but name). Where there is no /proc, the walk is verified again after the
// use, by inode, which detects a swap although it cannot prevent it.

import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join, normalize, sep } from "node:path";
import { Outage, Refusal, systemCode } from "../protocol/errors.ts";

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const hasProc = existsSync("/proc/self/fd");

let sequence = 0;

/** Roots that this process may use and not make. */
const keptRoots = new Set<string>();

/**
 * From now on this process does not make the root when it is gone. A home is made by the command that somebody gave for
 * it; what was started for one that existed would otherwise bring back, and live on in, a home that was just deleted.
 */
export function keepToRoot(root: string): void {
  keptRoots.add(root);
}

export interface WriteNewOptions {
  readonly sync?: boolean;
  readonly step?: (reached: "created" | "written") => void;
}

/** A directory under a trusted root, held open. Every name used with it is one path component. */
export class TrustedDirectory {
  readonly path: string;
  readonly #fd: number;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.#fd = fd;
  }

  /** Opens `root/relative`, making what is missing when `create` is set. `root` itself may be reached through links. */
  static open(root: string, relative = "", options: { create?: boolean } = {}): TrustedDirectory {
    let directory = new TrustedDirectory(root, openRoot(root, options));
    for (const part of componentsOf(root, relative)) {
      const outer = directory;
      try {
        directory = outer.child(part, options);
      } finally {
        outer.close();
      }
    }
    return directory;
  }

  child(name: string, options: { create?: boolean } = {}): TrustedDirectory {
    const path = join(this.path, name);
    const open = (): TrustedDirectory => new TrustedDirectory(path, openDirectory(this.at(name), path, O_NOFOLLOW));
    if (!options.create) return open();
    // It is nearly always there, and a failed mkdir costs more than all the rest.
    try {
      return open();
    } catch (cause) {
      if (!isAbsent(cause)) throw cause;
    }
    try {
      mkdirSync(this.at(name), { mode: 0o700 });
    } catch (cause) {
      if (systemCode(cause) !== "EEXIST") throw new Outage("make directory", path, cause);
    }
    return open();
  }

  /** The way to an entry that goes through this open directory. */
  at(name: string): string {
    if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0")) {
      throw new Refusal("path.outside-root", `not a plain file name: ${JSON.stringify(name)}`, { name });
    }
    return hasProc ? `/proc/self/fd/${this.#fd}/${name}` : join(this.path, name);
  }

  /**
   * Writes the whole file or nothing: a temporary beside it, fsync, rename, fsync of the directory. With `sync: false` it is
   * still whole or nothing when the process dies, but may be lost with the power.
   */
  write(name: string, content: string | Uint8Array, options: { sync?: boolean } = {}): void {
    this.#refuseLink(name);
    const temporary = `.${name.slice(0, 100)}.${process.pid}.${++sequence}.tmp`;
    try {
      this.writeNew(temporary, content, options);
      renameSync(this.at(temporary), this.at(name));
    } catch (cause) {
      this.remove(temporary);
      throw cause;
    }
    if (options.sync !== false) this.sync();
  }

  /**
   * Makes a file that must not exist yet. The caller syncs the directory when the name must last too, and removes the file
   * when this fails. `sync: false` is for content that may be lost with the power; `step` lets fault tests stop between.
   */
  writeNew(name: string, content: string | Uint8Array, options: WriteNewOptions = {}): void {
    const fd = this.#openFile(name, O_WRONLY | O_CREAT | O_EXCL);
    try {
      options.step?.("created");
      writeFully(fd, content);
      options.step?.("written");
      if (options.sync !== false) fsyncSync(fd);
    } catch (cause) {
      throw new Outage("write", join(this.path, name), cause);
    } finally {
      closeSync(fd);
    }
  }

  /** Appends in one write call, so that two processes do not mix their lines. */
  append(name: string, content: string, options: { sync?: boolean } = {}): void {
    const fd = this.#openFile(name, O_WRONLY | O_CREAT | O_APPEND);
    try {
      writeFully(fd, content);
      if (options.sync) fsyncSync(fd);
    } catch (cause) {
      throw new Outage("append to", join(this.path, name), cause);
    } finally {
      closeSync(fd);
    }
  }

  /** Lends out a descriptor that appends to a file, for a child's output. */
  appending<T>(name: string, use: (fd: number) => T): T {
    const fd = this.#openFile(name, O_WRONLY | O_CREAT | O_APPEND);
    try {
      return use(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** The content, or undefined when there is no such file. Past `maxBytes` it is refused, not read. */
  read(name: string, options: { maxBytes?: number } = {}): Buffer | undefined {
    let fd: number;
    try {
      fd = this.#openFile(name, O_RDONLY);
    } catch (cause) {
      if (isAbsent(cause)) return undefined;
      throw cause;
    }
    try {
      const { size } = fstatSync(fd);
      if (options.maxBytes !== undefined && size > options.maxBytes) {
        throw new Refusal("path.too-large", `${join(this.path, name)} has ${size} bytes`, { size });
      }
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** At most `maxBytes` from an offset on; empty past the end and for a file that is not there. */
  readFrom(name: string, offset: number, maxBytes: number): Buffer {
    let fd: number;
    try {
      fd = this.#openFile(name, O_RDONLY);
    } catch (cause) {
      if (isAbsent(cause)) return Buffer.alloc(0);
      throw cause;
    }
    try {
      const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, fstatSync(fd).size - offset)));
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset));
    } finally {
      closeSync(fd);
    }
  }

  /** Puts a mark of fixed length over the one before, cheaply: may be lost with the power, is never half of two marks. */
  putMark(name: string, mark: string): void {
    const fd = this.#openFile(name, O_WRONLY | O_CREAT);
    try {
      writeFully(fd, mark);
    } catch (cause) {
      throw new Outage("write", join(this.path, name), cause);
    } finally {
      closeSync(fd);
    }
  }

  /** A second name for a file, refused with EEXIST when the name is taken. */
  link(from: string, to: string): void {
    linkSync(this.at(from), this.at(to));
  }

  moveTo(name: string, target: TrustedDirectory, newName = name): void {
    renameSync(this.at(name), target.at(newName));
  }

  list(): string[] {
    return readdirSync(hasProc ? `/proc/self/fd/${this.#fd}` : this.path);
  }

  stat(name: string): Stats | undefined {
    return lstatSync(this.at(name), { throwIfNoEntry: false });
  }

  /** True when it was there. */
  remove(name: string): boolean {
    try {
      unlinkSync(this.at(name));
      return true;
    } catch (cause) {
      if (systemCode(cause) === "ENOENT") return false;
      throw new Outage("remove", join(this.path, name), cause);
    }
  }

  /** The same for a directory with all it holds. Links inside are removed, not followed. */
  removeTree(name: string): boolean {
    if (this.stat(name) === undefined) return false;
    try {
      rmSync(this.at(name), { recursive: true, force: true });
      return true;
    } catch (cause) {
      throw new Outage("remove", join(this.path, name), cause);
    }
  }

  sync(): void {
    fsyncSync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #refuseLink(name: string): void {
    if (this.stat(name)?.isSymbolicLink()) throw linkRefusal(join(this.path, name));
  }

  #openFile(name: string, flags: number): number {
    const path = join(this.path, name);
    try {
      // Without O_NONBLOCK, a named pipe put where a file should be would make us wait for ever.
      const fd = openSync(this.at(name), flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
      if (!hasProc) this.#verifyWalk(path, fd);
      const stats = fstatSync(fd);
      if (!stats.isFile()) {
        closeSync(fd);
        throw new Refusal("path.not-a-file", `${path} is not a plain file`, { path });
      }
      if ((stats.mode & 0o077) !== 0 && (flags & O_WRONLY) !== 0) fchmodSync(fd, 0o600);
      return fd;
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      if (systemCode(cause) === "ELOOP") throw linkRefusal(path);
      throw new Outage("open", path, cause);
    }
  }

  #verifyWalk(path: string, fd: number): void {
    const here = lstatSync(this.path);
    const held = fstatSync(this.#fd);
    const named = lstatSync(path, { throwIfNoEntry: false });
    const opened = fstatSync(fd);
    if (here.ino !== held.ino || named?.ino !== opened.ino) {
      closeSync(fd);
      throw linkRefusal(path);
    }
  }
}

/** Writes `root/relative` whole or not at all. */
export function writeTrusted(root: string, relative: string, content: string | Uint8Array): void {
  withParent(root, relative, { create: true }, (parent, name) => parent.write(name, content));
}

/** Makes `root/relative` whole, unless it is there already: then false. */
export function createTrusted(root: string, relative: string, content: string): boolean {
  return withParent(root, relative, { create: true }, (parent, name) => {
    const temporary = `.${name}.${process.pid}.${++sequence}.tmp`;
    try {
      parent.writeNew(temporary, content);
      parent.link(temporary, name);
      parent.sync();
      return true;
    } catch (cause) {
      if (systemCode(cause) === "EEXIST") return false;
      throw cause;
    } finally {
      parent.remove(temporary);
    }
  });
}

export function appendTrusted(root: string, relative: string, content: string, options: { sync?: boolean } = {}): void {
  withParent(root, relative, { create: true }, (parent, name) => parent.append(name, content, options));
}

/** The content, or undefined when the file or a directory on the way does not exist. */
export function readTrusted(root: string, relative: string): Buffer | undefined {
  return absentAsUndefined(() => withParent(root, relative, {}, (parent, name) => parent.read(name)));
}

/** The last bytes of a file, and whether that is all of it; empty when there is none. */
export function readTail(root: string, relative: string, maxBytes: number): { text: string; whole: boolean } {
  const read = (): { text: string; whole: boolean } =>
    withParent(root, relative, {}, (parent, name) => {
      const from = Math.max(0, (parent.stat(name)?.size ?? 0) - maxBytes);
      return { text: parent.readFrom(name, from, maxBytes).toString(), whole: from === 0 };
    });
  return absentAsUndefined(read) ?? { text: "", whole: true };
}

/** True when it was there. */
export function removeTrusted(root: string, relative: string): boolean {
  return absentAsUndefined(() => withParent(root, relative, {}, (parent, name) => parent.remove(name))) ?? false;
}

/** The names in a directory, sorted; none when it does not exist. */
export function listTrusted(root: string, relative: string): string[] {
  const names = absentAsUndefined(() => {
    using directory = TrustedDirectory.open(root, relative);
    return directory.list();
  });
  return (names ?? []).sort();
}

export function makeTrustedDirectory(root: string, relative: string): void {
  TrustedDirectory.open(root, relative, { create: true }).close();
}

function withParent<T>(
  root: string,
  relative: string,
  options: { create?: boolean },
  use: (parent: TrustedDirectory, name: string) => T,
): T {
  const parts = componentsOf(root, relative);
  const name = parts.pop();
  if (name === undefined) throw new Refusal("path.outside-root", "a file name is needed", { root, relative });
  using parent = TrustedDirectory.open(root, parts.join(sep), options);
  return use(parent, name);
}

function absentAsUndefined<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw cause;
  }
}

function componentsOf(root: string, relative: string): string[] {
  const clean = normalize(relative);
  if (clean.startsWith("/") || clean === ".." || clean.startsWith(`..${sep}`) || clean.includes("\0")) {
    throw new Refusal("path.outside-root", `${relative} leads out of ${root}`, { root, path: relative });
  }
  return clean.split(sep).filter((part) => part !== "" && part !== ".");
}

function openRoot(root: string, options: { create?: boolean }): number {
  try {
    return openDirectory(root, root, 0);
  } catch (cause) {
    if (!options.create || keptRoots.has(root) || !isAbsent(cause)) throw cause;
  }
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Outage("make directory", root, cause);
  }
  return openDirectory(root, root, 0);
}

const isAbsent = (cause: unknown): boolean => cause instanceof Outage && systemCode(cause.cause) === "ENOENT";

function openDirectory(path: string, shownAs: string, extraFlags: number): number {
  try {
    const fd = openSync(path, O_RDONLY | O_DIRECTORY | extraFlags);
    return fd;
  } catch (cause) {
    // With O_NOFOLLOW and O_DIRECTORY together, Linux answers ENOTDIR for a link to a directory.
    const code = systemCode(cause);
    if (code === "ELOOP" || (code === "ENOTDIR" && isLink(path))) throw linkRefusal(shownAs);
    throw new Outage("open directory", shownAs, cause);
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // gone, or below something that is no directory
  }
}

function linkRefusal(path: string): Refusal {
  return new Refusal("path.symlink", `${path} is a symbolic link`, { path });
}

function writeFully(fd: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written);
}
