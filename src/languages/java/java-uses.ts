// What the types of a Java file use: types, `Type.member`, `new Type(…)`, members of variables whose type is written, methods and
// fields of the class itself, and what a class must implement. Inside anonymous and local classes bare names are passed over,
// because they may be inherited from anywhere.

import type { SourceUse } from "../compiled/facts.ts";
import { type Draft, type Known, Locals } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { erased, givenJava, literalJava, operatorOf } from "./java-given.ts";
import { lambdaAnswer } from "./java-lambdas.ts";
import { annotations, arity, modifiers, superTypes, typeKinds, typeNames, typePath } from "./java-syntax.ts";

type Facts = Pick<SourceUse, "args" | "given" | "expects" | "catches">;

interface Around {
  readonly of: string;
  readonly scope: string;
  readonly locals: Locals;
  readonly generics: ReadonlySet<string>;
  /** Within an anonymous or local class. */
  readonly isInner: boolean;
  /** What the method around answers; "" where that is not known. */
  readonly result: string;
  /** What a lambda answers that the method around gives back; "" where that is not known. */
  readonly answer: string;
  /** Exceptions that are caught around, or that the method passes on; undefined where that is not known. */
  readonly catches: readonly string[] | undefined;
}

export class JavaUses {
  private readonly syntax: Syntax;
  private readonly draft: Draft;

  constructor(syntax: Syntax, draft: Draft) {
    this.syntax = syntax;
    this.draft = draft;
  }

  type(node: number, outer: string, generics: ReadonlySet<string> = new Set()): void {
    const { syntax } = this;
    const name = syntax.text(syntax.at(node, "name"));
    const of = outer === "" ? name : `${outer}.${name}`;
    const around: Around = {
      of,
      scope: of,
      locals: new Locals(),
      generics: new Set([...generics, ...typeNames(syntax, node)]),
      isInner: false,
      result: "",
      answer: "",
      catches: undefined,
    };
    const supers = superTypes(syntax, node);
    // Before its brace a type does not see its own members.
    const header = { ...around, of: outer };
    for (const child of syntax.children(node))
      if (!syntax.is(child, "name") && !syntax.is(child, "body")) this.visit(child, header);
    const body = syntax.at(node, "body");
    if (supers.length > 0) this.obligations(node, body, supers, header);
    for (const child of bodyOf(syntax, body)) this.member(child, around);
  }

  private member(node: number, around: Around): void {
    const { syntax } = this;
    if (typeKinds.has(syntax.kind(node))) {
      this.type(node, around.of, around.generics);
      return;
    }
    const locals = new Locals();
    const name = syntax.at(node, "name");
    const parameters = syntax.at(node, "parameters");
    const scope = `${around.of}.${name === 0 ? syntax.kind(node) : syntax.text(name)}${parameters === 0 ? "" : syntax.text(parameters)}`;
    const generics = new Set([...around.generics, ...typeNames(syntax, node)]);
    const kind = syntax.kind(node);
    const isMethod = kind === "method_declaration" || kind === "constructor_declaration";
    const thrown = syntax.children(node).find((child) => syntax.kind(child) === "throws");
    const catches = thrown === undefined ? [] : syntax.children(thrown).map((one) => syntax.text(one));
    const result = kind === "method_declaration" ? erased(syntax, syntax.at(node, "type"), generics) : "";
    const answer = kind === "method_declaration" ? this.answerOf(syntax.at(node, "type"), generics) : "";
    const within = { ...around, scope, locals, generics, result, answer, catches: isMethod ? catches : undefined };
    const isField = syntax.kind(node) === "field_declaration" || syntax.kind(node) === "constant_declaration";
    for (const child of syntax.children(node)) this.bind(child, within, isField);
    if (syntax.kind(node) === "enum_constant") {
      const list = syntax.at(node, "arguments");
      this.say(node, within, {
        kind: "new",
        path: around.of.split("."),
        args: list === 0 ? 0 : syntax.children(list).length,
      });
      for (const one of list === 0 ? [] : syntax.children(list)) this.visit(one, within);
      if (syntax.at(node, "body") !== 0) this.inner(syntax.at(node, "body"), within);
      return;
    }
    for (const child of syntax.children(node)) if (!syntax.is(child, "name")) this.visit(child, within);
  }

