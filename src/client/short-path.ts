// Reaching a unix socket whose path is too long for the kernel.

import { closeSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";

/**
 * The kernel takes socket paths of at most 107 bytes (103 on macOS). A longer one is reached through an open directory,
 * as /proc/self/fd/<n>/name; where there is no /proc, the call fails with the kernel's own error.
 */
export async function withShortPath<T>(path: string, use: (shortPath: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= 100) return use(path);
  const fd = openSync(dirname(path), "r");
  try {
    return await use(`/proc/self/fd/${fd}/${basename(path)}`);
  } finally {
    closeSync(fd);
  }
}
