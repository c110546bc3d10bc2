// What one Rust item uses: paths, calls with their number of arguments, struct literals and patterns, matches without a rest, what
// an impl brings to its trait, and members of values whose type can be read off. What macros are given is not looked into.

import type { SourceUse } from "../compiled/facts.ts";
import { type Draft, type Known, Locals } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { attributes, pathOf, typePath, useLeaves } from "./rust-syntax.ts";

interface Around {
  readonly scope: string;
  readonly locals: Locals;
  readonly generics: ReadonlySet<string>;
  /** What `Self` means here. */
  readonly self: readonly string[] | undefined;
}

export class RustUses {
  private readonly syntax: Syntax;
  private readonly draft: Draft;
  private readonly module: string;

  constructor(syntax: Syntax, draft: Draft, module: string) {
    this.syntax = syntax;
    this.draft = draft;
    this.module = module;
  }

  item(node: number): void {
    const { syntax } = this;
    const kind = syntax.kind(node);
    const isImpl = kind === "impl_item";
    const self = isImpl ? typePath(syntax, syntax.at(node, "type")) : undefined;
    const nameNode = syntax.at(node, "name");
    const trait = syntax.at(node, "trait");
    const name = isImpl
      ? `${trait === 0 ? "" : `${syntax.text(trait)} for `}${syntax.text(syntax.at(node, "type"))}`
      : syntax.text(nameNode);
    const around: Around = {
      scope: name,
      locals: new Locals(),
      generics: this.typeNames(node),
      self: self ?? (kind === "trait_item" ? undefined : nameNode === 0 ? undefined : [syntax.text(nameNode)]),
    };
    if (!isImpl && kind !== "trait_item") {
      if (kind.startsWith("function")) this.bind(node, around);
      this.children(node, kind.startsWith("function") ? { ...around, self: undefined } : around);
      return;
    }
    for (const child of syntax.children(node))
      if (!syntax.is(child, "body") && !syntax.is(child, "name")) this.visit(child, around);
    const body = syntax.at(node, "body");
    if (body === 0) return;
    if (trait !== 0) this.promise(node, trait, body, around);
    this.each(body, (member) => {
      const within: Around = {
        ...around,
        scope: `${name}::${syntax.text(syntax.at(member, "name"))}`,
        locals: new Locals(),
        generics: new Set([...around.generics, ...this.typeNames(member)]),
      };
      this.bind(member, within);
      this.children(member, within);
    });
  }

  private promise(node: number, trait: number, body: number, around: Around): void {
    const { syntax } = this;
    const path = pathOf(syntax, trait);
    const members = syntax.children(body);
    // A macro among them may bring the rest.
    if (
      path === undefined ||
      members.some((one) => syntax.kind(one) === "macro_invocation" || syntax.kind(one) === "attribute_item")
    )
      return;
    const parts = members.map((one) => `${syntax.text(syntax.at(one, "name"))}${this.countOf(one)}`);
    this.say(node, around, { kind: "implements", path, parts });
  }

  private countOf(member: number): string {
    const parameters = this.syntax.at(member, "parameters");
    return parameters === 0
      ? ""
      : `/${this.syntax.children(parameters).filter((one) => this.syntax.kind(one) === "parameter").length}`;
  }

  private typeNames(node: number): Set<string> {
    const { syntax } = this;
    const list = syntax.at(node, "type_parameters");
    const names = list === 0 ? [] : syntax.children(list);
    return new Set(names.map((one) => syntax.text(syntax.at(one, "name") === 0 ? one : syntax.at(one, "name"))));
  }

  /** Children that are not under a condition. */
  private each(node: number, visit: (child: number) => void): void {
    let pending: string[] = [];
    for (const child of this.syntax.children(node)) {
      if (this.syntax.kind(child) === "attribute_item") {
        pending.push(this.syntax.text(child));
        continue;
      }
      if (!attributes(pending).includes("conditional")) visit(child);
      pending = [];
    }
  }

  private children(node: number, around: Around): void {
    this.each(node, (child) => {
      if (!this.syntax.is(child, "name")) this.visit(child, around);
    });
  }

