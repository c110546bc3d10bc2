// Finds what the types of a Java file use: types, `Type.member`, `new Type(…)`, members of variables whose type is written, methods and
// fields of the class itself, and what a class must implement. Inside anonymous and local classes bare names are passed over, because they
// may be inherited from anywhere.

import { keptGiven, typeOfGiven, unknownGiven } from "../compiled/given.ts";
import type { SourceUse } from "../compiled/facts.ts";
import { type Draft, Locals } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { erased, literalJava, operatorOf } from "./java-given.ts";
import { lambdaAnswer } from "./java-lambdas.ts";
import { bodyOf, promisesOf } from "./java-promises.ts";
import { choiceOf, labelledBy } from "./java-switch.ts";
import { type Around, JavaValues } from "./java-values.ts";
import { superTypes, typeKinds, typeNames, typePath } from "./java-syntax.ts";

type Facts = Pick<SourceUse, "args" | "given" | "expects" | "catches">;

export class JavaUses {
  private readonly syntax: Syntax;
  private readonly draft: Draft;
  private readonly values: JavaValues;

  constructor(syntax: Syntax, draft: Draft) {
    this.syntax = syntax;
    this.draft = draft;
    this.values = new JavaValues(syntax);
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

  private obligations(node: number, body: number, supers: readonly (readonly string[])[], around: Around): void {
    for (const { at, within, ...facts } of promisesOf(this.syntax, node, body, supers))
      this.say(at, within === "" ? around : { ...around, scope: `${around.scope}.${within}` }, facts);
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
            this.values.declared(syntax.at(node, "type"), syntax.at(node, "value"), around),
            syntax.at(node, "dimensions") === 0 ? erased(syntax, syntax.at(node, "type"), around.generics) : "",
          );
        break;
      case "instanceof_expression":
        if (name !== 0) locals.bind(syntax.text(name), this.values.declared(syntax.at(node, "right"), 0, around));
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
              ? this.values.declared(syntax.at(node, "type"), syntax.at(one, "value"), around)
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

  private listed(list: readonly number[], around: Around): Facts {
    const given = list.map((one) => this.values.given(one, around));
    return {
      args: list.length,
      ...keptGiven(given),
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
    const given = this.values.given(node, around);
    const isTelling = given.is === "type" || (given.is === "literal" && /^(lambda|ref)/.test(given.kind));
    if (isTelling && !type.startsWith("~"))
      this.say(node, around, { kind: "fits", path: [], ...keptGiven([given]), expects });
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
        /^(int|long)$/.test(literal) ||
        /^(byte|short|int|long|float|double)$/.test(typeOfGiven(this.values.given(other, around)));
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
        const given = isPlain ? this.values.given(right, around) : unknownGiven;
        if (given.is !== "unknown" && syntax.kind(left) === "field_access")
          this.reach(left, syntax.at(left, "object"), around, keptGiven([given]));
        else if (
          given.is !== "unknown" &&
          syntax.kind(left) === "identifier" &&
          !around.locals.has(syntax.text(left)) &&
          !around.isInner
        )
          this.say(left, around, { path: [syntax.text(left)], ...keptGiven([given]) });
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
          if (syntax.is(child, "condition")) this.wanted(child, labelledBy(syntax, node), around);
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
    const target = this.values.known(node, around);
    if (target !== undefined) this.say(node, around, { ...target, ...facts });
    const dotted = object === 0 ? undefined : this.values.dotted(object, around);
    // What stands before the dot is a use of its own: the member may be inherited from anywhere.
    if (dotted !== undefined) this.say(object, around, { path: dotted });
    const isPlain = ["this", "super", "identifier"].includes(syntax.kind(object));
    if (object !== 0 && dotted === undefined && !isPlain) this.visit(object, around);
  }

  /** A switch over a value whose type can be read off: its labels, and whether it has to name every constant. */
  private choice(node: number, isExpression: boolean, around: Around): void {
    const known = this.values.known(this.syntax.at(node, "condition"), around);
    const found = choiceOf(this.syntax, node, isExpression);
    if (known !== undefined && found !== undefined) this.say(node, around, { kind: "match", ...known, ...found });
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
      const known = this.values.step(left, `${syntax.text(right)}()`, around);
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
