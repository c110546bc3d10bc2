// A lock between processes that the kernel lets go of when its holder dies, kill -9 included: no stale pid to reason about.
// SQLite takes an fcntl lock on the file for an exclusive transaction, on every platform Bun runs on; we use just that.

import { Database } from "bun:sqlite";
import { dirname, basename, join } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { linkRefusal } from "../../files/problems.ts";
import { Outage, systemCode } from "../../protocol/errors.ts";
import type { Clock } from "../../ports/machine.ts";

export interface FileLock {
  release(): void;
}

/**
 * The lock, or undefined when another process (or another holder in this one) has it. What the file holds does not matter:
 * damaged, it is emptied in place, which leaves a lock on it as it was.
 */
export function tryLock(home: string, relative: string): FileLock | undefined {
  // SQLite opens the file by its name, right after the way there was walked.
  using directory = TrustedDirectory.open(home, dirname(relative));
  const path = join(home, relative);
  const name = basename(relative);
  if (directory.stat(name)?.isSymbolicLink() === true) throw linkRefusal(path);
  try {
    return lock(path);
  } catch (cause) {
    if (!(cause instanceof Outage) || systemCode(cause.cause) !== "SQLITE_NOTADB") throw cause;
  }
  directory.empty(name);
  return lock(path);
}

function lock(path: string): FileLock | undefined {
  let handle: Database | undefined;
  try {
    handle = new Database(path, { create: true, readwrite: true });
    handle.run("PRAGMA busy_timeout = 0");
    handle.run("PRAGMA journal_mode = MEMORY"); // nothing is ever written; keep no journal beside it
    handle.run("BEGIN EXCLUSIVE");
  } catch (cause) {
    handle?.close();
    if (systemCode(cause)?.startsWith("SQLITE_BUSY")) return undefined;
    throw new Outage("lock", path, cause);
  }
  const held = handle;
  return { release: () => held.close() };
}

/** Waits for the lock at most this long. */
export async function waitForLock(
  home: string,
  relative: string,
  clock: Clock,
  deadlineMs: number,
): Promise<FileLock | undefined> {
  const until = clock.monotonicMs() + deadlineMs;
  for (;;) {
    const lock = tryLock(home, relative);
    if (lock !== undefined || clock.monotonicMs() >= until) return lock;
    await clock.sleep(10);
  }
}
