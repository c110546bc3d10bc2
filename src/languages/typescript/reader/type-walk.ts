// Notes the uses in types: named types, `import("./a").B`, `typeof`, heritage, and the scopes types open.

import { visitorKeys, type Expression, type Node, type TSType, type TSTypeName } from "oxc-parser";
import type { Step } from "../facts.ts";
import { bindPattern } from "./bindings.ts";
import { inTypes, inValues, Scope } from "./scope.ts";
import { keyName } from "./steps.ts";
import { literalNames, typeShape, withTypeParameters } from "./type-shapes.ts";
import { UseWalk } from "./use-walk.ts";
import type { Pattern } from "./bindings.ts";
import type { ParamPattern } from "oxc-parser";

export abstract class TypeWalk extends UseWalk {
  private readonly typesSeen = new Set<string>();

  protected abstract pattern(node: Pattern | ParamPattern, scope: Scope): void;

  protected typeOrRest(node: Node, scope: Scope): void {
    switch (node.type) {
      case "TSTypeReference":
        this.typeName(node.typeName, node.typeArguments?.params.length ?? 0, scope);
        if (node.typeName.type === "Identifier" && node.typeName.name === "Pick") {
          const [of, names] = node.typeArguments?.params ?? [];
          if (of !== undefined && names !== undefined) this.keys(of, names, node.start, scope);
        }
        return this.visit(node.typeArguments, scope);
      case "TSIndexedAccessType":
        this.keys(node.objectType, node.indexType, node.start, scope);
        return this.visitAll([node.objectType, node.indexType], scope);
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

  /** Keys that are written out have to be members of the type. */
  protected keys(of: TSType, names: TSType, offset: number, scope: Scope): void {
    const shape = typeShape(of, scope, this.file);
    for (const name of literalNames(names)) this.add(shape, [{ s: "member", name }], offset, scope);
  }

  protected typeName(name: TSTypeName, types: number, scope: Scope): void {
    const names: string[] = [];
    let first = name;
    while (first.type === "TSQualifiedName") {
      names.unshift(first.right.name);
      first = first.left;
    }
    if (first.type === "Identifier") this.typePath([first.name, ...names], first.start, types, scope);
  }

  protected typePath(names: readonly string[], offset: number, types: number, scope: Scope): void {
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

  protected heritage(expression: Expression, types: number, scope: Scope): void {
    const names = dottedNames(expression);
    if (names.length > 0) this.typePath(names, expression.start, types, scope);
  }
}

/** `a.b.C` as names; empty for anything else. */
export function dottedNames(expression: Expression): string[] {
  if (expression.type === "Identifier") return [expression.name];
  if (expression.type !== "MemberExpression" || expression.computed || expression.property.type !== "Identifier")
    return [];
  const left = dottedNames(expression.object);
  return left.length === 0 ? [] : [...left, expression.property.name];
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
