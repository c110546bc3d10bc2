// Second pass: walks statements with their scopes at hand, completes the drafts of functions and classes, and records what
// each scope uses. Recursion is bounded by the depth that flat-tree.ts lets through.

import { expectsMissingImport } from "../facts.ts";
import { attributeStep, classRef, instanceRef, nameRef, nothing, withSteps } from "../ref.ts";
import { basesOf, classPath } from "./class-draft.ts";
import { noteCall } from "./notable-calls.ts";
import { dictOwner, giveAll, giveByKey, giveByMethod, giveToClass } from "./given-attributes.ts";
import { captures, collect, type Drafts, importsOf, loopNames } from "./collect.ts";
import { decoratorRef } from "./decorators.ts";
import { emitChain, noteLoop, noteParts, noteSum } from "./noted-demands.ts";
import { everything, expectedByCondition, expectedByContext, expectedByTry } from "./expectations.ts";
import { FileRecord } from "./file-record.ts";
import { annotationRef, exprRef, lookup, sourceRef } from "./refs.ts";
import { bind, type Draft, newScope, type Scope } from "./scope.ts";
import { askedNames, doubted, narrowed, narrowedAfter } from "./narrowing.ts";
import { naming, noteText } from "./named-by-text.ts";
import { isOnlyRead, isOwnNames, noteKey, noteMethod, readingFunctions, withoutReads } from "./own-names.ts";
import { answeredNames, handsOnNothing, isPlainType, promisedRef, returnedRef } from "./results.ts";
import { parameterNames } from "./signature.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

const classFirst = new Set(["__new__", "__init_subclass__", "__class_getitem__"]);

export class FileWalk {
  readonly record: FileRecord;

  private readonly syntax: Syntax;
  private readonly drafts: Drafts = new Map();
  /** Expressions whose parent only looks at them. */
  private readonly reads = new Set<number>();

  constructor(syntax: Syntax) {
    this.syntax = syntax;
    this.record = new FileRecord(syntax);
  }

  module(): Scope {
    const scope = newScope("module", undefined, "");
    collect(this.syntax, 1, scope, this.drafts);
    const { computed } = this.record;
    for (const child of this.syntax.children(1)) {
      const before = computed.length;
      this.visit(child, scope);
      // What computes the names may stand anywhere in the statement: in a loop's head, in a table above it.
      if (computed.length > before) computed.push(this.syntax.text(child));
    }
    return scope;
  }

  private each(node: number, scope: Scope): void {
    for (let child = this.syntax.first(node); child !== 0; child = this.syntax.next(child)) this.visit(child, scope);
  }

