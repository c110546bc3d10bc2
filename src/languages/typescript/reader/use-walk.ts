// Notes the uses in expressions: chains of members and calls, operands, and values put where a type is asked for. What
// to do with each kind of syntax is decided by the walk built on it.

import {
  visitorKeys,
  type ArrowFunctionExpression,
  type CallExpression,
  type Expression,
  type Function,
  type NewExpression,
  type Node,
  type Super,
} from "oxc-parser";
import type { ModuleMention, Shape, Step } from "../facts.ts";
import { once } from "./bindings.ts";
import { namedByCall } from "./module-calls.ts";
import { inTypes, inValues, type Scope } from "./scope.ts";
import type { SourceFile } from "./source-file.ts";
import { follow, keyName, reduce } from "./steps.ts";
import { importTarget, isRequire, requireTarget, type Shapes } from "./value-shapes.ts";

/** Methods of arrays whose callback takes an element first. */
const elementFirst = new Set(["map", "filter", "forEach", "find", "findIndex", "findLast", "some", "every", "flatMap"]);
const arithmetics = new Set(["-", "+", "*", "/", "%", "**", "<", ">", "<=", ">="]);

export abstract class UseWalk {
  readonly mentions: ModuleMention[] = [];
  protected readonly file: SourceFile;
  protected readonly shapes: Shapes;
  private readonly imported: ReadonlySet<string>;
  /** Top-level names of which nothing is known: what is done with them cannot be judged. */
  private readonly opaque: ReadonlySet<string>;
  private readonly bare = new Set<string>();

  constructor(file: SourceFile, shapes: Shapes, imported: ReadonlySet<string>, opaque: ReadonlySet<string>) {
    this.file = file;
    this.shapes = shapes;
    this.imported = imported;
    this.opaque = opaque;
  }

  abstract visit(node: Node | null | undefined, scope: Scope): void;

  protected abstract function(
    node: Function | ArrowFunctionExpression,
    scope: Scope,
    first?: () => Shape | undefined,
    method?: boolean,
  ): void;

  visitAll(nodes: readonly (Node | null | undefined)[], scope: Scope): void {
    for (const node of nodes) this.visit(node, scope);
  }

  protected below(node: Node, scope: Scope): void {
    const fields = node as unknown as Readonly<Record<string, unknown>>;
    for (const key of visitorKeys[node.type] ?? []) {
      const value = fields[key];
      if (Array.isArray(value)) this.visitAll(value as Node[], scope);
      else if (value) this.visit(value as Node, scope);
    }
  }

  protected add(shape: Shape | undefined, taken: readonly Step[], offset: number, scope: Scope): void {
    const reduced = shape === undefined ? undefined : reduce(shape, taken);
    if (reduced === undefined) return;
    const { from, rest: steps } = reduced;
    if (steps.every((one) => one.s === "await")) {
      if (from.k !== "value" || from.steps.length > 0 || !this.imported.has(from.root) || this.bare.has(from.root))
        return;
      this.bare.add(from.root);
    }
    if (from.k === "value" && this.opaque.has(from.root)) return;
    const line = this.file.lineAt(offset);
    const { className } = scope;
    this.file.addUse({ line, from, steps, ...(className === undefined ? {} : { inside: className }) });
  }

  protected name(name: string, offset: number, scope: Scope): void {
    const binding = scope.find(name, inValues);
    if (binding === undefined) this.file.addFree(name, offset);
    else if (binding.top) this.add({ k: "value", root: name, steps: [] }, [], offset, scope);
  }

  /** A name that may be a value or a type. */
  protected either(name: string, offset: number, scope: Scope): void {
    if (scope.find(name, inValues | inTypes) === undefined) this.file.addFree(name, offset);
  }

  protected chain(node: Expression | Super, scope: Scope, after: readonly Step[]): void {
    const { from, steps, base } = this.shapes.chain(node, scope, true);
    this.add(from, [...steps, ...after], base.start, scope);
    this.parts(node, base, scope);
  }

