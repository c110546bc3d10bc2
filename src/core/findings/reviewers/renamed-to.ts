// Finds the new name of a definition that is gone, if its line stands in the same file with nothing but another name: then it was renamed,
// whatever a checker or a compiler calls it.

import type { SemanticConflict, Side } from "../../../ports/semantic.ts";
import type { SideTexts } from "../side-texts.ts";

export async function renamedTo(
  { symbol, definitionBefore }: SemanticConflict,
  definer: Side,
  texts: SideTexts,
): Promise<string | undefined> {
  const name = symbol.slice(symbol.lastIndexOf(".") + 1);
  const [first = ""] = definitionBefore.text.split("\n");
  const pattern = patternOf(first, name);
  const [now, before] = [
    await texts.lines(definer, definitionBefore.path),
    await texts.lines("base", definitionBefore.path),
  ];
  if (pattern === undefined || now === undefined || before === undefined) return undefined;
  const old = new Set(before);
  const names = now.flatMap((line) => (old.has(line) ? [] : (pattern.exec(line)?.[1] ?? [])));
  // Two that would fit say nothing, and one that keeps its name was not renamed.
  return names.length === 1 && names[0] !== name ? names[0] : undefined;
}

/** The line with the name left open; undefined when it holds the name not at all, or little else. */
function patternOf(line: string, name: string): RegExp | undefined {
  const word = new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`, "u");
  const at = word.exec(line)?.index;
  if (at === undefined) return undefined;
  const [head, tail] = [line.slice(0, at), line.slice(at + name.length)];
  if ((head + tail).trim().length < 3) return undefined;
  return new RegExp(`^${escaped(head)}([\\w$]+)${escaped(tail)}$`, "u");
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
