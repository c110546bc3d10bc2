// Remembers which files were found in order, and what that rests on: other files, and where module names lead. While none of
// that changed, there is nothing to look at again. So one edit costs the files it can reach, however many others the two sides have changed.

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
  readonly files: readonly (readonly [path: string, blob: string | undefined])[];
  readonly modules: readonly (readonly [key: string, outcome: string])[];
}

/** Files and names of modules that all kept verdicts rest on, counted as often as they are named; one takes some hundred bytes. */
const keptNames = 8_000;

export class Verdicts {
  private readonly sound: Kept;

  constructor(settings: ProjectSettings) {
    this.sound = verdictsUnder.get(settings) ?? { byText: new Map(), names: 0 };
    verdictsUnder.set(settings, this.sound);
  }

  /**
   * True when this text was in order before and all it rests on is as it was. `others` are given when files came or went: then
   * names may lead elsewhere, and the others may know what lies outside here.
   */
  stillSound(program: Program, path: string, others: readonly Program[] | undefined): boolean {
    const rests = this.sound.byText.get(keyOf(program.tree, path));
    if (rests === undefined || !isAsItWas(rests, program.tree)) return false;
    for (const [key, outcome] of others === undefined ? [] : rests.modules) {
      if (!program.leadsTo(key, outcome)) return false;
      if (outcome === ":external" && others?.every((one) => one.leadsTo(key, outcome)) === false) return false;
    }
    return true;
  }

  /** The files that a text which is in order in this tree rests on; undefined when it is not known to be. */
  restsOn(tree: TreeView, path: string): readonly string[] | undefined {
    const rests = this.sound.byText.get(keyOf(tree, path));
    return rests === undefined || !isAsItWas(rests, tree) ? undefined : rests.files.map(([other]) => other);
  }

  remember(program: Program, path: string, { files, modules }: Asked): void {
    const { byText } = this.sound;
    const key = keyOf(program.tree, path);
    this.drop(key);
    const rests: Rests = {
      files: Array.from(files, (one) => [one, program.tree.blobs.get(one)]),
      modules: [...modules],
    };
    byText.set(key, rests);
    this.sound.names += sizeOf(rests);
    // The oldest go first: texts that were edited since are not asked for again.
    for (const oldest of byText.keys()) {
      if (this.sound.names <= keptNames || oldest === key) break;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const before = this.sound.byText.get(key);
    if (before === undefined) return;
    this.sound.names -= sizeOf(before);
    this.sound.byText.delete(key);
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
