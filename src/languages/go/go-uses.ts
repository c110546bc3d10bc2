// Finds what one top-level Go declaration uses of its package and of others: names, `package.Name`, calls with their number of arguments,
// composite literals, and members of variables whose type can be read off.

import { type Given, keptGiven, typeOfGiven, unknownGiven } from "../compiled/given.ts";
import type { SourceUse } from "../compiled/facts.ts";
import { type Draft, type Known, Locals } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { defaultTypes, elementType, givenGo, goTypeText, literalKind, operator } from "./go-given.ts";

type Facts = Pick<SourceUse, "args" | "wants" | "given" | "expects" | "passes">;

export class GoUses {
  private readonly syntax: Syntax;
  private readonly draft: Draft;
  private readonly locals = new Locals();
  private scope = "";
  /** The types that the function around returns. Undefined when its results are not plain. */
  private results: readonly string[] | undefined;

  constructor(syntax: Syntax, draft: Draft) {
    this.syntax = syntax;
    this.draft = draft;
  }

  declaration(node: number): void {
    const { syntax } = this;
    const kind = syntax.kind(node);
    if (kind === "package_clause" || kind === "import_declaration") return;
    const receiver = syntax.at(node, "receiver");
    this.scope = `${receiver === 0 ? "" : syntax.text(receiver)}${syntax.text(syntax.at(node, "name"))}`;
    // Names in a list of types, constants or variables are the package's own.
    if (kind === "function_declaration" || kind === "method_declaration") {
      this.bindAll(node);
      this.results = this.resultsOf(node);
    } else this.bindBelow(node);
    for (const child of syntax.children(node)) {
      if (syntax.is(child, "name") && kind !== "var_declaration") continue;
      this.visit(child);
    }
  }

  private resultsOf(node: number): readonly string[] | undefined {
    const { syntax } = this;
    const result = syntax.at(node, "result");
    if (result === 0 || syntax.at(node, "type_parameters") !== 0) return undefined;
    const parts =
      syntax.kind(result) === "parameter_list"
        ? syntax.children(result).map((one) => syntax.at(one, "type"))
        : [result];
    // `a, b int` is one declaration of two results; what such functions return they mostly leave out.
    const isPlain =
      syntax.kind(result) !== "parameter_list" ||
      syntax.children(result).every((one) => syntax.children(one).length <= 2);
    return isPlain ? parts.map((one) => goTypeText(syntax, one)) : undefined;
  }

  private bindBelow(node: number): void {
    for (const child of this.syntax.children(node)) {
      const kind = this.syntax.kind(child);
      if (kind === "func_literal" || kind === "type_parameter_list") this.bindAll(child);
      else this.bindBelow(child);
    }
  }

