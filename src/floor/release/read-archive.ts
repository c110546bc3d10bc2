// Reads the archive of a release: a tar of plain files below one directory. Anything else in it, such as a link or a name that leads out, is refused.

import { Refusal } from "../../protocol/errors.ts";

const block = 512;
const mostBytes = 1024 * 1024 * 1024;
const name = /^[0-9A-Za-z_][0-9A-Za-z._-]*(\/[0-9A-Za-z_][0-9A-Za-z._-]*)*$/;

/** The files by their names below that directory. */
export function readArchive(packed: Uint8Array): Map<string, Uint8Array> {
  const bytes = Buffer.from(Bun.gunzipSync(Buffer.from(packed)));
  if (bytes.length > mostBytes) throw odd("it is too large");
  const files = new Map<string, Uint8Array>();
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0;) {
    const path = textAt(bytes, at, 100);
    const size = Number.parseInt(textAt(bytes, at + 124, 12), 8);
    const kind = String.fromCharCode(bytes[at + 156] ?? 0);
    const below = path.slice(path.indexOf("/") + 1);
    if (kind !== "0" || !name.test(below) || !Number.isSafeInteger(size) || at + block + size > bytes.length)
      throw odd(`${JSON.stringify(path)} is no plain file`);
    files.set(below, bytes.subarray(at + block, at + block + size));
    at += block + Math.ceil(size / block) * block;
  }
  return files;
}

const textAt = (bytes: Buffer, from: number, length: number): string =>
  bytes.toString("utf8", from, from + length).replace(/\0.*$/s, "");

const odd = (why: string): Refusal => new Refusal("release.damaged", `the archive cannot be read: ${why}`, { why });
