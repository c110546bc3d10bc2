// Expressions as shapes: a chain of members and calls that starts at a known name, a literal, a function. Anything that
// needs more than a look at the syntax is not known.

import type {
  Argument,
  ArrowFunctionExpression,
  CallExpression,
  Expression,
  Function,
  ImportExpression,
  MemberExpression,
  NewExpression,
  ObjectExpression,
  Super,
  Directive,
  Statement,
} from "oxc-parser";
import { moduleRoot, type Call, type Member, type Parameter, type Shape, type Signature, type Step } from "../facts.ts";
import { bindParameters, declareBlock } from "./bindings.ts";
import { inValues, Scope } from "./scope.ts";
import type { SourceFile } from "./source-file.ts";
import { follow, keyName } from "./steps.ts";
import { signatureType, typeShape, withTypeParameters } from "./type-shapes.ts";

/** A chain taken apart: what it starts from, and the steps written here. */
export interface Chain {
  readonly from: Shape | undefined;
  readonly steps: readonly Step[];
  /** The expression at the start, still to be read by the caller when it is not a plain name. */
  readonly base: Expression | Super;
}

const comparisons = new Set(["==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"]);

export class Shapes {
  private readonly file: SourceFile;

  constructor(file: SourceFile) {
    this.file = file;
  }

  /** `judged`: the steps are to be checked here, so what is known of arguments and lines is kept. */
  chain(node: Expression | Super, scope: Scope, judged: boolean): Chain {
    let base = node;
    for (let below = lower(base); below !== undefined; below = lower(base)) base = below;
    const from = this.start(base, scope);
    if (from === undefined || base === node) return { from, steps: [], base };
    const steps: Step[] = [];
    for (let at: Expression | Super | undefined = node; at !== undefined && at !== base; at = lower(at)) {
      const step = this.step(at, scope, judged);
      if (step !== undefined) steps.push(step);
    }
    return { from, steps: steps.reverse(), base };
  }

  private step(node: Expression | Super, scope: Scope, judged: boolean): Step | undefined {
    switch (node.type) {
      case "AwaitExpression":
        return { s: "await" };
      case "MemberExpression": {
        const name = memberName(node);
        if (name === undefined) return { s: "element" };
        return judged && !this.file.sameLine(node.start, node.property.start)
          ? { s: "member", name, line: this.file.lineAt(node.property.start) }
          : { s: "member", name };
      }
      case "CallExpression":
        return this.call("call", node, scope, judged);
      case "NewExpression":
        return this.call("new", node, scope, judged);
      default:
        return undefined;
    }
  }

  call(s: Call["s"], node: CallExpression | NewExpression, scope: Scope, judged: boolean): Call {
    const count = node.arguments.length;
    const types = node.typeArguments ? { types: node.typeArguments.params.length } : {};
    if (node.arguments.some((one) => one.type === "SpreadElement")) return { s, count, spread: true, ...types };
    if (!judged || count === 0) return { s, count, ...types };
    const args = node.arguments.map((one) => this.argument(one, scope));
    return args.some((one) => one !== undefined) ? { s, count, args, ...types } : { s, count, ...types };
  }

  private argument(one: Argument, scope: Scope): Shape | undefined {
    switch (one.type) {
      case "SpreadElement":
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "ArrayExpression":
        // Never compared.
        return undefined;
      default:
        return this.shapeOf(one, scope);
    }
  }

  private start(base: Expression | Super, scope: Scope): Shape | undefined {
    switch (base.type) {
      case "Identifier": {
        const binding = scope.find(base.name, inValues);
        if (binding === undefined) return base.name === "undefined" ? { k: "primitive", name: "undefined" } : undefined;
        return binding.top ? { k: "value", root: base.name, steps: [] } : binding.shape();
      }
      case "ThisExpression":
        return scope.self ?? undefined;
      case "CallExpression":
        return isRequire(base)
          ? { k: "value", root: moduleRoot("require", requireTarget(base)), steps: [] }
          : undefined;
      case "Super":
        return scope.parentSelf;
      default:
        return this.literal(base, scope);
    }
  }

  shapeOf(node: Expression, scope: Scope): Shape | undefined {
    const frozen = frozenIn(node);
    if (frozen !== undefined) return this.shapeOf(frozen, scope);
    const { from, steps } = this.chain(node, scope, false);
    return from === undefined ? undefined : follow(from, steps);
  }

