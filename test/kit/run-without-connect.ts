// A program: runs the command it is given where nothing may connect to anything, as inside the sandboxes of some agent programs. A
// filter of the kernel (seccomp) answers connect(2) with EPERM, for the command and for everything that it starts.

import { dlopen, FFIType, ptr } from "bun:ffi";

/** prctl's numbers, and the kernel's for connect on this kind of processor. */
const [noNewRights, setFilter, filterMode] = [38, 22, 2];
const connect = process.arch === "arm64" ? 203 : 42;

const { i32, u64, ptr: pointer } = FFIType;
const { symbols } = dlopen("libc.so.6", { prctl: { args: [i32, u64, pointer, u64, u64], returns: i32 } });

/** Loads the number of the call; when it is connect, answers with error 1; else lets it pass. Each: code, two jumps, a word. */
const program = new Uint8Array(4 * 8);
const view = new DataView(program.buffer);
const instructions = [
  [0x20, 0, 0, 0],
  [0x15, 0, 1, connect],
  [0x06, 0, 0, 0x0005_0001],
  [0x06, 0, 0, 0x7fff_0000],
] as const;
for (const [index, [code, whenTrue, whenFalse, word]] of instructions.entries()) {
  view.setUint16(index * 8, code, true);
  view.setUint8(index * 8 + 2, whenTrue);
  view.setUint8(index * 8 + 3, whenFalse);
  view.setUint32(index * 8 + 4, word, true);
}
const filter = new BigUint64Array([BigInt(instructions.length), BigInt(ptr(program))]);
if (symbols.prctl(noNewRights, 1, null, 0, 0) !== 0) throw new Error("PR_SET_NO_NEW_PRIVS failed");
if (symbols.prctl(setFilter, filterMode, ptr(filter), 0, 0) !== 0) throw new Error("PR_SET_SECCOMP failed");
const { exitCode } = Bun.spawnSync(process.argv.slice(2), { stdin: "inherit", stdout: "inherit", stderr: "inherit" });
process.exit(exitCode);
