// Tells a home that lost its ring of keys from one that never had any. A mark outside keys/ says that a ring began; a new one is begun
// only where the owner took the mark away, since nothing that was signed before can be checked with it.

import { join } from "node:path";
import { writeTrusted } from "../../files/trusted-files.ts";
import { Refusal } from "../../protocol/errors.ts";
import { lstatSync } from "node:fs";

const mark = "state/ring-began";

/** What cannot be looked at counts as there: the answer is then to wait. */
export function hasRingBegun(home: string): boolean {
  try {
    return lstatSync(join(home, mark), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

export function noteRing(home: string): void {
  if (!hasRingBegun(home)) writeTrusted(home, mark, "keys/ring.jsonl holds the public keys of this home\n");
}

export const ringLost = (): Refusal =>
  new Refusal("keys.ring-missing", "keys/ring.jsonl is gone, and a new ring would not know what was signed before");