  private literal(node: Expression, scope: Scope): Shape | undefined {
    switch (node.type) {
      case "Literal":
        return primitive(node.value === null ? "null" : typeof node.value);
      case "TemplateLiteral":
        return primitive("string");
      case "UnaryExpression":
        if (node.operator === "!") return primitive("boolean");
        return node.operator === "typeof" ? primitive("string") : undefined;
      case "BinaryExpression":
        return comparisons.has(node.operator) ? primitive("boolean") : undefined;
      case "TSAsExpression":
      case "TSTypeAssertion":
        if (node.typeAnnotation.type === "TSTypeReference" && isConst(node.typeAnnotation))
          return this.shapeOf(node.expression, scope);
        return typeShape(node.typeAnnotation, scope, this.file);
      case "ConditionalExpression":
        return { k: "union", of: [this.shapeOf(node.consequent, scope), this.shapeOf(node.alternate, scope)] };
      case "ObjectExpression":
        return this.object(node, scope);
      case "ArrayExpression": {
        const [only] = node.elements;
        const of =
          node.elements.length === 1 && only && only.type !== "SpreadElement" ? this.shapeOf(only, scope) : undefined;
        return { k: "array", of };
      }
      case "ArrowFunctionExpression":
      case "FunctionExpression":
        return this.functionShape(node, scope);
      case "ImportExpression": {
        const target = importTarget(node);
        return target === undefined
          ? undefined
          : { k: "type", name: ["Promise"], args: [{ k: "value", root: moduleRoot("import", target), steps: [] }] };
      }
      default:
        return undefined;
    }
  }

  private depth = 0;

  object(node: ObjectExpression, scope: Scope): Shape | undefined {
    // Large tables of data are not read member by member.
    if (this.depth >= 3 || node.properties.length > 100) return undefined;
    this.depth += 1;
    const shape = this.members(node, scope);
    this.depth -= 1;
    return shape;
  }

  private members(node: ObjectExpression, scope: Scope): Shape {
    const members: Member[] = [];
    let open = false;
    for (const one of node.properties) {
      const name = one.type === "SpreadElement" ? undefined : keyName(one.key, one.computed);
      if (one.type === "SpreadElement" || name === undefined) {
        open = true;
        continue;
      }
      members.push({
        name,
        line: this.file.lineAt(one.start),
        ...(one.kind === "init" ? {} : { accessor: true }),
        shape: one.kind === "init" ? this.memberShape(one.value, scope) : undefined,
      });
    }
    return { k: "object", members, fresh: true, ...(open ? { open: true } : {}) };
  }

  /** A function in an object is kept for its signature alone. */
  private memberShape(value: Expression, scope: Scope): Shape | undefined {
    if (value.type !== "ArrowFunctionExpression" && value.type !== "FunctionExpression")
      return this.shapeOf(value, scope);
    return { k: "function", signatures: [this.signature(value, scope)] };
  }

  functionShape(node: Function | ArrowFunctionExpression, scope: Scope): Shape {
    return { k: "function", signatures: [this.signature(node, scope)] };
  }

  signature(node: Function | ArrowFunctionExpression, scope: Scope): Signature {
    const written = signatureType(node, scope, this.file);
    const returns = written.returns ?? (node.returnType ? undefined : this.inferred(node, scope));
    return {
      ...written,
      parameters: this.file.javascript ? this.tested(written.parameters, node) : written.parameters,
      returns,
      ...(node.async ? { async: true } : {}),
      ...(node.type !== "ArrowFunctionExpression" && node.generator ? { generator: true } : {}),
    };
  }

  /** In JavaScript a parameter the body tests for may be left out, and a body with `arguments` takes any number. */
  private tested(parameters: readonly Parameter[], node: Function | ArrowFunctionExpression): Parameter[] {
    if (node.body === null || parameters.every((one) => one.optional || one.rest)) return [...parameters];
    const body = this.file.text.slice(node.body.start, node.body.end);
    const comment = this.commentBefore(node.start);
    const asked = askedNames(body);
    const list = parameters.map((one): Parameter => {
      if (one.optional || one.rest || one.name === "") return one;
      return asked.has(one.name) || comment.includes(`[${one.name}`) ? { ...one, optional: true } : one;
    });
    return /(?<![\w.$])arguments(?![\w$])/.test(body) ? [...list, { name: "arguments", rest: true }] : list;
  }

  /** The documentation comment right above, through `export const name =`. */
  private commentBefore(start: number): string {
    const before = this.file.text.slice(Math.max(0, start - 2000), start);
    const end = before.lastIndexOf("*/");
    if (end === -1 || !/^\s*(export\s+)?(default\s+)?(async\s+)?(const\s+[\w$]+\s*=\s*)?$/.test(before.slice(end + 2)))
      return "";
    return before.slice(before.lastIndexOf("/**", end), end);
  }

  /** Returns the shape that a function without annotation returns, if it returns in one place. */
  private inferred(node: Function | ArrowFunctionExpression, scope: Scope): Shape | undefined {
    if (node.body === null || (node.type !== "ArrowFunctionExpression" && node.generator)) return undefined;
    let returned: Expression | null | undefined;
    if (node.body.type !== "BlockStatement") returned = node.body;
    else {
      const found = returnsIn(node.body.body);
      if (found.length !== 1 || node.body.body.at(-1)?.type !== "ReturnStatement") return undefined;
      returned = found[0];
    }
    if (!returned || (returned.type === "AwaitExpression" && !node.async)) return undefined;
    const shape = this.shapeOf(returned, this.bindFunction(node, scope, { file: this.quiet() }));
    if (shape === undefined) return undefined;
    const settled: Shape =
      shape.k === "object" && shape.fresh
        ? { k: "object", members: shape.members, ...(shape.open ? { open: true } : {}) }
        : shape;
    return node.async ? { k: "type", name: ["Promise"], args: [settled] } : settled;
  }

