// Names uses that are right on their own side and wrong in the merged tree, for the compiled languages. Only what the other side took
// away or changed can break a use, so a file's uses are sifted by those names before any is followed. What a language says
// about one use is in its rules; explaining it is left to explain.ts.

import type { SourceDeclaration, SourceSummary, SourceUse } from "./facts.ts";
import type {
  SemanticConflict,
  SemanticInput,
  SemanticOutcome,
  Side,
  TreeView,
  UnsureUse,
} from "../../ports/semantic.ts";
import { type ChangedNames, changedNames } from "./changed-names.ts";
import { duplicates } from "./duplicates.ts";
import { explain, type Suspect } from "./explain.ts";
import { type Moved, movedFiles } from "./moved-files.ts";
import type { LanguageRules, Mark, Verdict } from "./rules.ts";
import { unsureUses } from "./unsure-uses.ts";
import { baseName, type Changes, type SourcePorts, SourceTree, type Trees } from "./source-tree.ts";

/** A side that changed more files than this is a vendored import, not work that two agents share. */
const maxFilesPerSide = 2_000;

export async function checkCompiled(
  rules: LanguageRules,
  input: SemanticInput,
  ports: SourcePorts,
): Promise<SemanticOutcome> {
  const changes = {
    ours: changedPaths(rules, input.base, input.ours),
    theirs: changedPaths(rules, input.base, input.theirs),
  };
  if (changes.ours.size === 0 || changes.theirs.size === 0) return { conflicts: [], complete: true, notes: [] };
  return await new Check(rules, input, ports, changes).run();
}

function changedPaths(rules: LanguageRules, base: TreeView, side: TreeView): Set<string> {
  const changed = new Set<string>();
  if (base === side || base.id === side.id) return changed;
  for (const [path, blob] of side.blobs) if (base.blobs.get(path) !== blob && rules.owns(path)) changed.add(path);
  for (const path of base.blobs.keys()) if (!side.blobs.has(path) && rules.owns(path)) changed.add(path);
  return changed;
}

class Check {
  private readonly rules: LanguageRules;
  private readonly input: SemanticInput;
  private changes: Changes;
  private moved: Moved = { ours: new Map(), theirs: new Map() };
  private readonly trees: Trees;
  private readonly notes = new Set<string>();
  /** Uses of what is gone, though something that cannot be read here may still bring it. */
  private readonly lost: UnsureUse[] = [];
  private complete = true;

  constructor(rules: LanguageRules, input: SemanticInput, ports: SourcePorts, changes: Changes) {
    this.rules = rules;
    this.input = input;
    this.changes = changes;
    const focus = new Set([...changes.ours, ...changes.theirs]);
    const tree = (view: TreeView): SourceTree => new SourceTree(view, rules.reads, ports, input.read, focus);
    this.trees = {
      base: tree(input.base),
      ours: tree(input.ours),
      theirs: tree(input.theirs),
      merged: tree(input.merged),
    };
  }

  async run(): Promise<SemanticOutcome> {
    this.moved = await movedFiles(this.trees, this.changes);
    // What a side changed in a file that the other moved is changed at the new place.
    this.changes = {
      ours: new Set([...this.changes.ours, ...this.moved.ours.values()]),
      theirs: new Set([...this.changes.theirs, ...this.moved.theirs.values()]),
    };
    const suspects: Suspect[] = [];
    for (const side of ["ours", "theirs"] as const) suspects.push(...(await this.suspectsOf(side)));
    const conflicts: SemanticConflict[] = await explain(this.rules, this.trees, this.changes, suspects);
    if (!this.stopped()) conflicts.push(...(await duplicates(this.rules, this.trees, this.changes, this.moved)));
    const outcome = { conflicts, complete: this.complete, notes: [...this.notes].sort() };
    if (!this.complete) return outcome;
    const isTold = (path: string, line: number): boolean =>
      conflicts.some(({ use }) => use.path === path && use.line === line);
    const unsure = await unsureUses(this.rules, this.trees, this.changes);
    const isNamed = (one: UnsureUse): boolean =>
      unsure.some(({ path, symbol }) => path === one.path && one.symbol.endsWith(symbol));
    const left = [...unsure, ...this.lost.filter((one) => !isNamed(one))].filter(
      ({ path, line }) => !isTold(path, line),
    );
    return left.length === 0 ? outcome : { ...outcome, unsure: left };
  }

  private stopped(): boolean {
    if (this.input.signal?.aborted === true) this.complete = false;
    return !this.complete;
  }

  private async suspectsOf(side: Side): Promise<Suspect[]> {
    const other: Side = side === "ours" ? "theirs" : "ours";
    const moved = this.moved[side];
    const paths = [...this.changes[side]].filter(
      (path) => this.trees[side].has(path) && (this.trees.merged.has(path) || moved.has(path)),
    );
    if (paths.length > maxFilesPerSide || this.changes[other].size > maxFilesPerSide) {
      this.complete = false;
      this.notes.add(
        `${side}: more than ${maxFilesPerSide} ${this.rules.language} files changed, so they were passed over`,
      );
      return [];
    }
    const names = await changedNames(this.trees[side], this.trees.merged, this.changes[other]);
    const found: Suspect[] = [];
    for (const path of paths) {
      if (this.stopped()) break;
      const to = moved.get(path) ?? path;
      const merged = await this.readable(this.trees.merged, to);
      const own = merged === undefined ? undefined : await this.readable(this.trees[side], path);
      if (own === undefined || merged === undefined) continue;
      const there = new Map(merged.uses.map((use) => [identity(use), use]));
      const asMoved = to === path ? identity : identityIn(path, to);
      // In another place even what nobody changed may be out of reach, for what was written without knowing of the move.
      const old = to === path ? undefined : await this.trees.base.summary(path);
      const known = old === undefined ? undefined : new Set(old.uses.map(identity));
      for (const use of own.uses) {
        const isNewThere = known?.has(identity(use)) === false;
        if (!isNewThere && !names.mayBreak(own, use)) continue;
        const now = there.get(asMoved(use));
        if (now === undefined) continue;
        const suspect = await this.judge(side, { path, to, use, now, isNewThere }, names);
        if (suspect !== undefined) found.push(suspect);
      }
    }
    return found;
  }

