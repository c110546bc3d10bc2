// Tells of what happens in directories, one watch for each. On Linux the kernel is asked through one descriptor for all of them: a
// watch of the runtime's takes 2.3 kB, one of these 0.65, and there may be 10,000. Elsewhere, and where the kernel refuses, the runtime
// watches, and says why it cannot.

import { dlopen, FFIType, ptr } from "bun:ffi";
import { closeSync, watch } from "node:fs";

/** One for many directories, which it tells apart by the key that it gave each. */
export interface DirectoryListener {
  /** Something happened to this name in the directory; undefined when it is not known to what. */
  heard(key: string, name: string | undefined): void;
  /** The directory is not watched any more, because it is gone or for the cause that is given. */
  lost(key: string, cause?: unknown): void;
}

export interface DirectoryWatch {
  close(): void;
}

/** Throws what the runtime does when there can be no watch. */
export function watchDirectory(path: string, key: string, listener: DirectoryListener): DirectoryWatch {
  return watchByKernel(path, key, listener) ?? watchByRuntime(path, key, listener);
}

function watchByRuntime(path: string, key: string, listener: DirectoryListener): DirectoryWatch {
  const watcher = watch(path, (_, name) => listener.heard(key, typeof name === "string" ? name : undefined));
  watcher.on("error", (cause) => listener.lost(key, cause));
  return watcher;
}

/** This thread's inotify, from the first watch to the last. */
let kernel: Inotify | undefined;

function watchByKernel(path: string, key: string, listener: DirectoryListener): DirectoryWatch | undefined {
  kernel ??= openInotify();
  return kernel?.watch(path, key, listener);
}

/** All that may change what a look would see: content, attributes, names that move, come and go. */
const everyChange = 0x2 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200;
const onlyDirectories = 0x0100_0000;
const [nonBlocking, closeOnExec] = [0o4000, 0o2000000];
/** Events were lost; a watch has ended. */
const [overflow, ended] = [0x4000, 0x8000];
/** struct inotify_event: watch, mask, cookie, length of the name; then the name, filled up with NULs. */
const headBytes = 16;

class KernelWatch implements DirectoryWatch {
  readonly key: string;
  readonly listener: DirectoryListener;
  readonly #owner: Inotify;
  readonly #number: number;

  constructor(owner: Inotify, number: number, key: string, listener: DirectoryListener) {
    this.#owner = owner;
    this.#number = number;
    this.key = key;
    this.listener = listener;
  }

  close(): void {
    this.#owner.end(this.#number, this);
  }
}

class Inotify {
  readonly #calls: Calls;
  readonly #descriptor: number;
  readonly #events: ReturnType<typeof eventsOf>;
  /** By the kernel's number: a directory that is watched by two has one. */
  readonly #watches = new Map<number, readonly KernelWatch[]>();

  constructor(calls: Calls, descriptor: number) {
    this.#calls = calls;
    this.#descriptor = descriptor;
    this.#events = eventsOf(descriptor);
    void this.#listen();
  }

  /** undefined when the kernel refuses. */
  watch(path: string, key: string, listener: DirectoryListener): DirectoryWatch | undefined {
    const number = this.#calls.add(this.#descriptor, ptr(Buffer.from(`${path}\0`)), everyChange | onlyDirectories);
    if (number < 0) {
      this.#closeIfUnused();
      return undefined;
    }
    const made = new KernelWatch(this, number, key, listener);
    this.#watches.set(number, [...(this.#watches.get(number) ?? []), made]);
    return made;
  }

  end(number: number, watch: KernelWatch): void {
    const left = this.#watches.get(number)?.filter((one) => one !== watch);
    if (left === undefined) return;
    if (left.length > 0) this.#watches.set(number, left);
    else {
      this.#watches.delete(number);
      this.#calls.remove(this.#descriptor, number);
    }
    this.#closeIfUnused();
  }

  async #listen(): Promise<void> {
    try {
      for (;;) {
        const { value } = await this.#events.read();
        if (value === undefined) return;
        this.#hear(value);
      }
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** The kernel hands over whole events only. */
  #hear(bytes: Uint8Array): void {
    const events = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + headBytes <= events.length;) {
      const [number, mask, length] = [
        events.readInt32LE(at),
        events.readUInt32LE(at + 4),
        events.readUInt32LE(at + 12),
      ];
      const name = nameIn(events.subarray(at + headBytes, at + headBytes + length));
      at += headBytes + length;
      if ((mask & overflow) !== 0) this.#tellAll();
      else if ((mask & ended) !== 0) this.#lose(number);
      else if (name !== undefined)
        for (const { listener, key } of this.#watches.get(number) ?? []) listener.heard(key, name);
    }
  }

  #tellAll(): void {
    for (const watches of this.#watches.values())
      for (const { listener, key } of watches) listener.heard(key, undefined);
  }

  /** A directory that is gone. One that was closed is not known any more. */
  #lose(number: number): void {
    const gone = this.#watches.get(number) ?? [];
    this.#watches.delete(number);
    for (const { listener, key } of gone) listener.lost(key);
    this.#closeIfUnused();
  }

  #fail(cause: unknown): void {
    const all = [...this.#watches.values()].flat();
    this.#watches.clear();
    this.#closeIfUnused();
    for (const { listener, key } of all) listener.lost(key, cause);
  }

  #closeIfUnused(): void {
    if (this.#watches.size > 0 || kernel !== this) return;
    kernel = undefined;
    void this.#events.cancel(); // that has a descriptor of its own
    closeSync(this.#descriptor);
  }
}

const eventsOf = (descriptor: number) => Bun.file(descriptor).stream().getReader();

/** undefined for what happens to the directory itself, which the one above it tells of by its name. */
function nameIn(bytes: Buffer): string | undefined {
  const end = bytes.indexOf(0);
  return end > 0 ? bytes.toString("utf8", 0, end) : undefined;
}

interface Calls {
  add(descriptor: number, path: unknown, mask: number): number;
  remove(descriptor: number, number: number): number;
}

/** undefined where there is no such thing: another kernel or C library, or no descriptor left. */
function openInotify(): Inotify | undefined {
  if (process.platform !== "linux") return undefined;
  const { i32, u32, ptr: pointer } = FFIType;
  try {
    const { symbols } = dlopen("libc.so.6", {
      inotify_init1: { args: [i32], returns: i32 },
      inotify_add_watch: { args: [i32, pointer, u32], returns: i32 },
      inotify_rm_watch: { args: [i32, i32], returns: i32 },
    });
    const descriptor = symbols.inotify_init1(nonBlocking | closeOnExec);
    if (descriptor < 0) return undefined;
    const calls = { add: symbols.inotify_add_watch as Calls["add"], remove: symbols.inotify_rm_watch };
    return new Inotify(calls, descriptor);
  } catch {
    return undefined;
  }
}