  /** The scope inside a function, its parameters and declarations bound. */
  bindFunction(node: Function | ArrowFunctionExpression, outer: Scope, options: FunctionScope = {}): Scope {
    const { first, method = false, file = this.file } = options;
    const typed = withTypeParameters(node.typeParameters, outer);
    const keepsThis = method || node.type === "ArrowFunctionExpression";
    const scope = new Scope(typed, { isFunction: true, ...(keepsThis ? {} : { self: null }) });
    if (node.type === "FunctionExpression" && node.id)
      scope.bind(node.id.name, { spaces: inValues, top: false, shape: () => undefined });
    bindParameters({ scope, file, top: false }, node.params, first);
    if (node.body?.type !== "BlockStatement") return scope;
    const inner = new Scope(scope);
    declareBlock({ scope: inner, file, top: false }, node.body.body, this, true);
    return inner;
  }

  /** A look-ahead must not count a duplicate declaration twice: its findings go to an array nobody reads. */
  private quiet(): SourceFile {
    return Object.create(this.file, { duplicates: { value: [] } }) as SourceFile;
  }
}

export interface FunctionScope {
  /** Returns the shape of the first parameter when the caller decides it: the callback of `map`. */
  readonly first?: () => Shape | undefined;
  /** `this` is the class around. */
  readonly method?: boolean;
  readonly file?: SourceFile;
}

/** Returns the expression that the outermost step is applied to. Undefined at the start of the chain. */
export function lower(node: Expression | Super): Expression | Super | undefined {
  switch (node.type) {
    case "ChainExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
    case "TSInstantiationExpression":
      return node.expression;
    case "AwaitExpression":
      return node.argument;
    case "MemberExpression":
      return node.object;
    case "CallExpression":
      return isRequire(node) || node.callee.type === "Super" ? undefined : node.callee;
    case "NewExpression":
      return node.callee;
    default:
      return undefined;
  }
}

/** Returns the expression that `Object.freeze(…)` is given, and gives back. */
function frozenIn(node: Expression): Expression | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
  const { object, property } = node.callee;
  const isFreeze = property.type === "Identifier" && /^(freeze|seal|preventExtensions)$/.test(property.name);
  const [only, ...more] = node.arguments;
  if (!isFreeze || object.type !== "Identifier" || object.name !== "Object" || more.length > 0) return undefined;
  return only === undefined || only.type === "SpreadElement" ? undefined : only;
}

/** The member's name; undefined for an element of a list. */
function memberName(node: MemberExpression): string | undefined {
  const name = keyName(node.property, node.computed);
  return node.computed && name !== undefined && /^\d+$/.test(name) ? undefined : name;
}

/** Names a body compares, negates or falls back from: what may be left out. */
function askedNames(body: string): Set<string> {
  const names = new Set<string>();
  for (const match of body.matchAll(
    /(?<![\w.$])([A-Za-z_$][\w$]*)\s*(?:\|\||\?\?|&&|\?|[!=]==?)|(?:!|\btypeof\s|\bif\s*\()\s*([A-Za-z_$][\w$]*)/g,
  )) {
    names.add(match[1] ?? match[2] ?? "");
  }
  return names;
}

function primitive(name: string): Shape | undefined {
  return ["string", "number", "boolean", "null", "bigint"].includes(name) ? { k: "primitive", name } : undefined;
}

function isConst(type: { typeName: { type: string; name?: string } }): boolean {
  return type.typeName.type === "Identifier" && type.typeName.name === "const";
}

export function isRequire(node: CallExpression): boolean {
  const [first] = node.arguments;
  return (
    node.callee.type === "Identifier" &&
    node.callee.name === "require" &&
    node.arguments.length === 1 &&
    first?.type === "Literal" &&
    typeof first.value === "string"
  );
}

export function requireTarget(node: CallExpression): string {
  const [first] = node.arguments;
  return first?.type === "Literal" ? String(first.value) : "";
}

export function importTarget(node: ImportExpression): string | undefined {
  return node.source.type === "Literal" && typeof node.source.value === "string" ? node.source.value : undefined;
}

function returnsIn(body: readonly (Directive | Statement)[]): (Expression | null)[] {
  const found: (Expression | null)[] = [];
  const visit = (one: Directive | Statement | null | undefined): void => {
    switch (one?.type) {
      case "ReturnStatement":
        found.push(one.argument);
        return;
      case "BlockStatement":
        return one.body.forEach(visit);
      case "IfStatement":
        visit(one.consequent);
        return visit(one.alternate);
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "WhileStatement":
      case "DoWhileStatement":
      case "LabeledStatement":
        return visit(one.body);
      case "TryStatement":
        visit(one.block);
        visit(one.handler?.body);
        return visit(one.finalizer);
      case "SwitchStatement":
        return one.cases.forEach((each) => each.consequent.forEach(visit));
      default:
    }
  };
  body.forEach(visit);
  return found;
}