  /** `use` is as its side has it at `path`, `now` as it is in the merge at `to`. */
  private async judge(
    side: Side,
    {
      path,
      to,
      use,
      now,
      isNewThere,
    }: { path: string; to: string; use: SourceUse; now: SourceUse; isNewThere: boolean },
    names: ChangedNames,
  ): Promise<Suspect | undefined> {
    const other: Side = side === "ours" ? "theirs" : "ours";
    const before = await this.rules.follow(this.trees[side], path, use);
    if (before.state !== "right") return undefined;
    if (!isNewThere && !before.marks.some((mark) => names.paths.has(mark.path))) return undefined;
    const after = await this.settled(side, before.marks, await this.rules.follow(this.trees.merged, to, now));
    if (after.state === "unknown" && to === path) await this.doubt(side, path, use, before.marks);
    if (after.state !== "wrong" || (await this.isWrongOn(other, to, now))) return undefined;
    const from = to === path ? {} : { from: path };
    return { side, path: to, line: now.line, ...from, use: now, before: before.marks, after };
  }

  /** A new use of a definition that the other side took away, of which the rules can no longer say what it means. */
  private async doubt(side: Side, path: string, use: SourceUse, marks: readonly Mark[]): Promise<void> {
    const [{ base }, other] = [this.trees, this.trees[side === "ours" ? "theirs" : "ours"]];
    const old = await base.summary(path);
    if (old?.uses.some((one) => identity(one) === identity(use)) === true) return;
    for (const { path: definition, declaration } of marks) {
      if (await isDeclared(other, definition, declaration)) continue;
      if (!(await isDeclared(base, definition, declaration))) continue;
      const { name, of, line } = declaration;
      const symbol = of === "" ? name : `${of}${this.rules.separator}${name}`;
      if (this.lost.some((one) => one.path === path && one.symbol === symbol)) return;
      const because = "whether something else brings it cannot be read from the syntax";
      const at = { side, path, line: use.line, definition, definitionLine: line };
      this.lost.push({ ...at, symbol, because, isForCompiler: true });
      return;
    }
  }

  /**
   * What could have brought the name stood beside it before: nobody declares what a trait or macro beside it brings already, so it
   * is not what brings it now. That goes for a type which the use led through before; another one may bring it in any way.
   */
  private async settled(side: Side, before: readonly Mark[], verdict: Verdict): Promise<Verdict> {
    if (verdict.state !== "unknown" || verdict.likely === undefined) return verdict;
    const { mark } = verdict.likely.verdict;
    const isSame = ({ path, declaration: { name, of } }: Mark): boolean =>
      path === mark?.path && name === mark.declaration.name && of === mark.declaration.of;
    if (mark !== undefined && !before.some(isSame)) return verdict;
    for (const { path, declaration } of verdict.likely.restsOn) {
      const own = await this.trees[side].summary(path);
      const isThere = own?.declarations.some(
        (one) => one.name === declaration.name && one.of === declaration.of && one.module === declaration.module,
      );
      if (isThere !== true) return verdict;
    }
    return verdict.likely.verdict;
  }

  /** The same use stands on the other side too, and is wrong there already: then it is that side's own mistake. */
  private async isWrongOn(other: Side, path: string, use: SourceUse): Promise<boolean> {
    const there = await this.trees[other].summary(path);
    const same = there?.uses.find((one) => identity(one) === identity(use));
    if (same === undefined) return false;
    const verdict: Verdict = await this.rules.follow(this.trees[other], path, same);
    return verdict.state === "wrong";
  }

  private async readable(tree: SourceTree, path: string): Promise<SourceSummary | undefined> {
    const summary = await tree.summary(path);
    if (summary !== undefined && summary.skipped === undefined) return summary;
    this.notes.add(`${path}: passed over (${summary?.skipped ?? "not readable as text"})`);
    return undefined;
  }
}

async function isDeclared(tree: SourceTree, path: string, { name, of, module }: SourceDeclaration): Promise<boolean> {
  const summary = await tree.summary(path);
  return summary?.declarations.some((one) => one.name === name && one.of === of && one.module === module) === true;
}

/** All of a use but its line. */
function identity(use: SourceUse): string {
  return JSON.stringify({ ...use, line: 0 });
}

/** As it is called in a file that was moved: a Java class has its file's name. */
function identityIn(from: string, to: string): (use: SourceUse) => string {
  const [old, fresh] = [from, to].map((path) => baseName(path).replace(/\.[a-z]+$/, ""));
  const renamed = (text: string): string =>
    text.replaceAll(/[\p{L}\p{N}_$]+/gu, (word) => (word === old ? (fresh ?? "") : word));
  return (use) => identity({ ...use, of: renamed(use.of), scope: renamed(use.scope) });
}
