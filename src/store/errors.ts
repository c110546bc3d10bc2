// Tells what a database error means, whichever database said it. bun:sqlite puts its code in `code` (SQLITE_BUSY…), Postgres its
// five-character SQLSTATE.

import { messageOf, Refusal, systemCode } from "../protocol/errors.ts";

/** Somebody else holds the lock, or won a race for it: trying the same again may succeed. */
export function isLockError(cause: unknown): boolean {
  const code = systemCode(cause);
  if (code === undefined) return false;
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) return true;
  // serialization failure, deadlock, lock not available
  return code === "40001" || code === "40P01" || code === "55P03";
}

/** The bytes on disk are not a sound database. */
export function isCorruption(cause: unknown): boolean {
  const code = systemCode(cause);
  if (code === undefined) return false;
  return code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB" || code === "XX001" || code === "XX002";
}

/** The machine could not write: disk full, read-only, I/O error, connection gone. The whole transaction is lost. */
export function isStorageFailure(cause: unknown): boolean {
  const code = systemCode(cause);
  if (code === undefined) return false;
  if (/^SQLITE_(FULL|IOERR|READONLY|NOMEM|CANTOPEN|PROTOCOL)/.test(code) || isCorruption(cause)) return true;
  return code === "25006" || isServerTrouble(cause);
}

/**
 * A Postgres server that restarts, is shut down, has no room, or cannot be reached: nobody's mistake, and it may pass.
 * 53 insufficient resources, 57P operator intervention, 58 system error, 08 connection, 25P03 and 57P05 idle for too long,
 * XX000 what a backend says that is torn out of its work; the rest are the codes of the client and of the network.
 */
export function isServerTrouble(cause: unknown): boolean {
  const code = systemCode(cause);
  if (code === undefined) return false;
  return /^(53|57P|58|08|25P03$|XX000$|CONNECTION_|CONNECT_TIMEOUT$|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/.test(
    code,
  );
}

/** The refusal of a change that could not be made durable. Keeps the cause. */
export function notWritten(cause: unknown, facts: Record<string, unknown> = {}): Refusal {
  const code = systemCode(cause);
  const refusal = new Refusal("store.not-written", `not written: ${reason(code)}${messageOf(cause)}`, {
    ...(code === undefined ? {} : { cause: code }),
    ...facts,
  });
  refusal.cause = cause;
  return refusal;
}

function reason(code: string | undefined): string {
  if (code === undefined) return "";
  if (code === "SQLITE_FULL" || code === "53100") return "the disk is full: ";
  if (code.startsWith("SQLITE_READONLY") || code === "25006") return "the database is read-only: ";
  if (code.startsWith("SQLITE_IOERR")) return "the disk gave an I/O error: ";
  if (isLockError({ code })) return "another process holds the lock: ";
  return "";
}
