// Goes over a whole file once and notes every use of a name that something else decides: imports, top-level names,
// members of values whose type is evident, names in types, elements in JSX. Long because it is one table over the syntax.

import {
  visitorKeys,
  type ArrowFunctionExpression,
  type CallExpression,
  type Class,
  type Expression,
  type Function,
  type JSXElementName,
  type JSXOpeningElement,
  type Node,
  type ObjectExpression,
  type MethodDefinition,
  type ObjectPattern,
  type ParamPattern,
  type Super,
  type TSTypeName,
  type VariableDeclarator,
} from "oxc-parser";
import type { Member, ModuleMention, Shape, Step } from "../../../protocol/typescript-summary.ts";
import { bindPattern, declareBlock, declareVariables, once, type Pattern } from "./bindings.ts";
import { inTypes, inValues, Scope } from "./scope.ts";
import type { SourceFile } from "./source-file.ts";
import { follow, keyName, reduce } from "./steps.ts";
import { annotated, typeShape, withTypeParameters } from "./type-shapes.ts";
import { importTarget, isRequire, requireTarget, type Shapes } from "./value-shapes.ts";

/** Methods of arrays whose callback takes an element first. */
const elementFirst = new Set(["map", "filter", "forEach", "find", "findIndex", "findLast", "some", "every", "flatMap"]);

const asNumber = new Set(["-", "+", "~", "!"]);
const arithmetics = new Set(["-", "+", "*", "/", "%", "**", "<", ">", "<=", ">="]);

export class Walk {
  readonly mentions: ModuleMention[] = [];
  private readonly file: SourceFile;
  private readonly shapes: Shapes;
  private readonly imported: ReadonlySet<string>;
  /** Top-level names of which nothing is known: what is done with them cannot be judged. */
  private readonly opaque: ReadonlySet<string>;
  private readonly typesSeen = new Set<string>();
  private readonly bare = new Set<string>();
  /** What the function around promises to return. */
  private promised: Shape | undefined;
  /** It is async: what it returns is awaited on the way out. */
  private settles = false;

  constructor(file: SourceFile, shapes: Shapes, imported: ReadonlySet<string>, opaque: ReadonlySet<string>) {
    this.file = file;
    this.shapes = shapes;
    this.imported = imported;
    this.opaque = opaque;
  }

  visitAll(nodes: readonly (Node | null | undefined)[], scope: Scope): void {
    for (const node of nodes) this.visit(node, scope);
  }

