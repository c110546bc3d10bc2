// Turns a use that broke into words that people can act on: which definition, what became of it, where, and what to do.

import type { SourceDeclaration, SourceUse } from "./facts.ts";
import type { Place, SemanticConflict, SemanticRule, Side } from "../../ports/semantic.ts";
import type { CompiledRules, Mark, Verdict, Wrong } from "./rules.ts";
import type { Changes, SourceTree, Trees } from "./source-tree.ts";

/** A use that was right on its side and is wrong in the merge. */
export interface Suspect {
  readonly side: Side;
  /** In the merge, with the line there. */
  readonly path: string;
  readonly line: number;
  /** The path that its own side has for a file that the other side moved. */
  readonly from?: string;
  readonly use: SourceUse;
  readonly before: readonly Mark[];
  readonly after: Extract<Verdict, { state: "wrong" }>;
}

/** One conflict for each symbol and file: further uses of the same are counted, not repeated. */
export async function explain(
  rules: CompiledRules,
  trees: Trees,
  changes: Changes,
  suspects: readonly Suspect[],
): Promise<SemanticConflict[]> {
  const groups = new Map<string, { first: Suspect; mark: Mark; count: number }>();
  for (const suspect of [...suspects].sort((a, b) => a.line - b.line)) {
    const changed = changes[suspect.side === "ours" ? "theirs" : "ours"];
    const mark = await culprit(trees.merged, suspect, changed);
    if (mark === undefined) continue;
    const key = JSON.stringify([
      suspect.side,
      suspect.path,
      suspect.after.why,
      mark.path,
      mark.declaration.of,
      mark.declaration.name,
    ]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: suspect, mark, count: 1 });
    else group.count += 1;
  }
  const conflicts: SemanticConflict[] = [];
  for (const { first, mark, count } of groups.values())
    conflicts.push(await one(rules, trees, changes, first, mark, count));
  return conflicts;
}

/** Of the definitions a use passed through, the one that the other side took away or changed. */
async function culprit(
  merged: SourceTree,
  { before, after, from }: Suspect,
  changed: ReadonlySet<string>,
): Promise<Mark | undefined> {
  const all = before.filter(({ path }) => changed.has(path)).toReversed();
  const last = before.at(-1);
  if (from !== undefined && last !== undefined && (await isStillThere(merged, after.why, last))) return last;
  if (after.why === "requires")
    return all.find(({ declaration }) => declaration.kind === "type" || declaration.kind === "variant") ?? all[0];
  if (after.why === "missing" || after.why === "member") {
    for (const mark of all) if (find(await merged.summary(mark.path), mark.declaration) === undefined) return mark;
    return all[0];
  }
  const now = after.mark?.declaration;
  return all.find(({ declaration }) => declaration.name === now?.name && declaration.of === now.of) ?? all[0];
}

/** What was used is as it was, and only out of reach: then the file that uses it went elsewhere. */
async function isStillThere(merged: SourceTree, why: Wrong, { path, declaration }: Mark): Promise<boolean> {
  if (why !== "missing" && why !== "private") return false;
  return find(await merged.summary(path), declaration) !== undefined;
}

interface Fate {
  readonly rule: SemanticRule;
  readonly after: Place | undefined;
  /** The fate of the definition, as the end of a sentence. */
  readonly became: string;
  readonly suggestion: string;
}

async function one(
  rules: CompiledRules,
  trees: Trees,
  changes: Changes,
  suspect: Suspect,
  mark: Mark,
  count: number,
): Promise<SemanticConflict> {
  const by: Side = suspect.side === "ours" ? "theirs" : "ours";
  const { name, of } = mark.declaration;
  const symbol = of === "" ? name : `${of}${rules.separator}${name}`;
  const fate = await fateOf(trees, changes[by], by, suspect, mark, symbol);
  const inBase = find(await trees.base.summary(mark.path), mark.declaration);
  const more = count > 1 ? ` (and ${count - 1} more ${count === 2 ? "use" : "uses"} in this file)` : "";
  return {
    language: rules.language,
    rule: fate.rule,
    symbol,
    definitionSide: by,
    definitionBefore: await placeOf(
      trees.base.has(mark.path) ? trees.base : trees[suspect.side],
      mark.path,
      inBase?.line ?? mark.declaration.line,
    ),
    definitionAfter: fate.after,
    use: await placeOf(trees.merged, suspect.path, suspect.line),
    message: `${suspect.path}:${suspect.line} uses \`${symbol}\`${more}, which the other side ${fate.became}.`,
    suggestion: fate.suggestion,
  };
}

