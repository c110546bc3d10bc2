// Which process is at the other end of a unix socket, as the kernel noted when it connected.

import { dlopen, FFIType, ptr } from "bun:ffi";

export interface SocketPeer {
  readonly pid: number;
  /** undefined where the machine does not tell it with the number. */
  readonly uid: number | undefined;
}

/** undefined when the kernel does not say. */
export function peerOf(fd: number): SocketPeer | undefined {
  const { level, option, words } = question();
  const answer = new Int32Array(words);
  const length = new Uint32Array([answer.byteLength]);
  const failed = library().getsockopt(fd, level, option, ptr(answer), ptr(length)) !== 0;
  const [pid = 0, uid] = answer;
  return failed || pid <= 0 ? undefined : { pid, uid: words === 1 ? undefined : uid };
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
