// A mark that a process cannot shake off: the most bytes that it may put into POSIX message queues is lowered by half. Every process below
// inherits the limit, by whatever way it is started or forgets its parent, and without the right of root none of them can raise it again. Nearly
// nobody uses such queues, and half of the usual limit is left. It says that an agent's program stands somewhere above, not which: a
// process could lower its own limit to whatever another's is.

import { readFileSync } from "node:fs";
import { dlopen, FFIType, ptr } from "bun:ffi";

/** RLIMIT_MSGQUEUE, on every Linux. */
const resource = 12;
/** What Linux gives every process, and what is left of it. */
const usual = 819_200;
const marked = 409_600;

/** Marks a process of this account, and so all that it starts from now on. False where that cannot be done. */
export function markDescendants(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const { i32, ptr: pointer } = FFIType;
    const { symbols } = dlopen("libc.so.6", { prlimit: { args: [i32, i32, pointer, pointer], returns: i32 } });
    const limit = BigUint64Array.of(BigInt(marked), BigInt(marked));
    return isMarked(pid) || symbols.prlimit(pid, resource, ptr(limit), null) === 0;
  } catch {
    return false; // another C library; its ancestors and its control group still tell whose it is
  }
}

/** Whether an agent's program stands above it, or stood there. */
export function isMarked(pid: number): boolean {
  const hard = hardLimit(pid);
  if (hard === undefined) return false;
  // A machine that gives everybody less has its first process tell.
  return hard < Math.min(usual, hardLimit(1) ?? usual);
}

function hardLimit(pid: number): number | undefined {
  try {
    const [, hard] = /^Max msgqueue size +\S+ +(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8")) ?? [];
    return hard === undefined ? undefined : hard === "unlimited" ? Infinity : Number(hard);
  } catch {
    return undefined;
  }
}
