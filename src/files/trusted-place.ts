// A place below a trusted root that is given to other programs by its name: git, a gate, SQLite. They walk the name themselves and
// follow links, so the way is walked here first, right before, and a link is refused. Between the walk and their use of the name a
// swap is possible; what we write ourselves below a place goes by descriptors and has no such gap.

import { join } from "node:path";
import { lstatSync, readdirSync } from "node:fs";
import { componentsOf, linkRefusal } from "./problems.ts";
import { TrustedDirectory } from "./trusted-directory.ts";

export interface TrustedPlace {
  readonly root: string;
  /** Below the root. */
  readonly relative: string;
}

/** A name alone is a root of its own: a private temporary directory, or one that a test made. */
export const asPlace = (place: string | TrustedPlace): TrustedPlace =>
  typeof place === "string" ? { root: place, relative: "" } : place;

export const placeBelow = ({ root, relative }: TrustedPlace, ...more: string[]): TrustedPlace => ({
  root,
  relative: join(relative, ...more),
});

/** The name of the place, once no link stands on the way; made when it is missing. */
export function placePath(place: TrustedPlace, options: { readonly create?: boolean } = {}): string {
  if (options.create === true) TrustedDirectory.open(place.root, place.relative, options).close();
  else refuseLinks(place);
  return join(place.root, place.relative);
}

/**
 * Refuses a place that has a link to a directory in its first levels: another program is about to write below it. What stands deeper
 * than `depth` is not looked at.
 */
export function refuseLinksInside(place: TrustedPlace, depth: number): void {
  refuseLinks(place);
  const top = join(place.root, place.relative);
  const visit = (directory: string, left: number): void => {
    for (const entry of entriesOf(directory)) {
      if (entry.isSymbolicLink()) throw linkRefusal(join(directory, entry.name));
      if (entry.isDirectory() && left > 1) visit(join(directory, entry.name), left - 1);
    }
  };
  visit(top, depth);
}

function refuseLinks({ root, relative }: TrustedPlace): void {
  let at = root;
  for (const part of componentsOf(root, relative)) {
    at = join(at, part);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) throw linkRefusal(at);
  }
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return []; // not there, or no directory
  }
}
