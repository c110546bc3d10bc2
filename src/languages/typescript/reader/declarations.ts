// The top-level definitions of a file (and of its namespaces) with all that another file can rely on.

import type {
  ArrowFunctionExpression,
  BindingPattern,
  Class,
  Directive,
  Function,
  Statement,
  TSEnumDeclaration,
  TSInterfaceDeclaration,
  TSModuleDeclaration,
  TSGlobalDeclaration,
  TSTypeAliasDeclaration,
  VariableDeclaration,
} from "oxc-parser";
import type { Declaration, Member, Shape, Signature } from "../facts.ts";
import { declareBlock } from "./bindings.ts";
import { inValues, Scope } from "./scope.ts";
import type { SourceFile } from "./source-file.ts";
import { keyName } from "./steps.ts";
import { annotated, joinOverloads, typeMembers, typeRange, typeShape, withTypeParameters } from "./type-shapes.ts";
import type { Shapes } from "./value-shapes.ts";

export interface Reader {
  readonly file: SourceFile;
  readonly shapes: Shapes;
}

type Spanned = { readonly start: number; readonly end: number };

/** Name given to what `export default` exports without a name of its own. */
export const defaultName = "*default*";

export function declarationsIn(body: readonly (Directive | Statement)[], scope: Scope, reader: Reader): Declaration[] {
  return body.flatMap((statement) => declared(statement, scope, reader));
}

function declared(statement: Directive | Statement, scope: Scope, reader: Reader): Declaration[] {
  switch (statement.type) {
    case "ExportNamedDeclaration":
      return statement.declaration ? declared(statement.declaration, scope, reader) : [];
    case "ExportDefaultDeclaration": {
      const { declaration } = statement;
      switch (declaration.type) {
        case "FunctionDeclaration":
        case "TSDeclareFunction":
          return [functionDeclaration(declaration, scope, reader)];
        case "ClassDeclaration":
          return [classDeclaration(declaration, scope, reader)];
        case "TSInterfaceDeclaration":
          return [interfaceDeclaration(declaration, scope, reader)];
        case "Identifier":
          return [];
        default:
          return [
            {
              ...plain(defaultName, "variable", statement, reader),
              shape: reader.shapes.shapeOf(declaration as ArrowFunctionExpression, scope),
            },
          ];
      }
    }
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      return [functionDeclaration(statement, scope, reader)];
    case "ClassDeclaration":
      return [classDeclaration(statement, scope, reader)];
    case "VariableDeclaration":
      return variables(statement, scope, reader);
    case "TSInterfaceDeclaration":
      return [interfaceDeclaration(statement, scope, reader)];
    case "TSTypeAliasDeclaration":
      return [aliasDeclaration(statement, scope, reader)];
    case "TSEnumDeclaration":
      return [enumDeclaration(statement, reader)];
    case "TSModuleDeclaration":
      return namespaceDeclaration(statement, scope, reader);
    default:
      return [];
  }
}

export function plain(name: string, kind: Declaration["kind"], node: Spanned, { file }: Reader): Declaration {
  // Enough to recognise a definition by; hashing whole classes would cost as much as reading them.
  const text = file.text.slice(node.start, Math.min(node.end, node.start + 1000));
  return {
    name,
    kind,
    line: file.lineAt(node.start),
    endLine: file.lineAt(node.end),
    print: Bun.hash(name === "" ? text : text.replaceAll(name, "")).toString(36),
  };
}

function functionDeclaration(node: Function, scope: Scope, reader: Reader): Declaration {
  const overload = node.type === "TSDeclareFunction" || node.body === null;
  return {
    ...plain(node.id?.name ?? defaultName, "function", node, reader),
    shape: reader.shapes.functionShape(node, scope),
    ...(overload ? { ambient: true } : {}),
  };
}

function variables(node: VariableDeclaration, scope: Scope, reader: Reader): Declaration[] {
  return node.declarations.flatMap((one) =>
    namesIn(one.id).map((name): Declaration => {
      const shape = scope.find(name, inValues)?.shape();
      const settled = node.kind === "const" || !reader.file.javascript;
      return {
        ...plain(name, "variable", node.declarations.length === 1 ? node : one, reader),
        shape: settled ? unfresh(shape) : undefined,
      };
    }),
  );
}

/** Only a literal at the place of use is held to a type's members; once it has a name, extra ones are allowed. */
function unfresh(shape: Shape | undefined): Shape | undefined {
  return shape?.k === "object" && shape.fresh
    ? { k: "object", members: shape.members, ...(shape.open ? { open: true } : {}) }
    : shape;
}

