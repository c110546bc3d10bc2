// Type annotations as shapes. A type parameter, a conditional or mapped type is not known and says so by undefined.

import type {
  Expression,
  ParamPattern,
  TSImportType,
  TSSignature,
  TSType,
  TSTypeAnnotation,
  TSTypeName,
  TSTypeParameterDeclaration,
  TSTypeParameterInstantiation,
  TSTypeQuery,
} from "oxc-parser";
import { moduleRoot, type Member, type Parameter, type Shape, type Signature, type Step } from "../facts.ts";
import { inTypes, inValues, Scope } from "./scope.ts";
import type { SourceFile } from "./source-file.ts";
import { follow, keyName } from "./steps.ts";

const keywords: Partial<Record<TSType["type"], string>> = {
  TSStringKeyword: "string",
  TSNumberKeyword: "number",
  TSBooleanKeyword: "boolean",
  TSBigIntKeyword: "bigint",
  TSSymbolKeyword: "symbol",
  TSNullKeyword: "null",
  TSUndefinedKeyword: "undefined",
  TSVoidKeyword: "void",
  TSNeverKeyword: "never",
  TSTemplateLiteralType: "string",
  TSTypePredicate: "boolean",
};

export function annotated(
  annotation: TSTypeAnnotation | null | undefined,
  scope: Scope,
  file: SourceFile,
): Shape | undefined {
  return annotation ? typeShape(annotation.typeAnnotation, scope, file) : undefined;
}

export function typeShape(type: TSType, scope: Scope, file: SourceFile): Shape | undefined {
  const keyword = keywords[type.type];
  if (keyword !== undefined) return { k: "primitive", name: keyword };
  switch (type.type) {
    case "TSTypeReference": {
      const name = typeNames(type.typeName, scope);
      return name === undefined ? undefined : { k: "type", name, ...typeArguments(type.typeArguments, scope, file) };
    }
    case "TSImportType":
      return { k: "type", name: importTypeNames(type), ...typeArguments(type.typeArguments, scope, file) };
    case "TSTypeQuery":
      return queried(type, scope);
    case "TSIndexedAccessType": {
      const of = typeShape(type.objectType, scope, file);
      const [name] = literalNames(type.indexType);
      return of === undefined || name === undefined ? undefined : follow(of, [{ s: "member", name }]);
    }
    case "TSArrayType":
      return { k: "array", of: typeShape(type.elementType, scope, file) };
    case "TSTypeOperator":
      return type.operator === "readonly" ? typeShape(type.typeAnnotation, scope, file) : undefined;
    case "TSUnionType":
      return { k: "union", of: type.types.map((one) => typeShape(one, scope, file)) };
    case "TSIntersectionType":
      return { k: "both", of: type.types.map((one) => typeShape(one, scope, file)) };
    case "TSTypeLiteral":
      return objectType(type.members, scope, file);
    case "TSFunctionType":
      return { k: "function", signatures: [signatureType(type, scope, file)] };
    case "TSLiteralType":
      return literalType(type.literal);
    default:
      return undefined;
  }
}

/** The names that a literal type, or a union of them, writes out. */
export function literalNames(type: TSType): string[] {
  if (type.type === "TSUnionType") return type.types.flatMap(literalNames);
  if (type.type !== "TSLiteralType" || type.literal.type !== "Literal") return [];
  return typeof type.literal.value === "string" ? [type.literal.value] : [];
}

function literalType(literal: Expression): Shape | undefined {
  if (literal.type !== "Literal") return undefined;
  const name = literal.value === null ? "null" : typeof literal.value;
  return ["string", "number", "boolean", "null"].includes(name) ? { k: "primitive", name } : undefined;
}

/** The parts of a type's name; undefined for a type parameter or a local type. */
function typeNames(name: TSTypeName, scope: Scope): string[] | undefined {
  if (name.type === "Identifier") {
    const binding = scope.find(name.name, inTypes);
    return binding === undefined || binding.top ? [name.name] : undefined;
  }
  if (name.type === "ThisExpression") return undefined;
  const left = name.left.type === "Identifier" ? namespaceName(name.left.name, scope) : typeNames(name.left, scope);
  return left === undefined ? undefined : [...left, name.right.name];
}

function namespaceName(name: string, scope: Scope): string[] | undefined {
  const binding = scope.find(name, inTypes | inValues);
  return binding === undefined || binding.top ? [name] : undefined;
}

function importTypeNames(type: TSImportType): string[] {
  const names: string[] = [];
  let qualifier = type.qualifier;
  while (qualifier !== null) {
    if (qualifier.type === "Identifier") {
      names.unshift(qualifier.name);
      break;
    }
    names.unshift(qualifier.right.name);
    qualifier = qualifier.left;
  }
  return [moduleRoot("import", type.source.value), ...names];
}

function queried(type: TSTypeQuery, scope: Scope): Shape | undefined {
  if (type.exprName.type === "TSImportType") {
    const [root = "", ...rest] = importTypeNames(type.exprName);
    return { k: "value", root, steps: rest.map((name): Step => ({ s: "member", name })) };
  }
  const names: string[] = [];
  let left: TSTypeName = type.exprName;
  while (left.type === "TSQualifiedName") {
    names.unshift(left.right.name);
    left = left.left;
  }
  if (left.type !== "Identifier") return undefined;
  const binding = scope.find(left.name, inValues);
  if (binding === undefined || !binding.top) return undefined;
  return { k: "value", root: left.name, steps: names.map((name): Step => ({ s: "member", name })) };
}

