// A function's parameters as a summary keeps them; undefined when they cannot be kept so.

import { type ParameterText, printParameter, type PythonParameter } from "../parameter.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

export function signature(syntax: Syntax, parameters: number): ParameterText[] | undefined {
  const all: PythonParameter[] = [];
  let keywordOnly = false;
  const add = (name: string, hasDefault: boolean): void => {
    all.push({ name, kind: keywordOnly ? "by keyword" : "plain", hasDefault });
  };
  for (const node of syntax.children(parameters)) {
    switch (syntax.kind(node)) {
      case "identifier":
        add(syntax.text(node), false);
        break;
      case "default_parameter":
      case "typed_default_parameter": {
        const name = syntax.at(node, "name");
        if (syntax.kind(name) !== "identifier") return undefined;
        add(syntax.text(name), true);
        break;
      }
      case "typed_parameter": {
        const inner = syntax.first(node);
        if (syntax.kind(inner) === "identifier") add(syntax.text(inner), false);
        else keywordOnly = splat(syntax, inner, all) || keywordOnly;
        break;
      }
      case "list_splat_pattern":
      case "dictionary_splat_pattern":
        keywordOnly = splat(syntax, node, all) || keywordOnly;
        break;
      case "keyword_separator":
        keywordOnly = true;
        break;
      case "positional_separator":
        for (const [index, one] of all.entries()) all[index] = { ...one, kind: "by place" };
        break;
      default:
        return undefined; // Python 2's tuple parameters.
    }
  }
  return all.map(printParameter);
}

/** Adds `*args` or `**kwargs`; true when what follows is keyword only. */
function splat(syntax: Syntax, node: number, all: PythonParameter[]): boolean {
  const isList = syntax.kind(node) === "list_splat_pattern";
  const name = syntax.text(syntax.first(node));
  all.push({ name, kind: isList ? "more arguments" : "more keywords", hasDefault: false });
  return isList;
}

/** Every name the parameters bind, with its annotation (or 0). */
export function parameterNames(syntax: Syntax, parameters: number): { name: string; annotation: number }[] {
  const found: { name: string; annotation: number }[] = [];
  const visit = (node: number, annotation: number): void => {
    const kind = syntax.kind(node);
    if (kind === "identifier") found.push({ name: syntax.text(node), annotation });
    else if (kind === "default_parameter") visit(syntax.at(node, "name"), 0);
    else if (kind === "typed_default_parameter") visit(syntax.at(node, "name"), syntax.at(node, "type"));
    else if (kind === "typed_parameter") {
      const inner = syntax.first(node);
      visit(inner, syntax.kind(inner) === "identifier" ? syntax.at(node, "type") : 0);
    } else for (const child of syntax.children(node)) visit(child, 0);
  };
  for (const node of syntax.children(parameters)) visit(node, 0);
  return found;
}
