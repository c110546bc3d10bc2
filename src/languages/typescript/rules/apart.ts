// Most pairs of sides have nothing to do with each other: no file that one changed rests on a file that the other changed. That can be told of each
// side by itself, from what was found before, so that a side which is compared with many others is looked at once.

import type { ApartInput, SemanticOutcome, TreeView } from "../../../ports/semantic.ts";
import { differingPaths } from "../../../ports/tree-layers.ts";
import { isOwn } from "../files.ts";
import type { TypeScriptPorts } from "./check-typescript.ts";
import { isSettingsName, type ProjectSettings } from "./project-settings.ts";
import { cannotClash } from "./star-clashes.ts";
import { Summaries } from "./summaries.ts";
import { Verdicts } from "./verdicts.ts";

/** A side of which every changed file was looked at, as it stands there. What does not hold in it did not before the merge. */
interface Looked {
  readonly base: TreeView;
  readonly settings: ProjectSettings;
  readonly tree: TreeView;
  /** Every path that is not as in the base. */
  readonly changed: ReadonlySet<string>;
  /** All that its changed files rest on, themselves too. */
  readonly rests: ReadonlySet<string>;
}

const known = new WeakMap<TreeView, Looked>();

export async function apartTypeScript(
  { base, ours, theirs, read }: ApartInput,
  { parse, cache }: Pick<TypeScriptPorts, "parse" | "cache">,
): Promise<SemanticOutcome | undefined> {
  // Asked for with every pair, so that each notices a settings file that the clone lacks.
  const settings = await new Summaries(parse, cache, read).settingsOf(base);
  const [our, their] = [lookedOf(base, ours, settings), lookedOf(base, theirs, settings)];
  if (our === undefined || their === undefined) return undefined;
  const rests = meet(our.rests, their.changed) || meet(their.rests, our.changed) || meet(our.changed, their.changed);
  if (rests || !cannotClash(base, [our, their])) return undefined;
  return { conflicts: [], complete: true, notes: [] };
}

/** undefined while something of it has not been looked at, and where files came or went or settings changed: then names may lead elsewhere. */
function lookedOf(base: TreeView, tree: TreeView, settings: ProjectSettings): Looked | undefined {
  const before = known.get(tree);
  if (before !== undefined && before.base === base && before.settings === settings) return before;
  const changed = new Set(differingPaths(base, tree));
  const verdicts = new Verdicts(settings);
  const rests = new Set<string>();
  for (const path of changed) {
    if (!isOwn(path)) continue;
    if (isSettingsName(path.slice(path.lastIndexOf("/") + 1))) return undefined;
    if (!base.blobs.has(path) || !tree.blobs.has(path)) return undefined;
    if (path.endsWith(".json")) continue;
    const files = verdicts.restsOn(tree, path);
    if (files === undefined) return undefined;
    for (const file of files) rests.add(file);
  }
  const looked = { base, settings, tree, changed, rests };
  known.set(tree, looked);
  return looked;
}

function meet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  for (const path of small) if (large.has(path)) return true;
  return false;
}
