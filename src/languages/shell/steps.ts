// The steps of a shell command that is a plain sequence: statements that run one after another in one shell, joined by `&&`, `;` or a new line, and
// nothing with `||` or `&` outside of braces and parentheses. The grammar hangs lists together in its own way (a redirection at the end
// may hold the whole list), so every list that is met on the way is looked at; what is put together otherwise is no plain sequence.

import type { ShellStep } from "../../protocol/shell-script.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { wordKinds } from "./read-word.ts";

/** A step, and where it begins in the text. */
export interface PlacedStep extends Omit<ShellStep, "commands" | "redirects"> {
  readonly start: number;
}

export function stepsOf(syntax: Syntax): PlacedStep[] | undefined {
  const statements = syntax.children(1);
  const [first] = statements;
  const last = statements.at(-1);
  if (first === undefined || last === undefined || syntax.kind(1) !== "program") return undefined;
  // Something that is no statement, such as a `&` at the end, would be left over.
  const before = syntax.source.slice(0, syntax.start(first)).trim();
  const after = syntax.source.slice(syntax.end(last)).trim();
  const between = statements.slice(1).map((next, at) => syntax.textBetween(statements[at] ?? 0, next));
  if (before !== "" || (after !== "" && after !== ";")) return undefined;
  // A here-document reaches beyond its statement.
  if (between.some((text) => !/^(?: *; *| *\n\s*)$/.test(text)) || (between.length > 0 && syntax.source.includes("<<")))
    return undefined;
  const steps: PlacedStep[] = [];
  for (const statement of statements) {
    const parts = partsOf(syntax, statement);
    if (parts === undefined) return undefined;
    steps.push(...parts.map((part, at) => ({ ...part, by: at < parts.length - 1 ? ("&&" as const) : (";" as const) })));
  }
  return steps;
}

type Part = Omit<PlacedStep, "by">;

/** What `&&` joins in one statement. */
function partsOf(syntax: Syntax, node: number): Part[] | undefined {
  const kind = syntax.kind(node);
  const children = syntax.children(node);
  if (kind === "comment") return undefined;
  if (kind === "list") {
    const joins = children.slice(1).map((right, at) => syntax.textBetween(children[at] ?? 0, right).trim());
    if (joins.some((text) => text !== "&&")) return undefined;
    const all = children.map((child) => partsOf(syntax, child));
    return all.includes(undefined) ? undefined : all.flatMap((parts) => parts ?? []);
  }
  const [body] = children;
  // `cd x > y && z` redirects the first command itself; a list in here is redirected at its end.
  if (kind === "redirected_statement" && body !== undefined && syntax.kind(body) === "list") {
    const parts = partsOf(syntax, body);
    const end = parts?.pop();
    return end === undefined ? undefined : [...(parts ?? []), { ...end, isPlain: false }];
  }
  if (holdsList(syntax, node)) return undefined;
  return [{ start: syntax.start(node), isPlain: kind === "command" && isPlain(syntax, node) }];
}

/** What hangs lists together without being a shell or a block of its own. */
const hangers = new Set(["redirected_statement", "pipeline", "negated_command"]);

const holdsList = (syntax: Syntax, node: number): boolean =>
  hangers.has(syntax.kind(node)) &&
  syntax.children(node).some((child) => syntax.kind(child) === "list" || holdsList(syntax, child));

function isPlain(syntax: Syntax, command: number): boolean {
  return syntax.children(command).every((child) => {
    const kind = syntax.kind(child);
    return kind === "command_name" || wordKinds.has(kind);
  });
}
