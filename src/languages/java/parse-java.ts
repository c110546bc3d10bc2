// Java source to summary: package, imports, types with their members, and what they use (java-uses.ts). Leaves resolving to the
// core. Methods are named `name`, and uses of them `name()`, because fields live in another namespace.

import grammarPath from "tree-sitter-java/tree-sitter-java.wasm" with { type: "file" };
import type { ParseSource, SourceDeclaration } from "../compiled/facts.ts";
import { type Draft, readSource, shapeOf } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { annotations, arity, modifiers, superTypes, typeKinds, typeNames, typePath } from "./java-syntax.ts";
import { erased } from "./java-given.ts";
import { JavaUses } from "./java-uses.ts";

export const parseJava: ParseSource = (source, path = "a Java file") =>
  readSource({ grammarPath, source, path }, (syntax, draft) => {
    // Lombok writes members that no reader of the source can see.
    if (/^[ \t]*import\s+(static\s+)?lombok\b|@lombok\./m.test(source)) draft.doubtful = true;
    for (const node of syntax.children(1)) {
      const kind = syntax.kind(node);
      if (kind === "package_declaration") draft.package = syntax.text(syntax.children(node).at(-1) ?? 0);
      else if (kind === "import_declaration") bring(syntax, draft, node);
      else if (typeKinds.has(kind)) {
        new TypeDeclaration(syntax, draft, []).declare(node, "");
        new JavaUses(syntax, draft).type(node, "");
      }
    }
  });

function bring(syntax: Syntax, draft: Draft, node: number): void {
  const parts = syntax.children(node);
  const isAll = parts.some((part) => syntax.kind(part) === "asterisk");
  const path = syntax
    .text(parts[0] ?? 0)
    .split(".")
    .map((part) => part.trim());
  const words = /^import\s+static\s/.test(syntax.text(node)) ? ["static"] : [];
  const line = syntax.line(node);
  draft.bring({ line, name: isAll ? "*" : (path.at(-1) ?? ""), path, words });
  if (!isAll) draft.use({ kind: "import", line, scope: words.join(""), path });
}

class TypeDeclaration {
  private readonly syntax: Syntax;
  private readonly draft: Draft;
  private readonly generics: readonly string[];

  constructor(syntax: Syntax, draft: Draft, generics: readonly string[]) {
    this.syntax = syntax;
    this.draft = draft;
    this.generics = generics;
  }

  declare(node: number, outer: string): void {
    const { syntax, draft } = this;
    const nameNode = syntax.at(node, "name");
    const name = syntax.text(nameNode);
    const kind = syntax.kind(node).replace(/_[^]*$/, "");
    const generics = [...this.generics, ...typeNames(syntax, node)];
    const { access, words } = modifiers(syntax, node);
    const of = outer === "" ? name : `${outer}.${name}`;
    draft.declare({
      kind: "type",
      name,
      line: syntax.line(nameNode),
      of: outer,
      access,
      words: [kind, ...words],
      supers: superTypes(syntax, node),
      shape: shapeOf(syntax.textAfter(nameNode, node).replaceAll(new RegExp(`\\b${name}\\b`, "g"), "")),
    });
    const members = new Members(syntax, draft, of, kind, generics);
    if (kind === "record") members.components(syntax.at(node, "parameters"));
    for (const child of membersOf(syntax, syntax.at(node, "body"))) {
      if (typeKinds.has(syntax.kind(child))) new TypeDeclaration(syntax, draft, generics).declare(child, of);
      else members.declare(child);
    }
  }
}

function membersOf(syntax: Syntax, body: number): number[] {
  return syntax
    .children(body)
    .flatMap((child) => (syntax.kind(child) === "enum_body_declarations" ? syntax.children(child) : [child]));
}

class Members {
  private readonly syntax: Syntax;
  private readonly draft: Draft;
  private readonly of: string;
  private readonly holder: string;
  private readonly generics: readonly string[];

  constructor(syntax: Syntax, draft: Draft, of: string, holder: string, generics: readonly string[]) {
    this.syntax = syntax;
    this.draft = draft;
    this.of = of;
    this.holder = holder;
    this.generics = generics;
  }