function typeArguments(
  given: TSTypeParameterInstantiation | null | undefined,
  scope: Scope,
  file: SourceFile,
): { args?: (Shape | undefined)[] } {
  return given ? { args: given.params.map((one) => typeShape(one, scope, file)) } : {};
}

export function objectType(signatures: readonly TSSignature[], scope: Scope, file: SourceFile): Shape {
  const { members, open, calls } = typeMembers(signatures, scope, file);
  const object: Shape = { k: "object", members, ...(open ? { open: true } : {}) };
  if (calls.length === 0) return object;
  return members.length === 0 && !open ? { k: "function", signatures: calls } : { k: "object", members, open: true };
}

export function typeMembers(
  signatures: readonly TSSignature[],
  scope: Scope,
  file: SourceFile,
): { members: Member[]; open: boolean; calls: Signature[] } {
  const members: Member[] = [];
  const calls: Signature[] = [];
  let open = false;
  for (const one of signatures) {
    if (one.type === "TSCallSignatureDeclaration") calls.push(signatureType(one, scope, file));
    if (one.type !== "TSPropertySignature" && one.type !== "TSMethodSignature") {
      open ||= one.type !== "TSCallSignatureDeclaration";
      continue;
    }
    const name = keyName(one.key, one.computed);
    if (name === undefined) {
      open = true;
      continue;
    }
    members.push({
      name,
      line: file.lineAt(one.start),
      ...(one.optional ? { optional: true } : {}),
      ...(one.type === "TSMethodSignature" && one.kind !== "method" ? { accessor: true } : {}),
      shape: memberShape(one, scope, file),
    });
  }
  return { members: joinOverloads(members), open, calls };
}

function memberShape(one: TSSignature, scope: Scope, file: SourceFile): Shape | undefined {
  if (one.type === "TSPropertySignature") return annotated(one.typeAnnotation, scope, file);
  if (one.type !== "TSMethodSignature") return undefined;
  if (one.kind === "get") return annotated(one.returnType, scope, file);
  return one.kind === "method" ? { k: "function", signatures: [signatureType(one, scope, file)] } : undefined;
}

/** Several methods of one name are the overloads of one member. */
export function joinOverloads(members: readonly Member[]): Member[] {
  const byName = new Map<string, Member>();
  for (const member of members) {
    const key = `${member.static ? "static " : ""}${member.name}`;
    const known = byName.get(key);
    if (known?.shape?.k === "function" && member.shape?.k === "function") {
      byName.set(key, {
        ...known,
        shape: { k: "function", signatures: [...known.shape.signatures, ...member.shape.signatures] },
      });
    } else if (known === undefined || known.shape === undefined) byName.set(key, member);
  }
  return [...byName.values()];
}

interface SignatureNode {
  readonly typeParameters?: TSTypeParameterDeclaration | null;
  readonly params: readonly ParamPattern[];
  readonly returnType?: TSTypeAnnotation | null;
}

/** A signature as written; `inner` sees the type parameters. */
export function signatureType(node: SignatureNode, scope: Scope, file: SourceFile): Signature {
  const inner = withTypeParameters(node.typeParameters, scope);
  const returns = annotated(node.returnType, inner, file);
  return {
    parameters: node.params.flatMap((one) => parameter(one, inner, file)),
    returns,
    ...typeRange(node.typeParameters),
    ...(isPromise(returns) ? { async: true } : {}),
  };
}

function isPromise(shape: Shape | undefined): boolean {
  return shape?.k === "type" && shape.name.length === 1 && shape.name[0] === "Promise";
}

export function withTypeParameters(declared: TSTypeParameterDeclaration | null | undefined, scope: Scope): Scope {
  if (!declared) return scope;
  const inner = new Scope(scope);
  for (const one of declared.params) {
    inner.bind(one.name.name, { spaces: inTypes, top: false, shape: () => undefined });
  }
  return inner;
}

export function typeRange(declared: TSTypeParameterDeclaration | null | undefined): { types?: [number, number] } {
  if (!declared) return {};
  return { types: [declared.params.filter((one) => one.default === null).length, declared.params.length] };
}

function parameter(pattern: ParamPattern, scope: Scope, file: SourceFile): Parameter[] {
  if (pattern.type === "TSParameterProperty") return parameter(pattern.parameter, scope, file);
  if (pattern.type === "AssignmentPattern") {
    return parameter(pattern.left, scope, file).map((one): Parameter => ({ ...one, optional: true }));
  }
  if (pattern.type === "RestElement") {
    const name = pattern.argument.type === "Identifier" ? pattern.argument.name : "";
    return [{ name, rest: true, shape: annotated(pattern.typeAnnotation, scope, file) }];
  }
  const name = pattern.type === "Identifier" ? pattern.name : "";
  if (name === "this") return [];
  const shape = annotated(pattern.typeAnnotation, scope, file);
  const voidable = shape?.k === "primitive" && shape.name === "void";
  return [{ name, ...(pattern.optional || voidable ? { optional: true } : {}), shape }];
}
