// Finds the process that holds a lock of file-lock.ts. The kernel knows: on Linux it lists every lock with the file's inode. Elsewhere
// nobody tells.

import { readFileSync, statSync } from "node:fs";

export function lockHolder(path: string): number | undefined {
  try {
    const { ino } = statSync(path);
    const line = readFileSync("/proc/locks", "utf8")
      .split("\n")
      .find((one) => one.includes(`:${ino} `) && !one.includes("->")); // an arrow marks those who wait
    const pid = Number(/(?:WRITE|READ)\s+(\d+)\s/.exec(line ?? "")?.[1]);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
