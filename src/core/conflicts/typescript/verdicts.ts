// Remembers which files were found in order, and which other files that rests on: while none of those changed, there is
// nothing to look at again. So one edit costs the files it can reach, however many others the two sides have changed.

import type { Program } from "./program.ts";
import type { ProjectSettings } from "./project-settings.ts";

/** Kept per settings, which are one object while they stay the same: other settings may give every import a new meaning. */
const verdictsUnder = new WeakMap<ProjectSettings, Map<string, ReadonlyMap<string, string | undefined>>>();
const keptVerdicts = 20_000;

export class Verdicts {
  private readonly sound: Map<string, ReadonlyMap<string, string | undefined>>;

  constructor(settings: ProjectSettings) {
    this.sound = verdictsUnder.get(settings) ?? new Map();
    verdictsUnder.set(settings, this.sound);
  }

  /** True when this text was in order before and all it rests on is as it was. */
  stillSound(program: Program, path: string): boolean {
    const rests = this.sound.get(keyOf(program, path));
    if (rests === undefined) return false;
    for (const [other, blob] of rests) if (program.tree.blobs.get(other) !== blob) return false;
    return true;
  }

  remember(program: Program, path: string, touched: ReadonlySet<string>): void {
    if (this.sound.size >= keptVerdicts) this.sound.clear();
    this.sound.set(keyOf(program, path), new Map([...touched].map((one) => [one, program.tree.blobs.get(one)])));
  }
}

function keyOf(program: Program, path: string): string {
  return `${path}\n${program.tree.blobs.get(path) ?? ""}`;
}
