// First pass over one scope: which names its own statements bind. It stays out of nested functions and classes; it goes
// into expressions only because `:=` may hide there.

import { importedRef, moduleRef } from "../ref.ts";
import { entriesOf } from "./dictionary-entries.ts";
import { namedTupleDraft } from "./named-tuple.ts";
import { signature } from "./signature.ts";
import { bind, type Draft, type Scope } from "./scope.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

/** The draft of each function and class of a scope, by its node, so that the second pass can complete it. */
export type Drafts = Map<number, Draft>;

export function collect(syntax: Syntax, node: number, scope: Scope, drafts: Drafts): void {
  // Statements that declare `global` come first in effect, wherever they stand.
  if (scope.kind === "function") declareGlobals(syntax, node, scope);
  new Collector(syntax, scope, drafts).statements(node, false);
}

function declareGlobals(syntax: Syntax, node: number, scope: Scope): void {
  for (const child of syntax.children(node)) {
    const kind = syntax.kind(child);
    if (kind === "function_definition" || kind === "class_definition" || kind === "expression_statement") continue;
    if (kind === "global_statement") for (const name of syntax.children(child)) scope.globals.add(syntax.text(name));
    else if (kind.endsWith("_statement") || kind.endsWith("_clause") || kind === "block")
      declareGlobals(syntax, child, scope);
  }
}

class Collector {
  private readonly syntax: Syntax;
  private readonly scope: Scope;
  private readonly drafts: Drafts;

  constructor(syntax: Syntax, scope: Scope, drafts: Drafts) {
    this.syntax = syntax;
    this.scope = scope;
    this.drafts = drafts;
  }

  statements(node: number, conditional: boolean): void {
    for (let child = this.syntax.first(node); child !== 0; child = this.syntax.next(child))
      this.one(child, conditional);
  }

