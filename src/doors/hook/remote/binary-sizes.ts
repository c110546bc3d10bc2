// Reads how large the binary files of a diff would become. A few hundred bytes of such a diff can stand for gigabytes, so the sizes that it
// declares are added up before git is given it. Git itself takes no more than what is declared. Pure.

import { constants, inflateSync } from "node:zlib";

/** Undefined where a size cannot be read. */
export function binaryBytes(diff: string): number | undefined {
  const lines = diff.split("\n");
  let bytes = 0;
  for (const [at, line] of lines.entries()) {
    const [, kind, declared] = /^(literal|delta) (\d{1,15})\r?$/.exec(line) ?? [];
    if (kind === undefined) continue;
    const size = kind === "literal" ? Number(declared) : sizeOfDelta(lines.slice(at + 1, at + 21));
    if (size === undefined) return undefined;
    // A delta is held in memory too.
    bytes += size + (kind === "delta" ? Number(declared) : 0);
  }
  return bytes;
}

/** A delta begins with the size of what it is applied to and that of what comes out, each seven bits a byte. */
function sizeOfDelta(lines: readonly string[]): number | undefined {
  const head = inflated(Buffer.concat(lines.map(decodedLine)));
  let size = 0;
  let position = 0;
  for (let which = 0; which < 2; which++) {
    size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = head[position++];
      if (byte === undefined || shift > 42) return undefined;
      size += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
  }
  return size;
}

/** As far as it goes: it is cut. */
function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 16 * 1024 * 1024 });
  } catch {
    return Buffer.alloc(0);
  }
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/** One line of git's base 85: its length, then five characters for each four bytes. */
function decodedLine(line: string): Buffer {
  const first = line.charCodeAt(0);
  const length = first >= 65 && first <= 90 ? first - 64 : first >= 97 && first <= 122 ? first - 70 : 0;
  const bytes = Buffer.alloc(Math.ceil(length / 4) * 4);
  for (let at = 0; at < bytes.length / 4; at++) {
    let word = 0;
    for (const letter of line.slice(1 + at * 5, 6 + at * 5)) word = word * 85 + Math.max(0, digits.indexOf(letter));
    bytes.writeUInt32BE(word >>> 0, at * 4);
  }
  return bytes.subarray(0, length);
}
