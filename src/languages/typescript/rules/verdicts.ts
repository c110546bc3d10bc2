// Remembers which files were looked at, and what was found rests on: other files, and where module names lead. While none of
// that changed, there is nothing to look at again. So one edit costs the files it can reach, however many others the two sides have changed.
// A file in which something did not hold is remembered too: where all that it rests on is on one side as it is in the merge, the same does not
// hold on that side, and the merge broke nothing.

import type { TreeView } from "../../../ports/semantic.ts";
import type { Asked, Program } from "./program.ts";
import type { ProjectSettings } from "./project-settings.ts";

/** Kept per settings, which are one object while they stay the same: other settings may give every import a new meaning. */
const verdictsUnder = new WeakMap<ProjectSettings, Kept>();

interface Kept {
  readonly byText: Map<string, Rests>;
  names: number;
}

/** In lists, because there are thousands of these and they are only ever gone through. */
interface Rests {
  /** Everything in it held. */
  readonly isSound: boolean;
  readonly files: readonly (readonly [path: string, blob: string | undefined])[];
  readonly modules: readonly (readonly [key: string, outcome: string])[];
}

/**
 * Files and names of modules that all kept verdicts rest on, counted as often as they are named; one takes some fifty bytes. Fifty sides with five
 * changed files each, each of which leads to a hundred others, have 25,000: with fewer, each would be forgotten just before it is asked for again.
 */
const keptNames = 60_000;

export class Verdicts {
  private readonly known: Kept;

  constructor(settings: ProjectSettings) {
    this.known = verdictsUnder.get(settings) ?? { byText: new Map(), names: 0 };
    verdictsUnder.set(settings, this.known);
  }

  /**
   * True when nothing can be wrong with this text in the merge that is right on both sides: it was looked at before, all it rests on is as it was, and
   * it was in order or is the same, with all it rests on, on one of the sides. `isMoving` when files came or went: then names may lead elsewhere,
   * and the sides may know what lies outside the merge.
   */
  hasNothingNew(merged: Program, path: string, sides: readonly Program[], isMoving: boolean): boolean {
    const rests = this.known.byText.get(keyOf(merged.tree, path));
    if (rests === undefined || !isAsItWas(rests, merged.tree)) return false;
    const blob = merged.tree.blobs.get(path);
    const isOnSide = ({ tree, settings }: Program): boolean =>
      settings === merged.settings && tree.blobs.get(path) === blob && isAsItWas(rests, tree);
    if (!rests.isSound && !sides.some(isOnSide)) return false;
    for (const [key, outcome] of isMoving ? rests.modules : []) {
      const mustLead = rests.isSound && outcome !== ":external" ? [merged] : [merged, ...sides];
      if (!mustLead.every((one) => one.leadsTo(key, outcome))) return false;
    }
    return true;
  }

  /** The files that what is known of a text in this tree rests on; undefined when nothing is known. */
  restsOn(tree: TreeView, path: string): readonly string[] | undefined {
    const rests = this.known.byText.get(keyOf(tree, path));
    return rests === undefined || !isAsItWas(rests, tree) ? undefined : rests.files.map(([other]) => other);
  }

  remember(program: Program, path: string, { files, modules }: Asked, isSound: boolean): void {
    const { byText } = this.known;
    const key = keyOf(program.tree, path);
    this.drop(key);
    const rests: Rests = {
      isSound,
      files: Array.from(files, (one) => [one, program.tree.blobs.get(one)]),
      modules: [...modules],
    };
    byText.set(key, rests);
    this.known.names += sizeOf(rests);
    // The oldest go first: texts that were edited since are not asked for again.
    for (const oldest of byText.keys()) {
      if (this.known.names <= keptNames || oldest === key) break;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const before = this.known.byText.get(key);
    if (before === undefined) return;
    this.known.names -= sizeOf(before);
    this.known.byText.delete(key);
  }
}

function isAsItWas({ files }: Rests, tree: TreeView): boolean {
  for (const [path, blob] of files) if (tree.blobs.get(path) !== blob) return false;
  return true;
}

function sizeOf({ files, modules }: Rests): number {
  return files.length + modules.length + 1;
}

function keyOf(tree: TreeView, path: string): string {
  return `${path}\n${tree.blobs.get(path) ?? ""}`;
}
