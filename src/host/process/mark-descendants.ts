// Sets the marks of limit-mark.ts, on a process that runs.

import { dlopen, FFIType, ptr } from "bun:ffi";
import { limits, type Mark, markOn } from "./limit-mark.ts";

/** RLIMIT_MSGQUEUE, on every Linux. */
const resource = 12;

/** Marks a process of this account, and so all that it starts from now on. False where that cannot be done. */
export function markDescendants(pid: number, mark: Mark = "agent"): boolean {
  if (process.platform !== "linux") return false;
  const has = markOn(pid);
  if (has === "agent" || has === mark) return true;
  try {
    const { i32, ptr: pointer } = FFIType;
    const { symbols } = dlopen("libc.so.6", { prlimit: { args: [i32, i32, pointer, pointer], returns: i32 } });
    const bytes = BigInt(limits()[mark]);
    return symbols.prlimit(pid, resource, ptr(BigUint64Array.of(bytes, bytes)), null) === 0;
  } catch {
    return false; // another C library; its ancestors and its control group still tell whose it is
  }
}