  visit(node: Node | null | undefined, scope: Scope): void {
    if (!node) return;
    switch (node.type) {
      case "Identifier":
        return this.name(node.name, node.start, scope);
      case "MemberExpression":
      case "CallExpression":
      case "NewExpression":
      case "AwaitExpression":
      case "ChainExpression":
      case "TSNonNullExpression":
      case "ImportExpression":
        return this.chain(node, scope, []);
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "TSDeclareFunction":
      case "TSEmptyBodyFunctionExpression":
      case "ArrowFunctionExpression":
        return this.function(node, scope);
      case "ClassDeclaration":
      case "ClassExpression":
        return this.class(node, scope);
      case "VariableDeclarator":
        return this.declarator(node, scope);
      case "BlockStatement":
      case "StaticBlock":
      case "TSModuleBlock": {
        const inner = new Scope(scope);
        declareBlock(
          { scope: inner, file: this.file, top: false },
          node.body,
          this.shapes,
          node.type !== "BlockStatement",
        );
        return this.visitAll(node.body, inner);
      }
      case "SwitchStatement": {
        this.visit(node.discriminant, scope);
        const inner = new Scope(scope);
        for (const one of node.cases)
          declareBlock({ scope: inner, file: this.file, top: false }, one.consequent, this.shapes, false);
        for (const one of node.cases) {
          this.visit(one.test, scope);
          this.visitAll(one.consequent, inner);
        }
        return;
      }
      case "ForStatement": {
        const inner = new Scope(scope);
        if (node.init?.type === "VariableDeclaration")
          declareVariables({ scope: inner, file: this.file, top: false }, node.init, this.shapes);
        this.visitAll([node.init, node.test, node.update], inner);
        return this.visit(node.body, inner);
      }
      case "ForInStatement":
      case "ForOfStatement":
        return this.loop(node, scope);
      case "CatchClause": {
        const inner = new Scope(scope);
        if (node.param) bindPattern({ scope: inner, file: this.file, top: false }, node.param, "var", () => undefined);
        return this.visit(node.body, inner);
      }
      case "ReturnStatement":
        if (node.argument) this.fit(this.promised, node.argument, scope, this.settles);
        return this.visit(node.argument, scope);
      case "IfStatement":
      case "ConditionalExpression":
        this.operand(node.test, scope);
        return this.visitAll([node.consequent, node.alternate], scope);
      case "WhileStatement":
        this.operand(node.test, scope);
        return this.visit(node.body, scope);
      case "BinaryExpression":
        return this.binary(node.operator, node.left, node.right, scope);
      case "UnaryExpression":
        if (node.operator === "typeof" && node.argument.type === "Identifier") return;
        if (asNumber.has(node.operator)) return this.operand(node.argument, scope);
        return this.visit(node.argument, scope);
      case "TemplateLiteral":
        for (const one of node.expressions) this.operand(one as Expression, scope);
        return;
      case "SpreadElement":
        return this.visit(node.argument, scope);
      case "ObjectExpression":
        return this.object(node, scope);
      case "ObjectPattern":
        for (const one of node.properties) {
          if (one.type === "RestElement") this.visit(one, scope);
          else this.visitAll([one.computed ? one.key : null, one.value], scope);
        }
        return this.visit(node.typeAnnotation, scope);
      case "LabeledStatement":
        return this.visit(node.body, scope);
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "JSXText":
        return;
      case "ExportNamedDeclaration":
        if (node.source) return;
        if (node.declaration) return this.visit(node.declaration, scope);
        for (const one of node.specifiers) {
          if (one.local.type === "Identifier") this.either(one.local.name, one.start, scope);
        }
        return;
      case "ExportDefaultDeclaration":
        return this.visit(node.declaration, scope);
      case "JSXOpeningElement":
        return this.element(node, scope);
      case "JSXClosingElement":
        return;
      default:
        return this.typeOrRest(node, scope);
    }
  }

