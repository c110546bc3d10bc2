// Goes over a whole file once and notes every use of a name that something else decides: imports, top-level names,
// members of values whose type is evident, names in types, elements in JSX. This file is the table over the syntax.

import type { Expression, JSXElementName, JSXOpeningElement, Node, ObjectExpression } from "oxc-parser";
import type { Member, Shape, Step } from "../facts.ts";
import { bindPattern, declareBlock, declareVariables, once } from "./bindings.ts";
import { BodyWalk } from "./body-walk.ts";
import { inValues, Scope } from "./scope.ts";
import { follow, keyName } from "./steps.ts";

const asNumber = new Set(["-", "+", "~", "!"]);

export class Walk extends BodyWalk {
  override visit(node: Node | null | undefined, scope: Scope): void {
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

  protected loop(node: Extract<Node, { type: "ForInStatement" | "ForOfStatement" }>, scope: Scope): void {
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

  protected object(node: ObjectExpression, scope: Scope): void {
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

  protected element(node: JSXOpeningElement, scope: Scope): void {
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

  protected attributeShape(value: Node | null, scope: Scope): Shape | undefined {
    if (value === null) return { k: "primitive", name: "boolean" };
    if (value.type === "Literal") return { k: "primitive", name: "string" };
    if (value.type !== "JSXExpressionContainer" || value.expression.type === "JSXEmptyExpression") return undefined;
    return this.shapes.shapeOf(value.expression, scope);
  }
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
