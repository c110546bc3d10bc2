// Names uses that are right on their own side and wrong in the merged tree. For each file a side changed, its uses are followed
// on that side; only those that pass through a file the other side changed are followed again in the merged tree, and what
// is broken there, and on no side alone, is a conflict. Explaining it is left to explain.ts.

import { namedByText, type PythonSummary, type PythonUse, throughLocal } from "../facts.ts";
import { nameRef, parseRef } from "../ref.ts";
import type {
  ApartInput,
  SemanticConflict,
  SemanticInput,
  SemanticOutcome,
  Side,
  TreeView,
} from "../../../ports/semantic.ts";
import { type ChangedFiles, changedFiles, type Changes, otherSide } from "../../check/changed-files.ts";
import { changesOf, drive, type LanguageRules, type PairRules, type PairScene } from "../../check/driver.ts";
import { type Findings, maxFilesPerSide } from "../../check/findings.ts";
import { type Moved, movedFiles } from "../../check/moved-files.ts";
import { duplicateDefinitions } from "./duplicate-definitions.ts";
import { danglingNames } from "./dangling-names.ts";
import { Explainer, type Suspect } from "./explain.ts";
import { GoneNames } from "./gone-names.ts";
import { isPython, ProjectTree } from "./project-tree.ts";
import { type Resolution, Resolver } from "./resolver.ts";
import { sourceRoots } from "./source-roots.ts";
import { type PythonPorts, Summaries } from "./summaries.ts";
import { directoriesOf } from "./tree-difference.ts";
import { ChangedModules, type Unsure } from "./unsure-uses.ts";
import { FileUses, stepOf, touches, verdict } from "./use-verdict.ts";
import { keyName } from "./values.ts";

/** Lookups in one check; a file of a thousand lines takes some thousands, so only sources made to waste time get here. */
const maxEffort = 1_500_000;

export function checkPython(input: SemanticInput, ports: PythonPorts): Promise<SemanticOutcome> {
  return drive(pythonRules(ports), input);
}

const owned = { language: "python", owns: isPython };

function pythonRules(ports: PythonPorts): LanguageRules {
  const pair = async (scene: PairScene): Promise<PairRules> =>
    new PythonPair(scene, ports, await sourceRoots(scene.input.base, scene.input.read));
  return { ...owned, pair };
}

/**
 * Most pairs have nothing to do with each other: no use of one side passes through a file that the other changed. Once all uses of a side have been
 * followed, that can be told without putting the two together.
 */
export async function apartPython({ base, ours, theirs, read }: ApartInput): Promise<SemanticOutcome | undefined> {
  const none: SemanticOutcome = { conflicts: [], complete: true, notes: [] };
  const { ours: our, theirs: their } = changesOf(owned, { base, ours, theirs });
  if (our.size === 0 || their.size === 0) return none;
  // Asked for with every pair, so that each notices a file that the clone lacks.
  await sourceRoots(base, read);
  const [ourReach, theirReach] = [reachOf(base, ours, our), reachOf(base, theirs, their)];
  if (ourReach === undefined || theirReach === undefined) return undefined;
  for (const path of our.keys()) if (their.has(path)) return undefined;
  return meets(ourReach, their) || meets(theirReach, our) ? undefined : none;
}

/** The files and packages that the uses of a side's changed files pass through. */
interface Reach {
  readonly files: ReadonlySet<string>;
  /** Packages without a file of their own. */
  readonly namespaces: ReadonlySet<string>;
}

/** undefined while a changed file was not followed wholly, and where there are new uses, which the other side's changes may leave in doubt. */
function reachOf(base: TreeView, view: TreeView, changes: ChangedFiles): Reach | undefined {
  const memory = remembered.get(view);
  if (memory === undefined || memory.base !== base || changes.size > maxFilesPerSide) return undefined;
  if (memory.reach !== undefined) return memory.reach;
  const reach = { files: new Set<string>(), namespaces: new Set<string>() };
  for (const [path, change] of changes) {
    if (change === "deleted") continue;
    const uses = memory.files.get(path);
    if (uses === undefined || memory.fresh.get(path)?.length !== 0) return undefined;
    for (const { resolution } of uses) if (resolution.broken === undefined) addReach(reach, resolution);
  }
  memory.reach = reach;
  return reach;
}

/** As `touches` goes through it. */
function addReach({ files, namespaces }: { files: Set<string>; namespaces: Set<string> }, { trail, deps }: Resolution) {
  if (!trail.some((mark) => mark !== undefined)) return;
  for (const path of deps) files.add(path);
  for (const mark of trail) if (mark !== undefined && !isPython(mark.path)) namespaces.add(`${mark.path}/`);
}

