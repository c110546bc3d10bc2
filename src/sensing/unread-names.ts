// Files that no language reads (scripts, templates, configuration, schemas) name things that code defines, and the other way round.
// Where new lines of one side name what the other side took away, and one of the two files is not read, nobody can say
// whether it breaks: the silence says so. It is no alarm, because a name alone proves nothing.

import { listed } from "../protocol/listed.ts";
import { counted } from "../protocol/counted.ts";
import { ours, theirs } from "../core/findings/pair-finding.ts";
import type { PairScene, SideChanges } from "../core/findings/scene.ts";
import type { Language } from "../languages/language.ts";
import { isCommon, noNames, sameName, type TextNames, textNames } from "../languages/text-names.ts";
import { Bounded } from "../ports/bounded.ts";
import type { ChangedFile } from "../ports/git.ts";
import type { OpenPart } from "../protocol/findings.ts";
import { rememberUnlessFailed } from "../ports/unless-failed.ts";

type Scene = Pick<PairScene, "ours" | "theirs" | "excluded" | "read" | "conflicted">;

/** The place where a name stands. */
interface Place {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** The module that a quoted name is said to be in. */
  readonly where?: string | undefined;
}

/** The names that a side takes away and those that its new lines use, by the name as no language in particular writes it. */
export interface SideNames {
  readonly gone: ReadonlyMap<string, readonly Place[]>;
  readonly used: ReadonlyMap<string, readonly Place[]>;
  readonly quoted: ReadonlyMap<string, readonly Place[]>;
}

/** A side with more files than this has caught up with others; what it took away is not its own work. */
const mostFiles = 400;
const mostPlaces = 8;
const mostTold = 5;

export async function openNames(
  scene: Scene,
  languages: readonly Language[],
  known: readonly OpenPart[],
): Promise<OpenPart[]> {
  const [our, their] = await Promise.all([namesOf(scene.ours, scene), namesOf(scene.theirs, scene)]);
  const told = new Set(known.flatMap(({ paths = [] }) => paths));
  const met = [...meetings(our, their, languages, [ours, theirs]), ...meetings(their, our, languages, [theirs, ours])];
  const fresh = met.filter(({ used, gone }) => ![used.path, gone.path].some((path) => told.has(path)));
  const parts = new Map<string, OpenPart>();
  for (const { used, gone, sides } of fresh) {
    const why = `${used.path}:${used.line} (${sides[1]}) names ${used.name}, which ${sides[0]} changes in ${gone.path}: whether it still fits was not checked`;
    if (!parts.has(`${used.path} ${gone.path}`))
      parts.set(`${used.path} ${gone.path}`, { what: "language", why, paths: [used.path, gone.path] });
  }
  const all = [...parts.values(), ...tooLarge(scene, languages)];
  const left = all.slice(mostTold);
  if (left.length === 0) return all;
  const why = `${counted(left.length, "more file names", "more files name")} what the other side changes; whether that still fits was not checked`;
  return [
    ...all.slice(0, mostTold),
    { what: "language", why, paths: left.flatMap(({ paths = [] }) => paths).slice(0, 20) },
  ];
}

/** Names of a side with so many files were not read; that is said where there is a file for which it matters. */
function tooLarge({ ours: our, theirs: their, excluded }: Scene, languages: readonly Language[]): OpenPart[] {
  const isUnread = ({ path }: ChangedFile): boolean =>
    !isProse(path) && excluded(path) === undefined && !languages.some(({ sources }) => sources.test(path));
  const large = [...(our.files.length > mostFiles ? [ours] : []), ...(their.files.length > mostFiles ? [theirs] : [])];
  if (large.length === 0 || ![...our.files, ...their.files].some(isUnread)) return [];
  const why = `${listed(large)} ${large.length === 1 ? "changes" : "change"} more than ${mostFiles} files: names in files of which one is not read were not compared`;
  return [{ what: "bound", why }];
}

interface Meeting {
  readonly gone: Place;
  readonly used: Place;
  readonly sides: readonly [string, string];
}

