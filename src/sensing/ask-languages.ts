// Asks every language that both sides touch what breaks in the merge, and says what the languages could not read.

import { counted } from "../protocol/counted.ts";
import type { PairScene, SideChanges } from "../core/findings/scene.ts";
import { ours, theirs } from "../core/findings/pair-finding.ts";
import { concerns, type Language, type OpenLanguage, type Unreadable } from "../languages/language.ts";
import type { SemanticConflict, SemanticInput, SemanticOutcome, TreeView } from "../ports/semantic.ts";
import { layered } from "../ports/tree-layers.ts";
import type { OpenPart } from "../protocol/findings.ts";
import { some } from "./open-parts.ts";
import { rememberUnlessFailed } from "../ports/unless-failed.ts";

export type SceneTrees = Omit<PairScene, "broken">;

export interface LanguagesSaid {
  readonly broken: readonly SemanticConflict[];
  readonly open: readonly OpenPart[];
}

/** `ask` puts the question to one of them. `isApart`: the two changed no path in common, and the languages may answer by what they know of each side. */
export async function askLanguages(
  scene: SceneTrees,
  languages: readonly OpenLanguage[],
  ask: (language: OpenLanguage, input: SemanticInput) => Promise<SemanticOutcome>,
  isApart = false,
): Promise<LanguagesSaid> {
  const broken: SemanticConflict[] = [];
  const open: OpenPart[] = [];
  for (const one of languages.filter(({ language }) => isTouchedByBoth(scene, language))) {
    const early = isApart ? await apartOf(scene, one) : undefined;
    const outcome = early ?? (await checkMerged(scene, one.language, (input) => ask(one, input)));
    broken.push(...outcome.conflicts);
    open.push(...(await unreadable(scene, one)), ...bounds(one.language.title, outcome), ...unsureUses(outcome));
  }
  return { broken, open };
}

export function isTouchedByBoth(scene: Pick<PairScene, "ours" | "theirs">, language: Language): boolean {
  return touches(scene.ours, language) && touches(scene.theirs, language);
}

/** A side is compared with many others. */
const touched = new WeakMap<SideChanges, Map<Language, boolean>>();

function touches(side: SideChanges, language: Language): boolean {
  const known = touched.get(side) ?? new Map<Language, boolean>();
  touched.set(side, known);
  const before = known.get(language);
  if (before !== undefined) return before;
  const does = side.files.some(
    ({ path, from }) => concerns(language, path) || (from !== undefined && concerns(language, from)),
  );
  known.set(language, does);
  return does;
}

async function apartOf(scene: SceneTrees, { apart }: OpenLanguage): Promise<SemanticOutcome | undefined> {
  if (apart === undefined || scene.signal?.aborted === true) return undefined;
  const [base, our, their] = await Promise.all([scene.tree("base"), scene.tree("ours"), scene.tree("theirs")]);
  return await apart({ base, ours: our, theirs: their, read: scene.read });
}

/**
 * With conflict markers in a file that says where modules are nothing would be found any more, and everything would seem
 * broken; JSON that is imported has no names then. Nobody knows what such a file will say, so a conflict counts only if it is there with either side's
 * version. A source with markers is left as it is: the uses in it are nobody's yet.
 */
async function checkMerged(
  scene: SceneTrees,
  { sources }: Language,
  check: (input: SemanticInput) => Promise<SemanticOutcome>,
): Promise<SemanticOutcome> {
  const [base, our, their, merged] = await Promise.all([
    scene.tree("base"),
    scene.tree("ours"),
    scene.tree("theirs"),
    scene.tree("merged"),
  ]);
  const signal = scene.signal === undefined ? {} : { signal: scene.signal };
  const input = { base, ours: our, theirs: their, merged, read: scene.read, ...signal };
  const doubtful = [...scene.conflicted].filter((path) => !sources.test(path));
  if (doubtful.length === 0) return await check(input);
  const first = await check({ ...input, merged: withVersions(merged, doubtful, our) });
  if (first.conflicts.length === 0) return first;
  const second = await check({ ...input, merged: withVersions(merged, doubtful, their) });
  const both = new Set(second.conflicts.map(keyOf));
  return { ...first, conflicts: first.conflicts.filter((one) => both.has(keyOf(one))) };
}

function withVersions(merged: TreeView, paths: readonly string[], side: TreeView): TreeView {
  const blobs = layered(
    merged.blobs,
    paths.map((path) => [path, side.blobs.get(path)] as const),
  );
  return { id: `${merged.id}+${side.id}`, blobs };
}

