// Drives the check of one language over one pair of sides. The order is the same for all: what each side changed, uses that broke, what the
// edits of both make wrong together, uses that nobody can judge, and one outcome of it. What a use means is the language's own
// matter, behind `LanguageRules`.

import type { SemanticConflict, SemanticInput, SemanticOutcome, TreeView, UnsureUse } from "../../ports/semantic.ts";
import { type Changes, changedFiles } from "./changed-files.ts";
import { Findings } from "./findings.ts";

export interface LanguageRules {
  /** As `Language.name`. */
  readonly language: string;
  /** Files of this language that are somebody's work. */
  owns(path: string): boolean;
  /** Ready to judge one pair of sides. */
  pair(scene: PairScene): Promise<PairRules>;
}

export interface PairScene {
  readonly input: SemanticInput;
  readonly changes: Changes;
  /** Collects bounds, notes and doubts while the work is done. */
  readonly findings: Findings;
}

export interface PairRules {
  /** Uses that are right on their own side and wrong in the merge, explained. */
  broken(): Promise<SemanticConflict[]>;
  /** Finds what only the edits of both sides together make wrong: a name that is defined twice, or that nothing binds any more. */
  together?(): Promise<SemanticConflict[]>;
  /** Uses that nobody can judge, besides those found on the way. */
  doubts?(): Promise<readonly UnsureUse[]>;
}

export async function drive(rules: LanguageRules, input: SemanticInput): Promise<SemanticOutcome> {
  const changes = changesOf(rules, input);
  if (changes.ours.size === 0 || changes.theirs.size === 0) return { conflicts: [], complete: true, notes: [] };
  const findings = new Findings(input.signal);
  const pair = await rules.pair({ input, changes, findings });
  const conflicts = await pair.broken();
  if (!findings.stopped() && pair.together !== undefined) conflicts.push(...(await pair.together()));
  if (findings.complete) for (const one of (await pair.doubts?.()) ?? []) findings.doubt(one);
  return findings.outcome(conflicts);
}

export function changesOf(
  { language, owns }: Pick<LanguageRules, "language" | "owns">,
  { base, ours, theirs }: Readonly<Record<"base" | "ours" | "theirs", TreeView>>,
): Changes {
  return { ours: changedFiles(language, owns, base, ours), theirs: changedFiles(language, owns, base, theirs) };
}
