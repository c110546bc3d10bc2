// Decides when a name that two files offer says that they are the same thing, and which names are too common to say anything.

import type { Exported } from "../../../ports/semantic.ts";

/** One name on both sides says the same; of types, when at least two members and half of all are the same. */
export function saysTheSame(one: Exported, other: Exported): boolean {
  if (one.name !== other.name || one.kind !== other.kind) return false;
  if (one.members === undefined || other.members === undefined) return true;
  const shared = one.members.filter((name) => other.members?.includes(name) === true).length;
  return shared >= 2 && shared * 2 >= Math.max(one.members.length, other.members.length);
}

/** One word: many files have it and mean nothing by it. */
export function isCommonName(name: string): boolean {
  const isOneWord = !/[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z]|[A-Z]{2}[a-z]/.test(name);
  return name.length < 6 || isOneWord;
}