const keyOf = ({ symbol, use }: SemanticConflict): string => `${symbol} ${use.path}:${use.line}`;

/** Changed files that do not parse. A file with conflict markers does not either; the textual finding says so better. */
async function unreadable(scene: SceneTrees, open: OpenLanguage): Promise<OpenPart[]> {
  const [our, their] = await Promise.all([
    unreadableOf(scene.ours, open, scene.read),
    unreadableOf(scene.theirs, open, scene.read),
  ]);
  const files = new Map([...our, ...their].map((one) => [one.path, one]));
  const all = [...files.values()].filter(
    ({ path }) => !scene.conflicted.has(path) && scene.excluded(path) === undefined,
  );
  const sidesOf = (paths: readonly string[]): NonNullable<OpenPart["sides"]> => [
    ...(our.some(({ path }) => paths.includes(path)) ? (["ours"] as const) : []),
    ...(their.some(({ path }) => paths.includes(path)) ? (["theirs"] as const) : []),
  ];
  const shown = all.slice(0, 10).map(({ path, why, line }): OpenPart => {
    const where = line === undefined ? "" : ` at line ${line}`;
    return {
      what: "syntax",
      why: `${path} was not checked: ${why}${where}`,
      paths: [path],
      sides: sidesOf([path]),
    };
  });
  const left = all.slice(10).map(({ path }) => path);
  if (left.length > 0) {
    const why = `not checked: ${counted(left.length, "more file")}`;
    shown.push({ what: "syntax", why, paths: some(left), sides: sidesOf(left) });
  }
  return shown;
}

type UnreadableFile = Unreadable & { readonly path: string };

/** The same side is compared with many others: what of it cannot be read is worked out once while its changes are kept. */
const known = new WeakMap<SideChanges, Map<string, Promise<readonly UnreadableFile[]>>>();

/** The changed files of a side that a language cannot read. */
export function unreadableOf(
  side: SideChanges,
  open: OpenLanguage,
  read: SceneTrees["read"],
): Promise<readonly UnreadableFile[]> {
  const byLanguage = known.get(side) ?? new Map<string, Promise<readonly UnreadableFile[]>>();
  known.set(side, byLanguage);
  return rememberUnlessFailed(byLanguage, open.language.name, () => readAll(side, open, read));
}

async function readAll(side: SideChanges, open: OpenLanguage, read: SceneTrees["read"]): Promise<UnreadableFile[]> {
  const found: UnreadableFile[] = [];
  for (const { path, after } of side.files) {
    if (after?.mode.startsWith("100") !== true || !open.language.sources.test(path)) continue;
    const why = await open.unreadable(path, after.blob, read);
    if (why !== undefined) found.push({ path, ...why });
  }
  return found;
}

/** More than this say nothing new to a reader. */
const mostUnsure = 5;

function unsureUses({ unsure = [] }: SemanticOutcome): OpenPart[] {
  const names = { ours: [ours, theirs], theirs: [theirs, ours] } as const;
  const shown = unsure.slice(0, mostUnsure).map((one): OpenPart => {
    const { side, path, line, symbol, definition, definitionLine, because } = one;
    const [user, other] = names[side];
    const where = definitionLine === undefined ? definition : `${definition}:${definitionLine}`;
    const why = `${path}:${line} (${user}) uses ${symbol}, which ${other} changes in ${where}: ${because}`;
    return { what: "language", why, paths: [path, definition] };
  });
  const left = unsure.slice(mostUnsure).map(({ path }) => path);
  if (left.length === 0) return shown;
  const why = `whether ${counted(left.length, "more use")} of what the other side changes still ${left.length === 1 ? "fits" : "fit"} was not checked`;
  return [...shown, { what: "language", why, paths: some(left) }];
}

function bounds(title: string, outcome: SemanticOutcome): OpenPart[] {
  if (outcome.complete) return [];
  const why = boundsOf(outcome)
    .replaceAll(/\bours:/g, `${ours}:`)
    .replaceAll(/\btheirs:/g, `${theirs}:`);
  return [{ what: "bound", why: `${title} was checked only in part: ${why === "" ? "the time ran out" : why}` }];
}

/** Says which bounds were hit. What is said of single files is told by `unreadable`. */
export function boundsOf({ notes }: SemanticOutcome): string {
  return notes.filter((note) => !/passed over|does not parse|cannot be read as text/.test(note)).join("; ");
}
