// git's loose objects without a process. Written: a marker for a huge file, a pointer for a file in LFS, an edited file with
// the trees above it, a snapshot's commit. Read: what was written a moment ago, by us or by whoever works in the clone, is
// nearly always loose; asking git for it means waking another process twice.

import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import type { TrustedDirectory } from "../../../files/trusted-directory.ts";
import type { ObjectFormat } from "../repository/locate.ts";

let sequence = 0;

/** The id of the object, which is in the directory when this returns. */
export function writeObject(
  objects: TrustedDirectory,
  format: ObjectFormat,
  type: "blob" | "tree" | "commit",
  content: string | Uint8Array,
): string {
  const body = typeof content === "string" ? Buffer.from(content) : content;
  const whole = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  const id = new Bun.CryptoHasher(format).update(whole).digest("hex");
  using directory = objects.child(id.slice(0, 2), { create: true });
  const name = id.slice(2);
  if (directory.stat(name) !== undefined) {
    directory.setTime(name, Date.now() / 1000); // so that pruning sees that it is wanted again
    return id;
  }
  const temporary = `tmp_obj_${process.pid}_${++sequence}`;
  try {
    directory.writeNew(temporary, deflated(whole), { sync: false, mode: 0o444 });
    directory.moveTo(temporary, directory, name);
  } catch (cause) {
    directory.remove(temporary); // a full disk leaves half of it
    throw cause;
  }
  return id;
}

export interface LooseObject {
  readonly type: string;
  readonly content: Uint8Array;
}

/** A header is `type size` and a zero byte. */
const longestHeader = 32;

/** The object; undefined when it is not there as a file of its own, is larger than the bound or makes no sense: git is asked then. */
export function readObject(objects: string, id: string, maxBytes: number): LooseObject | undefined {
  const packed = readWhole(join(objects, id.slice(0, 2), id.slice(2)), maxBytes);
  if (packed === undefined) return undefined;
  const whole = inflated(packed, maxBytes + longestHeader);
  const end = whole?.indexOf(0) ?? -1;
  if (whole === undefined || end === -1 || end >= longestHeader) return undefined;
  const match = /^(blob|tree|commit|tag) (\d+)$/.exec(whole.toString("latin1", 0, end));
  const content = whole.subarray(end + 1);
  const isWhole = match !== null && Number(match[2]) === content.length && content.length <= maxBytes;
  return isWhole ? { type: match[1] ?? "", content } : undefined;
}

function readWhole(path: string, maxBytes: number): Buffer<ArrayBuffer> | undefined {
  // A failure to open takes ten times as long as asking, and most objects are in one of several places.
  if (!existsSync(path)) return undefined;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined; // packed, pruned, or not ours to read
  }
  try {
    const stat = fstatSync(fd);
    // Data that cannot be made smaller grows by a few bytes in each thousand.
    return stat.isFile() && stat.size <= maxBytes + maxBytes / 100 + 1_000 ? readFileSync(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** As zlib wraps it: two bytes that say so, and a sum. Bun's own call leaves both out, and takes a quarter of the time of `node:zlib`. */
function deflated(whole: Buffer<ArrayBuffer>): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(Bun.hash.adler32(whole));
  return Buffer.concat([Buffer.of(0x78, 0x01), Bun.deflateSync(whole, { level: 1 }), sum]);
}

/** Bun's own call takes a tenth of the time and knows no bound; this much becomes a thousand times as much at most. */
const briefBytes = 16 * 1024;

function inflated(packed: Buffer<ArrayBuffer>, maxBytes: number): Buffer | undefined {
  try {
    if (packed.length > briefBytes) return inflateSync(packed, { maxOutputLength: maxBytes });
    const whole = Bun.inflateSync(packed, { windowBits: 15 });
    return whole.length > maxBytes ? undefined : Buffer.from(whole.buffer, whole.byteOffset, whole.length);
  } catch {
    return undefined; // larger than asked for, or damaged: git says which
  }
}