function meets({ files, namespaces }: Reach, changed: ChangedFiles): boolean {
  for (const path of changed.keys()) {
    if (files.has(path)) return true;
    for (const namespace of namespaces) if (path.startsWith(namespace)) return true;
  }
  return false;
}

interface FollowedUse {
  readonly use: PythonUse;
  readonly scope: string;
  readonly resolution: Resolution;
}

interface Memory {
  readonly base: TreeView;
  readonly tree: ProjectTree;
  readonly resolver: Resolver;
  readonly files: Map<string, readonly FollowedUse[]>;
  /** Of those, the ones that this side brought. */
  readonly fresh: Map<string, readonly FollowedUse[]>;
  /** Of all of them, once they are known. */
  reach: Reach | undefined;
}

/** What a side's own uses reach does not depend on the other side; callers that keep the tree object pay once for all pairs. */
const remembered = new WeakMap<TreeView, Memory>();

class PythonPair implements PairRules {
  private readonly input: SemanticInput;
  private readonly ports: PythonPorts;
  private readonly changes: Changes;
  private readonly findings: Findings;
  private readonly summaries: Summaries;
  private readonly merged: Pick<Memory, "tree" | "resolver">;
  private readonly sides: Readonly<Record<Side, Memory>>;
  private readonly explainer: Explainer;
  private suspects: readonly Suspect[] = [];

  constructor({ input, changes, findings }: PairScene, ports: PythonPorts, roots: readonly string[]) {
    this.input = input;
    this.ports = ports;
    this.changes = changes;
    this.findings = findings;
    this.summaries = new Summaries(ports, input.read);
    this.explainer = new Explainer(input, this.summaries, changes);
    const memory = (side: Side): Memory => {
      const view = input[side];
      const before = remembered.get(view);
      if (before !== undefined && before.base === input.base) return before;
      const tree = new ProjectTree(view, roots, directoriesOf(input.base, view, changes[side]));
      const found: Memory = {
        base: input.base,
        tree,
        resolver: new Resolver(tree),
        files: new Map(),
        fresh: new Map(),
        reach: undefined,
      };
      remembered.set(view, found);
      return found;
    };
    this.sides = { ours: memory("ours"), theirs: memory("theirs") };
    const mergedChanges = changedFiles("python", isPython, input.base, input.merged);
    const tree = new ProjectTree(input.merged, roots, directoriesOf(input.base, input.merged, mergedChanges));
    this.merged = { tree, resolver: new Resolver(tree) };
  }

  async broken(): Promise<SemanticConflict[]> {
    const moved = await movedFiles(this.input, this.changes);
    this.suspects = [...(await this.suspectsOf("ours", moved)), ...(await this.suspectsOf("theirs", moved))];
    return await this.explainer.explain(this.suspects);
  }

  async together(): Promise<SemanticConflict[]> {
    const conflicts: SemanticConflict[] = [];
    for (const path of this.changedByBoth()) {
      if (this.findings.stopped()) break;
      const four = await this.fourVersions(path);
      if (four === undefined) continue;
      const told = new Set(
        this.suspects
          .filter((suspect) => suspect.mergedPath === path)
          .map((suspect) => (suspect.missing.kind === "name" ? suspect.missing.name : "")),
      );
      const dangling = danglingNames(four).filter((name) => !told.has(name.name));
      for (const name of await this.confirmed(path, dangling))
        conflicts.push(await this.explainer.dangling(path, name));
      for (const twice of duplicateDefinitions(four)) conflicts.push(await this.explainer.duplicate(path, twice));
    }
    return conflicts;
  }

