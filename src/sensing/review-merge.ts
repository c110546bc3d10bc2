// Reviews what follows from the trees of a pair: the scene is set, the languages are asked, and every reviewer speaks.

import { counted } from "../protocol/counted.ts";
import type { PairFinding, Reviewed } from "../core/findings/pair-finding.ts";
import { reviewBroken, reviewTrees } from "../core/findings/kinds.ts";
import { withTrueEvidence } from "../core/findings/true-evidence.ts";
import { overlaid, type PairScene, type SideChanges } from "../core/findings/scene.ts";
import type { OpenLanguage } from "../languages/language.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { ReadBlob, SemanticInput, SemanticOutcome, TreeView } from "../ports/semantic.ts";
import type { OpenPart } from "../protocol/findings.ts";
import { askLanguages, type SceneTrees } from "./ask-languages.ts";
import { noteLacking, openLacking } from "./lacking-files.ts";
import type { MergedPair } from "./merged-pair.ts";
import { openLanguages } from "./open-parts.ts";
import type { RepositoryMemory } from "./repository-memory.ts";
import { openUnfollowed } from "./unfollowed.ts";
import { openNames } from "./unread-names.ts";

type Ask = (language: OpenLanguage, input: SemanticInput) => Promise<SemanticOutcome>;

/** A pair with more than this has one problem, not a thousand. */
const maxFindings = 200;

export async function reviewMerge(
  observer: RepositoryObserver,
  memory: RepositoryMemory,
  pair: MergedPair,
): Promise<Reviewed> {
  const lacking = new Set<string>();
  const trees = await sceneOf(observer, memory, pair, noteLacking(observer, lacking));
  if (trees === undefined) return { findings: [], open: [], unread: [] };
  // git was not asked for a tree where the two changed different paths.
  const isApart = pair.merge.kind === "clean" && pair.merge.tree === undefined;
  const said = await askLanguages(trees, memory.languages.all, (one, input) => one.check(input), isApart);
  const scene: PairScene = { ...trees, broken: said.broken };
  const all = await reviewTrees(scene);
  const languages = memory.languages.all.map(({ language }) => language);
  const unread = openLanguages(scene, languages);
  const findings = await withTrueEvidence(all.slice(0, maxFindings), scene);
  const open = [
    ...unread,
    ...(await openNames(scene, languages, unread)),
    ...(await openUnfollowed(scene)),
    ...openDriven(scene),
    ...leftOut(all),
    ...stopped(pair.signal),
  ];
  return {
    findings,
    open: [...open, ...(await openLacking(scene, lacking, pathsOf([...open, ...said.open])))],
    unread: said.open,
    // Drivers are in settings, which no tree tells.
    ...(lacking.size + scene.driven.size === 0 ? {} : { isForNow: true }),
  };
}

/** Returns what the languages say when they are asked in another way than by their syntax alone. */
export async function reviewLanguages(
  observer: RepositoryObserver,
  memory: RepositoryMemory,
  pair: MergedPair,
  ask: Ask,
): Promise<{ readonly findings: readonly PairFinding[]; readonly open: readonly OpenPart[] }> {
  const lacking = new Set<string>();
  const trees = await sceneOf(observer, memory, pair, noteLacking(observer, lacking));
  if (trees === undefined) return { findings: [], open: [] };
  const { broken, open } = await askLanguages(trees, memory.languages.all, ask);
  const scene = { ...trees, broken };
  const all = await reviewBroken(scene);
  const findings = await withTrueEvidence(all.slice(0, maxFindings), scene);
  return { findings, open: [...open, ...leftOut(all), ...(await openLacking(scene, lacking, pathsOf(open)))] };
}

const pathsOf = (open: readonly OpenPart[]): ReadonlySet<string> => new Set(open.flatMap(({ paths = [] }) => paths));

/** The values that `merge=` may name without a program. */
const ownWays: ReadonlySet<string> = new Set(["text", "binary", "union"]);

/** git is told to have a program merge these; which that is the clone's settings say, and where they do not, git merges them as text. */
async function drivenFiles(
  observer: RepositoryObserver,
  { mergedBy }: PairScene["excluded"],
  our: SideChanges,
  their: SideChanges,
): Promise<ReadonlyMap<string, string>> {
  const named = [...our.paths].flatMap((path): [string, string][] => {
    const driver = their.paths.has(path) ? mergedBy?.(path) : undefined;
    return driver === undefined || ownWays.has(driver) ? [] : [[path, driver]];
  });
  if (named.length === 0) return new Map();
  const drivers = await observer.mergeDrivers();
  return new Map(named.filter(([, driver]) => drivers.has(driver)));
}

function openDriven({ driven }: Pick<PairScene, "driven">): OpenPart[] {
  return [...driven].map(([path, driver]): OpenPart => ({
    what: "file",
    why: `${path} is merged by the driver ${driver}, which is not run: only its text was compared`,
    paths: [path],
  }));
}

function leftOut(all: readonly PairFinding[]): OpenPart[] {
  const left = all.length - maxFindings;
  return left <= 0 ? [] : [{ what: "bound", why: `not shown: ${counted(left, "more finding")}` }];
}

function stopped(signal: AbortSignal): OpenPart[] {
  return signal.aborted ? [{ what: "bound", why: "the comparison was stopped before its end" }] : [];
}

/** The tree to read attribute files from: the base, whose answer is known, where our side left them alone. */
async function attributesOf(ours: TreeView, { paths }: SideChanges, base: () => Promise<TreeView>): Promise<TreeView> {
  for (const path of paths) if (path.endsWith(".gitattributes")) return ours;
  return await base();
}

/** undefined when one side changed nothing: then there is nothing to collide with. */
async function sceneOf(
  observer: RepositoryObserver,
  { trees: memory, languages }: RepositoryMemory,
  { ours: our, theirs: their, merge, patterns, signal }: MergedPair,
  read: ReadBlob,
): Promise<SceneTrees | undefined> {
  // With several bases git merges them first; the first one is near enough to say what a side is working on, and a
  // reference must hold on both sides and break in the true merge whatever the base was.
  const [base] = merge.bases;
  if (base === undefined) return undefined;
  const [ours, theirs] = [our.snapshot, their.snapshot];
  const [ourChanges, theirChanges] = await Promise.all([
    memory.changes(observer, base, ours),
    memory.changes(observer, base, theirs),
  ]);
  if (ourChanges.files.length === 0 || theirChanges.files.length === 0) return undefined;
  const ourTree = await memory.sideView(observer, base, ours);
  const tree: PairScene["tree"] = async (which) => {
    if (which === "base") return await memory.view(observer, base);
    if (which === "ours") return ourTree;
    if (which === "theirs") return await memory.sideView(observer, base, theirs);
    if (merge.tree === undefined) return overlaid(ourTree, theirChanges);
    // What the merge brings to our side is little, and cheaper to ask for than the whole tree.
    return await memory.sideView(observer, ours.tree, { ...ours, tree: merge.tree });
  };
  const conflicts = merge.kind === "conflicted" ? merge.conflicts : [];
  const excluded = await memory.exclusions(
    await attributesOf(ourTree, ourChanges, () => memory.view(observer, base)),
    read,
    patterns,
  );
  return {
    ours: ourChanges,
    theirs: theirChanges,
    conflicts,
    conflicted: new Set(conflicts.flatMap(({ path, otherPaths }) => [path, ...otherPaths])),
    excluded,
    driven: await drivenFiles(observer, excluded, ourChanges, theirChanges),
    languages,
    read,
    tree,
    signal,
  };
}
