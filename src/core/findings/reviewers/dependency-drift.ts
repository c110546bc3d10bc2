// Both sides set the same dependency anew, to ranges with no version in common, and git merges it: two manifests that are
// installed together and cannot be, or that then carry the library twice. Manifests that are installed apart (a sample with
// its own lock file, another service) may differ as they like. One finding per dependency.

import type { Evidence } from "../../../protocol/findings.ts";
import { installHome } from "./install-home.ts";
import { ecosystemOf, readManifest } from "./manifests.ts";
import { hunk, ours, type Said, theirs } from "../pair-finding.ts";
import type { PairScene, SideChanges } from "../scene.ts";
import { type Ecosystem, haveVersionInCommon } from "./version-range.ts";

/** A requirement that a side has now and did not have before. */
export interface Want {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly range: string;
  /** The version that the manifest asked for before. Undefined if it did not ask. */
  readonly before: string | undefined;
  readonly path: string;
  /** The directory that it is installed from. */
  readonly home: string;
  readonly line: number;
  readonly text: string;
}

export async function reviewDependencyDrift(scene: PairScene): Promise<Said[]> {
  if (!changesManifest(scene.ours) || !changesManifest(scene.theirs)) return [];
  const merged = (await scene.tree("merged")).blobs;
  const homeOf = (path: string): string => installHome(path, (one) => merged.has(one));
  return drifts(await wants(scene, scene.ours, homeOf), await wants(scene, scene.theirs, homeOf));
}

/** Pure. */
export function drifts(our: readonly Want[], their: readonly Want[]): Said[] {
  const groups = new Map<string, Evidence[]>();
  for (const mine of our) {
    for (const yours of their) {
      if (mine.ecosystem !== yours.ecosystem || mine.name !== yours.name || mine.home !== yours.home) continue;
      if (!areApart(mine.range, yours.range, mine.ecosystem)) continue;
      // They went different ways before, and nobody minded.
      if (areApart(mine.before, yours.before, mine.ecosystem)) continue;
      const key = `${mine.ecosystem} ${mine.name}`;
      groups.set(key, [...(groups.get(key) ?? []), evidenceOf(mine, yours)]);
    }
  }
  return [...groups].map(([subject, evidence]) => {
    const name = evidence[0]?.symbol ?? subject;
    return {
      subject,
      title: `${ours} and ${theirs} set ${name} to versions that do not fit together`,
      action: `Agree on one version of ${name}.`,
      symbols: [],
      evidence,
    };
  });
}

/** True only when both are known and have no version in common. */
function areApart(left: string | undefined, right: string | undefined, ecosystem: Ecosystem): boolean {
  return left !== undefined && right !== undefined && haveVersionInCommon(left, right, ecosystem) === false;
}

function evidenceOf(mine: Want, yours: Want): Evidence {
  return {
    rule: "incompatible",
    path: mine.path < yours.path ? mine.path : yours.path,
    symbol: mine.name,
    ours: [hunk(mine.path, mine.line, mine.text)],
    theirs: [hunk(yours.path, yours.line, yours.text)],
    message: `${mine.name}: ${mine.range} in ${mine.path} (${ours}), ${yours.range} in ${yours.path} (${theirs}).`,
  };
}

const changesManifest = (side: SideChanges): boolean => side.files.some(({ path }) => ecosystemOf(path) !== undefined);

async function wants(scene: PairScene, side: SideChanges, homeOf: (path: string) => string): Promise<Want[]> {
  const found: Want[] = [];
  for (const { path, before: old, after } of side.files) {
    // A manifest that git cannot merge is spoken of already.
    if (after === undefined || ecosystemOf(path) === undefined || scene.conflicted.has(path)) continue;
    if (scene.excluded(path) !== undefined) continue;
    const text = (await scene.read(after.blob)) ?? "";
    const now = readManifest(path, text);
    if (now === undefined) continue;
    const past = old === undefined ? undefined : readManifest(path, (await scene.read(old.blob)) ?? "");
    const known = new Map(past?.requirements.map(({ name, range }) => [name, range]));
    for (const { name, range } of now.requirements) {
      if (known.get(name) === range) continue;
      const before = known.get(name);
      found.push({ ecosystem: now.ecosystem, name, range, before, path, home: homeOf(path), ...lineOf(text, name) });
    }
  }
  return found;
}

/** The line that names the dependency, for showing. */
function lineOf(text: string, name: string): { line: number; text: string } {
  const lines = text.split("\n");
  const plain = name.replaceAll("-", "");
  const at = lines.findIndex((line) => line.toLowerCase().replaceAll(/[-_]/g, "").includes(plain.toLowerCase()));
  return at === -1 ? { line: 1, text: lines[0] ?? "" } : { line: at + 1, text: lines[at] ?? "" };
}
