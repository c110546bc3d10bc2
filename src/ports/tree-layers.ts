// Trees that differ a little from another, kept as the difference. A fleet has many trees of thousands of files, nearly all
// of them the same, and a pair of sides makes one more that is needed once: copies of them would be most of the memory
// and much of the time.

import type { TreeView } from "./semantic.ts";

type Files = ReadonlyMap<string, string>;

/** `under` with some paths given another blob, or taken away where there is none. Looks and behaves as a map of its own. */
export function layered(under: Files, changes: Iterable<readonly [path: string, blob: string | undefined]>): Files {
  const changed = under instanceof Layered ? new Map(under.changed) : new Map<string, string | undefined>();
  for (const [path, blob] of changes) changed.set(path, blob);
  return new Layered(under instanceof Layered ? under.ground : under, changed);
}

/** Every path whose blob is not the same in both, those that only one has included. */
export function* differingPaths(base: TreeView, side: TreeView): Generator<string> {
  const [one, other] = [base.blobs, side.blobs];
  if (one === other) return;
  if (groundOf(one) === groundOf(other)) {
    for (const path of new Set([...changedIn(other), ...changedIn(one)])) {
      if (one.get(path) !== other.get(path)) yield path;
    }
    return;
  }
  let kept = 0;
  for (const [path, blob] of other) {
    const before = one.get(path);
    if (before !== undefined) kept += 1;
    if (before !== blob) yield path;
  }
  if (kept < one.size) for (const path of one.keys()) if (!other.has(path)) yield path;
}

/** Returns the number of entries that it holds itself: all of them, or those that differ from the tree below. */
export function ownEntries(files: Files): number {
  return files instanceof Layered ? files.changed.size : files.size;
}

const groundOf = (files: Files): Files => (files instanceof Layered ? files.ground : files);
const changedIn = (files: Files): Iterable<string> => (files instanceof Layered ? files.changed.keys() : []);

class Layered implements Files {
  readonly ground: Files;
  readonly changed: ReadonlyMap<string, string | undefined>;
  readonly size: number;

  constructor(ground: Files, changed: ReadonlyMap<string, string | undefined>) {
    this.ground = ground;
    this.changed = changed;
    let size = ground.size;
    for (const [path, blob] of changed) size += Number(blob !== undefined) - Number(ground.has(path));
    this.size = size;
  }

  get(path: string): string | undefined {
    const blob = this.changed.get(path);
    return blob !== undefined || this.changed.has(path) ? blob : this.ground.get(path);
  }

  has(path: string): boolean {
    return this.changed.has(path) ? this.changed.get(path) !== undefined : this.ground.has(path);
  }

  *entries(): MapIterator<[string, string]> {
    for (const entry of this.ground) {
      if (!this.changed.has(entry[0])) yield entry;
      else {
        const blob = this.changed.get(entry[0]);
        if (blob !== undefined) yield [entry[0], blob];
      }
    }
    for (const [path, blob] of this.changed) if (blob !== undefined && !this.ground.has(path)) yield [path, blob];
  }

  *keys(): MapIterator<string> {
    for (const [path] of this.entries()) yield path;
  }

  *values(): MapIterator<string> {
    for (const [, blob] of this.entries()) yield blob;
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }

  forEach(use: (blob: string, path: string, files: Files) => void): void {
    for (const [path, blob] of this.entries()) use(blob, path, this);
  }
}
