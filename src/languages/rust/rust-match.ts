// Matches that a new variant breaks: all their arms are variants of one enum, and nothing takes the rest.

import type { SourceUse } from "../compiled/facts.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { pathOf } from "./rust-syntax.ts";

/** `meant` reads a path where the match stands; undefined when it leads nowhere known. */
export function matchedVariants(
  syntax: Syntax,
  node: number,
  meant: (path: readonly string[] | undefined) => readonly string[] | undefined,
): Pick<SourceUse, "path" | "parts"> | undefined {
  const names: string[] = [];
  let holder: readonly string[] | undefined;
  for (const arm of syntax.children(syntax.at(node, "body"))) {
    if (syntax.kind(arm) !== "match_arm") return undefined;
    const pattern = syntax.at(arm, "pattern");
    const condition = syntax.at(pattern, "condition");
    const patterns = syntax.children(pattern).filter((one) => one !== condition);
    if (patterns.length !== 1) return undefined;
    for (const alternative of alternatives(syntax, patterns[0] ?? 0)) {
      const path = alternative === 0 ? undefined : meant(pathOf(syntax, alternative));
      if (path === undefined || path.length < 2) return undefined;
      if (holder !== undefined && holder.join("::") !== path.slice(0, -1).join("::")) return undefined;
      holder = path.slice(0, -1);
      names.push(path.at(-1) ?? "");
    }
  }
  return holder === undefined ? undefined : { path: holder, parts: names };
}

/** The paths that an arm's pattern names; 0 for anything else. */
function alternatives(syntax: Syntax, node: number): number[] {
  switch (syntax.kind(node)) {
    case "or_pattern":
      return syntax.children(node).flatMap((one) => alternatives(syntax, one));
    case "reference_pattern":
      return syntax.children(node).length === 1 ? alternatives(syntax, syntax.first(node)) : [0];
    case "tuple_struct_pattern":
    case "struct_pattern":
      return [syntax.at(node, "type")];
    case "scoped_identifier":
      return [node];
    default:
      return [0];
  }
}
