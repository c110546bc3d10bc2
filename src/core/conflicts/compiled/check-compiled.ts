// Names uses that are right on their own side and wrong in the merged tree, for Go, Java and Rust. Only what the other side took
// away or changed can break a use, so a file's uses are sifted by those names before any is followed. What a language says
// about one use is in its rules; explaining it is left to explain.ts.

import type { SourceLanguage, SourceSummary, SourceUse } from "../../../protocol/source-summary.ts";
import type { SemanticConflict, SemanticInput, SemanticOutcome, Side, TreeView } from "../../../protocol/semantic.ts";
import { type ChangedNames, changedNames } from "./changed-names.ts";
import { duplicates } from "./duplicates.ts";
import { explain, type Suspect } from "./explain.ts";
import { goRules } from "./go-rules.ts";
import { javaRules } from "./java-rules.ts";
import type { LanguageRules, Verdict } from "./rules.ts";
import { rustRules } from "./rust-rules.ts";
import { type Changes, type SourcePorts, SourceTree, type Trees } from "./source-tree.ts";

export const rulesOf: Readonly<Record<SourceLanguage, LanguageRules>> = {
  go: goRules,
  java: javaRules,
  rust: rustRules,
};

/** A side that changed more files than this is a vendored import, not work that two agents share. */
const maxFilesPerSide = 2_000;

export async function checkCompiled(
  language: SourceLanguage,
  input: SemanticInput,
  ports: SourcePorts,
): Promise<SemanticOutcome> {
  const rules = rulesOf[language];
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
  private readonly changes: Changes;
  private readonly trees: Trees;
  private readonly notes = new Set<string>();
  private complete = true;

  constructor(rules: LanguageRules, input: SemanticInput, ports: SourcePorts, changes: Changes) {
    this.rules = rules;
    this.input = input;
    this.changes = changes;
    const focus = new Set([...changes.ours, ...changes.theirs]);
    const tree = (view: TreeView): SourceTree => new SourceTree(view, ports, input.read, focus);
    this.trees = {
      base: tree(input.base),
      ours: tree(input.ours),
      theirs: tree(input.theirs),
      merged: tree(input.merged),
    };
  }

  async run(): Promise<SemanticOutcome> {
    const suspects: Suspect[] = [];
    for (const side of ["ours", "theirs"] as const) suspects.push(...(await this.suspectsOf(side)));
    const conflicts: SemanticConflict[] = await explain(this.rules, this.trees, this.changes, suspects);
    if (!this.stopped()) conflicts.push(...(await duplicates(this.rules, this.trees, this.changes)));
    return { conflicts, complete: this.complete, notes: [...this.notes].sort() };
  }

  private stopped(): boolean {
    if (this.input.signal?.aborted === true) this.complete = false;
    return !this.complete;
  }

  private async suspectsOf(side: Side): Promise<Suspect[]> {
    const other: Side = side === "ours" ? "theirs" : "ours";
    const paths = [...this.changes[side]].filter((path) => this.trees[side].has(path) && this.trees.merged.has(path));
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
      const merged = await this.readable(this.trees.merged, path);
      const own = merged === undefined ? undefined : await this.readable(this.trees[side], path);
      if (own === undefined || merged === undefined) continue;
      const lines = new Map(merged.uses.map((use) => [identity(use), use.line]));
      for (const use of own.uses) {
        if (!names.mayBreak(own, use)) continue;
        const line = lines.get(identity(use));
        if (line === undefined) continue;
        const suspect = await this.judge(side, other, path, use, names);
        if (suspect !== undefined) found.push({ ...suspect, line });
      }
    }
    return found;
  }

  private async judge(
    side: Side,
    other: Side,
    path: string,
    use: SourceUse,
    names: ChangedNames,
  ): Promise<Omit<Suspect, "line"> | undefined> {
    const before = await this.rules.follow(this.trees[side], path, use);
    if (before.state !== "right" || !before.marks.some((mark) => names.paths.has(mark.path))) return undefined;
    const after = await this.rules.follow(this.trees.merged, path, use);
    if (after.state !== "wrong" || (await this.isWrongOn(other, path, use))) return undefined;
    return { side, path, use, before: before.marks, after };
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

/** All of a use but its line. */
function identity(use: SourceUse): string {
  return JSON.stringify({ ...use, line: 0 });
}
