// Two sides each export a new name of the same spelling, and one file re-exports both modules with `export *`: the name
// is then exported by neither. No file of that kind was edited, so this is looked for on its own.

import type { Side, TreeView } from "../../../ports/semantic.ts";
import type { TypeScriptSummary } from "../facts.ts";
import type { Scene } from "./explain.ts";
import type { Problem } from "./problems.ts";
import type { Program } from "./program.ts";

type Load = (program: Program, path: string) => Promise<TypeScriptSummary | null>;

export async function starClashes(scene: Scene, load: Load): Promise<Problem[]> {
  const { base, merged, changed } = scene;
  const entries = new Set(entriesOf(base.tree));
  for (const paths of [changed.ours, changed.theirs]) for (const path of paths) if (isEntry(path)) entries.add(path);
  if (entries.size === 0) return [];
  const fresh = { ours: await newExports(scene, "ours", load), theirs: await newExports(scene, "theirs", load) };
  const shared = [...fresh.ours.keys()].filter((name) => fresh.theirs.has(name));
  if (shared.length === 0) return [];
  const problems: Problem[] = [];
  for (const path of entries) {
    if (!merged.tree.blobs.has(path)) continue;
    await load(merged, path);
    const file = merged.file(path);
    for (const name of shared) {
      if (file === undefined || file.exports.has(name)) continue;
      const homes = file.stars.flatMap((star) => {
        const target = merged.resolve(path, star.from ?? "");
        return typeof target === "object" ? [{ path: target.path, line: star.line }] : [];
      });
      const mine = homes.find((one) => fresh.ours.get(name)?.has(one.path));
      const other = homes.find((one) => fresh.theirs.get(name)?.has(one.path) && one.path !== mine?.path);
      if (mine === undefined || other === undefined) continue;
      problems.push({
        path,
        line: Math.max(mine.line, other.line),
        root: name,
        fault: { code: "duplicate", symbol: name, target: { path: mine.path, name }, detail: "is exported twice" },
      });
    }
  }
  return problems;
}

/** Tells whether both sides, which changed these paths, are known to have no new name in common, or whether no file could re-export it. */
export function cannotClash(
  base: TreeView,
  sides: readonly { readonly tree: TreeView; readonly changed: Iterable<string> }[],
): boolean {
  const hasEntry = entriesOf(base).length > 0 || sides.some(({ changed }) => [...changed].some(isEntry));
  if (!hasEntry) return true;
  const [ours, theirs] = sides.map(({ tree }) => knownExports.get(tree)?.get(base));
  if (ours === undefined || theirs === undefined) return false;
  for (const name of ours.keys()) if (theirs.has(name)) return false;
  return true;
}

/** Files with `export *` are nearly always called index or end a package's entry; reading every file would cost an index. */
const isEntry = (path: string): boolean => /(^|\/)(index|main|mod|public[-_]?api|exports)\.[cm]?[jt]sx?$/.test(path);

const knownEntries = new WeakMap<TreeView, readonly string[]>();

/** Looked for once while the tree is kept. */
function entriesOf(tree: TreeView): readonly string[] {
  const found = knownEntries.get(tree) ?? [...tree.blobs.keys()].filter(isEntry);
  knownEntries.set(tree, found);
  return found;
}

/** The same side is compared with many others. */
const knownExports = new WeakMap<TreeView, WeakMap<TreeView, Map<string, Set<string>>>>();

/** Names a side newly exports, and from which files. */
async function newExports(scene: Scene, side: Side, load: Load): Promise<Map<string, Set<string>>> {
  const [base, tree] = [scene.base.tree, scene.sides[side].tree];
  const before = knownExports.get(tree)?.get(base);
  if (before !== undefined) return before;
  const found = new Map<string, Set<string>>();
  let isRead = true;
  for (const path of scene.changed[side]) {
    for (const program of [scene.sides[side], scene.base]) {
      const summary = await load(program, path);
      const isWhole = summary !== null && summary.broken === undefined;
      if (program.tree.blobs.has(path) && !isWhole) isRead = false;
    }
    const before = scene.base.file(path)?.exports;
    for (const name of scene.sides[side].file(path)?.exports.keys() ?? []) {
      if (name === "default" || name === "export=" || before?.has(name)) continue;
      const paths = found.get(name) ?? new Set();
      found.set(name, paths.add(path));
    }
  }
  const bases = knownExports.get(tree) ?? new WeakMap<TreeView, Map<string, Set<string>>>();
  // What could not be read must be said again the next time.
  if (isRead) knownExports.set(tree, bases.set(base, found));
  return found;
}