  private typeOrRest(node: Node, scope: Scope): void {
    switch (node.type) {
      case "TSTypeReference":
        this.typeName(node.typeName, node.typeArguments?.params.length ?? 0, scope);
        return this.visit(node.typeArguments, scope);
      case "TSImportType": {
        this.mention(node.source.value, node.start, "type");
        const shape = typeShape(node, scope, this.file);
        if (shape?.k === "type") this.typePath(shape.name, node.start, node.typeArguments?.params.length ?? 0, scope);
        return this.visit(node.typeArguments, scope);
      }
      case "TSTypeQuery": {
        if (node.exprName.type === "TSImportType") return this.visit(node.exprName, scope);
        const shape = typeShape(node, scope, this.file);
        let first: TSTypeName = node.exprName;
        while (first.type === "TSQualifiedName") first = first.left;
        if (first.type === "Identifier") this.name(first.name, first.start, scope);
        if (shape?.k === "value" && shape.steps.length > 0) {
          this.add({ k: "value", root: shape.root, steps: [] }, shape.steps, node.start, scope);
        }
        return this.visit(node.typeArguments, scope);
      }
      case "TSClassImplements":
      case "TSInterfaceHeritage":
        this.heritage(node.expression, node.typeArguments?.params.length ?? 0, scope);
        return this.visit(node.typeArguments, scope);
      case "TSTypeAliasDeclaration":
      case "TSInterfaceDeclaration": {
        const inner = withTypeParameters(node.typeParameters, scope);
        this.visit(node.typeParameters, inner);
        if (node.type === "TSTypeAliasDeclaration") return this.visit(node.typeAnnotation, inner);
        this.visitAll(node.extends, inner);
        return this.visit(node.body, inner);
      }
      case "TSFunctionType":
      case "TSConstructorType":
      case "TSMethodSignature":
      case "TSCallSignatureDeclaration":
      case "TSConstructSignatureDeclaration": {
        const inner = new Scope(withTypeParameters(node.typeParameters, scope));
        if (node.type === "TSMethodSignature" && node.computed) this.visit(node.key, scope);
        for (const one of node.params) {
          if (one.type !== "TSParameterProperty")
            bindPattern({ scope: inner, file: this.file, top: false }, one, "var", () => undefined);
        }
        this.visit(node.typeParameters, inner);
        for (const one of node.params) this.pattern(one, inner);
        return this.visit(node.returnType, inner);
      }
      case "TSTypeParameter":
        return this.visitAll([node.constraint, node.default], scope);
      case "TSMappedType": {
        const inner = new Scope(scope);
        inner.bind(node.key.name, { spaces: inTypes, top: false, shape: () => undefined });
        return this.visitAll([node.constraint, node.nameType, node.typeAnnotation], inner);
      }
      case "TSConditionalType": {
        const inner = new Scope(scope);
        bindInferred(node.extendsType, inner);
        return this.visitAll([node.checkType, node.extendsType, node.trueType, node.falseType], inner);
      }
      case "TSTypePredicate":
        return this.visit(node.typeAnnotation, scope);
      case "TSNamedTupleMember":
        return this.visit(node.elementType, scope);
      case "TSPropertySignature":
        return this.visitAll([node.computed ? node.key : null, node.typeAnnotation], scope);
      case "TSIndexSignature":
        for (const one of node.parameters) this.visit(one.typeAnnotation, scope);
        return this.visit(node.typeAnnotation, scope);
      case "TSEnumDeclaration": {
        const inner = new Scope(scope);
        for (const one of node.body.members) {
          const name = keyName(one.id, false);
          if (name === undefined) continue;
          if (inner.declares(name, "once"))
            this.file.duplicates.push({ name: `${node.id.name}.${name}`, line: this.file.lineAt(one.start) });
          inner.bind(name, { spaces: inValues, top: false, shape: () => undefined });
        }
        for (const one of node.body.members) this.visit(one.initializer, inner);
        return;
      }
      case "TSModuleDeclaration":
        return this.visit(node.body, scope);
      case "TSImportEqualsDeclaration":
        if (node.moduleReference.type === "Identifier") this.either(node.moduleReference.name, node.start, scope);
        return;
      case "TSNamespaceExportDeclaration":
        return;
      case "TSAsExpression":
      case "TSTypeAssertion":
      case "TSSatisfiesExpression":
        if (node.type === "TSSatisfiesExpression")
          this.fit(typeShape(node.typeAnnotation, scope, this.file), node.expression, scope);
        return this.visitAll([node.expression, node.typeAnnotation], scope);
      default:
        return this.below(node, scope);
    }
  }

  private below(node: Node, scope: Scope): void {
    const fields = node as unknown as Readonly<Record<string, unknown>>;
    for (const key of visitorKeys[node.type] ?? []) {
      const value = fields[key];
      if (Array.isArray(value)) this.visitAll(value as Node[], scope);
      else if (value) this.visit(value as Node, scope);
    }
  }

  private add(shape: Shape | undefined, taken: readonly Step[], offset: number, scope: Scope): void {
    const reduced = shape === undefined ? undefined : reduce(shape, taken);
    if (reduced === undefined) return;
    const { from, rest: steps } = reduced;
    if (steps.length === 0) {
      if (from.k !== "value" || from.steps.length > 0 || !this.imported.has(from.root) || this.bare.has(from.root))
        return;
      this.bare.add(from.root);
    }
    if (from.k === "value" && this.opaque.has(from.root)) return;
    const line = this.file.lineAt(offset);
    const { className } = scope;
    this.file.addUse({ line, from, steps, ...(className === undefined ? {} : { inside: className }) });
  }

  private name(name: string, offset: number, scope: Scope): void {
    const binding = scope.find(name, inValues);
    if (binding === undefined) this.file.addFree(name, offset);
    else if (binding.top) this.add({ k: "value", root: name, steps: [] }, [], offset, scope);
  }

