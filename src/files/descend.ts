// The one walk from a trusted root to a place below it. Each directory is opened from the one before with O_NOFOLLOW, so that no link
// is followed and nothing can be swapped between a check and its use. On Linux the step goes through the open directory by
// /proc/self/fd/<n>/name, which is openat in all but name. Where there is no /proc, who uses a name verifies by inode afterwards.
//
// Imports nothing but node's own: hooks of agents load this at every tool call.

import { closeSync, constants, existsSync, fstatSync, openSync, writeSync } from "node:fs";

const { O_APPEND, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

export const hasProc = existsSync("/proc/self/fd");

/** One path component: text, or its bytes where they are no text. */
export type Name = string | Uint8Array;

export function openRootDirectory(root: string): number {
  return openSync(root, O_RDONLY | O_DIRECTORY);
}

/** The way to an entry that goes through an open directory; `path` is that directory's name, for where there is no /proc. */
export function entryOf(directory: number, path: string, name: string): string;
export function entryOf(directory: number, path: string, name: Name): string | Buffer;
export function entryOf(directory: number, path: string, name: Name): string | Buffer {
  const above = hasProc ? `/proc/self/fd/${directory}/` : `${path}/`;
  return typeof name === "string" ? above + name : Buffer.concat([Buffer.from(above), name]);
}

/** Never through a link: Linux answers ENOTDIR for one, or ELOOP. */
export function openChildDirectory(directory: number, path: string, name: Name): number {
  return openSync(entryOf(directory, path, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/**
 * Appends to a file whose directories are there. False when it cannot be done in this short way: a directory is missing, a link
 * is in the way, or the system has no /proc. appendTrusted makes what is missing and says what is refused.
 */
export function appendLine(root: string, directories: readonly string[], name: string, line: string): boolean {
  if (!hasProc) return false;
  const open: number[] = [];
  try {
    let at = openRootDirectory(root);
    open.push(at);
    for (const directory of directories) {
      at = openChildDirectory(at, "", directory);
      open.push(at);
    }
    // Without O_NONBLOCK a named pipe would make us wait for a reader.
    const flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK;
    const file = openSync(entryOf(at, "", name), flags, 0o600);
    open.push(file);
    if (fstatSync(file).nlink > 1) return false;
    writeSync(file, line);
    return true;
  } catch {
    return false;
  } finally {
    for (const fd of open) closeSync(fd);
  }
}
