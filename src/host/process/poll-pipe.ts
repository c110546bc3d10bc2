// Asks the kernel whether the other end of a pipe is closed, without writing to it.

import { dlopen, FFIType, ptr } from "bun:ffi";

const pollError = 0x0008;
const pollHangUp = 0x0010;

export function hasNoReader(fd: number): boolean {
  // struct pollfd: the descriptor, what is waited for, what is so.
  const question = new Int16Array(4);
  new Int32Array(question.buffer)[0] = fd;
  poll()(ptr(question), 1, 0);
  return ((question[3] ?? 0) & (pollError | pollHangUp)) !== 0;
}

type Poll = (list: unknown, count: number, waitMs: number) => number;
let opened: Poll | undefined;

function poll(): Poll {
  const { ptr: pointer, u64, i32 } = FFIType;
  const name = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
  opened ??= dlopen(name, { poll: { args: [pointer, u64, i32], returns: i32 } }).symbols.poll as unknown as Poll;
  return opened;
}
