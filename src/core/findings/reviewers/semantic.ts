// References that hold on their own side and break in the merged tree, as the languages' checkers see them. One finding per
// symbol and rule, with every use as evidence. What is in doubt because git could not merge its file is left out.

import type { ReadableLanguages, SemanticConflict, SemanticRule } from "../../../ports/semantic.ts";
import { hunk, ours, type Said, theirs } from "../pair-finding.ts";
import type { PairScene } from "../scene.ts";

export function reviewSemantic(scene: Pick<PairScene, "broken" | "conflicted" | "excluded" | "languages">): Said[] {
  const groups = new Map<string, SemanticConflict[]>();
  for (const conflict of scene.broken) {
    const paths = [conflict.use.path, conflict.definitionBefore.path];
    if (paths.some((path) => scene.conflicted.has(path))) continue;
    if (scene.excluded(conflict.use.path) !== undefined) continue;
    const key = `${conflict.rule} ${conflict.definitionBefore.path} ${conflict.symbol}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [conflict]);
    else group.push(conflict);
  }
  return [...groups]
    .map(([subject, group]) => findingOf(subject, group, scene.languages))
    .filter((one) => one !== undefined);
}

function findingOf(
  subject: string,
  group: readonly SemanticConflict[],
  languages: ReadableLanguages,
): Said | undefined {
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
  "type-only": "now exports only as a type",
  "type-mismatch": "changes the type of",
  "requires-more": "asks for more in",
  "duplicate-definition": "defines again",
};
