// Is a process there? One that belongs to somebody else is.

import { systemCode } from "../../protocol/errors.ts";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return systemCode(cause) === "EPERM";
  }
}
