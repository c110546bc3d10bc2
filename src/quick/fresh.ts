// Says whether every source that a command is made of is still the one that the quick program was built from. The time an inode last changed
// tells, which no editor, copy or checkout can set, unlike the time of its content; a new source matters only once an old one names it. 650
// sources would cost 2.5 ms, a fifth of a whole command, so a word that is known asks for its own alone. Where a time differs, as in a
// clone that was copied, the content decides (same-content.ts).

import { statSync } from "node:fs";
import { between, builtFrom, topOfClone } from "./built-from.ts";
import { sameContent } from "./same-content.ts";

export function isFresh(firstWord: string | undefined): boolean {
  const { rangesOfWord, commandCount } = builtFrom();
  const isKnown = firstWord !== undefined && Object.hasOwn(rangesOfWord, firstWord);
  return areFresh((isKnown ? rangesOfWord[firstWord] : undefined) ?? [0, commandCount]);
}

/** Also compares what only the daemon and the looks at repositories are made of. */
export const isWholeFresh = (): boolean => areFresh([0, builtFrom().stretches.length]);

function areFresh(ranges: readonly number[]): boolean {
  const { stretches } = builtFrom();
  const top = topOfClone();
  // Counted, because each step is interpreted: nothing runs long enough here to be compiled.
  for (let at = 0; at < ranges.length; at += 2) {
    const end = ranges[at + 1] ?? stretches.length;
    for (let index = ranges[at] ?? 0; index < end; index++) {
      const parts = (stretches[index] ?? "").split(between);
      for (let part = 0; part < parts.length; part += 2) {
        const changedMs = statSync(`${top}/${parts[part]}`, { throwIfNoEntry: false })?.ctimeMs;
        if (changedMs !== Number(parts[part + 1])) return sameContent(top, parts[part] ?? "", changedMs);
      }
    }
  }
  return true;
}
