// What a release is made with: signatures of programs for macOS, pieces as bun.lock records them, a runtime that no variable steers.

import { expect, test } from "bun:test";
import { deafened } from "../scripts/releasing/deaf-runtime.ts";
import { pagesAtFault, signed } from "../scripts/releasing/mach-o.ts";
import { checkIntegrity } from "../scripts/releasing/pieces.ts";

/** The least that a program for macOS is made of: its code, and a part at its end that a signature belongs to. */
function program({ textBytes = 16_384, linkEditBytes = 5000, signatureBytes = 400 } = {}): Buffer {
  const bytes = Buffer.alloc(textBytes + linkEditBytes + signatureBytes, 7);
  bytes.fill(0, 0, 512);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(3, 16);
  const segment = (at: number, name: string, offset: number, size: number): void => {
    bytes.writeUInt32LE(0x19, at);
    bytes.writeUInt32LE(72, at + 4);
    bytes.write(name, at + 8, "latin1");
    bytes.writeBigUInt64LE(BigInt(size), at + 32);
    bytes.writeBigUInt64LE(BigInt(offset), at + 40);
    bytes.writeBigUInt64LE(BigInt(size), at + 48);
  };
  segment(32, "__TEXT", 0, textBytes);
  segment(104, "__LINKEDIT", textBytes, linkEditBytes + signatureBytes);
  bytes.writeUInt32LE(0x1d, 176);
  bytes.writeUInt32LE(16, 180);
  bytes.writeUInt32LE(textBytes + linkEditBytes, 184);
  bytes.writeUInt32LE(signatureBytes, 188);
  return bytes;
}

test("a program for macOS is signed anew, and every page is what its signature says", () => {
  const done = signed(program(), "constel");
  expect(pagesAtFault(done)).toEqual({ pages: 6, atFault: [] });
  // The load commands name the new signature, up to the end of the file.
  expect(done.readUInt32LE(184) + done.readUInt32LE(188)).toBe(done.length);
  expect(Number(done.readBigUInt64LE(104 + 40) + done.readBigUInt64LE(104 + 48))).toBe(done.length);
  expect(signed(done, "constel").equals(done)).toBe(true);
});

test("a byte that was flipped is found in its page", () => {
  const done = signed(program(), "constel");
  for (const [at, page] of [
    [600, 0],
    [4096, 1],
    [21_383, 5],
  ] as const) {
    const flipped = Buffer.from(done);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
    expect({ at, ...pagesAtFault(flipped) }).toEqual({ at, pages: 6, atFault: [page] });
  }
});

test("a program that is not signed, or is no program for macOS, is named as that", () => {
  expect(() => pagesAtFault(program())).toThrow("the program is not signed");
  expect(() => signed(Buffer.alloc(4096), "constel")).toThrow("not a 64-bit Mach-O program");
});

test("a runtime is deafened in every place, and one that no longer names a variable is refused", () => {
  const runtime = Buffer.from("\0BUN_OPTIONS\0x\0BUN_BE_BUN\0RES_OPTIONS\0BUN_OPTIONSBUN_INSPECT");
  expect(deafened(runtime).toString()).toBe("\0=BUN_OPTION\0x\0=BUN_BE_BU\0RES_OPTIONS\0=BUN_OPTIONBUN_INSPECT");
  expect(() => deafened(Buffer.from("\0BUN_OPTIONS\0"))).toThrow("does not name BUN_BE_BUN");
});

test("a piece with one byte changed is refused", () => {
  const bytes = Buffer.from("a package");
  const integrity = `sha512-${new Bun.CryptoHasher("sha512").update(bytes).digest("base64")}`;
  checkIntegrity("piece", bytes, integrity);
  bytes.writeUInt8(bytes.readUInt8(3) ^ 1, 3);
  expect(() => checkIntegrity("piece", bytes, integrity)).toThrow("not what bun.lock records");
});
