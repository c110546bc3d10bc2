// References that hold on their own side and break in the merged tree, as the languages' checkers see them. One finding per
// cause, with every use as evidence. What is in doubt because git could not merge its file is left out. Every place is looked
// up in the tree of the side that is said to have it, because checkers speak of the base and of the merge too.

import type { ReadableLanguages, SemanticConflict, SemanticRule, Side } from "../../../ports/semantic.ts";
import { hunk, ours, type Said, theirs } from "../pair-finding.ts";
import type { PairScene } from "../scene.ts";
import { SideTexts } from "../side-texts.ts";
import { renamedTo } from "./renamed-to.ts";
import { type Told, toldOf } from "./told-conflict.ts";

type SemanticScene = Pick<
  PairScene,
  "broken" | "conflicted" | "excluded" | "languages" | "tree" | "read" | "ours" | "theirs"
>;

export async function reviewSemantic(scene: SemanticScene): Promise<Said[]> {
  if (scene.broken.length === 0) return [];
  const texts = new SideTexts(scene);
  const groups = new Map<string, Told[]>();
  for (const conflict of scene.broken) {
    const paths = [conflict.use.path, conflict.definitionBefore.path];
    if (paths.some((path) => scene.conflicted.has(path))) continue;
    if (scene.excluded(conflict.use.path) !== undefined) continue;
    const told = await toldOf(conflict, scene, texts);
    const key = causeOf(told);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [told]);
    else group.push(told);
  }
  const found = await Promise.all([...groups.values()].map((group) => findingOf(group, scene.languages, texts)));
  return found.filter((one) => one !== undefined);
}

/** One definition that was changed is one cause, however many uses it breaks and whatever each is called. */
function causeOf({ conflict, definer, isDefinersChange }: Told): string {
  const { rule, symbol, definitionBefore, use } = conflict;
  if (rule === "duplicate-definition") return `${rule} ${use.path} ${symbol}`;
  if (!isDefinersChange) return `${definer} fits ${use.path}`;
  return `${definer} ${definitionBefore.path}:${definitionBefore.line}`;
}

async function findingOf(
  group: readonly Told[],
  languages: ReadableLanguages,
  texts: SideTexts,
): Promise<Said | undefined> {
  const [first] = group;
  if (first === undefined) return undefined;
  const conflicts = group.map(({ conflict }) => conflict);
  const subjects = conflicts.map((one) => `${one.rule} ${one.definitionBefore.path} ${one.symbol}`).sort();
  return {
    subject: subjects[0] ?? "",
    title: await titleOf(first, group, languages, texts),
    action: first.conflict.suggestion,
    symbols: [...new Set(conflicts.map(({ symbol }) => symbol))],
    evidence: group.map(evidenceOf),
    ...(conflicts.every(({ byCompiler }) => byCompiler === true) ? { byCompiler: true } : {}),
  };
}

async function titleOf(
  first: Told,
  group: readonly Told[],
  languages: ReadableLanguages,
  texts: SideTexts,
): Promise<string> {
  const { conflict, definer, user, isDefinersChange, isNobodysFile } = first;
  const { rule, symbol, language, use } = conflict;
  if (rule === "duplicate-definition") {
    const end = languages.named(language)?.language.definedTwice;
    return `${ours} and ${theirs} both define ${symbol} in ${use.path}, and ${end}`;
  }
  const places = [...new Set(group.map((one) => `${one.use.path}:${one.use.line}`))];
  const shown =
    places.length > 3 ? `${places.slice(0, 3).join(", ")} and ${places.length - 3} more` : places.join(", ");
  if (!isDefinersChange && isNobodysFile)
    return `${symbol} in ${shown}, which neither side edited, no longer fits ${ours} and ${theirs} together`;
  if (!isDefinersChange)
    return `${named(user)} uses ${symbol} in ${shown}, which no longer fits what ${named(definer)} changed`;
  const { path, line } = first.definition;
  const to = isGone(conflict) ? await renamedTo(conflict, definer, texts) : undefined;
  const [deed, into = ""] = to === undefined ? deeds[rule] : [...deeds.renamed, `to ${to}`];
  const begin = `${named(definer)} ${deed} ${symbol} (${path}:${line})${into === "" ? "" : ` ${into}`}`;
  if (isNobodysFile) return `${begin}; together with ${named(user)} it breaks ${shown}, which neither side edited`;
  // "which" must follow the symbol: after a new name it would be read as that name.
  if (into === "") return `${begin}, which ${named(user)} uses in ${shown}`;
  return `${begin}; ${named(user)} uses ${symbol} in ${shown}`;
}

const gone: readonly SemanticRule[] = ["removed", "removed-member", "renamed"];
const isGone = ({ rule }: SemanticConflict): boolean => gone.includes(rule);

function evidenceOf({ conflict, user, use, after, seenByUser }: Told): Said["evidence"][number] {
  const shown = (place: typeof after): ReturnType<typeof hunk>[] =>
    place === undefined ? [] : [hunk(place.path, place.line, place.text)];
  // A definition that is gone on one side is still there on the other, and is shown as what it is: the other's.
  const isUseItself = seenByUser?.path === use.path && seenByUser.line === use.line;
  const users = [...shown(use), ...(after === undefined && !isUseItself ? shown(seenByUser) : [])];
  const [our, their] = user === "ours" ? [users, shown(after)] : [shown(after), users];
  return {
    rule: conflict.rule,
    path: use.path,
    symbol: conflict.symbol,
    ours: our,
    theirs: their,
    message: conflict.message,
  };
}

const named = (side: Side): string => (side === "ours" ? ours : theirs);

/** The words before the symbol, and after it. */
const deeds: Readonly<Record<SemanticRule, readonly [before: string, after?: string]>> = {
  removed: ["removes"],
  renamed: ["renames"],
  moved: ["moves"],
  "made-private": ["no longer exports"],
  signature: ["changes the signature of"],
  "removed-member": ["removes"],
  "became-async": ["makes", "asynchronous"],
  "type-only": ["now exports", "only as a type"],
  "type-mismatch": ["changes the type of"],
  "requires-more": ["adds a requirement to"],
  "duplicate-definition": ["defines", "again"],
};
