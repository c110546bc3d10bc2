// Expressions as shapes: a chain of members and calls that starts at a known name, a literal, a function. Anything that
// needs more than a look at the syntax is not known.

import type {
  Argument,
  ArrowFunctionExpression,
  CallExpression,
  Expression,
  Function,
  ImportExpression,
  NewExpression,
  ObjectExpression,
  Super,
  Directive,
  Statement,
} from "oxc-parser";
import {
  moduleRoot,
  type Member,
  type Parameter,
  type Shape,
  type Signature,
  type Step,
} from "../../../protocol/typescript-summary.ts";
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

export class Shapes {
  private readonly file: SourceFile;

  constructor(file: SourceFile) {
    this.file = file;
  }

  chain(node: Expression | Super, scope: Scope): Chain {
    const steps: Step[] = [];
    let base = node;
    for (;;) {
      const below = this.step(base, scope, steps);
      if (below === undefined) break;
      base = below;
    }
    steps.reverse();
    return { from: this.start(base, scope), steps, base };
  }

  /** Pushes the outermost step and gives what it is applied to; undefined at the start of the chain. */
  private step(node: Expression | Super, scope: Scope, steps: Step[]): Expression | Super | undefined {
    switch (node.type) {
      case "ChainExpression":
      case "TSNonNullExpression":
      case "TSSatisfiesExpression":
      case "TSInstantiationExpression":
        return node.expression;
      case "AwaitExpression":
        steps.push({ s: "await" });
        return node.argument;
      case "MemberExpression": {
        const name = keyName(node.property, node.computed);
        if (name === undefined || (node.computed && /^\d+$/.test(name))) {
          if (!node.computed) return undefined;
          steps.push({ s: "element" });
          return node.object;
        }
        steps.push({ s: "member", name, line: this.file.lineAt(node.property.start) });
        return node.object;
      }
      case "CallExpression":
        if (isRequire(node) || node.callee.type === "Super") return undefined;
        steps.push(this.call("call", node, scope));
        return node.callee;
      case "NewExpression":
        steps.push(this.call("new", node, scope));
        return node.callee;
      default:
        return undefined;
    }
  }

  private call(s: "call" | "new", node: CallExpression | NewExpression, scope: Scope): Step {
    const spread = node.arguments.some((one) => one.type === "SpreadElement");
    return {
      s,
      args: spread ? [] : node.arguments.map((one) => this.argument(one, scope)),
      ...(spread ? { spread: true } : {}),
      ...(node.typeArguments ? { types: node.typeArguments.params.length } : {}),
    };
  }

  private argument(one: Argument, scope: Scope): Shape | undefined {
    // Callbacks are not compared, and reading them here again at every level of nesting would cost the square.
    if (one.type === "SpreadElement" || one.type === "ArrowFunctionExpression" || one.type === "FunctionExpression")
      return undefined;
    return this.shapeOf(one, scope);
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
    const { from, steps } = this.chain(node, scope);
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
        return /^(===?|!==?|[<>]=?|in|instanceof)$/.test(node.operator) ? primitive("boolean") : undefined;
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

  object(node: ObjectExpression, scope: Scope): Shape {
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
        shape: one.kind === "init" ? this.shapeOf(one.value, scope) : undefined,
      });
    }
    return { k: "object", members, fresh: true, ...(open ? { open: true } : {}) };
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
    const before = this.file.text.slice(Math.max(0, node.start - 2000), node.start);
    const comment =
      /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*(?:export\s+)?(?:default\s+)?(?:const\s+\w+\s*=\s*)?$/.exec(before)?.[0] ?? "";
    const body = node.body === null ? "" : this.file.text.slice(node.body.start, node.body.end);
    const list = parameters.map((one): Parameter => {
      if (one.optional || one.name === "") return one;
      const name = one.name.replaceAll("$", "\\$");
      const asked = new RegExp(
        `(?<![\\w.$])${name}\\s*(\\|\\||\\?\\?|&&|\\?|[!=]==?)|!\\s*${name}(?![\\w$])|(typeof|if\\s*\\()\\s*${name}(?![\\w$])`,
      );
      return asked.test(body) || comment.includes(`[${one.name}`) ? { ...one, optional: true } : one;
    });
    return /(?<![\w.$])arguments(?![\w$])/.test(body) ? [...list, { name: "arguments", rest: true }] : list;
  }

  /** What a function without annotation returns, when it returns in one place. */
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
  /** What the first parameter holds when the caller decides it: the callback of `map`. */
  readonly first?: () => Shape | undefined;
  /** `this` is the class around. */
  readonly method?: boolean;
  readonly file?: SourceFile;
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
