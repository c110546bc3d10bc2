// The one walk from a trusted root to a place below it. Each directory is opened from the one before with O_NOFOLLOW, so that no link
// is followed and nothing can be swapped between a check and its use. On Linux the step goes through the open directory by
// /proc/self/fd/<n>/name, which is openat in all but name. Where there is no /proc, who uses a name verifies by inode afterwards.
//
// Imports nothing but node's own: hooks of agents load this at every tool call.

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

export const hasProc = existsSync("/proc/self/fd");

/** One path component: text, or its bytes where they are no text. */
export type Name = string | Uint8Array;

export function openRootDirectory(root: string): number {
  return openSync(root, O_RDONLY | O_DIRECTORY);
}

/**
 * Tells whether a home is another account's: it belongs to one, or this account may not even look at it. Root is no exception: the owner
 * cannot use files that root leaves in their home, and the settings there would be carried out with root's rights.
 */
export function isAnothers(home: string): boolean {
  const own = process.getuid?.();
  if (own === undefined) return false;
  try {
    const stats = statSync(home, { throwIfNoEntry: false });
    return stats !== undefined && stats.uid !== own;
  } catch (cause) {
    return (cause as { readonly code?: unknown }).code === "EACCES";
  }
}

/** The way to an entry that goes through an open directory; `path` is that directory's name, for where there is no /proc. */
export function entryOf(directory: number, path: string, name: string): string;
export function entryOf(directory: number, path: string, name: Name): string | Buffer;
export function entryOf(directory: number, path: string, name: Name): string | Buffer {
  const above = hasProc ? `/proc/self/fd/${directory}/` : `${path}/`;
  return typeof name === "string" ? above + name : Buffer.concat([Buffer.from(above), name]);
}

/**
 * The same steps asked of the system itself, by processes that have it open (directory-calls.ts); no link is followed. Undefined or
 * false when it was not done: then the way through /proc is gone, which says why.
 */
export interface DirectoryCalls {
  open(directory: number, name: Name, flags: number, mode: number): number | undefined;
  link(from: number, name: Name, to: number, newName: Name): boolean;
  move(from: number, name: Name, to: number, newName: Name): boolean;
  /** False also when something has the new name. */
  moveUnlessTaken(from: number, name: Name, to: number, newName: Name): boolean;
  remove(directory: number, name: Name): boolean;
}

export let directly: DirectoryCalls | undefined;

export function takeDirectoryCalls(calls: DirectoryCalls | undefined): void {
  directly = calls;
}

/** Never through a link: Linux answers ENOTDIR for one, or ELOOP. */
export function openChildDirectory(directory: number, path: string, name: Name): number {
  const found = directly?.open(directory, name, O_RDONLY | O_DIRECTORY, 0);
  if (found !== undefined) return found;
  return openSync(entryOf(directory, path, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/**
 * Appends to a file whose directories are there. False when it cannot be done in this short way: a directory is missing, a link
 * is in the way, or the system has no /proc. appendTrusted makes what is missing and says what is refused.
 */
export function appendLine(root: string, directories: readonly string[], name: string, line: string): boolean {
  // Without O_NONBLOCK a named pipe would make us wait for a reader.
  const flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK;
  const append = (file: number): boolean => {
    if (fstatSync(file).nlink > 1) return false;
    writeSync(file, line);
    return true;
  };
  return inDirectory(root, directories, (at) => usingFile(at, name, flags, append)) ?? false;
}

/**
 * The content of a small file of our own; undefined when there is none, and when it is longer, somebody else's, or no plain file
 * with one name. Undefined too where there is no /proc: readTrusted goes the long way.
 */
export function readOwnFile(
  root: string,
  directories: readonly string[],
  name: string,
  maxBytes: number,
): string | undefined {
  const read = (file: number): string | undefined => {
    const stats = fstatSync(file);
    // Nobody but us may have written it.
    const isOurs =
      stats.isFile() && stats.nlink === 1 && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
    if (!isOurs || stats.size > maxBytes) return undefined;
    const bytes = Buffer.allocUnsafe(stats.size);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, stats.size, 0));
  };
  return inDirectory(root, directories, (at) => usingFile(at, name, O_RDONLY | O_NONBLOCK, read));
}

/**
 * Makes an empty file that must not be there yet, and the last directory on the way to it; of several at the same moment one
 * succeeds. False when it was there, or could not be made.
 */
export function makeMark(root: string, directories: readonly string[], name: string): boolean {
  const last = directories.at(-1) ?? "";
  const make = (above: number): boolean => {
    const at = madeDirectory(above, last);
    try {
      return usingFile(at, name, O_WRONLY | O_CREAT | O_EXCL, () => true);
    } finally {
      closeSync(at);
    }
  };
  return inDirectory(root, directories.slice(0, -1), make) ?? false;
}

function madeDirectory(above: number, name: string): number {
  try {
    return openChildDirectory(above, "", name);
  } catch {
    try {
      mkdirSync(entryOf(above, "", name), 0o700);
    } catch {
      // another hook was quicker, or it cannot be: opening it says which
    }
    return openChildDirectory(above, "", name);
  }
}

/** Undefined when anything on the way or at its end is missing, is a link, or fails. */
function inDirectory<T>(root: string, directories: readonly string[], use: (at: number) => T): T | undefined {
  if (!hasProc) return undefined;
  const open: number[] = [];
  try {
    let at = openRootDirectory(root);
    open.push(at);
    for (const directory of directories) {
      at = openChildDirectory(at, "", directory);
      open.push(at);
    }
    return use(at);
  } catch {
    return undefined;
  } finally {
    for (const fd of open) closeSync(fd);
  }
}

function usingFile<T>(directory: number, name: string, flags: number, use: (file: number) => T): T {
  const found = directly?.open(directory, name, flags, 0o600);
  const file = found ?? openSync(entryOf(directory, "", name), flags | O_NOFOLLOW, 0o600);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}
