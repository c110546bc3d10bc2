// Reads the declarations of a real file. Shares the grammar with the checkers and nothing else: what counts as a use, and whether
// something is broken, is for the compiler to say.

import goGrammar from "tree-sitter-go/tree-sitter-go.wasm" with { type: "file" };
import javaGrammar from "tree-sitter-java/tree-sitter-java.wasm" with { type: "file" };
import rustGrammar from "tree-sitter-rust/tree-sitter-rust.wasm" with { type: "file" };
import { loadGrammar } from "../../../tree-sitter/grammar.ts";
import { Syntax } from "../../../tree-sitter/syntax.ts";
import { below, type Parameter, type Piece, piece, type Span } from "./piece.ts";

export type RealLanguage = "go" | "java" | "rust";

const grammars = { go: goGrammar, java: javaGrammar, rust: rustGrammar };

export async function readPieces(language: RealLanguage, path: string, text: string): Promise<Piece[]> {
  const { tree } = (await loadGrammar(grammars[language])).parse(text, 5_000);
  if (tree === undefined) return [];
  const span = (node: number): Span => [tree.start[node] ?? 0, tree.end[node] ?? 0];
  const source: Source = { path, syntax: new Syntax(tree, text), span };
  return language === "go" ? goPieces(source) : language === "java" ? javaPieces(source) : rustPieces(source);
}

interface Source {
  readonly path: string;
  readonly syntax: Syntax;
  readonly span: (node: number) => Span;
}

function basics({ path, syntax, span }: Source, node: number, name: number) {
  return { path, name: syntax.text(name), nameAt: span(name), at: span(node), text: syntax.text(node) };
}

function goPieces(source: Source): Piece[] {
  const { syntax, span } = source;
  const all: Piece[] = [];
  const isPublic = (name: string): boolean => /^[A-Z]/.test(name);
  for (const node of syntax.children(1)) {
    const kind = syntax.kind(node);
    if (kind === "function_declaration" || kind === "method_declaration") {
      const name = syntax.at(node, "name");
      const receiver = syntax.at(node, "receiver");
      const header = receiver === 0 ? "" : syntax.text(receiver);
      const list = syntax.at(node, "parameters");
      all.push(
        piece({
          kind: "function",
          ...basics(source, node, name),
          holder: /\*?\s*(\w+)\s*(\[[^\]]*\])?\s*\)$/.exec(header)?.[1] ?? "",
          header,
          isPublic: isPublic(syntax.text(name)),
          isGeneric: syntax.at(node, "type_parameters") !== 0 || header.includes("["),
          hasBody: syntax.at(node, "body") !== 0,
          parametersAt: span(list),
          parameters: goParameters(syntax, list),
          result: syntax.text(syntax.at(node, "result")),
        }),
      );
    } else if (kind === "type_declaration") {
      for (const spec of syntax.children(node)) {
        const [name, type] = [syntax.at(spec, "name"), syntax.at(spec, "type")];
        const isInterface = syntax.kind(type) === "interface_type";
        const isStruct = syntax.kind(type) === "struct_type";
        const open = isInterface || isStruct ? span(type)[0] + syntax.text(type).indexOf("{") + 1 : 0;
        const isGeneric = syntax.at(spec, "type_parameters") !== 0;
        const own = basics(source, node, name);
        all.push(
          piece({
            kind: isInterface ? "interface" : "type",
            ...own,
            isGeneric,
            bodyAt: open,
            isPublic: isPublic(own.name),
          }),
        );
        if (!isStruct) continue;
        for (const field of syntax.children(syntax.first(type))) {
          const names = syntax.children(field).filter((one) => syntax.is(one, "name"));
          const typeNode = syntax.at(field, "type");
          if (names.length !== 1) continue;
          all.push(
            piece({
              kind: "field",
              ...basics(source, field, names[0] ?? 0),
              holder: own.name,
              typeAt: span(typeNode),
              type: syntax.text(typeNode),
              isPublic: isPublic(syntax.text(names[0] ?? 0)),
            }),
          );
        }
      }
    } else if (kind === "const_declaration" || kind === "var_declaration") {
      for (const spec of below(syntax, node)) {
        if (syntax.kind(spec) !== "const_spec" && syntax.kind(spec) !== "var_spec") continue;
        const name = syntax.at(spec, "name");
        all.push(piece({ kind: "constant", ...basics(source, spec, name), isPublic: isPublic(syntax.text(name)) }));
      }
    }
  }
  return all;
}

function goParameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((one) => {
    const type = syntax.text(syntax.at(one, "type"));
    const names = syntax.children(one).filter((part) => syntax.is(part, "name"));
    const written = syntax.kind(one) === "variadic_parameter_declaration" ? `...${type}` : type;
    return names.length === 0
      ? [{ name: "", type: written }]
      : names.map((name) => ({ name: syntax.text(name), type: written }));
  });
}

function javaPieces(source: Source): Piece[] {
  const all: Piece[] = [];
  for (const node of source.syntax.children(1))
    if (javaTypes.has(source.syntax.kind(node))) javaType(source, node, "", all);
  return all;
}

const javaTypes = new Set(["class_declaration", "interface_declaration", "enum_declaration", "record_declaration"]);

function javaType(source: Source, node: number, outer: string, all: Piece[]): void {
  const { syntax, span } = source;
  const name = syntax.at(node, "name");
  const body = syntax.at(node, "body");
  const isInterface = syntax.kind(node) === "interface_declaration";
  const holder = outer === "" ? syntax.text(name) : `${outer}.${syntax.text(name)}`;
  const words = (one: number): string =>
    syntax.text(syntax.children(one).find((child) => syntax.kind(child) === "modifiers") ?? 0);
  const isGeneric = syntax.at(node, "type_parameters") !== 0;
  all.push(
    piece({
      kind: isInterface ? "interface" : "type",
      ...basics(source, node, name),
      holder: outer,
      isPublic: /\bpublic\b/.test(words(node)),
      isGeneric,
      bodyAt: span(body)[0] + 1,
    }),
  );
  const members = syntax
    .children(body)
    .flatMap((one) => (syntax.kind(one) === "enum_body_declarations" ? syntax.children(one) : [one]));
  for (const one of members) {
    const kind = syntax.kind(one);
    if (javaTypes.has(kind)) javaType(source, one, holder, all);
    const said = words(one);
    const shared = {
      holder,
      isPublic: /\bpublic\b/.test(said) || isInterface,
      isStatic: /\bstatic\b/.test(said),
    };
    if (kind === "field_declaration") {
      const declarators = syntax.children(one).filter((child) => syntax.is(child, "declarator"));
      const type = syntax.at(one, "type");
      if (declarators.length === 1)
        all.push(
          piece({
            kind: /\bfinal\b/.test(said) && shared.isStatic ? "constant" : "field",
            ...basics(source, one, syntax.at(declarators[0] ?? 0, "name")),
            ...shared,
            typeAt: span(type),
            type: syntax.text(type),
          }),
        );
    } else if (kind === "enum_constant") {
      all.push(piece({ kind: "variant", ...basics(source, one, syntax.at(one, "name")), holder, isPublic: true }));
    } else if (kind === "method_declaration" || kind === "constructor_declaration") {
      const list = syntax.at(one, "parameters");
      all.push(
        piece({
          kind: kind === "method_declaration" ? "function" : "constructor",
          ...basics(source, one, syntax.at(one, "name")),
          ...shared,
          header: syntax.text(syntax.at(node, "type_parameters")),
          isGeneric: syntax.at(one, "type_parameters") !== 0,
          isBound: /@Override\b|\babstract\b/.test(said) || isInterface,
          hasBody: syntax.at(one, "body") !== 0,
          parametersAt: span(list),
          parameters: syntax.children(list).map((parameter) => javaParameter(syntax, parameter)),
          result: syntax.text(syntax.at(one, "type")),
        }),
      );
    }
  }
}

function javaParameter(syntax: Syntax, one: number): Parameter {
  if (syntax.kind(one) === "spread_parameter") {
    const [type, name] = syntax.children(one).slice(-2);
    return { name: syntax.text(syntax.at(name ?? 0, "name")), type: `${syntax.text(type ?? 0)}...` };
  }
  return { name: syntax.text(syntax.at(one, "name")), type: syntax.text(syntax.at(one, "type")) };
}

