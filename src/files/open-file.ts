// Opens one plain file in an open directory. A link is refused, a pipe is not waited for, and a file that has another name elsewhere
// (a hard link) is never written, emptied or given another mode under that name: it may be the user's own.

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { Outage, Refusal, systemCode } from "../protocol/errors.ts";
import { directly, entryOf, hasProc, type Name } from "./descend.ts";
import { linkRefusal, notAFile } from "./problems.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;

export interface FilePlace {
  /** The open directory, and what it is called. */
  readonly fd: number;
  readonly path: string;
  readonly name: Name;
}

export function openFile(place: FilePlace, flags: number, mode = 0o600): number {
  try {
    let fd = openOnce(place, flags, mode);
    if (!hasProc) verifyWalk(place, fd);
    // Made just now, by us, with the mode we said: there is nothing to look at.
    if ((flags & O_EXCL) !== 0) return fd;
    const isWritten = (flags & (O_WRONLY | O_RDWR)) !== 0;
    const stats = fstatSync(fd);
    if (!stats.isFile()) {
      closeSync(fd);
      throw notAFile(shown(place));
    }
    if (isWritten && stats.nlink > 1) {
      closeSync(fd);
      takeCopy(entryOf(place.fd, place.path, place.name));
      fd = openOnce(place, flags, mode);
    } else if (isWritten && (stats.mode & 0o077) !== 0 && (mode & 0o077) === 0) fchmodSync(fd, 0o600);
    return fd;
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    if (systemCode(cause) === "ELOOP") throw linkRefusal(shown(place));
    throw new Outage("open", shown(place), cause);
  }
}

function openOnce({ fd, path, name }: FilePlace, flags: number, mode: number): number {
  // Without O_NONBLOCK, a named pipe put where a file should be would make us wait for ever.
  const how = flags | O_NOFOLLOW | O_NONBLOCK;
  return directly?.open(fd, name, how, mode) ?? openSync(entryOf(fd, path, name), how, mode);
}

const shown = ({ path, name }: FilePlace): string => join(path, Buffer.from(name).toString("utf8"));

export function writeFully(fd: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written);
}

/** All of a plain file that had `size` bytes a moment ago, in one call where it still has: a third of what readFileSync asks of the system. */
export function readWhole(fd: number, size: number): Buffer {
  let bytes = Buffer.allocUnsafe(size + 1);
  let filled = 0;
  for (;;) {
    const got = readSync(fd, bytes, filled, bytes.length - filled, filled);
    filled += got;
    if (filled < bytes.length) return bytes.subarray(0, filled);
    bytes = Buffer.concat([bytes], bytes.length * 2);
  }
}

export function copyContent(from: number, to: number): void {
  const chunk = Buffer.allocUnsafe(1024 * 1024);
  for (let got = readSync(from, chunk); got > 0; got = readSync(from, chunk)) writeFully(to, chunk.subarray(0, got));
}

let sequence = 0;

/** Puts a copy under this name; the other names keep the file as it is. */
function takeCopy(at: string | Buffer): void {
  const suffix = `.${process.pid}.${++sequence}.tmp`;
  const temporary = typeof at === "string" ? at + suffix : Buffer.concat([at, Buffer.from(suffix)]);
  const from = openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const to = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      copyContent(from, to);
    } finally {
      closeSync(to);
    }
    renameSync(temporary, at);
  } catch (cause) {
    try {
      unlinkSync(temporary);
    } catch {
      // it was never made
    }
    throw cause;
  } finally {
    closeSync(from);
  }
}

function verifyWalk(place: FilePlace, fd: number): void {
  const here = lstatSync(place.path);
  const held = fstatSync(place.fd);
  const named = lstatSync(entryOf(place.fd, place.path, place.name), { throwIfNoEntry: false });
  const opened = fstatSync(fd);
  if (here.ino !== held.ino || named?.ino !== opened.ino) {
    closeSync(fd);
    throw linkRefusal(shown(place));
  }
}
