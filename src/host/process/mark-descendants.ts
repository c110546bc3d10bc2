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
  const bytes = BigInt(limits()[mark]);
  return library()?.prlimit(pid, resource, ptr(BigUint64Array.of(bytes, bytes)), null) === 0;
}

/** Opens the C library, which takes most of a millisecond: for whoever marks a process that must do nothing before it is marked. */
export function prepareToMark(): void {
  if (process.platform === "linux") library();
}

interface Library {
  prlimit(pid: number, resource: number, wanted: unknown, before: unknown): number;
}

let opened: Library | undefined;

function library(): Library | undefined {
  const { i32, ptr: pointer } = FFIType;
  try {
    opened ??= dlopen("libc.so.6", { prlimit: { args: [i32, i32, pointer, pointer], returns: i32 } })
      .symbols as unknown as Library;
  } catch {
    // Another C library; ancestors and control groups still tell whose a process is.
  }
  return opened;
}