  /** A name that may be a value or a type. */
  private either(name: string, offset: number, scope: Scope): void {
    if (scope.find(name, inValues | inTypes) === undefined) this.file.addFree(name, offset);
  }

  private chain(node: Expression | Super, scope: Scope, after: readonly Step[]): void {
    const { from, steps, base } = this.shapes.chain(node, scope, true);
    this.add(from, [...steps, ...after], base.start, scope);
    this.parts(node, base, scope);
  }

  /** Reads what hangs off a chain: arguments, computed keys, and its start. */
  private parts(node: Expression | Super, base: Expression | Super, scope: Scope): void {
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

  private start(base: Expression | Super, scope: Scope): void {
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

  private superCall(node: CallExpression, scope: Scope): void {
    if (scope.parentSelf?.k !== "from") return;
    this.add(scope.parentSelf.shape, [this.shapes.call("new", node, scope, true)], node.start, scope);
  }

  private callArguments(node: CallExpression, scope: Scope): void {
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

  private operand(node: Expression | Node, scope: Scope): void {
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

  private binary(operator: string, left: Node, right: Node, scope: Scope): void {
    const arithmetic = arithmetics.has(operator);
    for (const one of [left, right]) {
      if (arithmetic) this.operand(one, scope);
      else if (one.type !== "PrivateIdentifier") this.visit(one, scope);
    }
  }

  private mention(specifier: string, offset: number, how: ModuleMention["how"]): void {
    this.mentions.push({ specifier, line: this.file.lineAt(offset), how });
  }

  function(
    node: Function | ArrowFunctionExpression,
    scope: Scope,
    first?: () => Shape | undefined,
    method = false,
  ): void {
    const inner = this.shapes.bindFunction(node, scope, { ...(first ? { first } : {}), method });
    this.visit(node.typeParameters, inner);
    for (const one of node.params) this.pattern(one, inner, first);
    this.visit(node.returnType, inner);
    const outer = { promised: this.promised, settles: this.settles };
    this.promised = promisedBy(node, inner, this.file);
    this.settles = node.async;
    if (node.body?.type === "BlockStatement") this.visitAll(node.body.body, inner);
    else if (node.body) {
      this.fit(this.promised, node.body, inner, this.settles);
      this.visit(node.body, inner);
    }
    this.promised = outer.promised;
    this.settles = outer.settles;
  }

  /** Reads a parameter or declared pattern: annotations, defaults, and the members a destructuring takes. */
  private pattern(node: Pattern | ParamPattern, scope: Scope, whole?: () => Shape | undefined): void {
    switch (node.type) {
      case "TSParameterProperty":
        this.visitAll(node.decorators, scope);
        return this.pattern(node.parameter, scope);
      case "AssignmentPattern":
        this.pattern(node.left, scope);
        this.fit(
          "typeAnnotation" in node.left ? annotated(node.left.typeAnnotation, scope, this.file) : undefined,
          node.right,
          scope,
        );
        return this.visit(node.right, scope);
      case "RestElement":
        this.pattern(node.argument, scope);
        return this.visit(node.typeAnnotation, scope);
      case "ArrayPattern":
        for (const one of node.elements) if (one) this.pattern(one, scope);
        return this.visit(node.typeAnnotation, scope);
      case "ObjectPattern": {
        this.visit(node.typeAnnotation, scope);
        const shape = node.typeAnnotation ? annotated(node.typeAnnotation, scope, this.file) : whole?.();
        return this.destructure(node, shape, [], scope);
      }
      case "Identifier":
        this.visitAll(node.decorators ?? [], scope);
        return this.visit(node.typeAnnotation, scope);
      default:
    }
  }

  private destructure(node: ObjectPattern, from: Shape | undefined, before: readonly Step[], scope: Scope): void {
    for (const one of node.properties) {
      if (one.type === "RestElement") {
        this.pattern(one, scope);
        continue;
      }
      if (one.computed) this.visit(one.key, scope);
      const name = keyName(one.key, one.computed);
      const steps: Step[] = name === undefined ? [] : [...before, { s: "member", name }];
      const value = one.value.type === "AssignmentPattern" ? one.value.left : one.value;
      if (name !== undefined) this.add(from, steps, one.start, scope);
      if (one.value.type === "AssignmentPattern") this.visit(one.value.right, scope);
      if (value.type === "ObjectPattern") this.destructure(value, name === undefined ? undefined : from, steps, scope);
      else this.pattern(value, scope);
    }
  }

  private declarator(node: VariableDeclarator, scope: Scope): void {
    const { id, init } = node;
    if (id.type === "ObjectPattern" && init !== null && !id.typeAnnotation) {
      this.destructure(id, this.shapes.shapeOf(init, scope), [], scope);
    } else this.pattern(id, scope);
    if (init === null) return;
    this.fit("typeAnnotation" in id ? annotated(id.typeAnnotation, scope, this.file) : undefined, init, scope);
    this.visit(init, scope);
  }

  /** A value is put where a type is asked for: only what can be told from the syntax is noted. */
  private fit(wanted: Shape | undefined, value: Expression, scope: Scope, settles = false): void {
    if (wanted === undefined || wanted.k === "value" || wanted.k === "function" || wanted.k === "array") return;
    const shape = this.shapes.shapeOf(value, scope);
    if (shape === undefined || shape.k === "function" || shape.k === "array") return;
    // A literal against a type written beside it is the file's own matter.
    if ((wanted.k === "primitive" || wanted.k === "object") && (shape.k === "primitive" || shape.k === "object"))
      return;
    const settled = settles && shape.k !== "object" ? follow(shape, [{ s: "await" }]) : shape;
    if (settled !== undefined) this.add(wanted, [{ s: "fit", value: settled }], value.start, scope);
  }

  private loop(node: Extract<Node, { type: "ForInStatement" | "ForOfStatement" }>, scope: Scope): void {
    const inner = new Scope(scope);
    const { left, right } = node;
    const isOf = node.type === "ForOfStatement" && !node.await;
    const shape = once(() => {
      const whole = isOf ? this.shapes.shapeOf(right, scope) : undefined;
      return whole === undefined ? undefined : follow(whole, [{ s: "element" }]);
    });
    if (left.type === "VariableDeclaration") {
      for (const one of left.declarations) {
        bindPattern({ scope: inner, file: this.file, top: false }, one.id, "var", shape);
        this.pattern(one.id, inner, shape);
      }
    } else this.visit(left, scope);
    if (isOf && (right.type === "CallExpression" || right.type === "Identifier"))
      this.chain(right, scope, [{ s: "element" }]);
    else this.visit(right, scope);
    this.visit(node.body, inner);
  }

  private object(node: ObjectExpression, scope: Scope): void {
    const seen = new Set<string>();
    for (const one of node.properties) {
      if (one.type === "SpreadElement") {
        this.visit(one.argument, scope);
        continue;
      }
      const name = keyName(one.key, one.computed);
      if (name !== undefined && one.kind === "init") {
        if (seen.has(name) && !this.file.javascript)
          this.file.duplicates.push({ name: `{${name}}`, line: this.file.lineAt(one.start) });
        seen.add(name);
      }
      if (one.computed) this.visit(one.key, scope);
      this.visit(one.value, scope);
    }
  }

  private element(node: JSXOpeningElement, scope: Scope): void {
    const attributes: Member[] = [];
    let spread = false;
    for (const one of node.attributes) {
      if (one.type === "JSXSpreadAttribute") {
        spread = true;
        this.visit(one.argument, scope);
        continue;
      }
      const name =
        one.name.type === "JSXIdentifier" ? one.name.name : `${one.name.namespace.name}:${one.name.name.name}`;
      attributes.push({ name, line: this.file.lineAt(one.start), shape: this.attributeShape(one.value, scope) });
      this.visit(one.value, scope);
    }
    this.visit(node.typeArguments, scope);
    const names = elementNames(node.name);
    const [root, ...rest] = names;
    if (root === undefined) return;
    const binding = scope.find(root, inValues);
    if (binding === undefined) return this.file.addFree(root, node.start);
    const from: Shape | undefined = binding.top ? { k: "value", root, steps: [] } : binding.shape();
    // Children are seen by the compiler as one more property; whether there are any is read off the source.
    const steps: Step[] = [
      ...rest.map((name): Step => ({ s: "member", name })),
      { s: "jsx", attributes, ...(spread ? { spread: true } : {}), ...(node.selfClosing ? {} : { children: true }) },
    ];
    this.add(from, steps, node.start, scope);
  }

  private attributeShape(value: Node | null, scope: Scope): Shape | undefined {
    if (value === null) return { k: "primitive", name: "boolean" };
    if (value.type === "Literal") return { k: "primitive", name: "string" };
    if (value.type !== "JSXExpressionContainer" || value.expression.type === "JSXEmptyExpression") return undefined;
    return this.shapes.shapeOf(value.expression, scope);
  }

  private typeName(name: TSTypeName, types: number, scope: Scope): void {
    const names: string[] = [];
    let first = name;
    while (first.type === "TSQualifiedName") {
      names.unshift(first.right.name);
      first = first.left;
    }
    if (first.type === "Identifier") this.typePath([first.name, ...names], first.start, types, scope);
  }

  private typePath(names: readonly string[], offset: number, types: number, scope: Scope): void {
    const [root = "", ...rest] = names;
    if (!root.startsWith("import(")) {
      const binding = scope.find(root, rest.length > 0 ? inTypes | inValues : inTypes);
      if (binding === undefined) return this.file.addFree(root, offset);
      if (!binding.top) return;
    }
    // The same type named again can only be wrong in the same way.
    const key = `${names.join(".")}<${types}>`;
    if (this.typesSeen.has(key)) return;
    this.typesSeen.add(key);
    const steps: Step[] = [...rest.map((name): Step => ({ s: "member", name })), { s: "type", types }];
    this.add({ k: "value", root, steps: [] }, steps, offset, scope);
  }

  private heritage(expression: Expression, types: number, scope: Scope): void {
    const names = dottedNames(expression);
    if (names.length > 0) this.typePath(names, expression.start, types, scope);
  }

  private class(node: Class, scope: Scope): void {
    const typed = withTypeParameters(node.typeParameters, scope);
    const name = node.id?.name;
    const top = name !== undefined && (scope.find(name, inValues)?.top ?? false);
    const base = node.superClass ? this.shapes.shapeOf(node.superClass, scope) : undefined;
    const inner = new Scope(typed, {
      self: top ? { k: "type", name: [name] } : null,
      parentSelf:
        base === undefined ? undefined : { k: "from", shape: base, steps: [{ s: "new", count: 0, spread: true }] },
      ...(top ? { className: name } : {}),
    });
    const statics = new Scope(inner, {
      self: top ? { k: "value", root: name, steps: [] } : null,
      parentSelf: undefined,
    });
    if (name !== undefined && node.type === "ClassExpression")
      inner.bind(name, { spaces: inValues | inTypes, top: false, shape: () => undefined });
    this.visitAll([...node.decorators, node.typeParameters], inner);
    this.visit(node.superClass, scope);
    this.visitAll([node.superTypeArguments, ...(node.implements ?? [])], typed);
    this.brings(node, inner, base);
    const seen = new Map<string, string>();
    for (const one of node.body.body)
      this.member(one, "static" in one && one.static ? statics : inner, name ?? "", seen);
  }

  /** The class says which members it has, so that a new abstract or interface member shows. */
  private brings(node: Class, scope: Scope, base: Shape | undefined): void {
    const members = node.body.body.flatMap((one) => {
      if (one.type === "StaticBlock" || one.type === "TSIndexSignature" || one.static) return [];
      const name = keyName(one.key, one.computed);
      const properties =
        one.type === "MethodDefinition" && one.kind === "constructor" ? parameterProperties(one.value) : [];
      return name === undefined ? properties : [name, ...properties];
    });
    if (base !== undefined && !node.abstract)
      this.add(base, [{ s: "implement", members, how: "extends" }], node.start, scope);
    if (node.superClass && base === undefined) return;
    for (const one of node.implements ?? []) {
      if (node.superClass) continue;
      const names = dottedNames(one.expression);
      const [root = ""] = names;
      if (!(scope.find(root, inTypes | inValues)?.top ?? false)) continue;
      this.add({ k: "type", name: names }, [{ s: "implement", members, how: "implements" }], node.start, scope);
    }
  }

  private member(one: Class["body"]["body"][number], scope: Scope, className: string, seen: Map<string, string>): void {
    if (one.type === "StaticBlock" || one.type === "TSIndexSignature") return this.visit(one, scope);
    const name = keyName(one.key, one.computed);
    const isMethod = isMethodDefinition(one);
    const kind = isMethod ? one.kind : "property";
    const written = isMethod ? one.value.body !== null : true;
    if (name !== undefined && written) {
      const key = `${one.static ? "static " : ""}${name}`;
      const known = seen.get(key);
      const pair = (known === "get" && kind === "set") || (known === "set" && kind === "get");
      if (known !== undefined && !pair)
        this.file.duplicates.push({ name: `${className}.${name}`, line: this.file.lineAt(one.start) });
      seen.set(key, pair ? "pair" : kind);
    }
    this.visitAll(one.decorators, scope);
    if (one.computed) this.visit(one.key, scope);
    if (isMethodDefinition(one)) return this.function(one.value, scope, undefined, true);
    this.visit(one.typeAnnotation, scope);
    if (one.value) this.fit(annotated(one.typeAnnotation, scope, this.file), one.value, scope);
    this.visit(one.value, scope);
  }
}

/** `a.b.C` as names; empty for anything else. */
function dottedNames(expression: Expression): string[] {
  if (expression.type === "Identifier") return [expression.name];
  if (expression.type !== "MemberExpression" || expression.computed || expression.property.type !== "Identifier")
    return [];
  const left = dottedNames(expression.object);
  return left.length === 0 ? [] : [...left, expression.property.name];
}

function isMethodDefinition(one: Class["body"]["body"][number]): one is MethodDefinition {
  return one.type === "MethodDefinition" || one.type === "TSAbstractMethodDefinition";
}

function promisedBy(node: Function | ArrowFunctionExpression, scope: Scope, file: SourceFile): Shape | undefined {
  if (node.type !== "ArrowFunctionExpression" && node.generator) return undefined;
  const shape = annotated(node.returnType, scope, file);
  if (!node.async) return shape;
  return shape?.k === "type" && shape.name[0] === "Promise" ? shape.args?.[0] : undefined;
}

export function parameterProperties(node: Function): string[] {
  return node.params.flatMap((one) => {
    if (one.type !== "TSParameterProperty") return [];
    const inner = one.parameter.type === "AssignmentPattern" ? one.parameter.left : one.parameter;
    return inner.type === "Identifier" ? [inner.name] : [];
  });
}

function elementNames(name: JSXElementName): string[] {
  if (name.type === "JSXIdentifier") return /^[a-z]|-/.test(name.name) ? [] : [name.name];
  if (name.type === "JSXNamespacedName") return [];
  const names = [name.property.name];
  let { object } = name;
  while (object.type === "JSXMemberExpression") {
    names.unshift(object.property.name);
    object = object.object;
  }
  return object.type === "JSXIdentifier" ? [object.name, ...names] : [];
}

function bindInferred(node: Node, scope: Scope): void {
  const visit = (one: unknown): void => {
    if (Array.isArray(one)) return one.forEach(visit);
    if (typeof one !== "object" || one === null || !("type" in one)) return;
    const child = one as Node;
    if (child.type === "TSInferType")
      scope.bind(child.typeParameter.name.name, { spaces: inTypes, top: false, shape: () => undefined });
    const fields = child as unknown as Readonly<Record<string, unknown>>;
    for (const key of visitorKeys[child.type] ?? []) visit(fields[key]);
  };
  visit(node);
}