  private bind(node: number, around: Around): void {
    const { syntax } = this;
    const { locals } = around;
    const kind = syntax.kind(node);
    if (kind === "macro_invocation" || kind === "token_tree") return;
    if (kind === "let_declaration" || kind === "parameter") {
      const [pattern, type, value] = [syntax.at(node, "pattern"), syntax.at(node, "type"), syntax.at(node, "value")];
      const known = type !== 0 ? this.typed(type, around) : value === 0 ? undefined : this.known(value, around);
      this.bindPattern(pattern, around, known);
    } else if (kind === "closure_parameters") {
      for (const one of syntax.children(node))
        if (syntax.kind(one) !== "parameter") this.bindPattern(one, around, undefined);
    } else if (kind === "for_expression" || kind === "let_condition" || kind === "match_arm") {
      this.bindPattern(syntax.at(node, "pattern"), around, undefined);
    } else if (kind === "use_declaration") {
      for (const { name } of useLeaves(syntax, syntax.at(node, "argument"))) locals.bind(name);
    } else if (kind.endsWith("_item") && syntax.at(node, "name") !== 0) {
      // What is declared in a body hides what stands outside; the function itself comes here too, and may call itself.
      if (
        around.scope !== syntax.text(syntax.at(node, "name")) &&
        !around.scope.endsWith(`::${syntax.text(syntax.at(node, "name"))}`)
      )
        locals.bind(syntax.text(syntax.at(node, "name")));
    }
    for (const child of syntax.children(node)) this.bind(child, around);
  }