  declare(node: number): void {
    const { syntax, draft, of } = this;
    const line = syntax.line(node);
    const { access, words } = modifiers(syntax, node);
    const isOpen = this.holder === "interface" || this.holder === "annotation";
    const reach = isOpen && access === "" ? "public" : access;
    switch (syntax.kind(node)) {
      case "enum_constant":
        draft.declare({
          kind: "field",
          name: this.nameOf(node),
          line,
          of,
          access: "public",
          type: of.split("."),
          answers: of,
          words: ["static", "constant"],
        });
        return;
      case "field_declaration":
      case "constant_declaration": {
        const type = this.plain(syntax.at(node, "type"), []);
        const own = isOpen ? ["static"] : words;
        for (const one of syntax.children(node).filter((child) => syntax.is(child, "declarator")))
          draft.declare({
            kind: "field",
            name: this.nameOf(one),
            line,
            of,
            access: reach,
            ...type,
            ...(syntax.at(one, "dimensions") === 0 ? this.answers(syntax.at(node, "type")) : {}),
            words: own,
            shape: shapeOf(syntax.text(syntax.at(node, "type"))),
          });
        return;
      }
      case "annotation_type_element_declaration":
        draft.declare({
          kind: "function",
          name: this.nameOf(node),
          line,
          of,
          access: reach,
          takes: [0, 0],
          words: ["abstract"],
        });
        return;
      case "constructor_declaration":
        draft.declare({ kind: "constructor", name: "new", line, of, access: reach, words, ...this.takes(node) });
        return;
      case "method_declaration": {
        const isAbstract =
          words.includes("abstract") ||
          (this.holder === "interface" && syntax.at(node, "body") === 0 && !words.includes("static"));
        const all = isAbstract && !words.includes("abstract") ? [...words, "abstract"] : words;
        const name = syntax.at(node, "name");
        draft.declare({
          kind: "function",
          name: syntax.text(name),
          line: syntax.line(name),
          of,
          access: reach,
          ...this.takes(node),
          ...this.plain(syntax.at(node, "type"), typeNames(syntax, node)),
          ...this.answers(syntax.at(node, "type"), typeNames(syntax, node)),
          words: annotations(syntax, node).includes("Override") ? [...all, "override"] : all,
          shape: shapeOf(syntax.textAfter(name, node)),
        });
        return;
      }
      default:
        return;
    }
  }

  /** A record's components are fields, methods without parameters, and the parameters of its constructor. */
  components(parameters: number): void {
    const { syntax, draft, of } = this;
    for (const one of syntax.children(parameters)) {
      const known = { ...this.plain(syntax.at(one, "type"), []), ...this.answers(syntax.at(one, "type")) };
      const [name, line] = [this.nameOf(one), syntax.line(one)];
      draft.declare({ kind: "field", name, line, of, access: "private", ...known });
      draft.declare({
        kind: "function",
        name,
        line,
        of,
        access: "public",
        takes: [0, 0],
        ...known,
        words: ["component"],
      });
    }
    const count = syntax.children(parameters).length;
    const line = syntax.line(parameters);
    draft.declare({
      kind: "constructor",
      name: "new",
      line,
      of,
      access: "public",
      takes: [count, count],
      types: syntax.children(parameters).map((one) => this.typeOf(one, new Set(this.generics))),
      words: ["component"],
    });
  }

  private nameOf(node: number): string {
    return this.syntax.text(this.syntax.at(node, "name"));
  }

  private takes(node: number): Pick<SourceDeclaration, "takes" | "parameters" | "types" | "throws"> {
    const parameters = this.syntax.at(node, "parameters");
    const written = this.syntax
      .children(parameters)
      .filter((one) => this.syntax.kind(one) !== "receiver_parameter")
      .map((one) =>
        this.syntax
          .children(one)
          .filter((part) => !["modifiers", "identifier", "variable_declarator"].includes(this.syntax.kind(part))),
      )
      .map((parts) => parts.map((part) => this.syntax.text(part)).join(" "));
    const generics = new Set([...this.generics, ...typeNames(this.syntax, node)]);
    const types = this.syntax
      .children(parameters)
      .filter((one) => this.syntax.kind(one) !== "receiver_parameter")
      .map((one) => this.typeOf(one, generics));
    const thrown = this.syntax.children(node).find((child) => this.syntax.kind(child) === "throws");
    const throws =
      thrown === undefined ? [] : this.syntax.children(thrown).map((one) => erased(this.syntax, one, generics));
    return {
      takes: arity(this.syntax, parameters),
      parameters: written.join(", ").replaceAll(/\s+/g, " "),
      types,
      ...(throws.length === 0 ? {} : { throws }),
    };
  }

  /** Of one parameter; dots before the type of an open list. */
  private typeOf(parameter: number, generics: ReadonlySet<string>): string {
    const { syntax } = this;
    if (syntax.kind(parameter) !== "spread_parameter") {
      const type = erased(syntax, syntax.at(parameter, "type"), generics);
      return syntax.at(parameter, "dimensions") === 0 || type === "" ? type : `${type}[]`;
    }
    const type = syntax
      .children(parameter)
      .find((part) => !["modifiers", "variable_declarator"].includes(syntax.kind(part)));
    return `...${erased(syntax, type ?? 0, generics)}`;
  }

  private answers(node: number, more: readonly string[] = []): { answers?: string } {
    const type = erased(this.syntax, node, new Set([...this.generics, ...more]));
    return type === "" ? {} : { answers: type };
  }

  /** A type that is a plain name and no type parameter. */
  private plain(node: number, more: readonly string[]): { type?: readonly string[] } {
    const type = typePath(this.syntax, node);
    const [first] = type ?? [];
    return type === undefined || first === undefined || this.generics.includes(first) || more.includes(first)
      ? {}
      : { type };
  }
}
