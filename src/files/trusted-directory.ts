// A directory under a trusted root (the home, the root directory), held open. Directories are made 0700 and files 0600, and a
// symbolic link anywhere between the root and the target is refused, because an agent could have planted it to make us write
// elsewhere. The refusal holds against a swap between check and use: see descend.ts. What is done with files by their whole path is
// in trusted-files.ts; whole trees of files are in trusted-tree.ts. Long because it is the one list of what may be done by a descriptor;
// each of its methods is a few lines.

import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { Outage, Refusal, systemCode } from "../protocol/errors.ts";
import { directly, entryOf, hasProc, type Name, openChildDirectory, openRootDirectory } from "./descend.ts";
import { type Disk, systemDisk } from "./disk.ts";
import { copyContent, openFile, readWhole, writeFully } from "./open-file.ts";
import {
  absentAsUndefined,
  componentsOf,
  isAbsent,
  linkRefusal,
  notAFile,
  plainName,
  whyNotOpened,
} from "./problems.ts";
import { removeEntry } from "./remove-tree.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = constants;

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

export interface OpenOptions {
  /** Make what is missing. */
  readonly create?: boolean;
  /** Of directories that are made below the root: 0700 without it. */
  readonly mode?: number;
  readonly disk?: Disk;
}

export interface WriteNewOptions {
  readonly sync?: boolean;
  /** 0600 unless it is said; narrowed by the umask. */
  readonly mode?: number;
  readonly step?: (reached: "created" | "written") => void;
}

/** Every name used with it is one path component. */
export class TrustedDirectory {
  readonly path: string;
  readonly #fd: number;
  readonly #disk: Disk;

  private constructor(path: string, fd: number, disk: Disk) {
    this.path = path;
    this.#fd = fd;
    this.#disk = disk;
  }

  /** Opens `root/relative`, making what is missing when `create` is set. `root` itself may be reached through links. */
  static open(root: string, relative = "", options: OpenOptions = {}): TrustedDirectory {
    const top = new TrustedDirectory(root, openRoot(root, options), options.disk ?? systemDisk);
    return relative === "" || relative === "." ? top : walk(top, relative, options);
  }