  private bindPattern(node: number, around: Around, known: Known | undefined): void {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "identifier": {
        const name = syntax.text(node);
        // A name in capitals is a constant or a variant.
        if (/^[\p{Ll}_]/u.test(name)) around.locals.bind(name, known);
        return;
      }
      case "shorthand_field_identifier":
        around.locals.bind(syntax.text(node));
        return;
      case "scoped_identifier":
      case "scoped_type_identifier":
        return;
      case "mut_pattern":
      case "ref_pattern":
        for (const child of syntax.children(node)) this.bindPattern(child, around, known);
        return;
      default:
        for (const child of syntax.children(node))
          if (!syntax.is(child, "type")) this.bindPattern(child, around, undefined);
    }
  }

  private typed(type: number, around: Around): Known | undefined {
    const path = this.meant(typePath(this.syntax, type), around);
    return path === undefined ? undefined : { path, members: [] };
  }

  /** With `Self` replaced; undefined when the path begins with something local. */
  private meant(path: readonly string[] | undefined, around: Around): readonly string[] | undefined {
    const [first = "", ...rest] = path ?? [];
    if (path === undefined || first === "self") return path !== undefined && path.length > 1 ? path : undefined;
    if (first === "Self") return around.self === undefined ? undefined : [...around.self, ...rest];
    return around.generics.has(first) || around.locals.has(first) ? undefined : path;
  }

  private known(node: number, around: Around): Known | undefined {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "identifier":
        return around.locals.get(syntax.text(node));
      case "self":
        return around.self === undefined ? undefined : { path: around.self, members: [] };
      case "reference_expression":
        return this.known(syntax.at(node, "value"), around);
      case "parenthesized_expression":
        return this.known(syntax.first(node), around);
      case "struct_expression":
        return this.typed(syntax.at(node, "name"), around);
      case "field_expression": {
        const known = this.known(syntax.at(node, "value"), around);
        const field = syntax.at(node, "field");
        return known === undefined || syntax.kind(field) !== "field_identifier"
          ? undefined
          : { path: known.path, members: [...known.members, syntax.text(field)] };
      }
      case "call_expression": {
        const callee = this.callee(node);
        if (syntax.kind(callee) === "field_expression") return this.known(callee, around);
        const path = this.meant(pathOf(syntax, callee), around);
        return path === undefined ? undefined : { path, members: [] };
      }
      default:
        return undefined;
    }
  }

  private callee(call: number): number {
    const callee = this.syntax.at(call, "function");
    return this.syntax.kind(callee) === "generic_function" ? this.syntax.at(callee, "function") : callee;
  }

  private visit(node: number, around: Around): void {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "macro_invocation":
      case "macro_definition":
      case "token_tree":
      case "visibility_modifier":
      case "lifetime":
      case "self_parameter":
      case "bracketed_type":
        return;
      case "identifier":
      case "type_identifier":
      case "scoped_identifier":
      case "scoped_type_identifier":
        this.pathUse(node, around);
        return;
      case "call_expression":
        this.call(node, around);
        return;
      case "field_expression": {
        const known = this.known(node, around);
        if (known !== undefined) this.say(node, around, known);
        this.visit(syntax.at(node, "value"), around);
        return;
      }
      case "struct_expression":
        this.literal(node, syntax.at(node, "name"), syntax.at(node, "body"), "base_field_initializer", around);
        return;
      case "struct_pattern":
        this.literal(node, syntax.at(node, "type"), node, "remaining_field_pattern", around);
        return;
      case "tuple_struct_pattern":
        this.tuplePattern(node, around);
        return;
      case "match_expression":
        this.match(node, around);
        this.children(node, around);
        return;
      case "use_declaration":
        for (const { path, line, name } of useLeaves(syntax, syntax.at(node, "argument")))
          this.draft.use({
            kind: "import",
            line,
            scope: around.scope,
            module: this.module,
            path,
            parts: name === "*" ? ["*"] : [],
          });
        return;
      case "generic_function":
        this.visit(syntax.at(node, "function"), around);
        this.visit(syntax.at(node, "type_arguments"), around);
        return;
      default:
        this.children(node, around);
    }
  }

  private pathUse(node: number, around: Around, args?: number): void {
    const path = this.meant(pathOf(this.syntax, node), around);
    if (path === undefined) {
      // `Vec::<T>::new`: what stands in the brackets is a use of its own.
      for (const child of this.syntax.children(node))
        if (this.syntax.kind(child).startsWith("generic")) this.visit(child, around);
      return;
    }
    this.say(node, around, { path, ...(args === undefined ? {} : { args }) });
  }

  private call(node: number, around: Around): void {
    const { syntax } = this;
    const callee = this.callee(node);
    const args = syntax
      .children(syntax.at(node, "arguments"))
      .filter((one) => syntax.kind(one) !== "attribute_item").length;
    if (syntax.kind(callee) === "field_expression") {
      const known = this.known(callee, around);
      if (known !== undefined) this.say(callee, around, { ...known, args });
      this.visit(syntax.at(callee, "value"), around);
    } else if (pathOf(syntax, callee) === undefined) this.visit(callee, around);
    else this.pathUse(callee, around, args);
    this.children(syntax.at(node, "arguments"), around);
  }

  private literal(node: number, type: number, body: number, rest: string, around: Around): void {
    const { syntax } = this;
    const path = this.meant(pathOf(syntax, type), around);
    const parts: string[] = [];
    let isWhole = true;
    for (const child of syntax.children(body)) {
      const kind = syntax.kind(child);
      if (kind === rest) isWhole = false;
      if (kind === "attribute_item") return;
      if (kind === "shorthand_field_initializer") parts.push(syntax.text(child));
      if (kind === "field_initializer") parts.push(syntax.text(syntax.at(child, "field")));
      if (kind === "field_pattern") parts.push(syntax.text(syntax.at(child, "name")));
    }
    if (path !== undefined)
      this.say(node, around, { kind: "literal", path, parts: [...parts].sort(), ...(isWhole ? { whole: 1 } : {}) });
    for (const child of syntax.children(body)) if (child !== type) this.visit(child, around);
  }

  private tuplePattern(node: number, around: Around): void {
    const { syntax } = this;
    const type = syntax.at(node, "type");
    const path = this.meant(pathOf(syntax, type), around);
    const parts = syntax.children(node).filter((one) => one !== type);
    // `_` is no node, so it is counted by its commas.
    const inside = syntax.textAfter(type, node).trim().slice(1, -1);
    const isPlain = !parts.some((one) => syntax.kind(one) === "remaining_field_pattern") && /^[\w\s,]*$/.test(inside);
    const count = inside.split(",").filter((part) => part.trim() !== "").length;
    if (path !== undefined) this.say(node, around, { path, ...(isPlain ? { args: count } : {}) });
    for (const part of parts) this.visit(part, around);
  }

  /** A match whose arms are all variants of one enum, without anything that takes the rest. */
  private match(node: number, around: Around): void {
    const { syntax } = this;
    const names: string[] = [];
    let holder: readonly string[] | undefined;
    for (const arm of syntax.children(syntax.at(node, "body"))) {
      if (syntax.kind(arm) !== "match_arm") return;
      const pattern = syntax.at(arm, "pattern");
      const condition = syntax.at(pattern, "condition");
      const patterns = syntax.children(pattern).filter((one) => one !== condition);
      if (patterns.length !== 1) return;
      for (const alternative of this.alternatives(patterns[0] ?? 0)) {
        const path = alternative === 0 ? undefined : this.meant(pathOf(syntax, alternative), around);
        if (path === undefined || path.length < 2) return;
        if (holder !== undefined && holder.join("::") !== path.slice(0, -1).join("::")) return;
        holder = path.slice(0, -1);
        names.push(path.at(-1) ?? "");
      }
    }
    if (holder !== undefined) this.say(node, around, { kind: "match", path: holder, parts: names });
  }

  /** The paths that an arm's pattern names; 0 for anything else. */
  private alternatives(node: number): number[] {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "or_pattern":
        return syntax.children(node).flatMap((one) => this.alternatives(one));
      case "reference_pattern":
        return syntax.children(node).length === 1 ? this.alternatives(syntax.first(node)) : [0];
      case "tuple_struct_pattern":
      case "struct_pattern":
        return [syntax.at(node, "type")];
      case "scoped_identifier":
        return [node];
      default:
        return [0];
    }
  }

  private say(node: number, around: Around, facts: Pick<SourceUse, "path"> & Partial<SourceUse>): void {
    this.draft.use({ line: this.syntax.line(node), scope: around.scope, module: this.module, ...facts });
  }
}