  private async suspectsOf(side: Side, { [side]: moved }: Moved): Promise<Suspect[]> {
    const other = otherSide(side);
    const elsewhere = this.changes[other];
    const found: Suspect[] = [];
    const paths = [...this.changes[side]].filter(([, change]) => change !== "deleted").map(([path]) => path);
    const gone = new GoneNames(this.input, this.summaries, other, elsewhere);
    let changed: Promise<ChangedModules> | undefined;
    const modules = (): Promise<ChangedModules> => (changed ??= this.changedModules(other));
    for (const path of this.findings.bounded(side, "Python", paths)) {
      if (this.findings.stopped()) break;
      const mergedPath = this.input.merged.blobs.has(path) ? path : moved.get(path);
      if (mergedPath === undefined) continue;
      const own = await this.follow(side, path);
      await this.noteUnsure(side, path, own, modules);
      const touched = own.filter(
        ({ resolution }) => resolution.broken === undefined && touches(resolution, elsewhere, mergedPath !== path),
      );
      if (touched.length === 0) continue;
      const inMerged = await this.usesIn(this.input.merged, mergedPath);
      if (inMerged === undefined) continue;
      const fresh = new Set((await this.freshUses(side, path, own)).map(({ use }) => use));
      const resolutions = await this.resolve(
        this.merged,
        touched.map(({ use }) => ({ path: mergedPath, ref: use.ref })),
      );
      for (const [index, { use, scope, resolution: before }] of touched.entries()) {
        const after = resolutions[index];
        const line = inMerged.lines.get(`${scope} ${use.ref}`);
        if (after === undefined || line === undefined) continue;
        const lost = { use, before, after };
        const missing = verdict(use, scope, before, after, inMerged) ?? (await gone.certain(lost));
        const { stores } = inMerged.summary;
        if (missing?.kind === "member" && stores.includes(missing.name)) continue;
        if (missing?.kind === "key" && stores.includes(keyName("", missing.name))) continue;
        if ((use.expects & namedByText) !== 0) {
          const mark = missing === undefined ? undefined : before.trail[after.broken?.step ?? 0];
          if (mark !== undefined && (await this.isNew(path, scope, use)))
            this.doubt(side, path, use.line, {
              symbol: mark.name === "" ? mark.path : mark.name,
              definition: mark.path,
              definitionLine: mark.line,
              because: "a text names it, which may do without it",
            });
          continue;
        }
        if (missing === undefined) {
          if (fresh.has(use)) this.doubt(side, path, use.line, await gone.doubt(lost));
          continue;
        }
        const patch = missing.kind === "member" ? await gone.patched(missing) : undefined;
        if (patch !== undefined) {
          this.doubt(side, path, use.line, patch);
          continue;
        }
        if (await this.brokenOn(other, [path, mergedPath], scope, use, before)) continue;
        found.push({
          side,
          path,
          mergedPath,
          line,
          use,
          scope,
          missing,
          step: after.broken?.step ?? after.open?.step ?? stepOf(missing, before),
          before,
        });
      }
    }
    return found;
  }

  private async changedModules(other: Side): Promise<ChangedModules> {
    const paths = [...this.changes[other].keys()].filter(isPython).slice(0, maxFilesPerSide);
    const { base, [other]: now } = this.input;
    const versions = async (path: string) => ({
      path,
      was: await this.summaries.of(base, path),
      is: await this.summaries.of(now, path),
    });
    return new ChangedModules(await Promise.all(paths.map(versions)));
  }

  private async noteUnsure(
    side: Side,
    path: string,
    own: readonly FollowedUse[],
    modules: () => Promise<ChangedModules>,
  ): Promise<void> {
    const fresh = await this.freshUses(side, path, own);
    const { tree } = this.sides[side];
    const file = fresh.length === 0 ? undefined : await this.summaries.of(tree.view, path);
    if (file === undefined) return;
    const starred = new Set<string>();
    for (const star of file.stars) {
      const { root } = parseRef(star);
      const found = root.kind === "module" ? tree.module(path, root.level, root.module)?.path : undefined;
      if (found !== undefined) starred.add(found);
    }
    for (const { use, resolution } of fresh)
      this.doubt(side, path, use.line, (await modules()).unsure({ use, resolution, file, starred }));
  }

  private doubt(side: Side, path: string, line: number, unsure: Unsure | undefined): void {
    if (unsure !== undefined) this.findings.doubt({ side, path, line, ...unsure });
  }

  private async isNew(path: string, scope: string, use: PythonUse): Promise<boolean> {
    const before = await this.summaries.of(this.input.base, path);
    return before === undefined || !new FileUses(before).lines.has(`${scope} ${use.ref}`);
  }

  /** Of uses that were there before, whoever changes what they use has to take care. */
  private async freshUses(side: Side, path: string, own: readonly FollowedUse[]): Promise<readonly FollowedUse[]> {
    const { fresh } = this.sides[side];
    const known = fresh.get(path);
    if (known !== undefined) return known;
    const before = await this.summaries.of(this.input.base, path);
    const old = before === undefined ? undefined : new FileUses(before);
    const expectsNothing = ({ expects }: PythonUse): boolean => (expects & ~throughLocal) === 0;
    const found = own.filter(({ use, scope }) => old?.lines.has(`${scope} ${use.ref}`) !== true && expectsNothing(use));
    fresh.set(path, found);
    return found;
  }

