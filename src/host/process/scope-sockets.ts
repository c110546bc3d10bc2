// Keeps this process, and whatever it becomes and starts, from the abstract sockets of all others: those have no place in the file system that a sandbox
// could hide, and what listens there (a display, a message bus) may take anybody of the account for its owner. Landlock does it, from Linux 6.12 on;
// where it is older, or switched off, nothing happens. The way there is to give up gaining rights from programs that have them.

import { dlopen, FFIType, ptr } from "bun:ffi";
import { Outage } from "../../protocol/errors.ts";

const prSetNoNewPrivs = 38;
/** The same numbers on every machine. */
const [createRuleset, restrictSelf] = [444, 446];
/** LANDLOCK_CREATE_RULESET_VERSION, and the version that knows scopes. */
const [askVersion, knowsScopes] = [1n, 6];
/** Of `struct landlock_ruleset_attr`: no file or network access is handled, and LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET. */
const wish = BigUint64Array.of(0n, 0n, 1n);

/** Returns true if it was done. */
export function scopeSockets(): boolean {
  const { i32, u64, i64 } = FFIType;
  const { symbols } = dlopen("libc.so.6", {
    prctl: { args: [i32, u64, u64, u64, u64], returns: i32 },
    syscall: { args: [i64, u64, u64, u64], returns: i64 },
  });
  if (Number(symbols.syscall(createRuleset, 0n, 0n, askVersion)) < knowsScopes) return false;
  const rules = symbols.syscall(createRuleset, BigInt(ptr(wish)), BigInt(wish.byteLength), 0n);
  if (Number(rules) < 0 || symbols.prctl(prSetNoNewPrivs, 1n, 0n, 0n, 0n) !== 0) return false;
  if (Number(symbols.syscall(restrictSelf, rules, 0n, 0n)) !== 0)
    throw new Outage("keep from", "others' abstract sockets", "the kernel refused it");
  return true;
}
