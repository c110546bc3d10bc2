// Tells whether a process is still alive, for callers that ask again and again. At each request the daemon asks this about the process that
// a pass was given to, and opening and reading its file in /proc each time took two thirds of the cost of deciding who may ask. A descriptor
// of that file stays with the process it was opened for: once that one has ended it can no longer be read, whoever has its number then.

import { closeSync, openSync, readSync } from "node:fs";
import { LRUCache } from "lru-cache";
import type { ProcessMark } from "../../ports/machine.ts";
import { systemLiveness } from "./liveness.ts";

/** Far below what a process may have open; whoever comes beyond is looked up each time. */
const mostOpen = 64;
/** The fields up to the start of the process come first, and the name before them has at most 64 bytes. */
const enough = 512;

export class LivingProcesses {
  readonly #open = new LRUCache<string, number>({ max: mostOpen, dispose: (fd) => closeSync(fd) });
  readonly #bytes = Buffer.alloc(enough);

  /** As systemLiveness has it: proven, so not of another namespace, nor where there is no /proc. */
  isProvenDead(mark: ProcessMark): boolean {
    const key = `${mark.pid} ${mark.token}`;
    const known = this.#open.get(key);
    if (known !== undefined) {
      if (this.#lives(known)) return false;
      this.#open.delete(key);
    }
    // Opened before it is asked whether the number is still this process's: an answer of yes is then about what was opened.
    const opened = opening(mark.pid);
    const isDead = systemLiveness.isProvenDead(mark);
    if (opened === undefined) return isDead;
    // A process without a known start could be any that has the number.
    if (isDead || mark.token.endsWith("-0") || !this.#lives(opened)) closeSync(opened);
    else this.#open.set(key, opened);
    return isDead;
  }

  close(): void {
    this.#open.clear();
  }

  /** A zombie has ended: only its parent has not heard of it yet. */
  #lives(fd: number): boolean {
    try {
      const stat = this.#bytes.toString("latin1", 0, readSync(fd, this.#bytes, 0, enough, 0));
      const state = stat.charAt(stat.lastIndexOf(")") + 2);
      return state !== "Z" && state !== "X" && state !== "";
    } catch {
      return false;
    }
  }
}

function opening(pid: number): number | undefined {
  try {
    return openSync(`/proc/${pid}/stat`, "r");
  } catch {
    return undefined; // it has ended, or there is no /proc
  }
}
