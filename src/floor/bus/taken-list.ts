// The keys of messages that an agent took long ago, as one sorted list in the place of a file each: forty-one bytes a key, so that
// remembering all of them for ever costs next to nothing. It is looked into by halves and never read whole to answer.

import type { TrustedDirectory } from "../../files/trusted-directory.ts";

const listFile = "taken";
const keyLength = 40;
const lineLength = keyLength + 1;
/** More than a billion bytes is no list of ours. */
const maxListBytes = 2 ** 30;

export const isKey = (name: string): boolean => /^[0-9a-f]{40}$/.test(name);

export function isListed(seen: TrustedDirectory, key: string): boolean {
  let low = 0;
  let high = Math.floor((seen.stat(listFile)?.size ?? 0) / lineLength);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const there = seen.readFrom(listFile, middle * lineLength, keyLength).toString("latin1");
    if (there === key) return true;
    if (there < key) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** Durable when it returns, so that whoever calls may remove the marks. */
export function addToList(seen: TrustedDirectory, keys: readonly string[]): void {
  const before = seen.read(listFile, { maxBytes: maxListBytes })?.toString("latin1").split("\n").filter(isKey) ?? [];
  const all = [...new Set([...before, ...keys])].sort();
  seen.write(listFile, `${all.join("\n")}\n`);
}