function namesIn(pattern: BindingPattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "ArrayPattern":
      return pattern.elements.flatMap((one) => (one ? namesIn(one.type === "RestElement" ? one.argument : one) : []));
    case "ObjectPattern":
      return pattern.properties.flatMap((one) => namesIn(one.type === "RestElement" ? one.argument : one.value));
    default:
      return [];
  }
}

function classDeclaration(node: Class, outer: Scope, reader: Reader): Declaration {
  const { file, shapes } = reader;
  const scope = withTypeParameters(node.typeParameters, outer);
  const members: Member[] = [];
  const constructors: Signature[] = [];
  let open = false;
  for (const one of node.body.body) {
    if (one.type === "StaticBlock") continue;
    if (one.type === "TSIndexSignature") {
      open = true;
      continue;
    }
    const isMethod = one.type === "MethodDefinition" || one.type === "TSAbstractMethodDefinition";
    if (isMethod && one.kind === "constructor") {
      constructors.push(shapes.signature(one.value, scope));
      members.push(...parameterMembers(one.value, scope, reader));
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
      ...(one.static ? { static: true } : {}),
      ...(one.optional ? { optional: true } : {}),
      ...hiddenBy(one.accessibility, name),
      ...(one.type.startsWith("TSAbstract") ? { abstract: true } : {}),
      ...(isMethod && one.kind !== "method" ? { accessor: true } : {}),
      shape: memberShape(one, scope, reader),
    });
  }
  if (file.javascript) {
    members.push(...assignedTo(node, members, file));
    open ||= isGivenMore(node, file);
  }
  return {
    ...plain(node.id?.name ?? defaultName, "class", node, reader),
    members: joinOverloads(members),
    ...(open ? { open: true } : {}),
    ...(node.abstract ? { abstract: true } : {}),
    ...(node.superClass ? { bases: [shapes.shapeOf(node.superClass, outer)] } : {}),
    ...(constructors.length > 0 ? { constructors: withoutBodies(node, constructors) } : {}),
    ...typeRange(node.typeParameters),
  };
}

/** With overloads, the implementation's own signature cannot be called. */
function withoutBodies(node: Class, constructors: Signature[]): Signature[] {
  const written = node.body.body.filter((one) => one.type === "MethodDefinition" && one.kind === "constructor");
  if (written.length < 2) return constructors;
  return constructors.filter((_, index) => {
    const one = written[index];
    return one?.type === "MethodDefinition" && one.value.body === null;
  });
}

function memberShape(one: Class["body"]["body"][number], scope: Scope, reader: Reader): Shape | undefined {
  const { file, shapes } = reader;
  switch (one.type) {
    case "MethodDefinition":
    case "TSAbstractMethodDefinition":
      if (one.kind === "get") return annotated(one.value.returnType, scope, file);
      return one.kind === "method" ? shapes.functionShape(one.value, scope) : undefined;
    case "PropertyDefinition":
    case "TSAbstractPropertyDefinition":
    case "AccessorProperty":
    case "TSAbstractAccessorProperty":
      if (one.typeAnnotation) return annotated(one.typeAnnotation, scope, file);
      return one.value && !file.javascript ? unfresh(shapes.shapeOf(one.value, scope)) : undefined;
    default:
      return undefined;
  }
}

function hiddenBy(accessibility: string | null | undefined, name: string): { hidden?: "private" | "protected" } {
  if (name.startsWith("#")) return { hidden: "private" };
  return accessibility === "private" || accessibility === "protected" ? { hidden: accessibility } : {};
}

function parameterMembers(node: Function, scope: Scope, { file }: Reader): Member[] {
  return node.params.flatMap((one): Member[] => {
    if (one.type !== "TSParameterProperty") return [];
    const inner = one.parameter.type === "AssignmentPattern" ? one.parameter.left : one.parameter;
    if (inner.type !== "Identifier") return [];
    return [
      {
        name: inner.name,
        line: file.lineAt(one.start),
        ...hiddenBy(one.accessibility, inner.name),
        shape: annotated(inner.typeAnnotation, scope, file),
      },
    ];
  });
}

