// References that hold on their own side and break in the merged tree, as the languages' checkers see them. One finding per
// symbol and rule, with every use as evidence.

import type { SemanticConflict, SemanticOutcome, SemanticRule } from "../../../protocol/semantic.ts";
import { checkPython } from "../python/check-python.ts";
import type { PythonPorts } from "../python/summaries.ts";
import { checkTypeScript, type TypeScriptPorts } from "../typescript/check-typescript.ts";
import { hunk, ours, type PairFinding, theirs } from "./pair-finding.ts";
import type { PairScene, SideChanges } from "./scene.ts";

export interface LanguagePorts {
  readonly typescript: TypeScriptPorts;
  readonly python: PythonPorts;
}

export interface Reviewed {
  readonly findings: readonly PairFinding[];
  readonly complete: boolean;
  readonly notes: readonly string[];
}

const languages = [
  { files: /\.([cm]?[jt]sx?|json)$/, name: "typescript" },
  { files: /\.pyi?$/, name: "python" },
] as const;

export async function reviewSemantic(scene: PairScene, ports: LanguagePorts): Promise<Reviewed> {
  const conflicts: SemanticConflict[] = [];
  const notes: string[] = [];
  let complete = true;
  for (const { files, name } of languages) {
    if (!touches(scene.ours, files) || !touches(scene.theirs, files)) continue;
    const [base, our, their, merged] = await Promise.all([
      scene.tree("base"),
      scene.tree("ours"),
      scene.tree("theirs"),
      scene.tree("merged"),
    ]);
    const signal = scene.signal === undefined ? {} : { signal: scene.signal };
    const input = { base, ours: our, theirs: their, merged, read: scene.read, ...signal };
    const outcome: SemanticOutcome =
      name === "python" ? await checkPython(input, ports.python) : await checkTypeScript(input, ports.typescript);
    conflicts.push(...outcome.conflicts);
    // A file with conflict markers does not parse; the textual finding says so better.
    notes.push(...outcome.notes.filter((note) => ![...scene.conflicted].some((path) => note.startsWith(`${path} `))));
    complete &&= outcome.complete;
  }
  return { findings: semanticFindings(conflicts, scene), complete, notes: bounded(notes) };
}

/** Pure: groups what the checkers said. What is in doubt because git could not merge its file is left out. */
export function semanticFindings(
  conflicts: readonly SemanticConflict[],
  scene: Pick<PairScene, "conflicted" | "excluded">,
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
  return [...groups].map(([subject, group]) => findingOf(subject, group)).filter((one) => one !== undefined);
}

function findingOf(subject: string, group: readonly SemanticConflict[]): PairFinding | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const uses = [...new Set(group.map(({ use }) => `${use.path}:${use.line}`))];
  const shown = uses.length > 3 ? `${uses.slice(0, 3).join(", ")} and ${uses.length - 3} more` : uses.join(", ");
  const [definer, user] = first.definitionSide === "ours" ? [ours, theirs] : [theirs, ours];
  const { path, line } = first.definitionBefore;
  const title =
    first.rule === "duplicate-definition"
      ? `${ours} and ${theirs} both define ${first.symbol} in ${first.use.path}, and one silently replaces the other`
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
  "duplicate-definition": "defines again",
};

function touches(side: SideChanges, files: RegExp): boolean {
  return side.files.some(({ path, from }) => files.test(path) || (from !== undefined && files.test(from)));
}

function bounded(notes: readonly string[]): string[] {
  return notes.length <= 20 ? [...notes] : [...notes.slice(0, 20), `… and ${notes.length - 20} more notes`];
}
