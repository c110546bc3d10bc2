// What scripts/build-quick.ts writes into the quick program. From the sources, nothing of it is there.

import { cloneOfQuick } from "../ports/clone.ts";

export interface BuiltFrom {
  /** Bun, relative to the top of the clone. */
  readonly bun: string;
  /** Sources relative to the top of the clone, and when the inode of each last changed (`ctimeMs`). */
  readonly names: readonly string[];
  readonly changedMs: readonly number[];
  /** The first so many are all that commands are made of which do their work in this process and need no language. */
  readonly commandCount: number;
  /** Which of those a command with this first word is made of: from, to (itself not), from, to… With a word that is not here: all. */
  readonly rangesOfWord: Readonly<Record<string, readonly number[]>>;
}

declare const CONSTEL_BUILT_FROM: BuiltFrom;

export const builtFrom = (): BuiltFrom => CONSTEL_BUILT_FROM;

/** The clone that this program stands in. */
export function topOfClone(): string {
  const top = cloneOfQuick();
  if (top !== undefined) return top;
  throw new Error(
    `${process.execPath} works only as node_modules/.constel/quick of a clone of constel; use that, or bin/build`,
  );
}
