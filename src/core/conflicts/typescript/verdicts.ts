// Remembers which files were found in order, and which other files that rests on: while none of those changed, there is
// nothing to look at again. So one edit costs the files it can reach, however many others the two sides have changed.

import type { Program } from "./program.ts";
import type { ProjectSettings } from "./project-settings.ts";

/** Kept per settings, which are one object while they stay the same: other settings may give every import a new meaning. */
const verdictsUnder = new WeakMap<ProjectSettings, Kept>();

interface Kept {
  readonly byText: Map<string, ReadonlyMap<string, string | undefined>>;
  names: number;
}

/** Files that all kept verdicts rest on, counted as often as they are named; one takes some hundred bytes. */
const keptNames = 10_000;

export class Verdicts {
  private readonly sound: Kept;

  constructor(settings: ProjectSettings) {
    this.sound = verdictsUnder.get(settings) ?? { byText: new Map(), names: 0 };
    verdictsUnder.set(settings, this.sound);
  }

  /** True when this text was in order before and all it rests on is as it was. */
  stillSound(program: Program, path: string): boolean {
    const rests = this.sound.byText.get(keyOf(program, path));
    if (rests === undefined) return false;
    for (const [other, blob] of rests) if (program.tree.blobs.get(other) !== blob) return false;
    return true;
  }

  remember(program: Program, path: string, touched: ReadonlySet<string>): void {
    const { byText } = this.sound;
    const key = keyOf(program, path);
    this.drop(key);
    byText.set(key, new Map([...touched].map((one) => [one, program.tree.blobs.get(one)])));
    this.sound.names += touched.size + 1;
    // The oldest go first: texts that were edited since are not asked for again.
    for (const oldest of byText.keys()) {
      if (this.sound.names <= keptNames || oldest === key) break;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const before = this.sound.byText.get(key);
    if (before === undefined) return;
    this.sound.names -= before.size + 1;
    this.sound.byText.delete(key);
  }
}

function keyOf(program: Program, path: string): string {
  return `${path}\n${program.tree.blobs.get(path) ?? ""}`;
}
