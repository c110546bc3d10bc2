// Finds the process at the other end of a unix socket, as the kernel noted it when it connected.

import { dlopen, FFIType, ptr } from "bun:ffi";
import { closeSync, readFileSync } from "node:fs";

export interface SocketPeer {
  readonly pid: number;
  /** undefined where the machine does not tell it with the number. */
  readonly uid: number | undefined;
}

/**
 * undefined when the kernel does not say: to whoever is in a sandbox it does not. `ended`: a connection, or the right to accept some, can be
 * handed on and kept until the number of whoever had it is another's.
 */
export function peerOf(fd: number): SocketPeer | "ended" | undefined {
  const { level, option, words } = question();
  const answer = new Int32Array(words);
  const length = new Uint32Array([answer.byteLength]);
  const failed = library().getsockopt(fd, level, option, ptr(answer), ptr(length)) !== 0;
  const [pid = 0, uid] = answer;
  if (failed || pid <= 0) return undefined;
  return hasEnded(fd, pid) ? "ended" : { pid, uid: words === 1 ? undefined : uid };
}

/** SOL_SOCKET and SO_PEERPIDFD, of Linux 6.5 and later: a descriptor of the process itself, whatever its number is used for. */
const processOption = 77;
let hasAnswered = false;

function hasEnded(fd: number, pid: number): boolean {
  if (process.platform !== "linux") return false;
  const answer = new Int32Array(1);
  const length = new Uint32Array([answer.byteLength]);
  // A kernel that has answered once knows the question: then it is the process that is not there.
  if (library().getsockopt(fd, 1, processOption, ptr(answer), ptr(length)) !== 0) return hasAnswered;
  hasAnswered = true;
  const [held = 0] = answer;
  try {
    return !new RegExp(`^Pid:\\s*${pid}$`, "m").test(readFileSync(`/proc/self/fdinfo/${held}`, "utf8"));
  } finally {
    closeSync(held);
  }
}

/** Opens the C library, which takes most of a millisecond. */
export function prepareToAsk(): void {
  library();
}

/** SOL_SOCKET and SO_PEERCRED with `struct ucred`; on macOS SOL_LOCAL and LOCAL_PEERPID with one number. */
function question(): { readonly level: number; readonly option: number; readonly words: number } {
  return process.platform === "darwin" ? { level: 0, option: 2, words: 1 } : { level: 1, option: 17, words: 3 };
}

interface Library {
  getsockopt(fd: number, level: number, option: number, value: unknown, length: unknown): number;
}

let opened: Library | undefined;

function library(): Library {
  const { i32, ptr: pointer } = FFIType;
  const name = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
  opened ??= dlopen(name, { getsockopt: { args: [i32, i32, i32, pointer, pointer], returns: i32 } })
    .symbols as unknown as Library;
  return opened;
}