  /** Every use of a file, followed on its own side. */
  private async follow(side: Side, path: string): Promise<readonly FollowedUse[]> {
    const { tree, files } = this.sides[side];
    const known = files.get(path);
    if (known !== undefined) return known;
    const found = await this.usesIn(tree.view, path);
    if (found === undefined) return [];
    const { uses, scopes } = found.summary;
    const resolutions = await this.resolve(
      this.sides[side],
      uses.map((use) => ({ path, ref: use.ref })),
    );
    const followed: FollowedUse[] = [];
    for (const [index, use] of uses.entries()) {
      const resolution = resolutions[index];
      if (resolution !== undefined) followed.push({ use, scope: scopes[use.scope] ?? "", resolution });
    }
    // What was given up must be said again the next time.
    if (this.findings.complete) files.set(path, followed);
    return followed;
  }

  private async resolve(
    { tree, resolver }: Pick<Memory, "tree" | "resolver">,
    wanted: readonly { path: string; ref: string }[],
  ): Promise<Resolution[]> {
    const done: Resolution[] = [];
    let open = wanted.map((_, index) => index);
    // Each round loads what the last one missed; a chain through n files takes n rounds.
    for (let round = 0; open.length > 0 && round < 50; round += 1) {
      const again: number[] = [];
      for (const index of open) {
        if (resolver.effort > (this.ports.maxEffort ?? maxEffort)) {
          this.giveUp();
          return done;
        }
        const { path, ref } = wanted[index] ?? { path: "", ref: "" };
        const resolution = resolver.resolve(path, ref);
        done[index] = resolution;
        if (resolution.pending) again.push(index);
      }
      await this.summaries.fill(tree);
      open = again;
    }
    if (open.length > 0) this.giveUp();
    return done;
  }

  private giveUp(): void {
    this.findings.giveUp("gave up: the names of this project lead in circles too long to follow");
  }

  private async usesIn(view: TreeView, path: string): Promise<FileUses | undefined> {
    const summary = await this.summaries.of(view, path);
    if (summary === undefined || summary.skipped !== undefined) {
      if (isPython(path) && view.blobs.has(path)) this.findings.passOver(path, summary?.skipped);
      return undefined;
    }
    return new FileUses(summary);
  }

  /** The same use stands on the other side too, and is wrong there already: then it is that side's own mistake. */
  private async brokenOn(
    other: Side,
    paths: readonly string[],
    scope: string,
    use: PythonUse,
    before: Resolution,
  ): Promise<boolean> {
    for (const path of new Set(paths)) {
      const there = await this.usesIn(this.input[other], path);
      if (there === undefined || !there.lines.has(`${scope} ${use.ref}`)) continue;
      const [after] = await this.resolve(this.sides[other], [{ path, ref: use.ref }]);
      if (after !== undefined && verdict(use, scope, before, after, there) !== undefined) return true;
    }
    return false;
  }

  private changedByBoth(): string[] {
    return [...this.changes.ours.keys()].filter((path) => {
      const both = this.changes.theirs.has(path) && this.input.merged.blobs.has(path);
      return both && this.input.ours.blobs.has(path) && this.input.theirs.blobs.has(path);
    });
  }

  private async fourVersions(path: string): Promise<Record<"base" | Side | "merged", PythonSummary> | undefined> {
    const { input } = this;
    const [ours, theirs, merged] = await Promise.all(
      [input.ours, input.theirs, input.merged].map((view) => this.summaries.of(view, path)),
    );
    if (ours === undefined || theirs === undefined || merged === undefined) return undefined;
    if ((ours.skipped ?? theirs.skipped ?? merged.skipped) !== undefined) return undefined;
    const base = (await this.summaries.of(input.base, path)) ?? {
      ...ours,
      names: {},
      uses: [],
      scopes: [],
      stars: [],
      stores: [],
    };
    return base.skipped === undefined ? { base, ours, theirs, merged } : undefined;
  }

  /** Star imports may still bring a dangling name. */
  private async confirmed<T extends { readonly name: string }>(path: string, names: readonly T[]): Promise<T[]> {
    const resolutions = await this.resolve(
      this.merged,
      names.map(({ name }) => ({ path, ref: nameRef(name) })),
    );
    return names.filter((_, index) => resolutions[index]?.broken?.missing.kind === "name");
  }
}