function meetings(
  one: SideNames,
  other: SideNames,
  languages: readonly Language[],
  sides: readonly [string, string],
): Meeting[] {
  const found: Meeting[] = [];
  const readerOf = (path: string): Language | undefined => languages.find(({ sources }) => sources.test(path));
  for (const [name, places] of one.gone) {
    for (const gone of places) {
      const reader = readerOf(gone.path);
      for (const used of other.used.get(name) ?? []) {
        // What a language reads on both sides it judges itself, and one file of both is git's.
        if ((reader !== undefined && readerOf(used.path) !== undefined) || used.path === gone.path) continue;
        if (!isCommon(gone.name)) found.push({ gone, used, sides });
      }
      for (const used of other.quoted.get(name) ?? [])
        if (used.path !== gone.path && isThere(used, gone)) found.push({ gone, used, sides });
    }
  }
  return found;
}

/** A name in quotes that says where it is to be found says so rightly. */
function isThere({ where, name }: Place, { path }: Place): boolean {
  if (where === undefined) return !isCommon(name);
  const [file = "", parent] = path.split("/").toReversed();
  return [file, file.replace(/\.\w+$/, ""), parent].includes(where);
}

/** The same side is compared with many others. */
const knownSides = new WeakMap<SideChanges, Promise<SideNames>>();

export function namesOf(side: SideChanges, scene: Pick<Scene, "read" | "excluded">): Promise<SideNames> {
  return rememberUnlessFailed(knownSides, side, () => readSide(side, scene));
}

async function readSide(side: SideChanges, { read, excluded }: Pick<Scene, "read" | "excluded">): Promise<SideNames> {
  const names = {
    gone: new Map<string, Place[]>(),
    used: new Map<string, Place[]>(),
    quoted: new Map<string, Place[]>(),
  };
  if (side.files.length > mostFiles) return names;
  for (const file of side.files) {
    const { path, from, change } = file;
    if (excluded(path) !== undefined) continue;
    const left = change === "deleted" ? path : from;
    if (left !== undefined) put(names.gone, { path: left, line: 1, name: left.slice(left.lastIndexOf("/") + 1) });
    if (isProse(path)) continue;
    const { gone, used, quoted } = await namesIn(file, read);
    for (const name of gone) put(names.gone, { path: left ?? path, line: 1, name });
    for (const [name, line] of used) put(names.used, { path, line, name });
    for (const [name, { line, where }] of quoted) put(names.quoted, { path, line, name, where });
  }
  return names;
}

/**
 * What changes with an edit is one file of its side; the others were read before. In bytes: one without any names takes a kilobyte, with its key and
 * its maps. It was counted as a tenth of that, so that the memory grew for 80,000 edits.
 */
const knownFiles = new Bounded<TextNames>(
  4_000_000,
  ({ gone, used, quoted }) => 1_000 + 80 * (gone.length + used.size + quoted.size),
);

async function namesIn({ path, before, after }: ChangedFile, read: Scene["read"]): Promise<TextNames> {
  const isFile = (stage: ChangedFile["before"]): boolean => stage?.mode.startsWith("100") === true;
  if (!isFile(before) && !isFile(after)) return noNames;
  const [old, now] = [before, after].map((stage) => (stage !== undefined && isFile(stage) ? stage.blob : ""));
  const key = `${old} ${now} ${path}`;
  const known = knownFiles.get(key);
  if (known !== undefined) return known;
  const text = async (blob = ""): Promise<string | undefined> => (blob === "" ? "" : await read(blob));
  const [was, is] = [await text(old), await text(now)];
  // What could not be read is named elsewhere, and may be readable the next time.
  if (was === undefined || is === undefined) return noNames;
  const found = textNames(path, was, is);
  knownFiles.set(key, found);
  return found;
}

function put(names: Map<string, Place[]>, place: Place): void {
  const key = sameName(place.name);
  for (const one of new Set([key, key.replace(/^(get|set|has|is)(?=.{3})/, "")])) {
    const places = names.get(one);
    if (places === undefined) names.set(one, [place]);
    else if (places.length < mostPlaces) places.push(place);
  }
}

/** Words for people: what they name is not used by anything. */
export const isProse = (path: string): boolean =>
  (/\.(md|markdown|rst|adoc|txt|po|pot|csv|tsv|svg|log|patch|diff|lock)$/i.test(path) &&
    !path.endsWith("CMakeLists.txt")) ||
  /(^|\/)(LICEN[SC]E|CHANGELOG|CHANGES|AUTHORS|NOTICE|README|COPYING|CODEOWNERS)[^/]*$/i.test(path);