  /** Reads what hangs off a chain: arguments, computed keys, and its start. */
  protected parts(node: Expression | Super, base: Expression | Super, scope: Scope): void {
    let at: Expression | Super = node;
    while (at !== base) {
      switch (at.type) {
        case "ChainExpression":
        case "TSNonNullExpression":
        case "TSSatisfiesExpression":
        case "TSInstantiationExpression":
          if (at.type === "TSSatisfiesExpression") this.visit(at.typeAnnotation, scope);
          if (at.type === "TSInstantiationExpression") this.visit(at.typeArguments, scope);
          at = at.expression;
          break;
        case "AwaitExpression":
          at = at.argument;
          break;
        case "MemberExpression":
          if (at.computed) this.visit(at.property, scope);
          at = at.object;
          break;
        case "CallExpression":
        case "NewExpression":
          this.visit(at.typeArguments, scope);
          this.calledModule(at);
          if (at.type === "CallExpression") this.callArguments(at, scope);
          else this.visitAll(at.arguments, scope);
          at = at.callee;
          break;
        default:
          at = base;
      }
    }
    this.start(base, scope);
  }

  protected start(base: Expression | Super, scope: Scope): void {
    switch (base.type) {
      case "Identifier":
        if (scope.find(base.name, inValues) === undefined) this.file.addFree(base.name, base.start);
        return;
      case "Super":
      case "ThisExpression":
        return;
      case "CallExpression":
        if (isRequire(base)) return this.mention(requireTarget(base), base.start, "require");
        if (base.callee.type === "Super") this.superCall(base, scope);
        return this.visitAll([base.typeArguments, ...base.arguments], scope);
      case "ImportExpression": {
        const target = importTarget(base);
        if (target !== undefined) this.mention(target, base.start, "dynamic");
        return this.visit(base.source, scope);
      }
      case "MemberExpression":
        return this.visit(base.object, scope);
      default:
        return this.visit(base, scope);
    }
  }

  protected calledModule(node: CallExpression | NewExpression): void {
    const found = namedByCall(node);
    if (found !== undefined) this.mention(found.specifier, node.start, found.how);
  }

  protected superCall(node: CallExpression, scope: Scope): void {
    if (scope.parentSelf?.k !== "from") return;
    this.add(scope.parentSelf.shape, [this.shapes.call("new", node, scope, true)], node.start, scope);
  }

  protected callArguments(node: CallExpression, scope: Scope): void {
    const [first, ...rest] = node.arguments;
    const { callee } = node;
    const isFunction = first?.type === "ArrowFunctionExpression" || first?.type === "FunctionExpression";
    const method = callee.type === "MemberExpression" ? keyName(callee.property, callee.computed) : undefined;
    const step: Step | undefined =
      method === undefined
        ? undefined
        : elementFirst.has(method)
          ? { s: "element" }
          : method === "then"
            ? { s: "await" }
            : undefined;
    if (isFunction && step !== undefined && callee.type === "MemberExpression") {
      const { object } = callee;
      this.function(
        first,
        scope,
        once(() => {
          const shape = this.shapes.shapeOf(object, scope);
          return shape === undefined ? undefined : follow(shape, [step]);
        }),
      );
    } else this.visit(first, scope);
    this.visitAll(rest, scope);
  }

  protected operand(node: Expression | Node, scope: Scope): void {
    const kind = node.type;
    if (
      kind === "CallExpression" ||
      kind === "MemberExpression" ||
      kind === "AwaitExpression" ||
      kind === "ChainExpression" ||
      kind === "Identifier"
    ) {
      this.chain(node as Expression, scope, [{ s: "operand" }]);
    } else this.visit(node as Node, scope);
  }

  protected binary(operator: string, left: Node, right: Node, scope: Scope): void {
    const arithmetic = arithmetics.has(operator);
    for (const one of [left, right]) {
      if (arithmetic) this.operand(one, scope);
      else if (one.type !== "PrivateIdentifier") this.visit(one, scope);
    }
  }

  /** A value is put where a type is asked for: only what can be told from the syntax is noted. */
  protected fit(wanted: Shape | undefined, value: Expression, scope: Scope, settles = false): void {
    if (wanted === undefined || wanted.k === "value" || wanted.k === "function" || wanted.k === "array") return;
    const shape = this.shapes.shapeOf(value, scope);
    if (shape === undefined || shape.k === "function" || shape.k === "array") return;
    // A literal against a type written beside it is the file's own matter.
    if ((wanted.k === "primitive" || wanted.k === "object") && (shape.k === "primitive" || shape.k === "object"))
      return;
    const settled = settles && shape.k !== "object" ? follow(shape, [{ s: "await" }]) : shape;
    if (settled !== undefined) this.add(wanted, [{ s: "fit", value: settled }], value.start, scope);
  }

  protected mention(specifier: string, offset: number, how: ModuleMention["how"]): void {
    this.mentions.push({ specifier, line: this.file.lineAt(offset), how });
  }
}
