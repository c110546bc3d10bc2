// Lists what could not be looked at in a pair whatever the reviewers do: languages that nobody reads, files that were not read wholly,
// worktrees in the middle of something.

import { counted } from "../protocol/counted.ts";
import { ours, theirs } from "../core/findings/pair-finding.ts";
import type { PairScene, SideChanges } from "../core/findings/scene.ts";
import type { Language } from "../languages/language.ts";
import { unreadLanguages } from "../languages/unread.ts";
import type { Flag, FlagReason } from "../ports/git.ts";
import type { OpenPart } from "../protocol/findings.ts";
import { withArticle } from "../protocol/operation-words.ts";
import type { ReviewedSide } from "./merged-pair.ts";

/** More paths than this say nothing new to a reader. */
const mostPaths = 20;

/** Languages that take part on both sides, or use what the other side works on, and are not read. */
export function openLanguages(
  scene: Pick<PairScene, "ours" | "theirs" | "excluded">,
  languages: readonly Language[],
): OpenPart[] {
  const [our, their] = [unreadIn(scene.ours), unreadIn(scene.theirs)];
  return unreadLanguages.flatMap(({ title, files, uses }): OpenPart[] => {
    if (!our.has(title) && !their.has(title)) return [];
    const paths = [touched(scene, scene.ours, [files]), touched(scene, scene.theirs, [files])];
    if (paths.every(({ length }) => length === 0)) return [];
    const used = languages.filter(({ name }) => uses.includes(name)).map((one) => one.sources);
    const met = [touched(scene, scene.theirs, [files, ...used]), touched(scene, scene.ours, [files, ...used])];
    const meets = paths.some((one, at) => one.length > 0 && met[at]?.length !== 0);
    const all = [...new Set(paths.flat())].sort();
    if (!meets) return [];
    const what = all.length === 1 ? (all[0] ?? "") : `${all.length} files`;
    return [{ what: "language", why: `${title} is not read: only the text of ${what} was compared`, paths: some(all) }];
  });
}

/** A side meets every other one, and mostly has nothing in a language that is not read. */
const unreadOfSide = new WeakMap<SideChanges, ReadonlySet<string>>();

/** The languages that nobody reads in which the side has a file. */
function unreadIn(side: SideChanges): ReadonlySet<string> {
  const before = unreadOfSide.get(side);
  if (before !== undefined) return before;
  const paths = [...side.paths];
  const has = unreadLanguages.filter(({ files }) => paths.some((path) => files.test(path)));
  const titles = new Set(has.map(({ title }) => title));
  unreadOfSide.set(side, titles);
  return titles;
}

function touched({ excluded }: Pick<PairScene, "excluded">, side: SideChanges, files: readonly RegExp[]): string[] {
  const found: string[] = [];
  for (const path of side.paths) {
    if (files.some((one) => one.test(path)) && excluded(path) === undefined) found.push(path);
  }
  return found;
}

const flagWords: Readonly<Record<FlagReason, (path: string, side: string) => string>> = {
  "too-large": (path, side) => `${path} (${side}) is too large to be compared by its content`,
  filtered: (path, side) =>
    `${path} (${side}) goes through a filter program that is not run, and was compared as it is`,
  unreadable: (path, side) => `${path} (${side}) cannot be read`,
  "too-many": (path, side) => `${side} has more new files than are compared; those after ${path} were left out`,
  "unfinished-submodule": (path, side) =>
    `uncommitted work inside the submodule ${path} (${side}) was not compared: commit it there`,
  unmerged: (path, side) => `${path} (${side}) has a conflict that is not resolved yet`,
  hidden: (path, side) =>
    `${path} (${side}) was changed, but git is told to leave it alone (assume-unchanged or skip-worktree): compared without the change`,
  "nested-repository": (path, side) => `${path} (${side}) is a repository of its own, and was left out`,
};

export function openClaims(unknown: string | undefined): OpenPart[] {
  return unknown === undefined ? [] : [{ what: "claims", why: `what is claimed is not known: ${unknown}` }];
}

export function openFiles(our: ReviewedSide, their: ReviewedSide): OpenPart[] {
  return [...flagged(our.snapshot.flags, ours, "ours"), ...flagged(their.snapshot.flags, theirs, "theirs")];
}

function flagged(flags: readonly Flag[], side: string, which: "ours" | "theirs"): OpenPart[] {
  const sides = [which];
  const shown = flags.slice(0, mostPaths).map(({ path, reason }): OpenPart => ({
    what: "file",
    why: flagWords[reason](path, side),
    paths: [path],
    sides,
  }));
  const left = flags.slice(mostPaths).map(({ path }) => path);
  return left.length === 0
    ? shown
    : [
        ...shown,
        {
          what: "file",
          why: `not compared wholly: ${counted(left.length, "more file")} of ${side}`,
          paths: left,
          sides,
        },
      ];
}

export function openOperations(our: ReviewedSide, their: ReviewedSide): OpenPart[] {
  return [
    { side: our, name: ours },
    { side: their, name: theirs },
  ].flatMap(({ side, name }): OpenPart[] =>
    side.operation === undefined
      ? []
      : [
          {
            what: "comparison",
            why: `${name} is in the middle of ${withArticle(side.operation)}: its files are not final`,
          },
        ],
  );
}

/** Returns what was not known of each side when it was taken. */
export function openSides(our: ReviewedSide, their: ReviewedSide): OpenPart[] {
  return [...(our.open ?? []), ...(their.open ?? [])];
}

export function some(paths: readonly string[]): string[] {
  return paths.slice(0, mostPaths);
}
