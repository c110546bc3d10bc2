// What is wrong with a line of work whatever the others do: a file that it changed does not parse, or has conflict markers in it. Told of the
// pair with the branch that it lands on, where the languages are asked only about what both sides touch.

import type { SideChanges } from "../core/findings/scene.ts";
import { readText } from "../core/findings/scene.ts";
import { Bounded } from "../ports/bounded.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { ReadBlob } from "../ports/semantic.ts";
import type { OpenPart } from "../protocol/findings.ts";
import { isTouchedByBoth, unreadableOf } from "./ask-languages.ts";
import type { MergedPair } from "./merged-pair.ts";
import type { RepositoryMemory } from "./repository-memory.ts";

/** More files than these say nothing new to a reader. */
const mostNamed = 10;

export async function ownFaults(
  observer: RepositoryObserver,
  { trees, languages }: RepositoryMemory,
  { ours, theirs, merge, patterns }: MergedPair,
): Promise<OpenPart[]> {
  const [base] = merge.bases;
  const which = theirs.isLanding === true ? "ours" : ours.isLanding === true ? "theirs" : undefined;
  if (base === undefined || which === undefined) return [];
  const [own, landing] = which === "ours" ? [ours, theirs] : [theirs, ours];
  const [changes, there] = await Promise.all(
    [own, landing].map(({ snapshot }) => trees.changes(observer, base, snapshot)),
  );
  if (changes === undefined || there === undefined || changes.files.length === 0) return [];
  const read = readText(observer);
  const tree = await trees.sideView(observer, base, own.snapshot);
  const excluded = await trees.exclusions(tree, read, patterns);
  const sides = [which] as const;
  const found: OpenPart[] = [];
  for (const { path, line } of await markedFiles(changes, read))
    if (excluded(path) === undefined)
      found.push({ what: "syntax", why: `${path} has conflict markers at line ${line}`, paths: [path], sides });
  const marked = new Set(found.flatMap(({ paths = [] }) => paths));
  // Where both touched a language, its own answer about the merge says so already.
  const apart = languages.all.filter(({ language }) => !isTouchedByBoth({ ours: changes, theirs: there }, language));
  for (const language of apart)
    for (const { path, why, line } of await unreadableOf(changes, language, read)) {
      if (marked.has(path) || excluded(path) !== undefined) continue;
      const where = line === undefined ? "" : ` at line ${line}`;
      found.push({ what: "syntax", why: `${path} was not checked: ${why}${where}`, paths: [path], sides });
    }
  return found.slice(0, mostNamed);
}

interface Marked {
  readonly path: string;
  readonly line: number;
}

const known = new WeakMap<SideChanges, Promise<readonly Marked[]>>();

/** The changed files in which the change left conflict markers; those that were there before are nobody's mistake of today. */
function markedFiles(changes: SideChanges, read: ReadBlob): Promise<readonly Marked[]> {
  const before = known.get(changes);
  if (before !== undefined) return before;
  const found = searched(changes, read);
  known.set(changes, found);
  found.catch(() => known.delete(changes));
  return found;
}

async function searched({ files }: SideChanges, read: ReadBlob): Promise<Marked[]> {
  const marked: Marked[] = [];
  for (const { path, before, after } of files) {
    if (after?.mode.startsWith("100") !== true) continue;
    const line = await markersIn(after.blob, read);
    if (line === undefined) continue;
    if (before === undefined || (await markersIn(before.blob, read)) === undefined) marked.push({ path, line });
  }
  return marked;
}

/** By blob, the line of the first markers; 0 for none. Every edit makes another tree of the same few files. */
const lines = new Bounded<number>(20_000);

async function markersIn(blob: string, read: ReadBlob): Promise<number | undefined> {
  const before = lines.get(blob);
  if (before !== undefined) return before === 0 ? undefined : before;
  const text = await read(blob);
  if (text === undefined) return undefined;
  const line = conflictLine(text);
  lines.set(blob, line ?? 0);
  return line;
}

const opening = /^<{7} \S.*$/m;

/** The line of the first conflict as git writes one: its three kinds of lines, in their order. */
export function conflictLine(text: string): number | undefined {
  if (!text.includes("<<<<<<< ") || !text.includes(">>>>>>> ")) return undefined;
  const first = opening.exec(text);
  if (first === null) return undefined;
  const rest = text.slice(first.index);
  const middle = /^={7}\r?$/m.exec(rest);
  if (middle === null || !/^>{7} \S.*$/m.test(rest.slice(middle.index))) return undefined;
  return text.slice(0, first.index).split("\n").length;
}
