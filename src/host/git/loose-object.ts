// Writes git objects without a process: a marker for a huge file, a pointer for a file in LFS, an edited file with
// the trees above it, a snapshot's commit.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { ObjectFormat } from "./locate.ts";

let sequence = 0;

/** The id of the object, which is in the directory when this returns. */
export function writeObject(
  objects: string,
  format: ObjectFormat,
  type: "blob" | "tree" | "commit",
  content: string | Uint8Array,
): string {
  const body = typeof content === "string" ? Buffer.from(content) : content;
  const whole = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  const id = createHash(format).update(whole).digest("hex");
  const directory = join(objects, id.slice(0, 2));
  const path = join(directory, id.slice(2));
  if (existsSync(path)) {
    const now = new Date();
    utimesSync(path, now, now); // so that pruning sees that it is wanted again
    return id;
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `tmp_obj_${process.pid}_${++sequence}`);
  writeFileSync(temporary, deflateSync(whole, { level: 1 }), { mode: 0o444 });
  renameSync(temporary, path);
  return id;
}