  /** What a class promises by what it extends and implements. */
  private obligations(node: number, body: number, supers: readonly (readonly string[])[], around: Around): void {
    const { syntax } = this;
    const methods = bodyOf(syntax, body).filter((one) => syntax.kind(one) === "method_declaration");
    const named = (one: number): string =>
      `${syntax.text(syntax.at(one, "name"))}/${arity(syntax, syntax.at(one, "parameters"))[0]}`;
    const kind = syntax.kind(node);
    const isConcrete = kind !== "interface_declaration" && !modifiers(syntax, node).words.includes("abstract");
    // Constants of an enum may each bring what the enum itself does not.
    const isSplit = kind === "enum_declaration" && syntax.children(body).some((one) => syntax.at(one, "body") !== 0);
    const components =
      kind === "record_declaration"
        ? syntax.children(syntax.at(node, "parameters")).map((one) => `${syntax.text(syntax.at(one, "name"))}/0`)
        : [];
    if (isConcrete && !isSplit)
      this.say(node, around, { kind: "implements", path: [], supers, parts: [...methods.map(named), ...components] });
    for (const method of methods) {
      if (!annotations(syntax, method).includes("Override")) continue;
      this.say(
        syntax.at(method, "name"),
        { ...around, scope: `${around.scope}.${named(method)}` },
        { kind: "overrides", path: [], supers, parts: [named(method)] },
      );
    }
    if (kind === "class_declaration" && syntax.at(node, "superclass") !== 0)
      this.implicitSuper(node, body, supers[0] ?? [], around);
  }

  /** A constructor that does not say otherwise calls the superclass's without arguments. */
  private implicitSuper(node: number, body: number, superclass: readonly string[], around: Around): void {
    const { syntax } = this;
    const constructors = bodyOf(syntax, body).filter((one) => syntax.kind(one) === "constructor_declaration");
    const isSaid = (one: number): boolean =>
      syntax.kind(syntax.first(syntax.at(one, "body"))) === "explicit_constructor_invocation";
    if (constructors.every(isSaid) && constructors.length > 0) return;
    if (superclass.length > 0) this.say(node, around, { kind: "new", path: superclass, args: 0, parts: ["super"] });
  }

  private inner(body: number, around: Around): void {
    for (const child of bodyOf(this.syntax, body))
      this.visit(child, { ...around, isInner: true, result: "", answer: "", catches: undefined });
  }

  private bind(node: number, around: Around, isField: boolean): void {
    const { syntax } = this;
    const { locals } = around;
    const name = syntax.at(node, "name");
    switch (syntax.kind(node)) {
      case "formal_parameter":
      case "enhanced_for_statement":
      case "resource":
      case "type_pattern":
        if (name !== 0)
          locals.bind(
            syntax.text(name),
            this.declared(syntax.at(node, "type"), syntax.at(node, "value"), around),
            syntax.at(node, "dimensions") === 0 ? erased(syntax, syntax.at(node, "type"), around.generics) : "",
          );
        break;
      case "instanceof_expression":
        if (name !== 0) locals.bind(syntax.text(name), this.declared(syntax.at(node, "right"), 0, around));
        break;
      case "spread_parameter":
        this.bindSpread(node, around);
        break;
      case "catch_formal_parameter":
      case "class_declaration":
      case "record_declaration":
      case "enum_declaration":
      case "interface_declaration":
        locals.bind(syntax.text(name));
        break;
      case "local_variable_declaration":
        for (const one of syntax.children(node).filter((child) => syntax.is(child, "declarator")))
          locals.bind(
            syntax.text(syntax.at(one, "name")),
            syntax.at(one, "dimensions") === 0
              ? this.declared(syntax.at(node, "type"), syntax.at(one, "value"), around)
              : undefined,
            syntax.at(one, "dimensions") === 0 ? erased(syntax, syntax.at(node, "type"), around.generics) : "",
          );
        break;
      case "field_declaration":
        // A field of an anonymous class.
        for (const one of syntax.children(node).filter((child) => syntax.is(child, "declarator")))
          locals.bind(syntax.text(syntax.at(one, "name")));
        break;
      case "lambda_expression": {
        const parameters = syntax.at(node, "parameters");
        if (syntax.kind(parameters) === "identifier") locals.bind(syntax.text(parameters));
        break;
      }
      case "inferred_parameters":
      case "record_pattern_component":
        for (const one of syntax.children(node)) if (syntax.kind(one) === "identifier") locals.bind(syntax.text(one));
        break;
      default:
        break;
    }
    for (const child of syntax.children(node)) this.bind(child, around, isField);
  }

