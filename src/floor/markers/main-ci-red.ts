// `main-ci-red-<sha>`: the owner has been told that main is red at this commit.

import { hasMarker, markersNamed, putNewMarker, removeMarker } from "./marker-files.ts";

const prefix = "main-ci-red-";

/** Anything that is not plainly a name for a commit becomes part of no file name. */
const nameOf = (sha: string): string =>
  prefix +
  (sha
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .slice(0, 64) || "unnamed");

export const isMainRedPaged = (home: string, sha: string): boolean => hasMarker(home, nameOf(sha));
export const markMainRedPaged = (home: string, sha: string, why: string): boolean =>
  putNewMarker(home, nameOf(sha), why);

/** Main is green again: what was said of older commits is past. */
export function clearMainRed(home: string): number {
  return markersNamed(home, prefix).filter((name) => removeMarker(home, name)).length;
}

/** The commits at which main was said to be red. */
export const redMains = (home: string): string[] => markersNamed(home, prefix).map((name) => name.slice(prefix.length));
