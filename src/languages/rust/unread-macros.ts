// Words that are given to macros of which nothing is known, and those that macros are made of: they may name anything, so that each is kept
// once, and nobody calls complete what would have to be read in them.

import type { Draft } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { wordMacros } from "./macro-forms.ts";

export function unreadUses(syntax: Syntax, draft: Draft): void {
  const known = new Set<string>();
  const words = (node: number, macro: string): void => {
    for (const one of syntax.children(node)) {
      const kind = syntax.kind(one);
      if (kind !== "identifier" && kind !== "type_identifier") {
        words(one, macro);
        continue;
      }
      const name = syntax.text(one);
      if (known.has(name)) continue;
      known.add(name);
      draft.use({ kind: "unread", line: syntax.line(one), scope: "", path: [name], macros: [macro] });
    }
  };
  for (const node of syntax.each("macro_invocation")) {
    const name = syntax.at(node, "macro");
    const macro = syntax.text(name).split("::").at(-1) ?? "";
    if (syntax.at(node, "arguments") !== 0 || wordMacros.has(macro)) continue;
    for (const part of syntax.children(node)) if (part !== name) words(part, macro);
  }
  for (const node of syntax.each("macro_definition")) {
    const name = syntax.at(node, "name");
    for (const part of syntax.children(node)) if (part !== name) words(part, syntax.text(name));
  }
}
