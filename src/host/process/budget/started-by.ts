// The processes that a reader of repositories started: compilers, git. Each leads a group of its own, so that it can be ended with all it started;
// when the reader itself is killed nobody is left to do that. So whoever watches the reader notes them while it lives, and ends what it leaves.

import { readdirSync, readFileSync } from "node:fs";
import { systemClock } from "../../clock/system-clock.ts";
import type { ProcessIdentity } from "../process-table.ts";
import { reap } from "../reap.ts";
import { identify } from "../tree.ts";

export class StartedBy {
  readonly #pid: number;
  readonly #known = new Map<number, ProcessIdentity>();

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Notes who is there now, and forgets who has ended. It reads no more of the system than these. */
  look(): void {
    for (const [pid, { started }] of this.#known) if (identify(pid)?.started !== started) this.#known.delete(pid);
    for (const pid of childrenOf(this.#pid)) {
      const identity = this.#known.has(pid) ? undefined : identify(pid);
      if (identity !== undefined) this.#known.set(pid, identity);
    }
  }

  /** Once the reader has ended: ends every one of them that still runs, with all that it started. */
  async end(): Promise<void> {
    const known = [...this.#known.values()].filter(({ pid, started }) => identify(pid)?.started === started);
    this.#known.clear();
    if (known.length > 0) await reap({ known, clock: systemClock, graceMs });
  }
}

const graceMs = 50;

/** Of all its threads. None where the system does not tell. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      try {
        return readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number);
      } catch {
        return []; // the thread has ended meanwhile
      }
    });
  } catch {
    return [];
  }
}