function rustPieces(source: Source): Piece[] {
  const all: Piece[] = [];
  const { syntax, span } = source;
  const isPublic = (node: number): boolean =>
    syntax.children(node).some((one) => syntax.kind(one) === "visibility_modifier" && syntax.text(one) === "pub");
  const functionOf = (node: number, holder: string, header: string, isBound: boolean): Piece => {
    const list = syntax.at(node, "parameters");
    const parts = syntax.children(list);
    return piece({
      kind: "function",
      ...basics(source, node, syntax.at(node, "name")),
      holder,
      header,
      isPublic: isPublic(node),
      isStatic: !parts.some((one) => syntax.kind(one) === "self_parameter"),
      isGeneric: syntax.at(node, "type_parameters") !== 0 || syntax.text(list).includes("impl "),
      isBound,
      hasBody: syntax.at(node, "body") !== 0,
      parametersAt: span(list),
      parameters: parts
        .filter((one) => syntax.kind(one) === "parameter")
        .map((one) => ({ name: syntax.text(syntax.at(one, "pattern")), type: syntax.text(syntax.at(one, "type")) })),
      result: syntax.text(syntax.at(node, "return_type")),
    });
  };
  let [isConditional, isOfTests] = [false, false];
  for (const node of syntax.children(1)) {
    const kind = syntax.kind(node);
    if (kind === "attribute_item") {
      if (/cfg|test|macro/.test(syntax.text(node))) isConditional = true;
      if (/^#\[\s*cfg\s*\(\s*test\s*\)\s*\]$/.test(syntax.text(node))) isOfTests = true;
      continue;
    }
    if (isOfTests && kind === "mod_item")
      for (const one of syntax.at(node, "body") === 0 ? [] : syntax.children(syntax.at(node, "body")))
        if (syntax.kind(one) === "function_item")
          all.push(piece({ kind: "test", ...basics(source, one, syntax.at(one, "name")) }));
    const isLeftOut = isConditional;
    [isConditional, isOfTests] = [false, false];
    if (isLeftOut) continue;
    const name = syntax.at(node, "name");
    const isGeneric = syntax.at(node, "type_parameters") !== 0;
    if (kind === "function_item") all.push(functionOf(node, "", "", false));
    else if (kind === "struct_item" || kind === "enum_item" || kind === "trait_item") {
      const body = syntax.at(node, "body");
      const isList = body !== 0 && syntax.text(body).startsWith("{");
      const own = basics(source, node, name);
      all.push(
        piece({
          kind: kind === "trait_item" ? "interface" : "type",
          ...own,
          isPublic: isPublic(node),
          isGeneric,
          bodyAt: isList ? span(body)[0] + 1 : 0,
        }),
      );
      for (const one of isList ? syntax.children(body) : []) {
        if (syntax.kind(one) === "field_declaration") {
          const type = syntax.at(one, "type");
          all.push(
            piece({
              kind: "field",
              ...basics(source, one, syntax.at(one, "name")),
              holder: own.name,
              isPublic: isPublic(one),
              isGeneric,
              typeAt: span(type),
              type: syntax.text(type),
            }),
          );
        } else if (syntax.kind(one) === "enum_variant")
          all.push(
            piece({
              kind: "variant",
              ...basics(source, one, syntax.at(one, "name")),
              holder: own.name,
              isPublic: true,
            }),
          );
      }
    } else if (kind === "const_item" || kind === "static_item")
      all.push(piece({ kind: "constant", ...basics(source, node, name), isPublic: isPublic(node) }));
    else if (kind === "impl_item") {
      const body = syntax.at(node, "body");
      const type = syntax.text(syntax.at(node, "type"));
      const trait = syntax.at(node, "trait");
      const header = syntax
        .text(node)
        .slice(0, Math.max(0, span(body)[0] - span(node)[0]))
        .trim();
      for (const one of body === 0 ? [] : syntax.children(body))
        if (syntax.kind(one) === "function_item")
          all.push(functionOf(one, type.replace(/<.*$/s, ""), header, trait !== 0));
      if (trait !== 0)
        all.push(
          piece({
            kind: "implementation",
            ...basics(source, node, trait),
            name: syntax.text(trait).replace(/<.*$/s, "").split("::").at(-1) ?? "",
            holder: type.replace(/<.*$/s, ""),
          }),
        );
    }
  }
  return all;
}
