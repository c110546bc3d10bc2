// Turns the words of a claim into patterns from the top of the repository. Pure.

import { isAbsolute, join, normalize, relative } from "node:path";
import { pathPattern } from "../findings/path-pattern.ts";

const everything = "**";

export interface ClaimedWord {
  readonly word: string;
  /** True if there is something of exactly this name. Then its brackets and stars are part of the name. */
  readonly isThere: boolean;
}

/** undefined when the word leads out of the worktree. `cwd` and `top` are real paths. */
export function patternOf({ word, isThere }: ClaimedWord, cwd: string, top: string): string | undefined {
  const isWild = !isThere && /[*?[]/.test(word);
  if (isWild && !isAbsolute(word)) {
    const from = relative(top, cwd);
    if (from.startsWith("..") || word.split("/").includes("..")) return undefined;
    const inner = word.replace(/^\.\//, "");
    if (from === "") return inner.includes("/") ? `/${inner}` : inner;
    return `/${escaped(from)}/${inner.includes("/") ? inner : `**/${inner}`}`;
  }
  const below = relative(top, isAbsolute(word) ? normalize(word) : join(cwd, word));
  if (below.startsWith("..") || isAbsolute(below)) return undefined;
  if (below === "") return everything;
  return `/${isWild ? below : escaped(below)}`;
}

/** Tells which paths a claim covers: by their own name, or by a directory they are in. */
export function claimMatcher(patterns: readonly string[]): (path: string) => boolean {
  const matchers = patterns.map((pattern) => pathPattern(pattern));
  // Paths come by directory: what is so of the last one is mostly so of the next file too.
  let last = "";
  let isLastCovered = false;
  const covers = (path: string): boolean => {
    if (matchers.some((matches) => matches(path))) return true;
    const directory = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (directory === "") return false;
    if (directory !== last) {
      const isCovered = covers(directory);
      last = directory;
      isLastCovered = isCovered;
    }
    return isLastCovered;
  };
  return covers;
}

/** Tells whether two claims may be about the same file, as far as plain paths tell. */
export function meet(one: readonly string[], other: readonly string[]): boolean {
  const covers = (patterns: readonly string[], paths: readonly string[]): boolean =>
    paths.map(plainPath).some((path) => path !== undefined && claimMatcher(patterns)(path));
  return covers(one, other) || covers(other, one) || one.some((pattern) => other.includes(pattern));
}

/** As a person would write it. */
export function plainPath(pattern: string): string | undefined {
  if (/(^|[^\\])[*?[]/.test(pattern)) return undefined;
  return pattern.replace(/^\//, "").replaceAll(/\\(.)/g, "$1");
}

/** The one path that a pattern stands for, from the top; "." is all of it. Undefined where it stands for whatever fits. */
export function onlyPath(pattern: string): string | undefined {
  return pattern === everything ? "." : plainPath(pattern);
}

function escaped(path: string): string {
  return path.replaceAll(/[\\*?[]/g, String.raw`\$&`);
}
