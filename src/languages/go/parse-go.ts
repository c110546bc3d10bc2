// Go source to summary: package clause, imports, declarations, and what bodies use (go-uses.ts). Leaves resolving to the core.

import grammarPath from "tree-sitter-go/tree-sitter-go.wasm" with { type: "file" };
import type { ParseSource } from "../compiled/facts.ts";
import { type Draft, readSource, shapeOf, typeText } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { defaultTypes, goTypeText, literalKind, typesIn } from "./go-given.ts";
import { GoUses, typePath } from "./go-uses.ts";

export const parseGo: ParseSource = (source, path = "a Go file") =>
  readSource({ grammarPath, source, path }, (syntax, draft) => {
    if (/^\/\/(go:build|\s*\+build)\s/m.test(source.slice(0, source.search(/^package\s/m)))) draft.doubtful = true;
    const nodes = syntax.children(1);
    for (const node of nodes) declare(syntax, draft, node);
    for (const node of nodes) new GoUses(syntax, draft).declaration(node);
  });

function declare(syntax: Syntax, draft: Draft, node: number): void {
  switch (syntax.kind(node)) {
    case "package_clause":
      draft.package = syntax.text(syntax.first(node));
      return;
    case "import_declaration":
      for (const spec of each(syntax, node, "import_spec")) bring(syntax, draft, spec);
      return;
    case "function_declaration":
      declareFunction(syntax, draft, node, "", new Set());
      return;
    case "method_declaration": {
      const holder = receiver(syntax, node);
      if (holder !== undefined) declareFunction(syntax, draft, node, holder.name, holder.open);
      return;
    }
    case "type_declaration":
      for (const spec of syntax.children(node)) declareType(syntax, draft, spec);
      return;
    case "const_declaration":
    case "var_declaration":
      for (const spec of [...each(syntax, node, "const_spec"), ...each(syntax, node, "var_spec")])
        declareValues(syntax, draft, spec);
      return;
    default:
      return;
  }
}

/** Specs stand below the declaration, or below a list in it. */
function each(syntax: Syntax, node: number, kind: string): number[] {
  return syntax
    .children(node)
    .flatMap((child) =>
      syntax.kind(child) === kind ? [child] : syntax.kind(child).endsWith("_list") ? each(syntax, child, kind) : [],
    );
}

function bring(syntax: Syntax, draft: Draft, spec: number): void {
  const path = syntax.text(syntax.at(spec, "path")).slice(1, -1);
  const alias = syntax.at(spec, "name");
  const name = alias === 0 ? "" : syntax.text(alias);
  // cgo and dot imports bring names that cannot be seen from here.
  if (path === "C" || name === ".") draft.doubtful = true;
  const line = syntax.line(spec);
  draft.bring({ line, name: name === "" ? lastName(path) : name, path: [path], words: name === "" ? ["unnamed"] : [] });
  draft.use({ kind: "import", line, scope: "import", path: [path] });
}

/** Returns the most likely name of the package. The core looks at the package itself when it is in the project. */
function lastName(path: string): string {
  const parts = path.split("/");
  const last = parts.at(-1) ?? path;
  return /^v\d+$/.test(last) && parts.length > 1 ? (parts.at(-2) ?? last) : last;
}

/** `open`: the type parameters around it. A type that one of them stands in is not known before somebody uses it. */
function declareFunction(syntax: Syntax, draft: Draft, node: number, of: string, open: ReadonlySet<string>): void {
  const name = syntax.at(node, "name");
  const result = syntax.at(node, "result");
  const all = new Set([...open, ...parametersIn(syntax, syntax.at(node, "type_parameters"))]);
  const type = firstResult(syntax, result);
  const { answers: answer = "" } = answers(syntax, result);
  draft.declare({
    kind: "function",
    name: syntax.text(name),
    line: syntax.line(node),
    of,
    takes: takes(syntax, syntax.at(node, "parameters")),
    gives: result === 0 ? 0 : syntax.kind(result) === "parameter_list" ? count(syntax, result) : 1,
    ...(type === undefined || all.has(type[0] ?? "") ? {} : { type }),
    types: typesIn(syntax, syntax.at(node, "parameters")).map((one) => knownPart(one, all)),
    ...(knownPart(answer, all) === "" ? {} : { answers: knownPart(answer, all) }),
    shape: shapeOf(syntax.textAfter(name, node)),
  });
}