  /** `Modifier... all` is an array of them. */
  private bindSpread(node: number, { locals, generics }: Around): void {
    const { syntax } = this;
    const of = syntax.children(node).map((one) => (isType(syntax.kind(one)) ? erased(syntax, one, generics) : ""));
    const type = of.find((one) => one !== "");
    for (const one of syntax.children(node))
      if (syntax.at(one, "name") !== 0)
        locals.bind(syntax.text(syntax.at(one, "name")), undefined, type === undefined ? "" : `${type}[]`);
  }

  private declared(type: number, value: number, around: Around): Known | undefined {
    const path = typePath(this.syntax, type);
    if (path === undefined || path[0] === undefined || around.generics.has(path[0])) return undefined;
    if (path.length === 1 && path[0] === "var") return value === 0 ? undefined : this.known(value, around);
    return { path, members: [] };
  }

  /** What a value is of, or where it comes from. */
  private known(node: number, around: Around): Known | undefined {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "identifier": {
        const name = syntax.text(node);
        if (around.locals.has(name)) return around.locals.get(name);
        return around.isInner ? undefined : { path: [name], members: [] };
      }
      case "this":
      case "super":
        return around.isInner ? undefined : { path: [syntax.text(node)], members: [] };
      case "parenthesized_expression":
        return this.known(syntax.first(node), around);
      case "object_creation_expression":
        return syntax.children(node).some((child) => syntax.kind(child) === "class_body")
          ? undefined
          : this.declared(syntax.at(node, "type"), 0, around);
      case "cast_expression":
        return this.declared(syntax.at(node, "type"), 0, around);
      case "field_access":
        return this.step(syntax.at(node, "object"), syntax.text(syntax.at(node, "field")), around);
      case "method_invocation": {
        const called = `${syntax.text(syntax.at(node, "name"))}()`;
        const object = syntax.at(node, "object");
        if (object !== 0) return this.step(object, called, around);
        return around.isInner ? undefined : { path: [called], members: [] };
      }
      default:
        return undefined;
    }
  }

  private step(object: number, name: string, around: Around): Known | undefined {
    const dotted = this.dotted(object, around);
    if (dotted !== undefined) return { path: [...dotted, name], members: [] };
    const known = this.known(object, around);
    return known === undefined ? undefined : { path: known.path, members: [...known.members, name] };
  }

  /** `a.b.C` from something that is not local. */
  private dotted(node: number, around: Around): readonly string[] | undefined {
    const { syntax } = this;
    if (syntax.kind(node) === "identifier") {
      const name = syntax.text(node);
      const isType = /^\p{Lu}/u.test(name);
      return around.locals.has(name) || (around.isInner && !isType) ? undefined : [name];
    }
    if (syntax.kind(node) !== "field_access") return undefined;
    const before = this.dotted(syntax.at(node, "object"), around);
    const field = syntax.at(node, "field");
    return before === undefined || syntax.kind(field) !== "identifier" ? undefined : [...before, syntax.text(field)];
  }

  private given(node: number, around: Around): string {
    const { syntax } = this;
    const known = (one: number): Known | undefined => {
      // A variable's type is a type, and no value of it.
      if (syntax.kind(one) === "identifier" && around.locals.has(syntax.text(one))) return undefined;
      return this.known(one, around);
    };
    return givenJava({ syntax, locals: around.locals, generics: around.generics, known }, node);
  }

  private listed(list: readonly number[], around: Around): Facts {
    const given = list.map((one) => this.given(one, around));
    return {
      args: list.length,
      ...(given.some((one) => one !== "") ? { given } : {}),
      ...(around.catches === undefined ? {} : { catches: [...new Set(around.catches)].sort() }),
    };
  }

  /** A value in a place that wants a type. */
  private wanted(node: number, type: string, around: Around, answer = ""): void {
    const { syntax } = this;
    const expects = type.startsWith("~") ? type : `=${type}`;
    if (type === "" || syntax.kind(node) === "parenthesized_expression") {
      if (type === "") this.visit(node, around);
      else for (const child of syntax.children(node)) this.wanted(child, type, around, answer);
      return;
    }
    const given = this.given(node, around);
    if (/^(=|#lambda|#ref)/.test(given) && !type.startsWith("~"))
      this.say(node, around, { kind: "fits", path: [], given: [given], expects });
    if (syntax.kind(node) === "method_invocation") this.invocation(node, around, { expects });
    else if (syntax.kind(node) === "field_access") this.reach(node, syntax.at(node, "object"), around, { expects });
    else if (syntax.kind(node) === "identifier") {
      if (!around.locals.has(syntax.text(node)) && !around.isInner)
        this.say(node, around, { path: [syntax.text(node)], expects });
    } else if (syntax.kind(node) === "lambda_expression") this.lambda(node, around, answer);
    else this.visit(node, around);
  }

  /** `answer`: what it has to give back, where the place that wants it says so. */
  private lambda(node: number, around: Around, answer: string): void {
    const { syntax } = this;
    const body = syntax.at(node, "body");
    const inside = { ...around, result: answer, answer: "", catches: undefined };
    if (syntax.kind(body) === "block") this.visit(body, inside);
    else this.wanted(body, answer, inside);
    for (const child of syntax.children(syntax.at(node, "parameters")))
      if (syntax.kind(child) !== "identifier") this.visit(child, around);
  }

  private answerOf(type: number, generics: ReadonlySet<string>): string {
    return type === 0 ? "" : lambdaAnswer(this.syntax, this.draft, type, generics);
  }

  private invocation(node: number, around: Around, more: Facts): void {
    const { syntax } = this;
    const list = syntax.children(syntax.at(node, "arguments"));
    this.reach(node, syntax.at(node, "object"), around, { ...this.listed(list, around), ...more });
    for (const one of list) this.visit(one, around);
  }

  /** What is caught in a `try` is caught in its body, and nowhere else. */
  private attempt(node: number, around: Around): void {
    const { syntax } = this;
    const clauses = syntax.children(node).filter((child) => syntax.kind(child) === "catch_clause");
    const caught = clauses.flatMap((clause) => {
      const parameter = syntax.children(clause).find((one) => syntax.kind(one) === "catch_formal_parameter");
      const type = syntax.children(parameter ?? 0).find((one) => syntax.kind(one) === "catch_type");
      return syntax.children(type ?? 0).map((one) => syntax.text(one));
    });
    const inside = around.catches === undefined ? around : { ...around, catches: [...around.catches, ...caught] };
    for (const child of syntax.children(node)) {
      const isGuarded = syntax.is(child, "body") || syntax.kind(child) === "resource_specification";
      this.visit(child, isGuarded ? inside : around);
    }
  }

  private binary(node: number, around: Around): void {
    const { syntax } = this;
    const between = operatorOf(syntax, node);
    const [left, right] = [syntax.at(node, "left"), syntax.at(node, "right")];
    const isLogic = between === "&&" || between === "||";
    const against = (other: number): string => {
      const literal = literalJava(syntax, other);
      if (isLogic) return "boolean";
      const isNumber =
        /^(int|long)$/.test(literal) || /^=(byte|short|int|long|float|double)$/.test(this.given(other, around));
      return isNumber && /^([-*/%]|<=?|>=?)$/.test(between) ? "~int" : "";
    };
    this.wanted(left, against(right), around);
    this.wanted(right, against(left), around);
  }

  private visit(node: number, around: Around, isExpression = true): void {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "return_statement":
        for (const child of syntax.children(node)) this.wanted(child, around.result, around, around.answer);
        return;
      case "local_variable_declaration": {
        const type = erased(syntax, syntax.at(node, "type"), around.generics);
        for (const child of syntax.children(node)) {
          if (!syntax.is(child, "declarator")) {
            this.visit(child, around);
            continue;
          }
          const value = syntax.at(child, "value");
          const isArray = syntax.at(child, "dimensions") !== 0 || syntax.kind(value) === "array_initializer";
          const answer = isArray ? "" : this.answerOf(syntax.at(node, "type"), around.generics);
          if (value !== 0) this.wanted(value, isArray ? "" : type, around, answer);
        }
        return;
      }
      case "assignment_expression": {
        const [left, right] = [syntax.at(node, "left"), syntax.at(node, "right")];
        const isPlain = operatorOf(syntax, node) === "=";
        const given = isPlain ? this.given(right, around) : "";
        if (given !== "" && syntax.kind(left) === "field_access")
          this.reach(left, syntax.at(left, "object"), around, { given: [given] });
        else if (
          given !== "" &&
          syntax.kind(left) === "identifier" &&
          !around.locals.has(syntax.text(left)) &&
          !around.isInner
        )
          this.say(left, around, { path: [syntax.text(left)], given: [given] });
        else this.visit(left, around);
        const type = isPlain && syntax.kind(left) === "identifier" ? around.locals.typeOf(syntax.text(left)) : "";
        this.wanted(right, type, around);
        return;
      }
      case "if_statement":
      case "while_statement":
        for (const child of syntax.children(node))
          if (syntax.is(child, "condition")) this.wanted(child, "boolean", around);
          else this.visit(child, around, false);
        return;
      case "unary_expression": {
        const isNot = syntax.text(node).startsWith("!");
        for (const child of syntax.children(node)) this.wanted(child, isNot ? "boolean" : "", around);
        return;
      }
      case "binary_expression":
        this.binary(node, around);
        return;
      case "array_access":
        for (const child of syntax.children(node))
          if (syntax.is(child, "array")) this.wanted(child, "~[]", around);
          else this.visit(child, around);
        return;
      case "try_statement":
      case "try_with_resources_statement":
        this.attempt(node, around);
        return;
      case "type_identifier":
        this.typeUse(node, [syntax.text(node)], around);
        return;
      case "scoped_type_identifier": {
        const path = typePath(syntax, node);
        if (path !== undefined) this.typeUse(node, path, around);
        return;
      }
      case "identifier":
        if (!around.locals.has(syntax.text(node)) && !around.isInner)
          this.say(node, around, { path: [syntax.text(node)] });
        return;
      case "field_access":
        this.reach(node, syntax.at(node, "object"), around, {});
        return;
      case "method_invocation":
        this.invocation(node, around, {});
        return;
      case "object_creation_expression":
        this.creation(node, around);
        return;
      case "explicit_constructor_invocation": {
        const list = syntax.children(syntax.at(node, "arguments"));
        const path = [syntax.text(syntax.at(node, "constructor"))];
        this.say(node, around, { kind: "new", path, ...this.listed(list, around), parts: ["super"] });
        for (const one of list) this.visit(one, around);
        return;
      }
      case "method_reference":
        this.reference(node, around);
        return;
      case "marker_annotation":
      case "annotation": {
        const path = typePath(syntax, syntax.at(node, "name"));
        if (path !== undefined) this.typeUse(node, path, around);
        if (syntax.at(node, "arguments") !== 0) this.visit(syntax.at(node, "arguments"), around);
        return;
      }
      case "class_declaration":
      case "record_declaration":
      case "enum_declaration":
      case "interface_declaration":
        for (const child of syntax.children(node)) {
          if (syntax.is(child, "body")) this.inner(child, around);
          else if (!syntax.is(child, "name")) this.visit(child, around);
        }
        return;
      case "switch_expression":
        this.choice(node, isExpression, around);
        for (const child of syntax.children(node))
          if (syntax.is(child, "condition")) this.wanted(child, this.labelled(node), around);
          else this.visit(child, around);
        return;
      case "break_statement":
      case "continue_statement":
        return;
      case "switch_label":
      case "labeled_statement":
        // A bare name here is a constant of whatever is switched on, or a label.
        for (const child of syntax.children(node)) if (syntax.kind(child) !== "identifier") this.visit(child, around);
        return;
      case "lambda_expression":
        this.lambda(node, around, "");
        return;
      default:
        for (const child of syntax.children(node)) {
          const isName = syntax.is(child, "name") || syntax.is(child, "key");
          if (!isName || syntax.kind(child) !== "identifier")
            this.visit(child, around, !statements.has(syntax.kind(node)));
        }
    }
  }

  private reach(node: number, object: number, around: Around, facts: Facts): void {
    const { syntax } = this;
    const target = this.known(node, around);
    if (target !== undefined) this.say(node, around, { ...target, ...facts });
    const dotted = object === 0 ? undefined : this.dotted(object, around);
    // What stands before the dot is a use of its own: the member may be inherited from anywhere.
    if (dotted !== undefined) this.say(object, around, { path: dotted });
    const isPlain = ["this", "super", "identifier"].includes(syntax.kind(object));
    if (object !== 0 && dotted === undefined && !isPlain) this.visit(object, around);
  }

  /** What a switch is over, by labels that are written out. */
  private labelled(node: number): string {
    const { syntax } = this;
    const kinds = new Set<string>();
    for (const group of syntax.children(syntax.at(node, "body")))
      for (const label of syntax.children(group).filter((one) => syntax.kind(one) === "switch_label"))
        for (const value of syntax.children(label)) kinds.add(syntax.kind(value));
    const [only = "", ...others] = kinds;
    if (only === "string_literal" && others.length === 0) return "String";
    const isNumber = kinds.size > 0 && [...kinds].every((kind) => /^(character|decimal_integer)_literal$/.test(kind));
    return isNumber ? "~int" : "";
  }

  /** A switch over a value whose type can be read off: its labels, and whether it has to name every constant. */
  private choice(node: number, isExpression: boolean, around: Around): void {
    const { syntax } = this;
    const known = this.known(syntax.at(node, "condition"), around);
    const labels: string[] = [];
    let isWhole = isExpression;
    for (const group of syntax.children(syntax.at(node, "body"))) {
      for (const label of syntax.children(group).filter((one) => syntax.kind(one) === "switch_label")) {
        const names = syntax.children(label);
        if (names.length === 0 || /\bdefault$/.test(syntax.text(label))) isWhole = false;
        if (names.some((one) => syntax.kind(one) !== "identifier")) return;
        labels.push(...names.map((one) => syntax.text(one)));
      }
    }
    if (known !== undefined && labels.length > 0)
      this.say(node, around, { kind: "match", ...known, parts: labels, ...(isWhole ? { whole: 1 } : {}) });
  }

  private creation(node: number, around: Around): void {
    const { syntax } = this;
    const type = syntax.at(node, "type");
    const path = typePath(syntax, type);
    const args = syntax.children(syntax.at(node, "arguments"));
    const body = syntax.children(node).find((child) => syntax.kind(child) === "class_body");
    this.visit(type, around);
    const isOwn = syntax.kind(syntax.first(node)) === syntax.kind(type) || syntax.first(node) === type;
    if (path !== undefined && isOwn && !around.generics.has(path[0] ?? "") && !around.locals.has(path[0] ?? "")) {
      this.say(node, around, {
        kind: "new",
        path,
        ...this.listed(args, around),
        ...(body === undefined ? {} : { parts: ["anonymous"] }),
      });
      if (body !== undefined) this.obligations(node, body, [path], around);
    }
    for (const one of args) this.visit(one, around);
    if (body !== undefined) this.inner(body, around);
  }

  private reference(node: number, around: Around): void {
    const { syntax } = this;
    const [left = 0, right = 0] = syntax.children(node);
    if (syntax.kind(right) === "identifier") {
      const known = this.step(left, `${syntax.text(right)}()`, around);
      if (known !== undefined && known.path[0] !== "super") this.say(node, around, known);
    } else this.visit(left, around);
  }

  private typeUse(node: number, path: readonly string[], around: Around): void {
    const [first = ""] = path;
    if (first === "var" || around.generics.has(first) || around.locals.has(first)) return;
    this.say(node, around, { path, parts: ["type"] });
  }

  private say(node: number, around: Around, facts: Pick<SourceUse, "path"> & Partial<SourceUse>): void {
    this.draft.use({ line: this.syntax.line(node), scope: around.scope, of: around.of, ...facts });
  }
}

/** What stands directly in these is a statement: a switch there may leave out constants. */
const statements = new Set([
  "block",
  "constructor_body",
  "switch_block_statement_group",
  "if_statement",
  "labeled_statement",
  "switch_rule",
]);

const isType = (kind: string): boolean => /_type$|^(scoped_)?type_identifier$/.test(kind);

function bodyOf(syntax: Syntax, body: number): number[] {
  return syntax
    .children(body)
    .flatMap((child) => (syntax.kind(child) === "enum_body_declarations" ? syntax.children(child) : [child]));
}
