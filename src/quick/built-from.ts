// What scripts/build-quick.ts writes into the quick program. From the sources, nothing of it is there.

export interface BuiltFrom {
  /** Bun, relative to the top of the clone. */
  readonly bun: string;
  /** Sources relative to the top of the clone, and when the inode of each last changed (`ctimeMs`). */
  readonly names: readonly string[];
  readonly changedMs: readonly number[];
  /** Which of them a command with this first word is made of: from, to (itself not), from, to… With a word that is not here: all. */
  readonly rangesOfWord: Readonly<Record<string, readonly number[]>>;
}

declare const CONSTEL_BUILT_FROM: BuiltFrom;

export const builtFrom = (): BuiltFrom => CONSTEL_BUILT_FROM;

const place = "/node_modules/.constel/quick";

/** The clone that this program stands in. */
export function topOfClone(): string {
  const { execPath } = process;
  if (execPath.endsWith(place)) return execPath.slice(0, -place.length);
  throw new Error(`${execPath} works only as ${place} of a clone of constel; use that, or bin/build`);
}
