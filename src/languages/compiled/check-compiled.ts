// Names uses that are right on their own side and wrong in the merged tree, for the compiled languages. Only what the other side took
// away or changed can break a use, so a file's uses are sifted by those names before any is followed. What a language says
// about one use is in its rules; explaining it is left to explain.ts.

import type { SourceDeclaration, SourceSummary, SourceUse } from "./facts.ts";
import type { SemanticConflict, Side, TreeView, UnsureUse } from "../../ports/semantic.ts";
import { type ChangedNames, changedNames } from "./changed-names.ts";
import { duplicates } from "./duplicates.ts";
import { explain, type Suspect } from "./explain.ts";
import { otherSide } from "../check/changed-files.ts";
import type { LanguageRules, PairRules, PairScene } from "../check/driver.ts";
import { type Findings, maxFilesPerSide } from "../check/findings.ts";
import { type Moved, movedFiles } from "../check/moved-files.ts";
import type { CompiledRules, Mark, Verdict } from "./rules.ts";
import { unsureUses } from "./unsure-uses.ts";
import { baseName, type Changes, type SourcePorts, SourceTree, type Trees } from "./source-tree.ts";

export function compiledPair(rules: CompiledRules, ports: SourcePorts): LanguageRules {
  const { language, owns } = rules;
  return { language, owns, pair: async (scene) => CompiledPair.of(rules, ports, scene) };
}

class CompiledPair implements PairRules {
  private readonly rules: CompiledRules;
  private readonly findings: Findings;
  private readonly changes: Changes;
  private readonly moved: Moved;
  private readonly trees: Trees;

  private constructor(rules: CompiledRules, trees: Trees, changes: Changes, moved: Moved, findings: Findings) {
    this.rules = rules;
    this.trees = trees;
    this.changes = changes;
    this.moved = moved;
    this.findings = findings;
  }

  static async of(rules: CompiledRules, ports: SourcePorts, scene: PairScene): Promise<CompiledPair> {
    const { input, changes, findings } = scene;
    const focus = new Set([...changes.ours.keys(), ...changes.theirs.keys()]);
    const tree = (view: TreeView): SourceTree => new SourceTree(view, rules.reads, ports, input.read, focus);
    const trees = {
      base: tree(input.base),
      ours: tree(input.ours),
      theirs: tree(input.theirs),
      merged: tree(input.merged),
    };
    const moved = await movedFiles(input, changes);
    // What a side changed in a file that the other moved is changed at the new place.
    const all = {
      ours: new Set([...changes.ours.keys(), ...moved.ours.values()]),
      theirs: new Set([...changes.theirs.keys(), ...moved.theirs.values()]),
    };
    return new CompiledPair(rules, trees, all, moved, findings);
  }

  async broken(): Promise<SemanticConflict[]> {
    const suspects = [...(await this.suspectsOf("ours")), ...(await this.suspectsOf("theirs"))];
    return await explain(this.rules, this.trees, this.changes, suspects);
  }

  together(): Promise<SemanticConflict[]> {
    return duplicates(this.rules, this.trees, this.changes, this.moved);
  }

  doubts(): Promise<readonly UnsureUse[]> {
    return unsureUses(this.rules, this.trees, this.changes);
  }

  private async suspectsOf(side: Side): Promise<Suspect[]> {
    const other = otherSide(side);
    const moved = this.moved[side];
    const paths = [...this.changes[side]].filter(
      (path) => this.trees[side].has(path) && (this.trees.merged.has(path) || moved.has(path)),
    );
    if (paths.length > maxFilesPerSide || this.changes[other].size > maxFilesPerSide) {
      this.findings.giveUp(
        `${side}: more than ${maxFilesPerSide} ${this.rules.language} files changed, so they were passed over`,
      );
      return [];
    }
    const names = await changedNames(this.trees[side], this.trees.merged, this.changes[other]);
    const found: Suspect[] = [];
    for (const path of paths) {
      if (this.findings.stopped()) break;
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
    const before = await this.rules.follow(this.trees[side], path, use);
    if (before.state !== "right") return undefined;
    if (!isNewThere && !before.marks.some((mark) => names.paths.has(mark.path))) return undefined;
    const after = await this.settled(side, before.marks, await this.rules.follow(this.trees.merged, to, now));
    if (after.state === "unknown" && to === path) await this.doubt(side, path, use, before.marks);
    if (after.state !== "wrong" || (await this.isWrongOn(otherSide(side), to, now))) return undefined;
    const from = to === path ? {} : { from: path };
    return { side, path: to, line: now.line, ...from, use: now, before: before.marks, after };
  }

  /** A new use of a definition that the other side took away, of which the rules can no longer say what it means. */
  private async doubt(side: Side, path: string, use: SourceUse, marks: readonly Mark[]): Promise<void> {
    const [{ base }, other] = [this.trees, this.trees[otherSide(side)]];
    const old = await base.summary(path);
    if (old?.uses.some((one) => identity(one) === identity(use)) === true) return;
    for (const { path: definition, declaration } of marks) {
      if (await isDeclared(other, definition, declaration)) continue;
      if (!(await isDeclared(base, definition, declaration))) continue;
      const { name, of, line } = declaration;
      const symbol = of === "" ? name : `${of}${this.rules.separator}${name}`;
      const because = "whether something else brings it cannot be read from the syntax";
      const at = { side, path, line: use.line, definition, definitionLine: line };
      this.findings.doubt({ ...at, symbol, because, isForCompiler: true });
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
    this.findings.passOver(path, summary?.skipped);
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
