// Compares trees path by path: what a branch changed, and whether the result reads as the branch has it. The picking is not
// trusted with this: it is asked again, of the trees alone, before anything is pushed and before anything is called landed.

import { fieldsOf, pathFromBytes } from "../git/objects/path-text.ts";
import type { GroundParts } from "./landing-parts.ts";
import { hasConflicts, mergeOnto } from "./merge-onto.ts";

/** Mode and object of a path on either side; "" where it is not. */
export interface Difference {
  readonly before: string;
  readonly after: string;
}

export async function differences(parts: GroundParts, from: string, to: string): Promise<Map<string, Difference>> {
  if (from === to) return new Map();
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--full-index", from, to];
  const fields = fieldsOf(await parts.git.bytes({ args, variables: { GIT_DIR: parts.directory } }));
  const found = new Map<string, Difference>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = "", after = "", old = "", now = ""] = Buffer.from(fields[at] ?? [])
      .toString("latin1")
      .slice(1)
      .split(" ");
    const entry = (mode: string, id: string): string => (mode === "000000" ? "" : `${mode} ${id}`);
    found.set(pathFromBytes(fields[at + 1] ?? Buffer.of()), { before: entry(before, old), after: entry(after, now) });
  }
  return found;
}

/** Tells whether the changes between two commits, the first an ancestor of the second, are in effect on another. */
export async function readsAs(
  parts: GroundParts,
  wish: { readonly from: string; readonly to: string; readonly on: string },
): Promise<boolean> {
  return (await missingOn(parts, wish)).length === 0;
}

/** The paths of that change which do not read so, unless git finds that the other has changed them further since. */
export async function missingOn(
  parts: GroundParts,
  wish: { readonly from: string; readonly to: string; readonly on: string },
): Promise<string[]> {
  const changed = await differences(parts, wish.from, wish.to);
  const unlike = await differences(parts, wish.to, wish.on);
  const suspects = [...changed.keys()].filter((path) => unlike.has(path));
  if (suspects.length === 0) return [];
  const variables = { GIT_DIR: parts.directory };
  const tree = await parts.git.text({ args: ["rev-parse", `${wish.on}^{tree}`], variables });
  const merged = await mergeOnto(parts, { base: wish.from, tree, theirs: wish.to });
  // If both changed the same lines, a path is certain to lack the change only if it reads exactly as before it.
  const again = hasConflicts(merged) ? undefined : await differences(parts, tree, merged.tree);
  return suspects.filter((path) => unlike.get(path)?.after === changed.get(path)?.before || again?.has(path) === true);
}

/**
 * The paths that a branch changed and that the result has as the target had them, though the branch has them otherwise and git
 * would merge the two otherwise: none, or something was lost on the way.
 */
export async function lostPaths(
  parts: GroundParts,
  changed: ReadonlyMap<string, Difference>,
  wish: { readonly base: string; readonly tip: string; readonly onto: string; readonly result: string },
): Promise<string[]> {
  const unlike = await differences(parts, wish.tip, wish.result);
  const suspects = [...changed.keys()].filter((path) => unlike.has(path));
  if (suspects.length === 0) return [];
  const variables = { GIT_DIR: parts.directory };
  const tree = await parts.git.text({ args: ["rev-parse", `${wish.onto}^{tree}`], variables });
  const merged = await mergeOnto(parts, { base: wish.base, tree, theirs: wish.tip });
  // Commit by commit a file may end otherwise than all at once (a change that was made and undone, on a target that has it by
  // somebody else); what the landing left as it was, though the branch's change is not in it, is lost.
  const brought = await differences(parts, tree, wish.result);
  const other = await differences(parts, hasConflicts(merged) ? merged.marked : merged.tree, wish.result);
  return suspects.filter((path) => !brought.has(path) && other.has(path));
}