/** JavaScript declares fields by assigning to them, and a class may be given methods after it is written. */
function assignedTo(node: Class, known: readonly Member[], file: SourceFile): Member[] {
  const keys = new Set(known.map((one) => `${one.static === true} ${one.name}`));
  const found: Member[] = [];
  const add = (pattern: RegExp, start: number, isStatic: boolean): void => {
    for (const match of file.text.slice(start, start === 0 ? undefined : node.end).matchAll(pattern)) {
      const name = match[1] ?? "";
      if (keys.has(`${isStatic} ${name}`)) continue;
      keys.add(`${isStatic} ${name}`);
      found.push({ name, line: file.lineAt(start + match.index), ...(isStatic ? { static: true } : {}) });
    }
  };
  const assigned = "([A-Za-z_$][\\w$]*)\\s*(?:=(?!=)|[-+*/|&?]{1,2}=)";
  const defined = "\\s*,\\s*[\"'`]([A-Za-z_$][\\w$]*)[\"'`]";
  const define = "\\bObject\\.defineProperty\\(\\s*";
  add(new RegExp(`\\bthis\\.${assigned}`, "g"), node.start, false);
  add(new RegExp(`${define}this${defined}`, "g"), node.start, false);
  const name = node.id?.name;
  if (name === undefined) return found;
  const own = RegExp.escape(name);
  add(new RegExp(`(?<![\\w$.])${own}\\.prototype\\.${assigned}`, "g"), 0, false);
  add(new RegExp(`${define}${own}\\.prototype${defined}`, "g"), 0, false);
  add(new RegExp(`(?<![\\w$.])${own}\\.(?!prototype\\b)${assigned}`, "g"), 0, true);
  return found;
}

/** Members may come by names that are not written out: `Object.assign(this, …)`, `this[key] = …`, a proxy. */
function isGivenMore(node: Class, file: SourceFile): boolean {
  const inside =
    /\bObject\.(assign|defineProperties)\(\s*this\b|\bObject\.defineProperty\(\s*this\s*,\s*[^\s"'`]|\bthis\[[^\]\n]+\]\s*=(?!=)|\bnew Proxy\(\s*this\b/;
  if (inside.test(file.text.slice(node.start, node.end))) return true;
  if (node.id === null) return false;
  const name = `(?<![\\w$.])${RegExp.escape(node.id.name)}`;
  const outside = `\\bObject\\.(assign|define\\w+)\\(\\s*${name}(\\.prototype)?\\s*,\\s*(?!["'\`])|${name}\\.prototype\\s*(\\[|=)`;
  return new RegExp(outside).test(file.text);
}

function interfaceDeclaration(node: TSInterfaceDeclaration, outer: Scope, reader: Reader): Declaration {
  const scope = withTypeParameters(node.typeParameters, outer);
  const { members, open, calls } = typeMembers(node.body.body, scope, reader.file);
  return {
    ...plain(node.id.name, "interface", node, reader),
    members,
    ...(open || calls.length > 0 ? { open: true } : {}),
    ...(node.extends.length > 0
      ? {
          bases: node.extends.map((one) =>
            one.expression.type === "Identifier" ? { k: "type", name: [one.expression.name] } : undefined,
          ),
        }
      : {}),
    ...typeRange(node.typeParameters),
  };
}

function aliasDeclaration(node: TSTypeAliasDeclaration, outer: Scope, reader: Reader): Declaration {
  const scope = withTypeParameters(node.typeParameters, outer);
  return {
    ...plain(node.id.name, "type", node, reader),
    shape: typeShape(node.typeAnnotation, scope, reader.file),
    ...typeRange(node.typeParameters),
  };
}

function enumDeclaration(node: TSEnumDeclaration, reader: Reader): Declaration {
  const members = node.body.members.flatMap((one): Member[] => {
    const name = keyName(one.id, false);
    return name === undefined ? [] : [{ name, line: reader.file.lineAt(one.start), static: true }];
  });
  return { ...plain(node.id.name, "enum", node, reader), members };
}

function namespaceDeclaration(
  node: TSModuleDeclaration | TSGlobalDeclaration,
  outer: Scope,
  reader: Reader,
): Declaration[] {
  if (node.kind === "global" || node.id.type === "Literal" || node.body === null) return [];
  const names: string[] = [];
  let { id } = node as TSModuleDeclaration;
  while (id.type === "TSQualifiedName") {
    names.unshift(id.right.name);
    if (id.left.type === "ThisExpression") return [];
    id = id.left;
  }
  if (id.type !== "Identifier") return [];
  const scope = new Scope(outer);
  declareBlock({ scope, file: reader.file, top: false }, node.body.body, reader.shapes, false);
  const body = node.body.body.filter((one) => node.declare || one.type === "ExportNamedDeclaration");
  let inner = declarationsIn(body, scope, reader);
  const lists = node.body.body.some((one) => one.type === "ExportNamedDeclaration" && one.specifiers.length > 0);
  for (const name of names.reverse()) inner = [{ ...plain(name, "namespace", node, reader), inner }];
  return [{ ...plain(id.name, "namespace", node, reader), inner, ...(lists ? { open: true } : {}) }];
}
