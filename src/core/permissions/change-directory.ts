// `cd`: where an agent may stand afterwards. It is allowed by where it leads, like any other path.

import { posix } from "node:path";
import type { ShellCommand } from "../../protocol/shell-script.ts";

/** The places a `cd` may lead to from any of the given ones; undefined when the command is no plain `cd`. */
export function changeDirectory({ words }: ShellCommand, places: readonly string[]): readonly string[] | undefined {
  const path = plainTarget(words.map((word) => word.text));
  return path === undefined ? undefined : [...new Set(places.map((place) => posix.resolve(place, path)))];
}

/** The directory of `cd <directory>`; undefined for home, `-` and what is not written out. */
export function plainTarget(words: readonly (string | undefined)[]): string | undefined {
  const [name, target, ...more] = words;
  if (name !== "cd" || target === undefined || more.length > 0) return undefined;
  return target === "" || target.startsWith("-") ? undefined : target;
}
