// The blob that a file has now, as git would name it: what a memory that rests on the file is held against. Remembered by what the file
// system says of it, so that asking for every session costs one stat.

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { BlobOf } from "../../ports/blob-of.ts";

const longestFile = 8 * 1024 * 1024;
const mostKnown = 2_000;

/** Undefined for what is no plain file, or too long to be looked at. */
export function blobsOfFiles(): BlobOf {
  const known = new Map<string, { readonly stamp: string; readonly blob: string }>();
  return (path) => {
    let fd: number;
    try {
      fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    } catch {
      return undefined;
    }
    try {
      const { ino, size, mtimeMs, ctimeMs, isFile } = statOf(fd);
      if (!isFile || size > longestFile) return undefined;
      const stamp = `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
      const before = known.get(path);
      if (before?.stamp === stamp) return before.blob;
      const content = Buffer.alloc(size);
      const length = readSync(fd, content, 0, size, 0);
      const blob = createHash("sha1").update(`blob ${length}\0`).update(content.subarray(0, length)).digest("hex");
      if (known.size >= mostKnown) known.clear();
      known.set(path, { stamp, blob });
      return blob;
    } catch {
      return undefined;
    } finally {
      closeSync(fd);
    }
  };
}

function statOf(fd: number) {
  const stat = fstatSync(fd);
  return { ino: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, isFile: stat.isFile() };
}