  private bindAll(node: number): void {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "parameter_declaration":
        this.bindNames(node, knownType(syntax, syntax.at(node, "type")), syntax.at(node, "type"));
        break;
      case "variadic_parameter_declaration":
      case "type_parameter_declaration":
      case "const_spec":
      case "type_spec":
      case "type_alias":
        this.bindNames(node, undefined);
        break;
      case "var_spec": {
        const type = syntax.at(node, "type");
        if (type !== 0) this.bindNames(node, knownType(syntax, type), type);
        else
          this.bindEach(
            syntax.children(node).filter((child) => syntax.is(child, "name")),
            syntax.at(node, "value"),
          );
        break;
      }
      case "short_var_declaration":
        this.bindEach(syntax.children(syntax.at(node, "left")), syntax.at(node, "right"));
        break;
      case "range_clause": {
        const [key, value, ...more] = syntax.children(syntax.at(node, "left"));
        const items = this.itemsOf(syntax.at(node, "right"));
        if (items === "" || key === undefined || value === undefined || more.length > 0)
          this.bindEach(syntax.children(syntax.at(node, "left")), 0);
        else {
          this.bindEach([key], 0);
          if (syntax.kind(value) === "identifier") this.locals.bind(syntax.text(value), this.ofType(items), items);
        }
        break;
      }
      case "receive_statement":
        this.bindEach(syntax.children(syntax.at(node, "left")), 0);
        break;
      case "type_switch_statement":
        this.bindEach(syntax.children(syntax.at(node, "alias")), 0);
        break;
      default:
        break;
    }
    for (const child of syntax.children(node)) this.bindAll(child);
  }

  private bindNames(node: number, known: Known | undefined, type = 0): void {
    const text = type === 0 ? "" : goTypeText(this.syntax, type);
    for (const child of this.syntax.children(node))
      if (this.syntax.is(child, "name")) this.locals.bind(this.syntax.text(child), known, text);
  }

  private bindEach(names: readonly number[], values: number): void {
    const right = values === 0 ? [] : this.syntax.children(values);
    for (const [at, name] of names.entries()) {
      if (this.syntax.kind(name) !== "identifier") continue;
      const value = right.length === names.length ? right[at] : right.length === 1 && at === 0 ? right[0] : undefined;
      // A second result has another type than the first.
      const literal = value === undefined ? "" : literalKind(this.syntax, value);
      const written = value === undefined || right.length !== names.length ? unknownGiven : this.given(value);
      const type = literal !== "" ? (defaultTypes[literal] ?? "") : typeOfGiven(written);
      const known = value === undefined ? undefined : this.known(value);
      const isItself = value !== undefined && this.isPlainMember(value);
      const bound = known !== undefined && isItself ? { ...known, isItself } : known;
      this.locals.bind(this.syntax.text(name), bound, type);
    }
  }

  /** `a.b`, which may be a method that is not called. */
  private isPlainMember(value: number): boolean {
    const { syntax } = this;
    return syntax.kind(value) === "selector_expression" && syntax.kind(syntax.at(value, "operand")) === "identifier";
  }

  /** The type of a value, where one can read it off. */
  private known(node: number): Known | undefined {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "composite_literal":
        return this.unlessLocal(knownType(syntax, syntax.at(node, "type")));
      case "unary_expression":
        return syntax.text(node).startsWith("&") ? this.known(syntax.at(node, "operand")) : undefined;
      case "parenthesized_expression":
        return this.known(syntax.first(node));
      case "identifier":
        return this.unlessLocal(this.locals.get(syntax.text(node)));
      case "call_expression":
        return this.target(this.callee(node));
      case "type_conversion_expression": {
        // `New[int](1)` looks like a value of another type.
        const type = syntax.at(node, "type");
        return syntax.kind(type) === "generic_type" ? this.unlessLocal(knownType(syntax, type)) : undefined;
      }
      case "index_expression":
        return this.ofType(this.itemsOf(syntax.at(node, "operand")));
      case "selector_expression":
        return this.target(node);
      default:
        return undefined;
    }
  }

  /** The type of the elements of a local list or map, as written; "" where it is not. */
  private itemsOf(node: number): string {
    const { syntax } = this;
    return syntax.kind(node) === "identifier" ? elementType(this.locals.typeOf(syntax.text(node))) : "";
  }

  private ofType(text: string): Known | undefined {
    const path = /^\*?(\p{L}[\w\p{L}]*(?:\.[\w\p{L}]+)?)(?:\[.*\])?$/u.exec(text)?.[1]?.split(".");
    return this.unlessLocal(path === undefined ? undefined : { path, members: [] });
  }

  /** Finds what a name, `package.Name` or a member of something known leads to. */
  private target(node: number): Known | undefined {
    const { syntax } = this;
    const kind = syntax.kind(node);
    if (kind === "identifier")
      return this.locals.has(syntax.text(node)) ? undefined : { path: [syntax.text(node)], members: [] };
    if (kind !== "selector_expression") return undefined;
    const [operand, field] = [syntax.at(node, "operand"), syntax.text(syntax.at(node, "field"))];
    const name = syntax.kind(operand) === "identifier" ? syntax.text(operand) : undefined;
    if (name !== undefined && !this.locals.has(name)) {
      // Whether it is an import or a variable of the package is for the core to say.
      return { path: [name, field], members: [] };
    }
    const known = this.known(operand);
    return known === undefined ? undefined : { path: known.path, members: [...known.members, field] };
  }

  private unlessLocal(known: Known | undefined): Known | undefined {
    return known?.path[0] === undefined || this.locals.has(known.path[0]) ? undefined : known;
  }

  private given(node: number): Given {
    return givenGo({ syntax: this.syntax, locals: this.locals, target: (one) => this.target(one) }, node);
  }

  private fits(node: number, given: readonly Given[], more: { readonly expects?: string }): void {
    const at = { line: this.syntax.line(node), scope: this.scope };
    this.draft.use({ kind: "fits", ...at, path: [], ...keptGiven(given), ...more });
  }

  /** A value in a place that wants a type. */
  private wanted(node: number, expects: string | undefined, wants: number | undefined = 1): void {
    const { syntax } = this;
    if (expects !== undefined && !syntax.kind(node).endsWith("_literal")) {
      const given = this.given(node);
      const isOwn = expects === "=bool" || expects.startsWith("~");
      if (given.is === "type" && !isOwn) this.fits(node, [given], { expects });
    }
    this.visit(node, wants, expects);
  }

  private visit(node: number, wants?: number, expects?: string): void {
    const { syntax } = this;
    const more = expects === undefined ? {} : { expects };
    switch (syntax.kind(node)) {
      case "call_expression":
        this.call(node, wants, expects);
        return;
      case "selector_expression":
        this.reach(node, more);
        return;
      case "type_conversion_expression": {
        const [type, operand] = [syntax.at(node, "type"), syntax.at(node, "operand")];
        const known = this.known(node);
        if (known === undefined) this.visit(type);
        else {
          this.say(type, known, {
            args: 1,
            ...(wants === undefined ? {} : { wants }),
            ...keptGiven([this.given(operand)]),
            ...more,
          });
          this.visit(syntax.at(type, "type_arguments"));
        }
        this.visit(operand);
        return;
      }
      case "composite_literal":
        if (expects !== undefined && !expects.startsWith("~")) {
          const given = this.given(node);
          if (given.is !== "unknown") this.fits(node, [given], { expects });
        }
        this.literal(node);
        return;
      case "identifier":
      case "type_identifier":
        if (!this.locals.has(syntax.text(node))) this.say(node, { path: [syntax.text(node)], members: [] }, more);
        return;
      case "func_literal": {
        const around = this.results;
        this.results = this.resultsOf(node);
        for (const child of syntax.children(node)) this.visit(child);
        this.results = around;
        return;
      }
      case "return_statement": {
        const values = syntax.children(syntax.first(node));
        const isEach = values.length > 0 && values.length === this.results?.length;
        for (const [at, value] of values.entries()) {
          if (isEach) this.wanted(value, `=${this.results?.[at] ?? ""}`);
          else this.visit(value, values.length === 1 ? this.results?.length : undefined);
        }
        return;
      }
      case "if_statement":
      case "for_statement":
        for (const child of syntax.children(node))
          if (syntax.is(child, "condition")) this.wanted(child, "=bool");
          else this.visit(child);
        return;
      case "unary_expression":
        this.visit(syntax.at(node, "operand"), 1, syntax.text(node).startsWith("!") ? "=bool" : undefined);
        return;
      case "binary_expression":
        this.operands(node, syntax.at(node, "left"), syntax.at(node, "right"), operator(syntax, node));
        return;
      case "qualified_type": {
        const path = [syntax.text(syntax.at(node, "package")), syntax.text(syntax.at(node, "name"))];
        this.say(node, { path, members: [] }, {});
        return;
      }
      case "assignment_statement":
        this.assignment(node);
        return;
      case "short_var_declaration":
        this.visit(syntax.at(node, "left"));
        this.values(syntax.at(node, "right"), syntax.children(syntax.at(node, "left")).length);
        return;
      case "var_spec": {
        const names = syntax.children(node).filter((child) => syntax.is(child, "name")).length;
        this.promise(node);
        if (syntax.at(node, "type") !== 0) this.visit(syntax.at(node, "type"));
        if (syntax.at(node, "value") === 0) return;
        const type = syntax.at(node, "type");
        const values = syntax.children(syntax.at(node, "value"));
        if (type !== 0 && values.length === names)
          for (const value of values) this.wanted(value, `=${goTypeText(syntax, type)}`);
        else this.values(syntax.at(node, "value"), names);
        return;
      }
      case "field_declaration":
      case "parameter_declaration":
      case "variadic_parameter_declaration":
      case "type_parameter_declaration":
      case "const_spec":
      case "type_spec":
      case "type_alias":
      case "method_elem":
        for (const child of syntax.children(node)) if (!syntax.is(child, "name")) this.visit(child);
        return;
      case "keyed_element":
        for (const child of syntax.children(node)) if (!syntax.is(child, "key")) this.visit(child);
        return;
      default:
        for (const child of syntax.children(node)) this.visit(child);
    }
  }

  /** `var _ I = T{}`: a value that has to be an I. */
  private promise(spec: number): void {
    const { syntax } = this;
    const [value, ...more] = syntax.children(syntax.at(spec, "value"));
    const [type, known] = [
      typePath(syntax, syntax.at(spec, "type")),
      value === undefined ? undefined : this.made(value),
    ];
    if (type === undefined || known === undefined || more.length > 0) return;
    this.draft.use({ kind: "implements", line: syntax.line(spec), scope: this.scope, path: type, supers: [known] });
  }

  /** The type in `T{}`, `&T{}`, `new(T)` and `(*T)(nil)`. */
  private made(value: number): readonly string[] | undefined {
    const { syntax } = this;
    const kind = syntax.kind(value);
    if (kind === "unary_expression") return this.made(syntax.at(value, "operand"));
    if (kind === "composite_literal") return this.unlessLocal(knownType(syntax, syntax.at(value, "type")))?.path;
    const written = /^(?:new\(([\w.]+)\)|\(\*([\w.]+)\)\(nil\))$/.exec(syntax.text(value));
    return (written?.[1] ?? written?.[2])?.split(".");
  }

  /** Both sides of an operator are of one type, except those of a shift, which are integers. */
  private operands(node: number, left: number, right: number, between: string): void {
    const isLogic = between === "&&" || between === "||";
    const isShift = between === "<<" || between === ">>";
    const against = (other: number): string | undefined => {
      const kind = isShift ? "int" : literalKind(this.syntax, other);
      return isLogic ? "=bool" : kind === "" ? undefined : `~${kind}`;
    };
    const given = [this.given(left), this.given(right)];
    const isTwo = !isLogic && !isShift && given.every(({ is }) => is === "type" || is === "name");
    if (isTwo && given.some(({ is }) => is === "name")) this.fits(node, given, {});
    this.visit(left, 1, against(right));
    this.visit(right, 1, against(left));
  }

  /** A value that is assigned to a field or variable has to be of its type, and the other way round. */
  private assignment(node: number): void {
    const { syntax } = this;
    const left = syntax.children(syntax.at(node, "left"));
    const right = syntax.children(syntax.at(node, "right"));
    const between = operator(syntax, node);
    if (between !== "=" && left.length === 1 && right.length === 1) {
      this.operands(node, left[0] ?? 0, right[0] ?? 0, between.slice(0, -1));
      return;
    }
    if (left.length !== right.length) {
      for (const one of left) this.visit(one);
      this.values(syntax.at(node, "right"), left.length);
      return;
    }
    for (const [at, one] of left.entries()) {
      const value = right[at] ?? 0;
      const given = this.given(value);
      const kind = syntax.kind(one);
      const target = kind === "selector_expression" ? this.target(one) : undefined;
      if (target !== undefined && given.is !== "unknown") this.reach(one, keptGiven([given]));
      else this.visit(one);
      const type = kind === "identifier" ? this.locals.typeOf(syntax.text(one)) : "";
      this.wanted(value, type === "" ? undefined : `=${type}`);
    }
  }

  private values(node: number, names: number): void {
    const values = this.syntax.children(node);
    for (const value of values) this.visit(value, values.length === 1 ? names : 1);
  }

  /** In `New[int]()`, `New`: it looks like an element that is called. */
  private callee(call: number): number {
    const { syntax } = this;
    const callee = syntax.at(call, "function");
    if (syntax.kind(callee) !== "index_expression") return callee;
    const types = syntax.children(callee).slice(1);
    const areTypes = types.every((one) => /^(?:identifier|selector_expression)$/.test(syntax.kind(one)));
    return areTypes && this.target(callee) === undefined ? syntax.at(callee, "operand") : callee;
  }

  private call(node: number, wants: number | undefined, expects: string | undefined): void {
    const { syntax } = this;
    const callee = this.callee(node);
    const list = syntax.children(syntax.at(node, "arguments"));
    // f(g()) passes on all that g gives, and `list...` any number.
    const isCounted =
      !list.some((one) => syntax.kind(one) === "variadic_argument") &&
      !(list.length === 1 && syntax.kind(list[0] ?? 0) === "call_expression");
    const given = list.map((one) => this.given(one));
    const isPassed = list.length === 1 && syntax.kind(list[0] ?? 0) === "call_expression" && given[0]?.is !== "unknown";
    const facts: Facts = {
      ...(isCounted ? { args: list.length } : {}),
      ...(wants === undefined ? {} : { wants }),
      ...(isCounted || isPassed ? keptGiven(given) : {}),
      ...(isPassed ? { passes: 1 } : {}),
      ...(expects === undefined ? {} : { expects }),
    };
    if (syntax.kind(callee) === "identifier") {
      if (!this.locals.has(syntax.text(callee))) this.say(callee, { path: [syntax.text(callee)], members: [] }, facts);
    } else if (syntax.kind(callee) === "selector_expression") this.reach(callee, facts);
    else this.visit(callee);
    if (callee !== syntax.at(node, "function"))
      for (const one of syntax.children(syntax.at(node, "function")).slice(1)) this.visit(one);
    for (const one of list) this.visit(one, list.length > 1 ? 1 : undefined);
  }

  private reach(node: number, facts: Facts): void {
    const { syntax } = this;
    const target = this.target(node);
    if (target !== undefined) this.say(node, target, facts);
    const operand = syntax.at(node, "operand");
    this.visit(operand);
  }

  private literal(node: number): void {
    const { syntax } = this;
    const [type, body] = [syntax.at(node, "type"), syntax.at(node, "body")];
    this.visit(type);
    const known = this.unlessLocal(knownType(syntax, type));
    const elements = syntax.children(body);
    const keys = elements.filter((one) => syntax.kind(one) === "keyed_element").map((one) => syntax.at(one, "key"));
    const names = keys
      .map((key) => syntax.first(key))
      .map((key) => (syntax.kind(key) === "identifier" ? syntax.text(key) : ""));
    if (known !== undefined && elements.length > 0 && !names.includes("")) {
      const isWhole = keys.length === 0;
      const parts = isWhole ? elements.map(() => "") : names;
      const { path } = known;
      const values = elements.map((one) => {
        const value = syntax.kind(one) === "keyed_element" ? syntax.at(one, "value") : one;
        return this.given(syntax.kind(value) === "literal_element" ? syntax.first(value) : value);
      });
      this.draft.use({
        kind: "literal",
        line: syntax.line(node),
        scope: this.scope,
        path,
        parts,
        ...(isWhole ? { whole: 1 as const } : {}),
        ...keptGiven(values),
      });
    }
    for (const element of elements) {
      // Keys of a struct are its fields; those of a map or an array are expressions.
      if (known === undefined && syntax.kind(element) === "keyed_element") this.visit(syntax.at(element, "key"));
      this.visit(element);
    }
  }

  private say(node: number, { path, members }: Known, facts: Facts): void {
    const [name = ""] = path;
    if (name === "_" || (path.length === 1 && members.length === 0 && predeclaredTypes.has(name))) return;
    this.draft.use({ line: this.syntax.line(node), scope: this.scope, path, members, ...facts });
  }
}

/** A named type, behind a pointer or not. */
export function typePath(syntax: Syntax, node: number): readonly string[] | undefined {
  switch (syntax.kind(node)) {
    case "type_identifier":
      return [syntax.text(node)];
    case "qualified_type":
      return [syntax.text(syntax.at(node, "package")), syntax.text(syntax.at(node, "name"))];
    case "pointer_type":
    case "parenthesized_type":
      return typePath(syntax, syntax.first(node));
    case "generic_type":
      return typePath(syntax, syntax.at(node, "type"));
    default:
      return undefined;
  }
}

function knownType(syntax: Syntax, node: number): Known | undefined {
  const path = typePath(syntax, node);
  return path === undefined ? undefined : { path, members: [] };
}

/** Nobody gives these names a new meaning; what is left of the predeclared ones is looked up like any other name. */
const predeclaredTypes = new Set(
  "any bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr".split(
    " ",
  ),
);
