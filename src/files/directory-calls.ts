// openat, linkat, renameat2 and unlinkat of the C library, for processes that live long. The way through /proc/self/fd/<n>/name, which needs
// nothing but node's own calls, takes four times as long for an open, and a message in an inbox takes eleven. Opening the C library
// takes a millisecond, so that commands and hooks go the other way.

import { dlopen, FFIType, ptr } from "bun:ffi";
import { constants } from "node:fs";
import { type DirectoryCalls, type Name, takeDirectoryCalls } from "./descend.ts";

/** Not among node's constants; the same on every Linux that Bun runs on. */
const closeOnExec = 0o2000000;
/** RENAME_NOREPLACE. */
const noReplace = 1;
/** More than any name that a file system takes. */
const roomForName = 4096;

/** From now on this thread asks the system itself. Where that is not possible everything stays as it was. */
export function askSystemDirectly(): void {
  if (process.platform !== "linux") return;
  const library = openLibrary();
  if (library !== undefined) takeDirectoryCalls(callsOf(library));
}

interface Library {
  openat(directory: number, name: number, flags: number, mode: number): number;
  linkat(from: number, name: number, to: number, newName: number, flags: number): number;
  renameat2(from: number, name: number, to: number, newName: number, flags: number): number;
  unlinkat(directory: number, name: number, flags: number): number;
}

function openLibrary(): Library | undefined {
  const { i32, u32, ptr: pointer } = FFIType;
  try {
    return dlopen("libc.so.6", {
      openat: { args: [i32, pointer, i32, u32], returns: i32 },
      linkat: { args: [i32, pointer, i32, pointer, i32], returns: i32 },
      renameat2: { args: [i32, pointer, i32, pointer, u32], returns: i32 },
      unlinkat: { args: [i32, pointer, i32], returns: i32 },
    }).symbols as unknown as Library;
  } catch {
    return undefined; // another C library
  }
}

function callsOf(library: Library): DirectoryCalls {
  const first = cString();
  const second = cString();
  const rename = (from: number, name: Name, to: number, newName: Name, flags: number): boolean => {
    const [old, fresh] = [first(name), second(newName)];
    return old !== undefined && fresh !== undefined && library.renameat2(from, old, to, fresh, flags) === 0;
  };
  return {
    open(directory, name, flags, mode) {
      const at = first(name);
      if (at === undefined) return undefined;
      const fd = library.openat(directory, at, flags | constants.O_NOFOLLOW | closeOnExec, mode);
      return fd < 0 ? undefined : fd;
    },
    link(from, name, to, newName) {
      const [old, fresh] = [first(name), second(newName)];
      return old !== undefined && fresh !== undefined && library.linkat(from, old, to, fresh, 0) === 0;
    },
    move: (from, name, to, newName) => rename(from, name, to, newName, 0),
    moveUnlessTaken: (from, name, to, newName) => rename(from, name, to, newName, noReplace),
    remove(directory, name) {
      const at = first(name);
      return at !== undefined && library.unlinkat(directory, at, 0) === 0;
    },
  };
}

/** The address of a name as C wants it, good until the next one. Undefined for what C would read as another name. */
function cString(): (name: Name) => number | undefined {
  const bytes = Buffer.alloc(roomForName);
  const address = ptr(bytes);
  return (name) => {
    const isWhole = typeof name === "string" ? !name.includes("\0") : !name.includes(0);
    if (!isWhole || name.length * 3 >= roomForName) return undefined;
    const length = typeof name === "string" ? bytes.write(name, 0, "utf8") : Buffer.from(name).copy(bytes);
    bytes[length] = 0;
    return address;
  };
}
