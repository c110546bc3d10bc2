// Holds what scripts/build-quick.ts writes into the quick program. When run from the sources, nothing of it is there.

import { cloneOfQuick } from "../ports/clone.ts";

export interface BuiltFrom {
  /** Bun, relative to the top of the clone. */
  readonly bun: string;
  /**
   * Sources that the same words are made of, in one text each: the name of a source relative to the top of the clone, the time its inode
   * last changed (`ctimeMs`), the next name… A command takes apart only those that it compares.
   */
  readonly stretches: readonly string[];
  /** The first so many are all that commands are made of which do their work in this process and need no language. */
  readonly commandCount: number;
  /**
   * The ranges of those that a command with this first word is made of: from, to (itself not), from, to… A word that is not here means
   * all.
   */
  readonly rangesOfWord: Readonly<Record<string, readonly number[]>>;
}

/** The listing that lies beside the program: each source with a word for its content, in the order of the stretches. */
export interface BuiltListing {
  readonly build: string;
  readonly names: readonly string[];
  readonly contents: readonly string[];
}

/** Between what stands in a stretch: nothing that JSON writes in another way, for then reading it takes twice as long (0.15 ms of every start). */
export const between = "|";

/** As JSON: as a value of the program, its seven hundred names would be made anew at each start, for a third of a millisecond. */
declare const CONSTEL_BUILT_FROM: string;

let known: BuiltFrom | undefined;

export const builtFrom = (): BuiltFrom => (known ??= JSON.parse(CONSTEL_BUILT_FROM) as BuiltFrom);

/** The clone that this program stands in. */
export function topOfClone(): string {
  const top = cloneOfQuick();
  if (top !== undefined) return top;
  throw new Error(
    `${process.execPath} works only as node_modules/.constel/quick of a clone of constel; use that, or scripts/build.sh`,
  );
}