  private visit(node: number, scope: Scope): void {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "comment":
      case "integer":
      case "float":
      case "string_start":
      case "string_content":
      case "string_end":
      case "global_statement":
      case "nonlocal_statement":
      case "future_import_statement":
        return;
      case "identifier":
      case "attribute":
      case "call":
      case "await":
        this.chain(node, scope);
        return;
      case "keyword_argument":
        this.visit(syntax.at(node, "value"), scope);
        return;
      case "decorated_definition":
        this.decorated(node, scope);
        return;
      case "function_definition":
        this.function(node, scope, []);
        return;
      case "class_definition":
        this.class(node, scope, []);
        return;
      case "lambda":
        this.lambda(node, scope);
        return;
      case "list_comprehension":
      case "set_comprehension":
      case "dictionary_comprehension":
      case "generator_expression":
        this.comprehension(node, scope);
        return;
      case "import_statement":
      case "import_from_statement":
        for (const { ref, uses } of importsOf(syntax, node)) {
          this.record.emit(uses, node, scope);
          if (ref === "*" && scope.kind === "module") this.record.stars.push(uses);
        }
        return;
      case "assignment":
        this.assignment(node, scope);
        return;
      case "augmented_assignment":
        if (scope.kind === "module" && syntax.text(syntax.at(node, "left")) === "__all__")
          this.record.exports(syntax.at(node, "right"), scope, true);
        this.each(node, scope);
        return;
      case "named_expression":
        this.visit(syntax.at(node, "value"), scope);
        return;
      case "for_statement":
        this.target(syntax.at(node, "left"), scope);
        noteLoop(syntax, this.record, syntax.at(node, "left"), syntax.at(node, "right"), scope);
        this.reads.add(syntax.at(node, "right"));
        for (const child of withoutReads(syntax, syntax.children(node), scope))
          if (!syntax.is(child, "left")) this.visit(child, scope);
        return;
      case "as_pattern":
        this.visit(syntax.first(node), scope);
        this.target(syntax.at(node, "alias"), scope);
        return;
      case "case_pattern":
        this.pattern(node, scope);
        return;
      case "type_alias_statement":
        this.typeAlias(node, scope);
        return;
      case "try_statement":
        this.try(node, scope);
        return;
      case "if_statement":
        this.record.expecting(expectedByCondition(syntax, node), () => this.if(node, scope));
        return;
      case "elif_clause":
        this.if(node, scope);
        return;
      case "conditional_expression":
      case "boolean_operator":
        this.record.asking(askedNames(syntax, node, scope), () => this.each(node, scope));
        return;
      case "block":
        this.block(node, scope);
        return;
      case "with_statement":
        for (const child of syntax.children(node))
          if (syntax.is(child, "body"))
            this.record.expecting(expectedByContext(syntax, node), () => this.visit(child, scope));
          else this.visit(child, scope);
        return;
      case "subscript":
        if (isOwnNames(syntax, node, scope)) this.record.computed.push("sys.modules[__name__]");
        // Reading one's own names by key changes nothing.
        if (isOwnNames(syntax, syntax.at(node, "value"), scope)) {
          this.visit(syntax.at(node, "subscript"), scope);
          return;
        }
        this.reads.add(syntax.at(node, "value"));
        emitChain(syntax, this.record, node, exprRef(syntax, node, scope), scope);
        this.each(node, scope);
        return;
      case "string":
        if (!this.reads.has(node)) noteText(syntax, this.record, node, scope);
        this.each(node, scope);
        return;
      case "expression_statement":
        // A text by itself is a comment.
        if (syntax.kind(syntax.first(node)) === "string") this.reads.add(syntax.first(node));
        this.each(node, scope);
        return;
      case "dictionary_splat":
      case "return_statement":
        this.reads.add(syntax.first(node));
        this.each(node, scope);
        return;
      case "comparison_operator":
        for (const child of syntax.children(node)) this.reads.add(child);
        for (const child of withoutReads(syntax, syntax.children(node), scope)) this.visit(child, scope);
        return;
      case "binary_operator":
        noteSum(syntax, this.record, node, scope);
        this.each(node, scope);
        return;
      case "delete_statement":
        this.deleted(node, scope);
        return;
      default:
        this.each(node, scope);
    }
  }

  /** A maximal chain of attributes, calls and awaits: one use for the whole, and whatever its arguments use. */
  private chain(node: number, scope: Scope): void {
    const { syntax } = this;
    emitChain(syntax, this.record, node, exprRef(syntax, node, scope), scope);
    let [above, call] = [0, 0];
    for (let at = node; at !== 0;) {
      const kind = syntax.kind(at);
      const owner = dictOwner(syntax, at);
      if (owner !== 0 && syntax.kind(above) === "attribute") giveByMethod(syntax, this.record, above, call, scope);
      else if (owner !== 0 && !this.reads.has(at)) giveAll(syntax, this.record, owner, 0, scope);
      if (kind === "attribute") {
        call = syntax.kind(above) === "call" ? above : 0;
        above = at;
        at = syntax.at(at, "object");
        if (!isOwnNames(syntax, at, scope)) continue;
        noteMethod(syntax, this.record, above, call);
        return;
      } else if (kind === "call") {
        above = at;
        noteCall(syntax, this.record, at, scope);
        const callee = syntax.at(at, "function");
        this.visitArguments(syntax.at(at, "arguments"), scope, syntax.text(callee));
        at = callee;
      } else if (kind === "await") {
        at = syntax.first(at);
      } else {
        if (kind !== "identifier") this.visit(at, scope);
        return;
      }
    }
  }

  private visitArguments(node: number, scope: Scope, callee: string): void {
    const { syntax } = this;
    if (syntax.kind(node) === "generator_expression") this.visit(node, scope);
    else {
      // `raises(Lost, work)`: what is called there may fail, the error has to be found.
      const [error] = syntax.children(node);
      const isGuard = /(^|\.)(raises|assertRaises\w*)$/.test(callee);
      if (readingFunctions.has(callee) || naming.test(callee) || callee.endsWith(".update"))
        for (const child of syntax.children(node)) this.reads.add(child);
      for (const child of withoutReads(syntax, syntax.children(node), scope, callee))
        this.record.expecting(isGuard && child !== error ? everything : 0, () => this.visit(child, scope));
    }
  }

  private deleted(node: number, scope: Scope): void {
    const { syntax } = this;
    for (const child of syntax.children(node)) {
      const value = syntax.kind(child) === "subscript" ? syntax.at(child, "value") : 0;
      if (isOwnNames(syntax, value, scope))
        noteKey(syntax, this.record, syntax.at(child, "subscript"), syntax.text(node));
    }
  }

  private assignment(node: number, scope: Scope): void {
    const { syntax } = this;
    const left = syntax.at(node, "left");
    const right = syntax.at(node, "right");
    const type = syntax.at(node, "type");
    if (scope.kind === "module" && syntax.text(left) === "__all__") this.record.exports(right, scope, false);
    if (type !== 0) this.each(type, scope);
    const isAlias = isOwnNames(syntax, right, scope) && syntax.kind(right) === "call";
    if (dictOwner(syntax, right) !== 0 && isOnlyRead(syntax, syntax.text(left))) this.reads.add(right);
    if (right !== 0 && !(isAlias && isOnlyRead(syntax, syntax.text(left)))) this.visit(right, scope);
    if (right !== 0) noteParts(syntax, this.record, left, right, scope);
    this.target(left, scope, right, type);
  }

  /** An assignment's left side: attributes of `self` become members of its class, other attributes are only stores. */
  private target(node: number, scope: Scope, value = 0, type = 0): void {
    const { syntax } = this;
    if (node === 0 || syntax.kind(node) === "identifier") return;
    if (syntax.kind(node) === "attribute") {
      const object = syntax.at(node, "object");
      const name = syntax.text(syntax.at(node, "attribute"));
      const owner = syntax.kind(object) === "identifier" ? this.selfOwner(syntax.text(object), scope) : undefined;
      if (isOwnNames(syntax, object, scope)) {
        this.record.byKey.set(name, syntax.line(node));
        return;
      }
      if (name === "__dict__") {
        giveAll(syntax, this.record, object, value, scope);
        this.visit(object, scope);
        return;
      }
      if (owner === undefined) {
        if (!giveToClass(syntax, this.record, node, scope)) this.record.stores.add(name);
        this.visit(object, scope);
        return;
      }
      let last = value;
      while (syntax.kind(last) === "assignment") last = syntax.at(last, "right");
      const draft: Draft = { kind: "value", line: syntax.line(node), onSelf: true };
      if (last !== 0) draft.fingerprint = Bun.hash.crc32(syntax.text(last));
      if (type !== 0) draft.isPromised = true;
      draft.refersTo = type !== 0 ? annotationRef(syntax, type, scope) : last === 0 ? "" : exprRef(syntax, last, scope);
      const members = owner.draft.drafts;
      if (members?.has(name) === true) members.get(name)?.push(draft);
      else members?.set(name, [draft]);
      return;
    }
    if (syntax.kind(node) === "subscript") {
      if (isOwnNames(syntax, syntax.at(node, "value"), scope))
        noteKey(
          syntax,
          this.record,
          syntax.at(node, "subscript"),
          `${syntax.text(node)} = ${value === 0 ? "" : syntax.text(value)}`,
        );
      const owner = dictOwner(syntax, syntax.at(node, "value"));
      if (owner !== 0)
        giveByKey(syntax, this.record, { object: owner, key: syntax.at(node, "subscript"), at: node }, scope);
      const key = /^["']([^"'\\]+)["']$/.exec(syntax.text(syntax.at(node, "subscript")))?.[1];
      if (key !== undefined) this.record.stores.add(`["${key}"]`);
      this.visit(node, scope);
      return;
    }
    for (const child of syntax.children(node)) this.target(child, scope);
  }

  private selfOwner(name: string, from: Scope): Scope["owner"] {
    for (let at: Scope | undefined = from; at !== undefined; at = at.parent) {
      if (at.kind !== "function") return undefined;
      if (at.self === name) return at.locals.get(name)?.opaque === true ? undefined : at.owner;
      if (at.locals.has(name)) return undefined;
    }
    return undefined;
  }

  private decorated(node: number, scope: Scope): void {
    const { syntax } = this;
    const refs: string[] = [];
    for (const child of syntax.children(node)) {
      if (syntax.kind(child) !== "decorator") continue;
      const expression = syntax.first(child);
      this.visit(expression, scope);
      refs.push(decoratorRef(syntax, expression, scope));
    }
    const definition = syntax.at(node, "definition");
    if (syntax.kind(definition) === "class_definition") this.class(definition, scope, refs);
    else this.function(definition, scope, refs);
  }

  private function(node: number, outer: Scope, decorators: readonly string[]): void {
    const { syntax } = this;
    const name = syntax.text(syntax.at(node, "name"));
    const enclosing = this.typeParameters(node, outer);
    const parameters = syntax.at(node, "parameters");
    const returns = syntax.at(node, "return_type");
    this.outsideOf(parameters, enclosing);
    if (returns !== 0) this.each(returns, enclosing);
    const draft = this.drafts.get(node);
    if (draft !== undefined) {
      if (decorators.length > 0) draft.decorators = decorators;
    }

    const isMethod = outer.kind === "class" && !decorators.includes(nameRef("staticmethod"));
    const scope = newScope(
      "function",
      enclosing,
      qualified(outer, name),
      isMethod && outer.owner !== undefined ? { owner: outer.owner } : {},
    );
    for (const [index, parameter] of parameterNames(syntax, parameters).entries()) {
      const local: Draft = { kind: "value", line: 0 };
      if (isMethod && index === 0) {
        scope.self = parameter.name;
        const takesClass = decorators.includes(nameRef("classmethod")) || classFirst.has(name);
        local.refersTo = outer.owner === undefined ? nothing : (takesClass ? classRef : instanceRef)(outer.owner.path);
      } else if (parameter.annotation !== 0) {
        local.source = { node: parameter.annotation, how: "annotation" };
      }
      bind(scope, parameter.name, local);
    }
    const body = syntax.at(node, "body");
    collect(syntax, body, scope, this.drafts);
    if (draft !== undefined) {
      const given = returns === 0 ? returnedRef(syntax, body, scope) : promisedRef(syntax, node, returns, enclosing);
      if (given !== "") draft.gives = given;
      if (returns !== 0) draft.isPromised = true;
      if (returns === 0 ? handsOnNothing(syntax, body) : isPlainType(syntax, returns)) draft.isPlain = true;
    }
    if (name === "__getattr__") this.answers(node, outer, draft);
    this.block(body, scope);
  }

  /** The names for which a module's, or a class's, `__getattr__` has an answer. */
  private answers(node: number, outer: Scope, draft: Draft | undefined): void {
    const names = answeredNames(this.syntax, node, outer);
    if (outer.kind === "module") this.record.answers = names;
    else if (draft !== undefined && names !== undefined) draft.answers = names;
  }

  /** Statements in order; after an assertion about a local's class, the rest knows it. */
  private block(node: number, scope: Scope): void {
    let inside = scope;
    for (let child = this.syntax.first(node); child !== 0; child = this.syntax.next(child)) {
      this.visit(child, inside);
      inside = narrowedAfter(this.syntax, child, inside);
    }
  }

  private if(node: number, scope: Scope): void {
    const { syntax } = this;
    const condition = syntax.at(node, "condition");
    this.record.asking(askedNames(syntax, condition, scope), () => {
      for (const child of syntax.children(node)) {
        if (syntax.is(child, "consequence")) this.block(child, narrowed(syntax, condition, scope));
        else this.visit(child, syntax.is(child, "condition") ? scope : doubted(syntax, condition, scope));
      }
    });
  }

  /** Defaults and annotations, which are read where the function stands. */
  private outsideOf(parameters: number, scope: Scope): void {
    const { syntax } = this;
    for (const node of syntax.children(parameters)) {
      for (const child of syntax.children(node)) {
        if (syntax.is(child, "value")) this.visit(child, scope);
        else if (syntax.is(child, "type")) this.each(child, scope);
      }
    }
  }

  private class(node: number, outer: Scope, decorators: readonly string[]): void {
    const { syntax } = this;
    const name = syntax.text(syntax.at(node, "name"));
    const enclosing = this.typeParameters(node, outer);
    const arguments_ = syntax.at(node, "superclasses");
    this.each(arguments_, enclosing);
    const draft = this.drafts.get(node);
    const path = draft === undefined ? undefined : classPath(name, outer, draft);
    const owner = draft === undefined || path === undefined ? undefined : { path, draft };
    const scope = newScope("class", enclosing, qualified(outer, name), owner === undefined ? {} : { owner });
    const body = syntax.at(node, "body");
    collect(syntax, body, scope, this.drafts);
    if (draft !== undefined) {
      if (decorators.length > 0) draft.decorators = decorators;
      draft.bases = basesOf(syntax, arguments_, enclosing, draft);
      draft.drafts = scope.names;
      for (const list of scope.names.values()) {
        for (const member of list) {
          if (member.source === undefined) continue;
          member.refersTo = sourceRef(syntax, member.source, scope);
          if (member.source.how === "annotation") member.isPromised = true;
          delete member.source;
        }
      }
    }
    this.each(body, scope);
  }

  /** `def f[T]` and `class C[T]`: a thin scope around the definition that knows T. */
  private typeParameters(node: number, outer: Scope): Scope {
    const { syntax } = this;
    const parameters = syntax.at(node, "type_parameters");
    if (parameters === 0) return outer;
    const scope = newScope("function", outer, outer.name, { transparent: true });
    for (const word of syntax.text(parameters).matchAll(/[[,]\s*\*{0,2}([\p{L}_][\p{L}\p{N}_]*)/gu)) {
      bind(scope, word[1] ?? "", { kind: "value", line: 0 });
    }
    this.each(parameters, scope);
    return scope;
  }

  private typeAlias(node: number, scope: Scope): void {
    const { syntax } = this;
    const inner = newScope("function", scope, scope.name, { transparent: true });
    for (const word of syntax.text(syntax.at(node, "left")).matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) {
      bind(inner, word[0], { kind: "value", line: 0 });
    }
    this.each(syntax.at(node, "right"), inner);
  }

  private lambda(node: number, outer: Scope): void {
    const { syntax } = this;
    const scope = newScope("function", outer, outer.name, { transparent: true });
    const parameters = syntax.at(node, "parameters");
    if (parameters !== 0) {
      this.outsideOf(parameters, outer);
      for (const { name } of parameterNames(syntax, parameters)) bind(scope, name, { kind: "value", line: 0 });
    }
    this.visit(syntax.at(node, "body"), scope);
  }

  private comprehension(node: number, outer: Scope): void {
    const { syntax } = this;
    const scope = newScope("function", outer, outer.name, { transparent: true });
    const children = syntax.children(node);
    for (const child of children) {
      if (syntax.kind(child) !== "for_in_clause") continue;
      const items = syntax.at(child, "right");
      for (const { name, part } of loopNames(syntax, syntax.at(child, "left"))) {
        bind(scope, name, {
          kind: "value",
          line: 0,
          source: { node: items, how: "item", ...(part === undefined ? {} : { part }) },
        });
      }
    }
    for (const child of children) {
      if (syntax.kind(child) !== "for_in_clause") {
        this.visit(child, scope);
        continue;
      }
      noteLoop(syntax, this.record, syntax.at(child, "left"), syntax.at(child, "right"), scope);
      this.reads.add(syntax.at(child, "right"));
      for (const part of withoutReads(syntax, syntax.children(child), scope))
        if (!syntax.is(part, "left")) this.visit(part, scope);
    }
  }

  private pattern(node: number, scope: Scope): void {
    const { syntax } = this;
    const captured = new Set(captures(syntax, node));
    const visit = (at: number): void => {
      const kind = syntax.kind(at);
      const children = syntax.children(at);
      if (kind === "dotted_name") {
        const [root = "", ...rest] = children.map((child) => syntax.text(child));
        if (rest.length === 0 && captured.has(root)) return;
        const ref = lookup(syntax, root, scope);
        this.record.emit(withSteps(ref, ...rest.map(attributeStep)), at, scope);
      } else if (kind === "keyword_pattern") {
        for (const child of children.slice(1)) visit(child);
      } else if (kind.endsWith("_pattern")) {
        for (const child of children) visit(child);
      }
    };
    visit(node);
  }

  private try(node: number, scope: Scope): void {
    const { syntax } = this;
    const bits = expectedByTry(syntax, node);
    for (const child of syntax.children(node)) {
      if (syntax.is(child, "body")) this.record.expecting(bits, () => this.each(child, scope));
      else if (syntax.kind(child) === "except_clause") {
        this.record.expecting(bits & expectsMissingImport, () => this.each(child, scope));
      } else this.visit(child, scope);
    }
  }
}

function qualified(outer: Scope, name: string): string {
  return outer.name === "" ? name : `${outer.name}.${name}`;
}
