// Becomes another program that keeps its descendants: on Linux a process can ask to be given the orphans below it, where
// otherwise they would be handed to the first process of the machine, and nothing would lead from them to their agent any more.
// The wish outlives the change of program, and so does being kept from others' abstract sockets (scope-sockets.ts).

import { dlopen, FFIType, ptr } from "bun:ffi";
import { Outage } from "../../protocol/errors.ts";
import { scopeSockets } from "./scope-sockets.ts";

const prSetChildSubreaper = 36;
/** Bun ignores it, and what is ignored stays so in the next program. */
const sigPipe = 13;

/** Does not return. Answers undefined where this cannot be had; then the caller starts the program in another way. */
export function becomeAdopting(command: readonly [string, ...string[]], isApart = false): undefined {
  if (process.platform !== "linux") return undefined;
  if (isApart) scopeSockets();
  const { i32, u64, ptr: pointer } = FFIType;
  const { symbols } = dlopen("libc.so.6", {
    prctl: { args: [i32, u64, u64, u64, u64], returns: i32 },
    signal: { args: [i32, pointer], returns: pointer },
    execvp: { args: [pointer, pointer], returns: i32 },
  });
  symbols.prctl(prSetChildSubreaper, 1n, 0n, 0n, 0n);
  symbols.signal(sigPipe, null);
  const words = command.map((word) => Buffer.from(`${word}\0`));
  const list = new BigUint64Array([...words.map((word) => BigInt(ptr(word))), 0n]);
  symbols.execvp(ptr(words[0] as Buffer), ptr(list));
  throw new Outage("start", command[0], "it cannot be run");
}
