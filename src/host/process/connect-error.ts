// Finds out why a connection to a unix socket is not allowed. Bun reports every failed connection as refused, as if nobody listened; a
// sandbox that forbids it, and a socket that this account may not use, are something else. So the kernel is asked once more.

import { dlopen, FFIType, ptr, read } from "bun:ffi";

const kept: ReadonlyMap<number, string> = new Map([
  [1, "EPERM"],
  [13, "EACCES"],
]);

/** undefined when it may be tried, whether or not somebody listens, and where the C library cannot be asked. */
export function connectError(path: string): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return ask(path);
  } catch {
    return undefined;
  }
}

const [unixSockets, stream, closeOnExec] = [1, 1, 0o2000000];

function ask(path: string): string | undefined {
  const { i32, ptr: pointer } = FFIType;
  const { symbols, close } = dlopen("libc.so.6", {
    socket: { args: [i32, i32, i32], returns: i32 },
    connect: { args: [i32, pointer, i32], returns: i32 },
    close: { args: [i32], returns: i32 },
    __errno_location: { args: [], returns: pointer },
  });
  try {
    const errno = (): number => read.i32(symbols.__errno_location() as never, 0);
    const fd = symbols.socket(unixSockets, stream | closeOnExec, 0);
    if (fd < 0) return kept.get(errno());
    const address = Buffer.concat([Buffer.from(new Uint16Array([unixSockets]).buffer), Buffer.from(`${path}\0`)]);
    const failed = symbols.connect(fd, ptr(address), address.length) !== 0;
    const found = failed ? kept.get(errno()) : undefined;
    symbols.close(fd);
    return found;
  } finally {
    close();
  }
}