async function fateOf(
  trees: Trees,
  changed: ReadonlySet<string>,
  by: Side,
  suspect: Suspect,
  mark: Mark,
  symbol: string,
): Promise<Fate> {
  const { why, detail, mark: now } = suspect.after;
  if (suspect.from !== undefined && (await isStillThere(trees.merged, why, mark)))
    return {
      rule: "moved",
      after: await placeOf(trees.merged, mark.path, mark.declaration.line),
      became: `put out of reach by moving ${suspect.from} here`,
      suggestion: `Bring \`${symbol}\` in from ${mark.path}, or use it where the file was.`,
    };
  const there = now === undefined ? undefined : await placeOf(trees.merged, now.path, now.declaration.line);
  if (why === "arity")
    return {
      rule: "signature",
      after: there,
      became: `changed so that this no longer fits: ${detail}`,
      suggestion: `Adapt this use to the new \`${symbol}\`, or keep the old way working.`,
    };
  if (why === "requires")
    return {
      rule: "requires-more",
      after: there,
      became: `changed so that something is missing here: ${detail}`,
      suggestion: `Add what \`${symbol}\` now asks for, or give it a default.`,
    };
  if (why === "private")
    return {
      rule: "made-private",
      after: there,
      became: `made unreachable from here: ${detail}`,
      suggestion: `Make \`${symbol}\` reachable again, or stop using it here.`,
    };
  if (mark.declaration.words.includes("import"))
    return {
      rule: "removed",
      after: there,
      became: "no longer imports in this file",
      suggestion: `Import \`${symbol}\` here again.`,
    };
  // In a file that its own side moved, what the other side made of it shows in the merge only.
  const newest = trees[by].has(mark.path) ? trees[by] : trees.merged;
  const renamed = successor(
    await trees[suspect.side].summary(mark.path),
    await newest.summary(mark.path),
    mark.declaration,
  );
  const isMember = why === "member" || mark.declaration.of !== "";
  if (renamed !== undefined)
    return {
      rule: isMember ? "removed-member" : "renamed",
      after: await placeOf(newest, mark.path, renamed.line),
      became: `renamed to \`${renamed.name}\``,
      suggestion: `Use \`${renamed.name}\` instead, or keep \`${symbol}\` as well.`,
    };
  const moved = await elsewhere(trees, changed, by, mark);
  if (moved !== undefined)
    return {
      rule: "moved",
      after: await placeOf(trees[by], moved.path, moved.line),
      became: `moved to ${moved.path}`,
      suggestion: `Use \`${symbol}\` from ${moved.path}, or keep it reachable from where it was.`,
    };
  return {
    rule: isMember ? "removed-member" : "removed",
    after: there,
    became: "removed",
    suggestion: `Stop using \`${symbol}\`, or keep it.`,
  };
}

type Declarations = { readonly declarations: readonly SourceDeclaration[] } | undefined;

function find(file: Declarations, { kind, name, of, module }: SourceDeclaration): SourceDeclaration | undefined {
  return file?.declarations.find(
    (one) => one.kind === kind && one.name === name && one.of === of && one.module === module,
  );
}

/** A declaration of the same shape that is new beside the lost one, when the lost one is really gone. */
function successor(before: Declarations, after: Declarations, lost: SourceDeclaration): SourceDeclaration | undefined {
  if (find(after, lost) !== undefined) return undefined;
  const fresh = (after?.declarations ?? []).filter(
    (one) =>
      one.kind === lost.kind && one.of === lost.of && one.module === lost.module && find(before, one) === undefined,
  );
  const same = fresh.filter(({ shape }) => lost.shape !== 0 && shape === lost.shape);
  if (same.length === 1) return same[0];
  const alike = fresh.filter(({ takes }) => JSON.stringify(takes) === JSON.stringify(lost.takes));
  return fresh.length === 1 && alike.length === 1 ? alike[0] : undefined;
}

async function elsewhere(
  trees: Trees,
  changed: ReadonlySet<string>,
  by: Side,
  { path, declaration }: Mark,
): Promise<{ path: string; line: number } | undefined> {
  if (declaration.of !== "") return undefined;
  const same = ({ kind, name, of }: SourceDeclaration): boolean =>
    kind === declaration.kind && name === declaration.name && of === "";
  for (const other of changed) {
    if (other === path) continue;
    const now = (await trees[by].summary(other))?.declarations.find(same);
    const before = (await trees.base.summary(other))?.declarations.find(same);
    if (now !== undefined && before === undefined) return { path: other, line: now.line };
  }
  return undefined;
}

export async function placeOf(tree: SourceTree, path: string, line: number): Promise<Place> {
  return { path, line, text: (await tree.text(path)).split("\n")[line - 1] ?? "" };
}