const namesIn = (text: string): readonly string[] => text.match(/[\p{L}_][\w\p{L}]*/gu) ?? [];
const mentions = (type: string, names: ReadonlySet<string>): boolean => namesIn(type).some((name) => names.has(name));

/** Of a type that a type parameter stands in: what an interface asks for is known by name, so `Store[T]` is; "" of any other. */
function knownPart(type: string, open: ReadonlySet<string>): string {
  if (!mentions(type, open)) return type;
  const generic = /^(\p{L}[\w\p{L}]*(?:\.[\w\p{L}]+)?)\[.*\]$/u.exec(type)?.[1];
  return generic === undefined || mentions(generic, open) ? "" : `${generic}[any]`;
}

function parametersIn(syntax: Syntax, list: number): string[] {
  if (list === 0) return [];
  return syntax.children(list).flatMap((one) =>
    syntax
      .children(one)
      .filter((child) => syntax.is(child, "name"))
      .map((child) => syntax.text(child)),
  );
}

function answers(syntax: Syntax, result: number): { answers?: string } {
  if (result === 0) return {};
  const [first] = syntax.kind(result) === "parameter_list" ? syntax.children(result) : [];
  const type = first === undefined ? result : syntax.at(first, "type");
  return { answers: goTypeText(syntax, type) };
}

function firstResult(syntax: Syntax, result: number): readonly string[] | undefined {
  if (result === 0) return undefined;
  if (syntax.kind(result) !== "parameter_list") return typePath(syntax, result);
  const [first] = syntax.children(result);
  return first === undefined ? undefined : typePath(syntax, syntax.at(first, "type"));
}

function takes(syntax: Syntax, parameters: number): readonly [number, number] {
  const isOpen = syntax.children(parameters).some((one) => syntax.kind(one) === "variadic_parameter_declaration");
  const all = count(syntax, parameters);
  return isOpen ? [all - 1, -1] : [all, all];
}

/** `a, b int` counts twice, `int` once. */
function count(syntax: Syntax, parameters: number): number {
  let total = 0;
  for (const one of syntax.children(parameters)) {
    const names = syntax.children(one).filter((child) => syntax.is(child, "name")).length;
    total += Math.max(1, names);
  }
  return total;
}

/** The type that a method is of, and what the method calls that type's parameters. */
function receiver(
  syntax: Syntax,
  method: number,
): { readonly name: string; readonly open: ReadonlySet<string> } | undefined {
  const [parameter] = syntax.children(syntax.at(method, "receiver"));
  if (parameter === undefined) return undefined;
  let type = syntax.at(parameter, "type");
  if (syntax.kind(type) === "pointer_type") type = syntax.first(type);
  const isGeneric = syntax.kind(type) === "generic_type";
  const open = new Set(isGeneric ? namesIn(syntax.text(syntax.at(type, "type_arguments"))) : []);
  if (isGeneric) type = syntax.at(type, "type");
  return syntax.kind(type) === "type_identifier" ? { name: syntax.text(type), open } : undefined;
}

