// What one Rust item uses: paths, calls with their number of arguments, struct literals and patterns, matches without a rest, what
// an impl brings to its trait, and members of values whose type can be read off. Of macros that are not read, the words are kept. What names
// stand for is left to rust-names.ts.

import { type Given, keptGiven, printGiven, unknownGiven } from "../compiled/given.ts";
import type { SourceUse } from "../compiled/facts.ts";
import { type Draft, Locals } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { literalRust, operatorOf, written } from "./rust-given.ts";
import { macroForm, namesInFormat, wordMacros } from "./macro-forms.ts";
import { matchedVariants } from "./rust-match.ts";
import { RustNames, typeNamesOf, type Within } from "./rust-names.ts";
import { attributes, pathOf, typePath, useLeaves, keywords, tails } from "./rust-syntax.ts";
import { partsOf } from "./rust-types.ts";

type Facts = Pick<SourceUse, "args" | "given" | "expects">;

interface Around extends Within {
  /** What the function around answers; "" where that is not known. */
  readonly result: string;
  /** The macros around, the outermost first. */
  readonly macros: readonly string[];
}

export class RustUses {
  private readonly syntax: Syntax;
  private readonly draft: Draft;
  private readonly module: string;
  private readonly names: RustNames;
  /** Words that were kept, with the function that they stand in. */
  private readonly known = new Set<string>();