  private one(node: number, conditional: boolean): void {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "comment":
      case "identifier":
      case "integer":
      case "lambda":
      case "nonlocal_statement":
        return;
      case "decorated_definition":
        this.definition(syntax.at(node, "definition"), conditional);
        return;
      case "function_definition":
      case "class_definition":
        this.definition(node, conditional);
        return;
      case "import_statement":
      case "import_from_statement":
        for (const imported of importsOf(syntax, node)) {
          if (imported.binds !== "")
            this.bind(imported.binds, { kind: "import", line: syntax.line(node), refersTo: imported.ref }, conditional);
        }
        return;
      case "assignment": {
        const right = syntax.at(node, "right");
        this.target(syntax.at(node, "left"), right, syntax.at(node, "type"), conditional);
        if (right !== 0) this.one(right, conditional);
        return;
      }
      case "augmented_assignment":
        this.target(syntax.at(node, "left"), 0, 0, true);
        this.one(syntax.at(node, "right"), conditional);
        return;
      case "named_expression":
        this.target(syntax.at(node, "name"), syntax.at(node, "value"), 0, conditional);
        this.one(syntax.at(node, "value"), conditional);
        return;
      case "type_alias_statement": {
        let name = syntax.at(node, "left");
        while (name !== 0 && syntax.kind(name) !== "identifier") name = syntax.first(name);
        if (name !== 0) this.bind(syntax.text(name), { kind: "value", line: syntax.line(node) }, conditional);
        return;
      }
      case "for_statement":
        this.loop(node);
        this.statements(node, true);
        return;
      case "as_pattern":
        this.target(syntax.at(node, "alias"), 0, 0, true);
        this.statements(node, conditional);
        return;
      case "with_statement":
        this.with(node, conditional);
        return;
      case "case_pattern":
        for (const name of captures(syntax, node)) this.bind(name, { kind: "value", line: syntax.line(node) }, true);
        return;
      case "if_statement":
      case "while_statement":
      case "try_statement":
      case "match_statement":
        this.statements(node, true);
        return;
      default:
        this.statements(node, conditional);
    }
  }

  private definition(node: number, conditional: boolean): void {
    const { syntax } = this;
    const name = syntax.at(node, "name");
    const draft: Draft = {
      kind: syntax.kind(node) === "class_definition" ? "class" : "function",
      line: syntax.line(name),
    };
    draft.fingerprint = bodyPrint(syntax.text(name), syntax.textAfter(name, node));
    if (draft.kind === "function") {
      const parameters = signature(syntax, syntax.at(node, "parameters"));
      if (parameters !== undefined) draft.parameters = parameters;
      if (syntax.kind(syntax.first(node)) === "async") draft.isAsync = true;
    }
    this.drafts.set(node, draft);
    this.bind(syntax.text(name), draft, conditional);
  }

  private target(node: number, value: number, annotation: number, conditional: boolean): void {
    const { syntax } = this;
    if (node === 0) return;
    switch (syntax.kind(node)) {
      case "identifier": {
        const draft: Draft = { kind: "value", line: syntax.line(node) };
        if (annotation !== 0) {
          draft.source = { node: annotation, how: "annotation" };
          const entries = this.scope.kind === "module" ? entriesOf(syntax, syntax.text(node), value) : undefined;
          if (entries !== undefined) draft.entries = entries;
          const field = this.scope.kind === "class" ? fieldOf(syntax, annotation, value) : undefined;
          if (field !== undefined) draft.field = field;
          if (field !== undefined) draft.fingerprint = Bun.hash.crc32(syntax.text(annotation) + syntax.text(value));
        } else if (value !== 0) {
          // In `a = b = c` both names are c.
          let last = value;
          while (syntax.kind(last) === "assignment") last = syntax.at(last, "right");
          const made = this.scope.kind === "module" ? namedTupleDraft(syntax, last) : undefined;
          if (made !== undefined) {
            this.bind(syntax.text(node), made, conditional);
            return;
          }
          if (syntax.kind(last) === "lambda") {
            draft.kind = "function";
            const parameters = signature(syntax, syntax.at(last, "parameters"));
            if (parameters !== undefined) draft.parameters = parameters;
          } else {
            draft.source = { node: last, how: "value" };
            const entries = this.scope.kind === "module" ? entriesOf(syntax, syntax.text(node), last) : undefined;
            if (entries !== undefined) draft.entries = entries;
            if (this.scope.kind === "class") draft.fingerprint = Bun.hash.crc32(syntax.text(last));
          }
        }
        this.bind(syntax.text(node), draft, conditional);
        return;
      }
      case "attribute":
      case "subscript":
        return;
      default:
        for (const child of syntax.children(node)) this.target(child, 0, 0, conditional);
    }
  }

  private loop(node: number): void {
    const { syntax } = this;
    const items = syntax.at(node, "right");
    for (const { name, part, at } of loopNames(syntax, syntax.at(node, "left"))) {
      const source = { node: items, how: "item" as const, ...(part === undefined ? {} : { part }) };
      this.bind(name, { kind: "value", line: syntax.line(at), source }, true);
    }
  }

  private with(node: number, conditional: boolean): void {
    const { syntax } = this;
    const how = syntax.kind(syntax.first(node)) === "async" ? "entered async" : "entered";
    for (const part of syntax.children(node)) {
      if (syntax.kind(part) === "with_clause")
        for (const item of syntax.children(part)) this.entered(syntax.first(item), how, conditional);
      else this.one(part, conditional);
    }
  }

  /** `… as name` of a `with`; what it takes apart says nothing. */
  private entered(node: number, how: "entered" | "entered async", conditional: boolean): void {
    const { syntax } = this;
    if (syntax.kind(node) !== "as_pattern") return this.one(node, conditional);
    const alias = syntax.at(node, "alias");
    const name = syntax.kind(alias) === "as_pattern_target" ? syntax.first(alias) : alias;
    const value = syntax.first(node);
    if (syntax.kind(name) === "identifier")
      this.bind(syntax.text(name), { kind: "value", line: syntax.line(name), source: { node: value, how } }, true);
    else this.target(alias, 0, 0, true);
    this.one(value, conditional);
  }

  private bind(name: string, draft: Draft, conditional: boolean): void {
    if (conditional) draft.conditional = true;
    bind(this.scope, name, draft);
  }
}

