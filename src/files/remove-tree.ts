// Removes an entry of an open directory with all it holds. Links are removed, never followed. A directory that its owner may not
// write to (a module cache, say) is made writable first, through its descriptor.

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { systemCode } from "../protocol/errors.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

export function removeEntry(at: string | Buffer): void {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) return unlinkSync(at);
  try {
    rmSync(at, { recursive: true, force: true });
  } catch (cause) {
    if (!["EACCES", "EPERM"].includes(systemCode(cause) ?? "")) throw cause;
    openUp(at);
    rmSync(at, { recursive: true, force: true });
  }
}

function openUp(at: string | Buffer): void {
  let fd: number;
  try {
    fd = openSync(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch {
    return; // not a directory, or not ours to open: removing it says why
  }
  try {
    if ((fstatSync(fd).mode & 0o700) !== 0o700) fchmodSync(fd, 0o700);
    for (const entry of readdirSync(at as string, { withFileTypes: true }))
      if (entry.isDirectory()) openUp(`${at.toString()}/${entry.name}`);
  } finally {
    closeSync(fd);
  }
}