  constructor(syntax: Syntax, draft: Draft, module: string) {
    this.syntax = syntax;
    this.names = new RustNames(syntax);
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
      result: "",
      macros: [],
    };
    if (kind === "macro_definition" || kind === "macro_invocation" || kind === "expression_statement") {
      this.visit(node, around);
      return;
    }
    if (!isImpl && kind !== "trait_item") {
      if (!kind.startsWith("function")) {
        this.children(node, around);
        return;
      }
      this.names.bind(node, around);
      this.body(node, { ...around, self: undefined });
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
      this.names.bind(member, within);
      if (syntax.kind(member) === "function_item") this.body(member, within);
      else if (syntax.kind(member) === "macro_invocation") this.visit(member, within);
      else this.children(member, within);
    });
  }

  /** A function: the last value of its body is what it answers. */
  private body(node: number, around: Around): void {
    const { syntax } = this;
    const isAsync = /\basync\s+(unsafe\s+)?fn\b/.test(syntax.text(node).slice(0, 200));
    const result = isAsync ? "" : written(syntax, syntax.at(node, "return_type"), around.generics, around.self);
    const within = { ...around, result };
    this.each(node, (child) => {
      if (syntax.is(child, "name")) return;
      if (!syntax.is(child, "body") || result === "") {
        this.visit(child, within);
        return;
      }
      this.wanted(child, `=${result}`, within);
    });
  }

  /** The value that a block ends with, if it does. */
  private last(block: number): { readonly part: number; readonly value: number } | undefined {
    const { syntax } = this;
    const part = syntax.children(block).at(-1) ?? 0;
    const isOpen = syntax.kind(part) === "expression_statement" && !syntax.text(part).endsWith(";");
    const value = isOpen ? syntax.first(part) : part;
    return tails.has(syntax.kind(value)) ? { part, value } : undefined;
  }

  /** A value in a place that wants a type. */
  private wanted(node: number, expects: string | undefined, around: Around): void {
    const { syntax } = this;
    const kind = syntax.kind(node);
    if (expects === undefined) this.visit(node, around);
    else if (kind === "call_expression") {
      const held = this.heldBy(node, expects);
      if (held === undefined) this.call(node, around, { expects });
      else {
        this.visit(this.names.callee(node), around);
        this.each(syntax.at(node, "arguments"), (one) => this.wanted(one, held, around));
      }
    } else if (kind === "identifier" && around.locals.has(syntax.text(node))) this.fitting(node, expects, around);
    else if (kind === "field_expression") {
      this.field(node, around, { expects });
    } else if (kind === "identifier" || kind === "scoped_identifier") this.pathUse(node, around, { expects });
    else if (kind === "block") {
      const last = this.last(node);
      this.each(node, (child) => {
        if (child === last?.part) this.wanted(last.value, expects, around);
        else this.visit(child, around);
      });
    } else if (kind === "match_expression") {
      this.match(node, around);
      this.visit(syntax.at(node, "value"), around);
      this.each(syntax.at(node, "body"), (arm) => {
        this.each(arm, (part) => this.wanted(part, syntax.is(part, "value") ? expects : undefined, around));
      });
    } else if (kind === "if_expression") {
      this.each(node, (child) => {
        const isBranch = syntax.is(child, "consequence");
        this.wanted(child, syntax.is(child, "condition") ? "=bool" : isBranch ? expects : undefined, around);
      });
    } else {
      if (expects.startsWith("=")) this.fitting(node, expects, around);
      this.visit(node, around);
    }
  }

  /** A value that has no name outside of its function, in a place that wants a type. */
  private fitting(node: number, expects: string, around: Around): void {
    const given = this.names.given(node, around);
    if (printGiven(given) !== expects && (given.is === "type" || given.is === "name"))
      this.say(node, around, { kind: "fits", path: [], ...keptGiven([given]), expects });
  }

  /** A member of a value, or a place of a tuple. */
  private field(node: number, around: Around, facts: Facts): void {
    const { syntax } = this;
    const known = this.names.known(node, around);
    if (known !== undefined) this.say(node, around, { ...known, ...facts });
    const place = syntax.at(node, "field");
    const isPlace = syntax.kind(place) === "integer_literal";
    this.wanted(syntax.at(node, "value"), isPlace ? `.${syntax.text(place)}` : undefined, around);
  }

  /** How many a tuple holds that a pattern takes apart; `_` is no node, so they are counted in the text. */
  private placesIn(pattern: number): string | undefined {
    const text = this.syntax.text(pattern);
    const isPlain = this.syntax.kind(pattern) === "tuple_pattern" && !/\.\.|\/[/*]|[|"']/.test(text);
    const parts = isPlain ? partsOf(text.slice(1, -1)).filter((one) => one.trim() !== "") : [];
    return parts.length === 0 ? undefined : `(${parts.length}`;
  }

  /** What `Some`, `Ok` or `Err` is to hold in a place that wants an Option or a Result. */
  private heldBy(call: number, expects: string): string | undefined {
    const maker = this.syntax.text(this.names.callee(call));
    const [, name, inside = ""] = /^=(?:\w+::)*(Option|Result)<(.*)>$/s.exec(expects) ?? [];
    if (name === undefined || (name === "Option" ? maker !== "Some" : maker !== "Ok" && maker !== "Err"))
      return undefined;
    const held = partsOf(inside)[maker === "Err" ? 1 : 0];
    return held === undefined || held === "_" || held === "" ? undefined : `=${held}`;
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
    return typeNamesOf(this.syntax, node);
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

  private visit(node: number, around: Around): void {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "macro_invocation":
        this.macro(node, around);
        return;
      case "macro_definition":
        for (const child of syntax.children(node))
          if (!syntax.is(child, "name")) this.words(child, syntax.text(syntax.at(node, "name")), around);
        return;
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
        this.call(node, around, {});
        return;
      case "return_expression":
        for (const child of syntax.children(node))
          this.wanted(child, around.result === "" ? undefined : `=${around.result}`, around);
        return;
      case "closure_expression":
      case "async_block":
        this.children(node, { ...around, result: "" });
        return;
      case "let_declaration": {
        const [type, value] = [syntax.at(node, "type"), syntax.at(node, "value")];
        const text = written(syntax, type, around.generics, around.self);
        this.each(node, (child) => {
          if (child === value)
            this.wanted(child, text === "" ? this.placesIn(syntax.at(node, "pattern")) : `=${text}`, around);
          else this.visit(child, around);
        });
        return;
      }
      case "if_expression":
      case "while_expression":
        this.each(node, (child) => this.wanted(child, syntax.is(child, "condition") ? "=bool" : undefined, around));
        return;
      case "let_condition": {
        const held = /^(Some|None|Ok|Err)\b/.exec(syntax.text(syntax.at(node, "pattern")))?.[1];
        const type = held === undefined ? undefined : held === "Some" || held === "None" ? "=Option<_>" : "=Result<_>";
        this.visit(syntax.at(node, "pattern"), around);
        this.wanted(syntax.at(node, "value"), type, around);
        return;
      }
      case "try_expression":
        for (const child of syntax.children(node)) this.wanted(child, "?", around);
        return;
      case "binary_expression":
        this.both(syntax.at(node, "left"), operatorOf(syntax, node), syntax.at(node, "right"), around);
        return;
      case "field_expression":
        this.field(node, around, {});
        return;
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

  /** Two values with an operator between them. */
  private both(left: number, operator: string, right: number, around: Around): void {
    const isLogic = operator === "&&" || operator === "||";
    const against = (other: number): string | undefined => {
      const literal = literalRust(this.syntax, other);
      if (isLogic) return "=bool";
      if (literal.is === "literal") return /^(==|!=|<=?|>=?|[-+*/%])$/.test(operator) ? `~${literal.kind}` : undefined;
      return operator === "==" || operator === "!=" ? this.compared(other, around) : undefined;
    };
    this.wanted(left, against(right), around);
    this.wanted(right, against(left), around);
  }

  /** A value that another is compared with, where its type can be told. A name alone may be a function, which is not what it answers. */
  private compared(node: number, around: Around): string | undefined {
    const given = this.names.given(node, around);
    const isValue = ["call_expression", "field_expression"].includes(this.syntax.kind(node));
    const isPlain = given.is === "name" && given.references === "" && isValue;
    return given.is === "type" || isPlain ? `^${printGiven(given)}` : undefined;
  }

  /** What a known macro is given, which read-macros.ts has put here. */
  private macro(node: number, around: Around): void {
    const { syntax } = this;
    const list = syntax.at(node, "arguments");
    const path = syntax.text(syntax.at(node, "macro")).split("::");
    const name = path.at(-1) ?? "";
    const form = list === 0 ? undefined : macroForm(path.slice(-2), () => true);
    if (form === undefined) {
      if (wordMacros.has(name)) return;
      this.say(node, around, { kind: "unread", path: [`${name}!`], macros: [...around.macros, name] });
      for (const one of syntax.children(node)) if (!syntax.is(one, "macro")) this.words(one, name, around);
      return;
    }
    // By its path nothing else can be meant.
    const within = { ...around, macros: path.length === 1 ? [...around.macros, name] : around.macros };
    const all: number[] = [];
    this.each(list, (one) => all.push(one));
    const [first = 0, second = 0] = all;
    const isEquality = form.asks === "equality" && second !== 0;
    if (isEquality) this.both(first, "==", second, within);
    if (form.asks === "condition") this.wanted(first, "!", within);
    const rest = isEquality ? all.slice(2) : form.asks === "condition" ? all.slice(1) : all;
    const text = form.format === undefined ? 0 : (all[form.format] ?? 0);
    const isNamed = (one: number): boolean =>
      text !== 0 && one !== text && syntax.kind(one) === "assignment_expression";
    for (const one of rest) this.visit(isNamed(one) ? syntax.at(one, "right") : one, within);
    if (text !== 0 && !(form.mayBePlain && all.at(-1) === text)) this.filled(text, all.filter(isNamed), within);
  }

  /** Each word that a macro is given of which nothing is known, once for a function: it may name anything that is not local. */
  private words(node: number, macro: string, around: Around): void {
    const { syntax } = this;
    if (syntax.kind(node) !== "identifier") {
      for (const child of syntax.kind(node).startsWith("token_") || syntax.kind(node) === "macro_rule"
        ? syntax.children(node)
        : [])
        this.words(child, macro, around);
      return;
    }
    const name = syntax.text(node);
    const key = `${around.scope} ${name}`;
    const isMember = /((?<!\.)\.|::)\s*$/.test(
      syntax.source.slice(Math.max(0, syntax.start(node) - 8), syntax.start(node)),
    );
    const isOwn = !isMember && (around.locals.has(name) || around.generics.has(name));
    if (isOwn || keywords.has(name) || this.known.has(key)) return;
    this.known.add(key);
    this.say(node, around, { kind: "unread", path: [name], macros: [...around.macros, macro] });
  }

  /** The names that stand in a text to be filled in, unless they are given besides. */
  private filled(text: number, named: readonly number[], around: Around): void {
    const { syntax } = this;
    if (!syntax.kind(text).endsWith("string_literal")) return;
    const own = new Set(named.map((one) => syntax.text(syntax.at(one, "left"))));
    const whole = syntax.text(text);
    for (const { name, at } of namesInFormat(whole)) {
      const path = own.has(name) ? undefined : this.names.meant([name], around);
      const line = syntax.line(text) + whole.slice(0, at).split("\n").length - 1;
      if (path !== undefined) this.say(text, around, { path, line });
    }
  }

  private pathUse(node: number, around: Around, facts: Facts = {}): void {
    const path = this.names.meant(pathOf(this.syntax, node), around);
    if (path === undefined) {
      // `Vec::<T>::new`: what stands in the brackets is a use of its own.
      for (const child of this.syntax.children(node))
        if (this.syntax.kind(child).startsWith("generic")) this.visit(child, around);
      return;
    }
    this.say(node, around, { path, ...facts });
  }

  private call(node: number, around: Around, more: Facts): void {
    const { syntax } = this;
    const callee = this.names.callee(node);
    const list = syntax.children(syntax.at(node, "arguments")).filter((one) => syntax.kind(one) !== "attribute_item");
    const given = list.map((one) => this.names.given(one, around));
    const facts: Facts = { args: list.length, ...keptGiven(given), ...more };
    if (syntax.kind(callee) === "field_expression") {
      const known = this.names.known(callee, around);
      if (known !== undefined) this.say(callee, around, { ...known, ...facts });
      this.visit(syntax.at(callee, "value"), around);
    } else if (pathOf(syntax, callee) === undefined) this.visit(callee, around);
    else this.pathUse(callee, around, facts);
    this.children(syntax.at(node, "arguments"), around);
  }

  private literal(node: number, type: number, body: number, rest: string, around: Around): void {
    const { syntax } = this;
    const path = this.names.meant(pathOf(syntax, type), around);
    const parts: { readonly name: string; readonly value: Given }[] = [];
    let isWhole = true;
    for (const child of syntax.children(body)) {
      const kind = syntax.kind(child);
      if (kind === rest) isWhole = false;
      if (kind === "attribute_item") return;
      if (kind === "shorthand_field_initializer")
        parts.push({ name: syntax.text(child), value: this.names.given(syntax.first(child), around) });
      if (kind === "field_initializer")
        parts.push({
          name: syntax.text(syntax.at(child, "field")),
          value: this.names.given(syntax.at(child, "value"), around),
        });
      if (kind === "field_pattern") parts.push({ name: syntax.text(syntax.at(child, "name")), value: unknownGiven });
    }
    parts.sort((one, other) => (one.name < other.name ? -1 : 1));
    const given = parts.map(({ value }) => value);
    if (path !== undefined)
      this.say(node, around, {
        kind: "literal",
        path,
        parts: parts.map(({ name }) => name),
        ...(isWhole ? { whole: 1 } : {}),
        ...keptGiven(given),
      });
    for (const child of syntax.children(body)) if (child !== type) this.visit(child, around);
  }

  private tuplePattern(node: number, around: Around): void {
    const { syntax } = this;
    const type = syntax.at(node, "type");
    const path = this.names.meant(pathOf(syntax, type), around);
    const parts = syntax.children(node).filter((one) => one !== type);
    // `_` is no node, so it is counted by its commas.
    const inside = syntax.textAfter(type, node).trim().slice(1, -1);
    const isPlain = !parts.some((one) => syntax.kind(one) === "remaining_field_pattern") && /^[\w\s,]*$/.test(inside);
    const count = inside.split(",").filter((part) => part.trim() !== "").length;
    if (path !== undefined) this.say(node, around, { path, ...(isPlain ? { args: count } : {}) });
    for (const part of parts) this.visit(part, around);
  }

  private match(node: number, around: Around): void {
    const variants = matchedVariants(this.syntax, node, (path) => this.names.meant(path, around));
    if (variants !== undefined) this.say(node, around, { kind: "match", ...variants });
  }

  private say(node: number, around: Around, facts: Pick<SourceUse, "path"> & Partial<SourceUse>): void {
    const macros = around.macros.length === 0 ? {} : { macros: around.macros };
    this.draft.use({ line: this.syntax.line(node), scope: around.scope, module: this.module, ...macros, ...facts });
  }
}