/** Says how an annotated name of a class body would count as a field of a dataclass. */
function fieldOf(syntax: Syntax, annotation: number, value: number): Draft["field"] {
  if (/^["']?([\w.]*\.)?ClassVar\b/.test(syntax.text(annotation))) return undefined;
  if (value === 0) return "required";
  if (syntax.kind(value) !== "call" || !/(^|\.)field$/.test(syntax.text(syntax.at(value, "function"))))
    return "defaulted";
  const given = new Map<string, string>();
  for (const argument of syntax.children(syntax.at(value, "arguments"))) {
    if (syntax.kind(argument) !== "keyword_argument") return undefined;
    given.set(syntax.text(syntax.at(argument, "name")), syntax.text(syntax.at(argument, "value")));
  }
  if (given.get("init") === "False") return "no parameter";
  const hasDefault = given.has("default") || given.has("default_factory") || given.has("factory");
  if (given.get("kw_only") === "True") return hasDefault ? "defaulted by keyword" : "required by keyword";
  return hasDefault ? "defaulted" : "required";
}

/** Returns what an import statement imports: a ref for each part, and the name it binds ("" for none, `*` for all). */
export function importsOf(syntax: Syntax, node: number): { binds: string; ref: string; uses: string }[] {
  const found: { binds: string; ref: string; uses: string }[] = [];
  const from = syntax.at(node, "module_name");
  if (syntax.kind(node) === "import_statement") {
    for (const part of syntax.children(node)) {
      const aliased = syntax.kind(part) === "aliased_import";
      const module = plain(syntax.text(aliased ? syntax.at(part, "name") : part));
      const top = module.split(".")[0] ?? module;
      if (aliased)
        found.push({
          binds: syntax.text(syntax.at(part, "alias")),
          ref: moduleRef(0, module),
          uses: moduleRef(0, module),
        });
      else found.push({ binds: top, ref: moduleRef(0, top), uses: moduleRef(0, module) });
    }
    return found;
  }
  const written = plain(syntax.text(from));
  const module = written.replace(/^\.+/, "");
  const level = written.length - module.length;
  for (const part of syntax.children(node)) {
    if (part === from) continue;
    const kind = syntax.kind(part);
    if (kind === "wildcard_import") found.push({ binds: "", ref: "*", uses: moduleRef(level, module) });
    else {
      const name = kind === "aliased_import" ? syntax.text(syntax.at(part, "name")) : syntax.text(part);
      const binds = kind === "aliased_import" ? syntax.text(syntax.at(part, "alias")) : name;
      const ref = importedRef(level, module, name);
      found.push({ binds, ref, uses: ref });
    }
  }
  return found;
}

/** Dotted names may be written with spaces and line breaks between. */
function plain(text: string): string {
  return text.replace(/[\s\\]+/g, "");
}

/** Names that a loop's left side binds; `part` when it takes each item apart, -1 where that goes deeper than one level. */
export function loopNames(syntax: Syntax, left: number): { name: string; part?: number; at: number }[] {
  const kind = syntax.kind(left);
  if (kind === "identifier") return [{ name: syntax.text(left), at: left }];
  if (kind === "attribute" || kind === "subscript") return [];
  const found: { name: string; part: number; at: number }[] = [];
  const inside = (node: number, part: number): void => {
    const inner = syntax.kind(node);
    if (inner === "identifier") found.push({ name: syntax.text(node), part, at: node });
    else if (inner !== "attribute" && inner !== "subscript")
      for (const child of syntax.children(node)) inside(child, -1);
  };
  const items = syntax.children(left);
  const flat = !items.some((item) => syntax.kind(item) === "list_splat_pattern");
  for (const [index, item] of items.entries()) inside(item, flat && syntax.kind(item) === "identifier" ? index : -1);
  return found;
}

/** Names that a `case` pattern captures. */
export function captures(syntax: Syntax, pattern: number): string[] {
  const found: string[] = [];
  const visit = (node: number): void => {
    const children = syntax.children(node);
    const kind = syntax.kind(node);
    if (kind === "dotted_name") {
      if (children.length === 1) found.push(syntax.text(node));
    } else if (kind === "splat_pattern") {
      for (const child of children) if (syntax.kind(child) === "identifier") found.push(syntax.text(child));
    } else if (kind === "class_pattern" || kind === "keyword_pattern") {
      for (const child of children.slice(1)) visit(child);
    } else if (kind === "as_pattern") {
      visit(children[0] ?? 0);
      const alias = children.at(-1) ?? 0;
      if (syntax.kind(alias) === "identifier") found.push(syntax.text(alias));
    } else if (kind.endsWith("_pattern")) {
      for (const child of children) visit(child);
    }
  };
  visit(pattern);
  return found;
}

/** The same after a rename, also of what calls itself or, by `super()`, what it overrides. */
function bodyPrint(name: string, body: string): number {
  const parts = body.split(/([\p{L}\p{N}_]+)/u);
  return Bun.hash.crc32(parts.map((part) => (part === name ? "\0" : part)).join(""));
}
