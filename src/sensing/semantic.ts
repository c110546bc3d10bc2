// References that hold on their own side and break in the merged tree, as the languages' checkers see them. One finding per
// symbol and rule, with every use as evidence.

import { type Asking, concerns, type OpenLanguage } from "../languages/language.ts";
import type { OpenLanguages } from "../languages/open-languages.ts";
import type { SemanticConflict, SemanticInput, SemanticOutcome, SemanticRule, TreeView } from "../ports/semantic.ts";
import { layered } from "../ports/tree-layers.ts";
import { hunk, ours, type PairFinding, type Reviewed, theirs } from "../core/findings/pair-finding.ts";
import type { PairScene, SideChanges } from "../core/findings/scene.ts";

export interface LanguagePorts {
  readonly languages: OpenLanguages;
  /** The compilers are asked too, and answered for as far as they get. */
  readonly asking?: Asking;
}

export async function reviewSemantic(scene: PairScene, { languages, asking }: LanguagePorts): Promise<Reviewed> {
  const conflicts: SemanticConflict[] = [];
  const notes: string[] = [];
  let complete = true;
  for (const open of languages.all) {
    if (!touches(scene.ours, open) || !touches(scene.theirs, open)) continue;
    const outcome = await checkMerged(scene, open, asking);
    conflicts.push(...outcome.conflicts);
    // A file with conflict markers does not parse; the textual finding says so better.
    notes.push(...outcome.notes.filter((note) => !isAbout(note, scene.conflicted)));
    complete &&= outcome.complete;
  }
  return { findings: semanticFindings(conflicts, scene, languages), complete, notes: bounded(notes) };
}

/**
 * With conflict markers in a settings file nothing would be found any more, and everything would seem broken. Nobody knows what
 * it will say, so a conflict counts only if it is there with either side's version.
 */
async function checkMerged(scene: PairScene, open: OpenLanguage, asking: Asking | undefined): Promise<SemanticOutcome> {
  // A file with conflict markers compiles to nonsense, and so does all that imports it: then the compiler is not asked.
  const compiler = scene.conflicted.size === 0 ? open.compiler : undefined;
  const check = (input: SemanticInput): Promise<SemanticOutcome> =>
    compiler === undefined || asking === undefined ? open.check(input) : compiler.check(input, asking);
  const [base, ours, theirs, merged] = await Promise.all([
    scene.tree("base"),
    scene.tree("ours"),
    scene.tree("theirs"),
    scene.tree("merged"),
  ]);
  const signal = scene.signal === undefined ? {} : { signal: scene.signal };
  const input = { base, ours, theirs, merged, read: scene.read, ...signal };
  const doubtful = [...scene.conflicted].filter((path) => open.language.settingsFiles?.test(path) === true);
  if (doubtful.length === 0) return await check(input);
  const first = await check({ ...input, merged: withVersions(merged, doubtful, ours) });
  if (first.conflicts.length === 0) return first;
  const second = await check({ ...input, merged: withVersions(merged, doubtful, theirs) });
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

/** Pure: groups what the checkers said. What is in doubt because git could not merge its file is left out. */
export function semanticFindings(
  conflicts: readonly SemanticConflict[],
  scene: Pick<PairScene, "conflicted" | "excluded">,
  languages: OpenLanguages,
): PairFinding[] {
  const groups = new Map<string, SemanticConflict[]>();
  for (const conflict of conflicts) {
    const paths = [conflict.use.path, conflict.definitionBefore.path];
    if (paths.some((path) => scene.conflicted.has(path))) continue;
    if (scene.excluded(conflict.use.path) !== undefined) continue;
    const key = `${conflict.rule} ${conflict.definitionBefore.path} ${conflict.symbol}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [conflict]);
    else group.push(conflict);
  }
  return [...groups].map(([subject, group]) => findingOf(subject, group, languages)).filter((one) => one !== undefined);
}

function findingOf(
  subject: string,
  group: readonly SemanticConflict[],
  languages: OpenLanguages,
): PairFinding | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const uses = [...new Set(group.map(({ use }) => `${use.path}:${use.line}`))];
  const shown = uses.length > 3 ? `${uses.slice(0, 3).join(", ")} and ${uses.length - 3} more` : uses.join(", ");
  const [definer, user] = first.definitionSide === "ours" ? [ours, theirs] : [theirs, ours];
  const { path, line } = first.definitionBefore;
  const title =
    first.rule === "duplicate-definition"
      ? `${ours} and ${theirs} both define ${first.symbol} in ${first.use.path}, and ${languages.named(first.language)?.language.definedTwice}`
      : `${definer} ${deeds[first.rule]} ${first.symbol} (${path}:${line}), which ${user} uses in ${shown}`;
  return {
    kind: "semantic",
    severity: "high",
    subject,
    title,
    action: first.suggestion,
    symbols: [first.symbol],
    evidence: group.map((conflict) => {
      const definition = conflict.definitionAfter ?? conflict.definitionBefore;
      const definitionHunk = [hunk(definition.path, definition.line, definition.text)];
      const useHunk = [hunk(conflict.use.path, conflict.use.line, conflict.use.text)];
      const isOurs = conflict.definitionSide === "ours";
      return {
        rule: conflict.rule,
        path: conflict.use.path,
        symbol: conflict.symbol,
        ours: isOurs ? definitionHunk : useHunk,
        theirs: isOurs ? useHunk : definitionHunk,
        message: conflict.message,
      };
    }),
  };
}

const deeds: Readonly<Record<SemanticRule, string>> = {
  removed: "removes",
  renamed: "renames",
  moved: "moves",
  "made-private": "no longer exports",
  signature: "changes the parameters of",
  "removed-member": "removes",
  "became-async": "makes asynchronous",
  "type-only": "turns into a mere type",
  "type-mismatch": "changes the type of",
  "requires-more": "asks for more in",
  "duplicate-definition": "defines again",
};

function touches(side: SideChanges, { language }: OpenLanguage): boolean {
  return side.files.some(
    ({ path, from }) => concerns(language, path) || (from !== undefined && concerns(language, from)),
  );
}

/** Notes begin with the path they are about; a path may hold spaces. */
function isAbout(note: string, paths: ReadonlySet<string>): boolean {
  for (let at = note.indexOf(" "); at !== -1; at = note.indexOf(" ", at + 1)) {
    if (paths.has(note.slice(0, at))) return true;
  }
  return false;
}

function bounded(notes: readonly string[]): string[] {
  return notes.length <= 20 ? [...notes] : [...notes.slice(0, 20), `… and ${notes.length - 20} more notes`];
}
