// Standard output and error of this process, written straight to their descriptors. `process.stdout` would be simpler and
// costs 16 ms at start (it loads Node's tty and net streams), half of a whole command.

import { fstatSync, statSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { Outage, systemCode } from "../../../protocol/errors.ts";
import type { Streams } from "./output.ts";

/** `readerHasGone` does not return, unless the command goes on to take down what it started; then what it prints is let go. */
export function systemStreams(readerHasGone: () => void): Streams {
  const measure = sizeOf(1);
  const terminal = measure?.();
  return {
    out: (text) => write(1, text, readerHasGone),
    err: (text) => write(2, text, readerHasGone),
    terminal,
    measure,
    get hasReader() {
      return leadsSomewhere(1);
    },
  };
}

/** The runtime puts the null device in the place of a descriptor that was closed. */
function leadsSomewhere(fd: number): boolean {
  try {
    return fstatSync(fd).rdev !== statSync("/dev/null").rdev;
  } catch {
    return false;
  }
}

function write(fd: number, text: string, readerHasGone: () => void): void {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (cause) {
      const code = systemCode(cause);
      // The reader has gone (`constel query … | head`): there is nobody left to tell. Talk that nobody hears, though, does
      // not make a failure a success.
      if (code === "EPIPE" && fd === 1) return readerHasGone();
      if (fd === 2 && code !== "EAGAIN") return;
      // A parent made the pipe non-blocking and reads slowly: wait for it without spinning.
      if (code !== "EAGAIN") throw new Outage("write", "standard output", cause);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Returns a function that asks for the size of the terminal. Undefined when it is not a terminal. */
function sizeOf(fd: number): Streams["measure"] {
  try {
    const status = fstatSync(fd);
    // /dev/null and its like are character devices too; their major number is 1 on Linux.
    const isMemory = process.platform === "linux" && status.rdev >> 8 === 1;
    if (!status.isCharacterDevice() || isMemory) return undefined;
  } catch {
    return undefined; // closed
  }
  const { isatty, WriteStream } = createRequire(import.meta.url)("node:tty") as typeof import("node:tty");
  if (!isatty(fd)) return undefined;
  const terminal = new WriteStream(fd);
  return () => {
    const [columns, rows] = terminal.getWindowSize();
    // A terminal that does not know its size says 0.
    return { columns: columns || 80, rows: rows || 24 };
  };
}
