// Rust source to summary: modules, `use`, items with their visibility, impls, and what bodies use (rust-uses.ts). Leaves resolving
// to the core. What stands under `cfg` is declared as conditional, and its uses are not told; of macros those are looked into whose arguments
// are known (read-macros.ts).

import grammarPath from "tree-sitter-rust/tree-sitter-rust.wasm" with { type: "file" };
import type { ParseSource, SourceDeclaration } from "../compiled/facts.ts";
import { type Draft, readSource, shapeOf } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { attributes, itemsOf, typePath, useLeaves, visibility } from "./rust-syntax.ts";
import { written } from "./rust-given.ts";
import { typeNamesOf } from "./rust-names.ts";
import { withMacros } from "./read-macros.ts";
import { RustUses } from "./rust-uses.ts";

export const parseRust: ParseSource = (source, path = "a Rust file") =>
  readSource(
    { grammarPath, source, path },
    (syntax, draft) => {
      const isConditional = syntax
        .children(1)
        .some((node) => syntax.kind(node) === "inner_attribute_item" && /^#!\[cfg\b/.test(syntax.text(node)));
      if (isConditional) draft.doubtful = true;
      new Items(syntax, draft, "").all(1, isConditional);
    },
    withMacros,
  );

class Items {
  private readonly syntax: Syntax;
  private readonly draft: Draft;
  private readonly module: string;

  constructor(syntax: Syntax, draft: Draft, module: string) {
    this.syntax = syntax;
    this.draft = draft;
    this.module = module;
  }

  all(body: number, isConditional: boolean): void {
    for (const { node, attributes: written } of itemsOf(this.syntax, body)) {
      const about = attributes(written);
      const words = isConditional && !about.includes("conditional") ? [...about, "conditional"] : about;
      this.item(node, words);
    }
  }

  private item(node: number, words: readonly string[]): void {
    const { syntax } = this;
    const name = syntax.at(node, "name");
    const kind = syntax.kind(node);
    switch (kind) {
      case "mod_item": {
        const body = syntax.at(node, "body");
        this.declare("module", node, body === 0 ? words : [...words, "inline"], {});
        const inside = this.module === "" ? syntax.text(name) : `${this.module}::${syntax.text(name)}`;
        if (body !== 0) new Items(syntax, this.draft, inside).all(body, words.includes("conditional"));
        return;
      }
      case "use_declaration":
        this.bring(node, words);
        return;
      case "extern_crate_declaration": {
        // What is in it cannot be read here, but that it is called so can.
        const alias = syntax.at(node, "alias");
        const called = syntax.text(alias === 0 ? name : alias);
        const access = visibility(syntax, node);
        this.draft.declare({
          kind: "module",
          name: called,
          line: syntax.line(node),
          module: this.module,
          access,
          words: [...words, "crate"],
        });
        return;
      }
      case "macro_definition":
        this.draft.declare({
          kind: "macro",
          name: syntax.text(name),
          line: syntax.line(node),
          module: this.module,
          words,
        });
        break;
      case "macro_invocation":
      case "expression_statement":
        // An item-like macro may declare anything.
        this.draft.declare({ kind: "module", name: "!", line: syntax.line(node), module: this.module });
        break;
      case "function_item":
      case "function_signature_item":
        this.declare("function", node, words, this.signature(node, undefined));
        break;
      case "const_item":
      case "static_item":
        this.declare("value", node, words, {
          ...this.typed(syntax.at(node, "type")),
          ...this.answers(syntax.at(node, "type"), node),
        });
        break;
      case "type_item":
        this.declare("type", node, [...words, "alias"], this.typed(syntax.at(node, "type")));
        break;
      case "struct_item":
      case "union_item":
        this.struct(node, words);
        break;
      case "enum_item":
        this.declare("type", node, [...words, "enum"], {});
        this.variants(node);
        break;
      case "trait_item":
        this.declare("type", node, [...words, "trait"], {});
        this.members(syntax.at(node, "body"), syntax.text(name), "public", words, true);
        break;
      case "impl_item":
        this.implementation(node, words);
        break;
      default:
        return;
    }
    if (!words.includes("conditional")) new RustUses(syntax, this.draft, this.module).item(node);
  }

  private declare(
    kind: SourceDeclaration["kind"],
    node: number,
    words: readonly string[],
    more: Partial<SourceDeclaration>,
  ): void {
    const { syntax } = this;
    const name = syntax.at(node, "name");
    this.draft.declare({
      kind,
      name: syntax.text(name),
      line: syntax.line(name),
      module: this.module,
      access: visibility(syntax, node),
      words,
      shape: shapeOf(syntax.textAfter(name, node)),
      ...more,
    });
  }

  private bring(node: number, words: readonly string[]): void {
    const access = visibility(this.syntax, node);
    const isConditional = words.includes("conditional");
    for (const { name, path, line } of useLeaves(this.syntax, this.syntax.at(node, "argument"))) {
      this.draft.bring({ line, name, path, module: this.module, access, words });
      if (!isConditional)
        this.draft.use({
          kind: "import",
          line,
          scope: "use",
          module: this.module,
          path,
          parts: name === "*" ? ["*"] : [],
        });
    }
  }

  private struct(node: number, words: readonly string[]): void {
    const { syntax } = this;
    const body = syntax.at(node, "body");
    const of = syntax.text(syntax.at(node, "name"));
    const isTuple = body !== 0 && syntax.kind(body) === "ordered_field_declaration_list";
    const count = isTuple ? syntax.children(body).filter((one) => syntax.is(one, "type")).length : 0;
    const shape = body === 0 ? ["unit"] : isTuple ? ["tuple"] : ["struct"];
    const isHidden = isTuple && !isOpenTuple(syntax, body);
    const all = [...words, ...shape, ...(isHidden ? ["hidden"] : [])];
    this.declare("type", node, all, isTuple ? { takes: [count, count], types: this.places(body, node) } : {});
    if (!isTuple && body !== 0) this.fields(body, of, "", node);
  }

  private fields(body: number, of: string, access: string, holder: number): void {
    const { syntax } = this;
    for (const { node, attributes: written } of itemsOf(syntax, body)) {
      if (syntax.kind(node) !== "field_declaration") continue;
      const reach = access === "" ? visibility(syntax, node) : access;
      this.declare("field", node, attributes(written), {
        of,
        access: reach,
        ...this.typed(syntax.at(node, "type")),
        ...this.answers(syntax.at(node, "type"), node, holder),
        shape: shapeOf(syntax.text(syntax.at(node, "type"))),
      });
    }
  }

  private variants(node: number): void {
    const { syntax } = this;
    const of = syntax.text(syntax.at(node, "name"));
    for (const { node: variant, attributes: written } of itemsOf(syntax, syntax.at(node, "body"))) {
      if (syntax.kind(variant) !== "enum_variant") continue;
      const body = syntax.at(variant, "body");
      const isTuple = body !== 0 && syntax.kind(body) === "ordered_field_declaration_list";
      const count = isTuple ? syntax.children(body).filter((one) => syntax.is(one, "type")).length : 0;
      const shape = body === 0 ? "unit" : isTuple ? "tuple" : "struct";
      const takes = isTuple ? { takes: [count, count] as const, types: this.places(body, node) } : {};
      this.declare("variant", variant, [...attributes(written), shape], { of, access: "public", ...takes });
      if (!isTuple && body !== 0)
        this.fields(body, `${of}::${syntax.text(syntax.at(variant, "name"))}`, "public", node);
    }
  }

  /** The types of what stands in a tuple. */
  private places(body: number, holder: number): string[] {
    const { syntax } = this;
    const generics = typeNamesOf(syntax, holder);
    const self = [syntax.text(syntax.at(holder, "name"))];
    const types = syntax.children(body).filter((one) => syntax.is(one, "type"));
    return types.map((one) => written(syntax, one, generics, self));
  }

  private implementation(node: number, words: readonly string[]): void {
    const { syntax } = this;
    const path = typePath(syntax, syntax.at(node, "type"));
    if (path === undefined) return;
    const trait = syntax.at(node, "trait");
    const traitPath = trait === 0 ? undefined : (typePath(syntax, trait) ?? ["?"]);
    const more = traitPath === undefined ? words : [...words, "of-trait"];
    if (traitPath !== undefined)
      this.draft.declare({
        kind: "constructor",
        name: `impl ${traitPath.join("::")}`,
        line: syntax.line(node),
        of: path.join("::"),
        module: this.module,
        words,
        supers: [traitPath],
      });
    this.members(
      syntax.at(node, "body"),
      path.join("::"),
      traitPath === undefined ? "" : "public",
      more,
      false,
      path,
      node,
    );
  }

  /** Functions and constants of an impl or a trait. In a trait, those without a body or value are to be implemented. */
  private members(
    body: number,
    of: string,
    access: string,
    words: readonly string[],
    isTrait: boolean,
    self?: readonly string[],
    holder = 0,
  ): void {
    const { syntax } = this;
    if (body === 0) return;
    for (const { node, attributes: written } of itemsOf(syntax, body)) {
      const kind = syntax.kind(node);
      const own = [
        ...words.filter((word) => word === "conditional" || word === "of-trait"),
        ...attributes(written),
        ...(isTrait ? ["of-trait"] : []),
      ];
      const reach = access === "" ? visibility(syntax, node) : access;
      const isOpen =
        isTrait && syntax.at(node, "body") === 0 && syntax.at(node, "value") === 0 && syntax.at(node, "type") === 0;
      if (kind === "function_item" || kind === "function_signature_item") {
        const isWanted = isTrait && kind === "function_signature_item" ? [...own, "abstract"] : own;
        this.declare("function", node, isWanted, { of, access: reach, ...this.signature(node, self, holder) });
      } else if (kind === "const_item") {
        const isWanted = isTrait && syntax.at(node, "value") === 0 ? [...own, "abstract"] : own;
        this.declare("value", node, isWanted, { of, access: reach });
      } else if (kind === "associated_type" || kind === "type_item")
        this.declare("value", node, isOpen ? [...own, "abstract"] : own, { of, access: reach });
      else if (kind === "macro_invocation" || kind === "expression_statement")
        this.draft.declare({
          kind: "function",
          name: "!",
          line: syntax.line(node),
          of,
          module: this.module,
          words: own,
        });
    }
  }

  private answers(type: number, node: number, holder = 0, self?: readonly string[]): { answers?: string } {
    const generics = new Set([...typeNamesOf(this.syntax, node), ...typeNamesOf(this.syntax, holder)]);
    const text = written(this.syntax, type, generics, self);
    return text === "" ? {} : { answers: text };
  }

  /** Of each parameter; one that is a function of some kind says how many it takes. */
  private parameterTypes(node: number, holder: number, self: readonly string[] | undefined): string[] {
    const { syntax } = this;
    const generics = new Set([...typeNamesOf(syntax, node), ...typeNamesOf(syntax, holder)]);
    const bounds =
      syntax.text(syntax.at(node, "type_parameters")) +
      syntax
        .children(node)
        .filter((one) => syntax.kind(one) === "where_clause")
        .map((one) => syntax.text(one))
        .join("");
    return syntax
      .children(syntax.at(node, "parameters"))
      .filter((one) => syntax.kind(one) === "parameter")
      .map((one) => {
        const type = syntax.at(one, "type");
        const text = syntax.text(type);
        const bound = generics.has(text)
          ? new RegExp(`\\b${text}\\s*:\\s*((?:Fn|FnMut|FnOnce)\\([^()]*\\))`).exec(bounds)?.[1]
          : undefined;
        const direct = /^impl\s+((?:Fn|FnMut|FnOnce)\([^()]*\))/.exec(text)?.[1];
        return bound ?? direct ?? written(syntax, type, generics, self);
      });
  }

  private signature(node: number, self: readonly string[] | undefined, holder = 0): Partial<SourceDeclaration> {
    const { syntax } = this;
    const list = syntax.children(syntax.at(node, "parameters"));
    const hasSelf = list.some((one) => syntax.kind(one) === "self_parameter");
    const isOpen = list.some((one) => syntax.kind(one) === "variadic_parameter");
    const count = list.filter(
      (one) =>
        syntax.kind(one) === "parameter" ||
        syntax.kind(one).endsWith("_type") ||
        syntax.kind(one) === "type_identifier",
    ).length;
    const isAsync = /\basync\b/.test(syntax.text(node).slice(0, Math.max(0, syntax.text(node).indexOf("fn "))));
    const type = this.typed(syntax.at(node, "return_type"), self);
    // Without self: `gives` 0; with it, 1. Called by path, self is an argument like any other.
    const result = syntax.at(node, "return_type");
    const answers = isAsync ? {} : result === 0 ? { answers: "()" } : this.answers(result, node, holder, self);
    return {
      ...(isOpen ? {} : { takes: [count, count] as const, types: this.parameterTypes(node, holder, self) }),
      gives: hasSelf ? 1 : 0,
      ...(isAsync ? {} : type),
      ...answers,
    };
  }

  private typed(node: number, self?: readonly string[]): { type?: readonly string[] } {
    const type = node === 0 ? undefined : typePath(this.syntax, node);
    // One capital letter is a type parameter wherever people write Rust.
    if (type === undefined || /^[A-Z]$/.test(type[0] ?? "")) return {};
    if (type[0] !== "Self") return { type };
    return self === undefined ? {} : { type: [...self, ...type.slice(1)] };
  }
}

/** Every field of a tuple is public, so that anyone may make and take apart the whole. */
function isOpenTuple(syntax: Syntax, body: number): boolean {
  const parts = syntax.children(body);
  const types = parts.filter((one) => syntax.is(one, "type")).length;
  return (
    parts.filter((one) => syntax.kind(one) === "visibility_modifier" && syntax.text(one) === "pub").length === types
  );
}
