// Whether everything in a shell command runs only after its first simple command has succeeded, and in the same shell: `a && b && c > d`,
// and nothing with `;`, `||`, `&` or a new line outside of braces and parentheses. The grammar hangs lists together in its own
// way (a redirection at the end may hold the whole list), so every list that is met on the way is looked at.

import type { Syntax } from "../tree-sitter/syntax.ts";
import { wordKinds } from "./read-word.ts";

export function hasLeader(syntax: Syntax): boolean {
  const [statement, ...others] = syntax.children(1);
  if (statement === undefined || others.length > 0 || syntax.kind(1) !== "program") return false;
  // Something that is no statement, such as a `&` at the end, would be left over.
  if (syntax.text(statement).trim() !== syntax.source.trim()) return false;
  const first = firstOf(syntax, statement);
  return first !== undefined && isPlain(syntax, first) && joinedByAnd(syntax, statement);
}

/** What hangs lists together without being a shell or a block of its own. */
const hangers = new Set(["list", "redirected_statement", "pipeline", "negated_command"]);

function firstOf(syntax: Syntax, node: number): number | undefined {
  const [first] = syntax.children(node);
  if (first === undefined) return undefined;
  const kind = syntax.kind(node);
  if (kind === "list") return syntax.kind(first) === "command" ? first : firstOf(syntax, first);
  // `cd x > y && z` redirects the first command itself; a list in here is redirected at its end.
  return kind === "redirected_statement" && syntax.kind(first) === "list" ? firstOf(syntax, first) : undefined;
}

function isPlain(syntax: Syntax, command: number): boolean {
  return syntax.children(command).every((child) => {
    const kind = syntax.kind(child);
    return kind === "command_name" || wordKinds.has(kind);
  });
}

function joinedByAnd(syntax: Syntax, node: number): boolean {
  const kind = syntax.kind(node);
  if (!hangers.has(kind)) return true;
  const children = syntax.children(node);
  if (kind === "list") {
    const between = children.slice(1).map((right, at) => {
      const text = syntax.textAfter(children[at] ?? 0, right);
      return text.slice(0, text.length - syntax.text(right).length).trim();
    });
    if (between.some((text) => text !== "&&")) return false;
  }
  return children.every((child) => joinedByAnd(syntax, child));
}
