// Notes the uses in functions, patterns and classes: parameters, what a destructuring takes, what a function returns, and
// what a class brings to the types it extends and implements.

import type {
  ArrowFunctionExpression,
  Class,
  Function,
  MethodDefinition,
  ObjectPattern,
  ParamPattern,
  VariableDeclarator,
} from "oxc-parser";
import type { Shape, Step } from "../facts.ts";
import type { Pattern } from "./bindings.ts";
import { inTypes, inValues, Scope } from "./scope.ts";
import type { SourceFile } from "./source-file.ts";
import { keyName } from "./steps.ts";
import { annotated, typeShape, withTypeParameters } from "./type-shapes.ts";
import { dottedNames, TypeWalk } from "./type-walk.ts";

export abstract class BodyWalk extends TypeWalk {
  /** The shape that the surrounding function promises to return. */
  protected promised: Shape | undefined;
  /** It is async: what it returns is awaited on the way out. */
  protected settles = false;

  protected override function(
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
  protected override pattern(node: Pattern | ParamPattern, scope: Scope, whole?: () => Shape | undefined): void {
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

  protected destructure(node: ObjectPattern, from: Shape | undefined, before: readonly Step[], scope: Scope): void {
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

  protected declarator(node: VariableDeclarator, scope: Scope): void {
    const { id, init } = node;
    if (id.type === "ObjectPattern" && init !== null && !id.typeAnnotation) {
      this.destructure(id, this.shapes.shapeOf(init, scope), [], scope);
    } else this.pattern(id, scope);
    if (init === null) return;
    this.fit("typeAnnotation" in id ? annotated(id.typeAnnotation, scope, this.file) : undefined, init, scope);
    const written = "typeAnnotation" in id ? id.typeAnnotation?.typeAnnotation : undefined;
    if (written?.type === "TSTypeOperator" && written.operator === "keyof" && init.type === "Literal")
      this.add(
        typeShape(written.typeAnnotation, scope, this.file),
        [{ s: "member", name: String(init.value) }],
        init.start,
        scope,
      );
    this.visit(init, scope);
  }

  protected class(node: Class, scope: Scope): void {
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
  protected brings(node: Class, scope: Scope, base: Shape | undefined): void {
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

  protected member(
    one: Class["body"]["body"][number],
    scope: Scope,
    className: string,
    seen: Map<string, string>,
  ): void {
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

function isMethodDefinition(one: Class["body"]["body"][number]): one is MethodDefinition {
  return one.type === "MethodDefinition" || one.type === "TSAbstractMethodDefinition";
}

function promisedBy(node: Function | ArrowFunctionExpression, scope: Scope, file: SourceFile): Shape | undefined {
  if (node.type !== "ArrowFunctionExpression" && node.generator) return undefined;
  const shape = annotated(node.returnType, scope, file);
  if (!node.async) return shape;
  return shape?.k === "type" && shape.name[0] === "Promise" ? shape.args?.[0] : undefined;
}

function parameterProperties(node: Function): string[] {
  return node.params.flatMap((one) => {
    if (one.type !== "TSParameterProperty") return [];
    const inner = one.parameter.type === "AssignmentPattern" ? one.parameter.left : one.parameter;
    return inner.type === "Identifier" ? [inner.name] : [];
  });
}