function declareType(syntax: Syntax, draft: Draft, spec: number): void {
  const [nameNode, type] = [syntax.at(spec, "name"), syntax.at(spec, "type")];
  const name = syntax.text(nameNode);
  const kind = syntax.kind(type);
  const words = [
    syntax.kind(spec) === "type_alias"
      ? "alias"
      : kind === "struct_type"
        ? "struct"
        : kind === "interface_type"
          ? "interface"
          : "other",
  ];
  const open = new Set(parametersIn(syntax, syntax.at(spec, "type_parameters")));
  if (open.size > 0) words.push("generic");
  const supers: (readonly string[])[] = [];
  if (kind === "struct_type") declareFields(syntax, draft, type, { name, open }, supers);
  if (kind === "interface_type") {
    for (const element of syntax.children(type)) {
      if (syntax.kind(element) === "method_elem") declareFunction(syntax, draft, element, name, open);
      else supers.push(typePath(syntax, syntax.first(element)) ?? []);
    }
    if (syntax.children(type).some((element) => syntax.kind(element) === "method_elem")) words.push("methods");
  }
  const named = typePath(syntax, type);
  draft.declare({
    kind: "type",
    name,
    line: syntax.line(spec),
    ...(named === undefined ? {} : { type: named }),
    ...(kind === "function_type" ? { answers: goTypeText(syntax, type) } : {}),
    supers,
    words,
    shape: shapeOf(syntax.textAfter(nameNode, spec)),
  });
}

function declareFields(
  syntax: Syntax,
  draft: Draft,
  type: number,
  { name: of, open }: { readonly name: string; readonly open: ReadonlySet<string> },
  supers: (readonly string[])[],
): void {
  for (const field of syntax.children(syntax.first(type))) {
    const typeNode = syntax.at(field, "type");
    const path = typePath(syntax, typeNode);
    const names = syntax.children(field).filter((child) => syntax.is(child, "name"));
    const shape = shapeOf(syntax.text(typeNode));
    const answer = goTypeText(syntax, typeNode);
    const known = {
      ...(path === undefined || open.has(path[0] ?? "") ? {} : { type: path }),
      ...(knownPart(answer, open) === "" ? {} : { answers: knownPart(answer, open) }),
    };
    const line = syntax.line(field);
    for (const one of names) draft.declare({ kind: "field", name: syntax.text(one), line, of, ...known, shape });
    if (names.length > 0) continue;
    supers.push(path ?? []);
    const name = path?.at(-1) ?? syntax.text(typeNode).replace(/\[.*$/s, "");
    draft.declare({ kind: "field", name, line, of, ...known, words: ["embedded"], shape });
  }
}

function declareValues(syntax: Syntax, draft: Draft, spec: number): void {
  const typeNode = syntax.at(spec, "type");
  const type = typeNode === 0 ? undefined : typePath(syntax, typeNode);
  const names = syntax.children(spec).filter((child) => syntax.is(child, "name"));
  const values = syntax.at(spec, "value") === 0 ? [] : syntax.children(syntax.at(spec, "value"));
  const isConstant = syntax.kind(spec) === "const_spec";
  for (const [at, name] of names.entries()) {
    const value = values.length === names.length ? literalType(syntax, values[at] ?? 0, isConstant) : "";
    const known = typeNode === 0 ? value : goTypeText(syntax, typeNode);
    const shape = shapeOf(syntax.textAfter(name, spec));
    draft.declare({
      kind: "value",
      name: syntax.text(name),
      line: syntax.line(name),
      ...(type === undefined ? {} : { type }),
      ...(known === "" ? {} : { answers: known }),
      shape,
    });
  }
}

/** Returns the type that a literal gives to its name: a constant keeps the literal's kind. */
function literalType(syntax: Syntax, value: number, isConstant: boolean): string {
  const kind = literalKind(syntax, value);
  if (kind !== "" && kind !== "nil") return isConstant ? `#${kind}` : (defaultTypes[kind] ?? "");
  const made = syntax.kind(value) === "unary_expression" ? syntax.at(value, "operand") : value;
  if (syntax.kind(made) !== "composite_literal" || (made !== value && !syntax.text(value).startsWith("&"))) return "";
  return (made === value ? "" : "*") + typeText(syntax.text(syntax.at(made, "type")));
}