  /** A directory some levels below; itself, opened once more, for an empty path. */
  descend(relative: string, options: OpenOptions = {}): TrustedDirectory {
    return walk(new TrustedDirectory(this.path, openRootDirectory(this.#own), this.#disk), relative, options);
  }

  /** With `mode` a directory that is made gets that one; 0700 otherwise. */
  child(name: Name, options: { create?: boolean; mode?: number } = {}): TrustedDirectory {
    const path = this.#shown(name);
    const open = (): TrustedDirectory => {
      try {
        return new TrustedDirectory(path, openChildDirectory(this.#fd, this.path, plainName(name)), this.#disk);
      } catch (cause) {
        throw cause instanceof Refusal ? cause : whyNotOpened(cause, this.#at(name), path);
      }
    };
    if (!options.create) return open();
    // It is nearly always there, and a failed mkdir costs more than all the rest.
    return absentAsUndefined(open) ?? (this.make(name, options.mode), open());
  }

  /** Makes a directory; false when something has that name. */
  make(name: Name, mode = 0o700): boolean {
    try {
      mkdirSync(this.#at(name), { mode });
      return true;
    } catch (cause) {
      if (systemCode(cause) === "EEXIST") return false;
      throw new Outage("make directory", this.#shown(name), cause);
    }
  }

  /**
   * Writes the whole file or nothing: a temporary beside it, fsync, rename, fsync of the directory. With `sync: false` it is
   * still whole or nothing when the process dies, but may be lost with the power; with `"file"` the caller syncs the directory.
   */
  write(name: string, content: string | Uint8Array, options: { sync?: boolean | "file"; mode?: number } = {}): void {
    this.#refuseLink(name);
    const temporary = temporaryFor(name);
    try {
      this.writeNew(temporary, content, { ...options, sync: options.sync !== false });
      this.moveTo(temporary, this, name);
    } catch (cause) {
      this.remove(temporary);
      // A directory stands where the file should be.
      throw systemCode(cause) === "EISDIR" ? notAFile(this.#shown(name)) : cause;
    }
    if (options.sync === undefined || options.sync === true) this.sync();
  }

  /**
   * Makes a file that must not exist yet. The caller syncs the directory when the name must last too, and removes the file
   * when this fails. `sync: false` is for content that may be lost with the power; `step` lets fault tests stop between.
   */
  writeNew(name: Name, content: string | Uint8Array, options: WriteNewOptions = {}): void {
    this.#using(name, O_WRONLY | O_CREAT | O_EXCL, "write", options.mode, (fd) => {
      options.step?.("created");
      writeFully(fd, content);
      options.step?.("written");
      if (options.sync !== false) this.#disk.syncFile(fd, this.#shown(name));
    });
  }

  /** Makes the file whole, unless something has that name: then false. */
  create(name: string, content: string | Uint8Array): boolean {
    const temporary = temporaryFor(name);
    try {
      this.writeNew(temporary, content);
      linkSync(this.#at(temporary), this.#at(name));
      this.sync();
      return true;
    } catch (cause) {
      if (systemCode(cause) === "EEXIST") return false;
      throw cause;
    } finally {
      this.remove(temporary);
    }
  }

  /** Appends in one write call, so that two processes do not mix their lines. */
  append(name: string, content: string, options: { sync?: boolean } = {}): void {
    this.#using(name, O_WRONLY | O_CREAT | O_APPEND, "append to", undefined, (fd) => {
      writeFully(fd, content);
      if (options.sync) this.#disk.syncFile(fd, this.#shown(name));
    });
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

  /** Lends out a descriptor of a file for reading; undefined when it is not there. */
  reading<T>(name: Name, use: (fd: number) => T): T | undefined {
    const fd = absentAsUndefined(() => this.#openFile(name, O_RDONLY));
    if (fd === undefined) return undefined;
    try {
      return use(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** The content, or undefined when there is no such file. Past `maxBytes` it is refused, not read. */
  read(name: Name, options: { maxBytes?: number } = {}): Buffer | undefined {
    return this.reading(name, (fd) => {
      const { size } = fstatSync(fd);
      if (options.maxBytes !== undefined && size > options.maxBytes) {
        throw new Refusal("path.too-large", `${this.#shown(name)} has ${size} bytes`, { size });
      }
      return readWhole(fd, size);
    });
  }

  /** At most `maxBytes` from an offset on; empty past the end and for a file that is not there. */
  readFrom(name: string, offset: number, maxBytes: number): Buffer {
    const found = this.reading(name, (fd) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, fstatSync(fd).size - offset)));
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset));
    });
    return found ?? Buffer.alloc(0);
  }

  /**
   * Puts a mark of fixed length over the one before, which `next` is told (empty when there was none). Cheap: it may be lost with the
   * power, and is never half of two marks.
   */
  changeMark(name: string, length: number, next: (before: string) => string): void {
    this.#using(name, O_RDWR | O_CREAT, "write", undefined, (fd) => {
      const bytes = Buffer.alloc(length);
      const mark = next(bytes.toString("latin1", 0, readSync(fd, bytes, 0, length, 0)));
      writeSync(fd, mark, 0);
    });
  }

  /** Leaves the file where it is, with nothing in it. */
  empty(name: string): void {
    this.#using(name, O_WRONLY, "empty", undefined, (fd) => ftruncateSync(fd, 0));
  }

  /** A copy of another directory's file under a name that nothing has yet, put on the disk. */
  copyFrom(source: TrustedDirectory, name: string, newName: string): void {
    const found = source.reading(name, (from) =>
      this.#using(newName, O_WRONLY | O_CREAT | O_EXCL, "copy to", undefined, (to) => {
        copyContent(from, to);
        this.#disk.syncFile(to, this.#shown(newName));
        return true;
      }),
    );
    if (found === undefined) throw new Outage("copy", source.#shown(name), "it is not there");
  }

  /** A second name for a file, refused with EEXIST when the name is taken. */
  link(from: string, to: string): void {
    this.linkTo(from, this, to);
  }

  /** The same in another directory. */
  linkTo(from: string, target: TrustedDirectory, to: string): void {
    const [old, fresh] = [this.#at(from), target.#at(to)];
    if (directly?.link(this.#fd, from, target.#fd, to) !== true) linkSync(old, fresh);
  }

  /**
   * Another name for a file, unless something has it: then false, and the file keeps the one it had. Where the system has no one
   * call for it the file has both names for a moment; `linked` lets fault tests stop there.
   */
  renameUnlessTaken(name: string, newName: string, linked?: () => void): boolean {
    plainName(name);
    plainName(newName);
    if (directly?.moveUnlessTaken(this.#fd, name, this.#fd, newName) === true) return true;
    try {
      this.link(name, newName);
    } catch (cause) {
      if (systemCode(cause) === "EEXIST") return false;
      throw cause;
    }
    linked?.();
    this.remove(name);
    return true;
  }

  makeSymbolicLink(name: Name, target: Uint8Array): void {
    try {
      symlinkSync(Buffer.from(target), this.#at(name));
    } catch (cause) {
      throw new Outage("make the link", this.#shown(name), cause);
    }
  }

  symbolicLink(name: Name): Buffer {
    return readlinkSync(this.#at(name), { encoding: "buffer" });
  }

  moveTo(name: string, target: TrustedDirectory, newName = name): void {
    const [old, fresh] = [this.#at(name), target.#at(newName)];
    if (directly?.move(this.#fd, name, target.#fd, newName) !== true) renameSync(old, fresh);
    this.#disk.renamed?.(this.#shown(name), target.#shown(newName));
  }

  list(): string[] {
    return readdirSync(this.#own);
  }

  /** The names as they are, also where they are no text. */
  listBytes(): Buffer[] {
    const names = readdirSync(this.#own, { encoding: "buffer" }) as unknown as Buffer[];
    return names.sort((a, b) => a.compare(b));
  }

  stat(name: Name): Stats | undefined {
    return lstatSync(this.#at(name), { throwIfNoEntry: false });
  }

  /** With times in nanoseconds. */
  exactStat(name: Name): BigIntStats | undefined {
    return lstatSync(this.#at(name), { bigint: true, throwIfNoEntry: false });
  }

  /** The directory itself. */
  ownStat(): Stats {
    return fstatSync(this.#fd);
  }

  /** True when others could look in. */
  makePrivate(): boolean {
    if ((this.ownStat().mode & 0o077) === 0) return false;
    this.setOwnMode(0o700);
    return true;
  }

  setOwnMode(mode: number): void {
    try {
      fchmodSync(this.#fd, mode);
    } catch (cause) {
      throw new Outage("change the mode of", this.path, cause);
    }
  }

  /** Of a plain file. False when it was left alone: it has another name elsewhere and may be the user's own, or is no plain file. */
  setMode(name: Name, mode: number): boolean {
    const stats = this.stat(name);
    if (stats === undefined || !stats.isFile() || stats.nlink > 1) return false;
    return this.#using(name, O_RDONLY, "change the mode of", undefined, (fd) => {
      if (fstatSync(fd).nlink > 1) return false;
      fchmodSync(fd, mode);
      return true;
    });
  }

  setTime(name: Name, seconds: number): void {
    if (this.stat(name)?.isSymbolicLink() === true) {
      // Bun takes only text here; a link whose name is no text keeps the time of its making.
      if (typeof name === "string") lutimesSync(this.#at(name), seconds, seconds);
      return;
    }
    this.#using(name, O_RDONLY, "set the time of", undefined, (fd) => futimesSync(fd, seconds, seconds));
  }

  /** True when it was there. */
  remove(name: Name): boolean {
    const at = this.#at(name);
    try {
      if (directly?.remove(this.#fd, name) !== true) unlinkSync(at);
      return true;
    } catch (cause) {
      if (systemCode(cause) === "ENOENT") return false;
      throw new Outage("remove", this.#shown(name), cause);
    }
  }

  /** The same for a directory with all it holds. Links inside are removed, not followed. */
  removeTree(name: Name): boolean {
    if (this.stat(name) === undefined) return false;
    try {
      removeEntry(this.#at(name));
      return true;
    } catch (cause) {
      throw new Outage("remove", this.#shown(name), cause);
    }
  }

  /** Of a directory that holds nothing; false when it holds something, or is none. */
  removeEmpty(name: Name): boolean {
    try {
      rmdirSync(this.#at(name));
      return true;
    } catch (cause) {
      if (["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"].includes(systemCode(cause) ?? "")) return false;
      throw new Outage("remove", this.#shown(name), cause);
    }
  }

  /** A name that leads through this open directory, for a program that we start and that ends before the directory is closed. */
  nameForOthers(name: Name): string | undefined {
    if (typeof plainName(name) !== "string") return undefined;
    return hasProc ? `/proc/${process.pid}/fd/${this.#fd}/${name}` : `${this.path}/${name}`;
  }

  /** Tells whether the name we came by still leads here. Asked before the name is given to another program. */
  isInPlace(): boolean {
    const named = lstatSync(this.path, { throwIfNoEntry: false });
    const held = this.ownStat();
    return named?.ino === held.ino && named.dev === held.dev;
  }

  /** For a file that another program wrote. */
  syncFile(name: string): void {
    this.#using(name, O_RDONLY, "sync", undefined, (fd) => this.#disk.syncFile(fd, this.#shown(name)));
  }

  /** Makes the names in it last. */
  sync(): void {
    this.#disk.syncDirectory(this.#fd, this.path);
  }

  close(): void {
    closeSync(this.#fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #own(): string {
    return hasProc ? `/proc/self/fd/${this.#fd}` : this.path;
  }

  #at(name: string): string;
  #at(name: Name): string | Buffer;
  #at(name: Name): string | Buffer {
    return entryOf(this.#fd, this.path, plainName(name));
  }

  #shown(name: Name): string {
    const text = typeof name === "string" ? name : Buffer.from(name).toString("utf8");
    return this.path.endsWith("/") ? this.path + text : `${this.path}/${text}`;
  }

  #refuseLink(name: string): void {
    if (this.stat(name)?.isSymbolicLink()) throw linkRefusal(this.#shown(name));
  }

  #openFile(name: Name, flags: number, mode?: number): number {
    return openFile({ name: plainName(name), fd: this.#fd, path: this.path }, flags, mode);
  }

  #using<T>(name: Name, flags: number, doing: string, mode: number | undefined, use: (fd: number) => T): T {
    const fd = this.#openFile(name, flags, mode);
    try {
      return use(fd);
    } catch (cause) {
      throw new Outage(doing, this.#shown(name), cause);
    } finally {
      closeSync(fd);
    }
  }
}

/** The directory some levels below, in the place of the one it is below of, which is closed. */
function walk(from: TrustedDirectory, relative: string, options: OpenOptions): TrustedDirectory {
  let directory = from;
  try {
    for (const part of componentsOf(from.path, relative)) {
      const inner = directory.child(part, options);
      directory.close();
      directory = inner;
    }
    return directory;
  } catch (cause) {
    directory.close();
    throw cause;
  }
}

const temporaryFor = (name: string): string => `.${name.slice(0, 100)}.${process.pid}.${++sequence}.tmp`;

function openRoot(root: string, options: OpenOptions): number {
  const open = (): number => {
    try {
      return openRootDirectory(root);
    } catch (cause) {
      throw whyNotOpened(cause, root, root);
    }
  };
  try {
    return open();
  } catch (cause) {
    if (!options.create || keptRoots.has(root) || !isAbsent(cause)) throw cause;
  }
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Outage("make directory", root, cause);
  }
  return open();
}
