// Files that neither side changed and that both can break together: what one side changed and what the other did meet in them, as in
// `take(make())` with `make` changed here and `take` there. They are found by following imports backwards from what each side changed for
// others to see.

import type { ReadBlob, Side, TreeView } from "../../../ports/semantic.ts";
import type { ImportGraph } from "../../language.ts";
import { isScript } from "../files.ts";

/** Asking about more than these takes longer than a check may; the nearest come first, and the rest are owned up to. */
const maxBetween = 400;

export type ImportsOf = (tree: TreeView, read: ReadBlob) => Promise<ImportGraph>;

export interface FilesBetween {
  readonly paths: readonly string[];
  /** The number of files left out. */
  readonly left: number;
}

/** `seen` are the files of each side whose change others can see. */
export async function filesBetween(
  base: TreeView,
  seen: Readonly<Record<Side, ReadonlySet<string>>>,
  read: ReadBlob,
  importsOf: ImportsOf,
): Promise<FilesBetween> {
  const [ours, theirs] = [inBase(base, seen.ours), inBase(base, seen.theirs)];
  if (ours.length === 0 || theirs.length === 0) return { paths: [], left: 0 };
  const importers = await importersIn(base, read, importsOf);
  const [fromOurs, fromTheirs] = [distances(ours, importers), distances(theirs, importers)];
  const between: { readonly path: string; readonly hops: number }[] = [];
  for (const [path, hops] of fromOurs) {
    const others = fromTheirs.get(path);
    if (others !== undefined) between.push({ path, hops: hops + others });
  }
  between.sort((a, b) => a.hops - b.hops || (a.path < b.path ? -1 : 1));
  return {
    paths: between.slice(0, maxBetween).map(({ path }) => path),
    left: Math.max(0, between.length - maxBetween),
  };
}

/** Whoever did not change can only import what was there before. */
const inBase = (base: TreeView, paths: ReadonlySet<string>): string[] =>
  [...paths].filter((path) => isScript(path) && base.blobs.has(path));

/** Many pairs stand on one base: who imports what in it is worked out once while it is kept. */
const known = new WeakMap<TreeView, Promise<ReadonlyMap<string, readonly string[]>>>();

async function importersIn(
  base: TreeView,
  read: ReadBlob,
  importsOf: ImportsOf,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const before = known.get(base);
  if (before !== undefined) {
    try {
      return await before;
    } catch {
      // Whoever asked first failed, or was stopped; we may fare better.
    }
  }
  const found = importsOf(base, read).then(({ imports }) => reversed(imports));
  known.set(base, found);
  return await found;
}

function reversed(imports: ImportGraph["imports"]): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, targets] of imports) {
    for (const target of targets) {
      const list = importers.get(target);
      if (list === undefined) importers.set(target, [path]);
      else list.push(path);
    }
  }
  return importers;
}

/** Returns, for each file that reaches one of these, how many imports away it is. */
function distances(
  goals: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const hops = new Map(goals.map((path) => [path, 0]));
  let edge = [...goals];
  for (let hop = 1; edge.length > 0; hop += 1) {
    const next: string[] = [];
    for (const path of edge) {
      for (const importer of importers.get(path) ?? []) {
        if (hops.has(importer)) continue;
        hops.set(importer, hop);
        next.push(importer);
      }
    }
    edge = next;
  }
  return hops;
}
