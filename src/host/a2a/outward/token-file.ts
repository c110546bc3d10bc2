// Reads the token that another agent's owner made for ours, from a file that the owner's settings name. Through one descriptor, so that what
// was looked at is what is read; a file that others may read is no place for a token.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { Refusal } from "../../../protocol/errors.ts";

export function tokenIn(path: string): string {
  const no = (why: string): Refusal => new Refusal("a2a.token", `the token file ${path} ${why}`, { path });
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    throw no("cannot be read");
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > 64 * 1024) throw no("is no file with a token");
    if ((stat.mode & 0o077) !== 0) throw no("may be read by others; run chmod 600 on it");
    const token = readFileSync(descriptor, "utf8").trim();
    if (!/^[\x21-\x7e]{8,4096}$/.test(token)) throw no("has no token in it");
    return token;
  } finally {
    closeSync(descriptor);
  }
}
