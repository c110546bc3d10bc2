// Brings the definitions of all files of a schema into one definition for each name: extensions are folded into what they
// extend. An extension of a type that is defined elsewhere (a federated graph) stands as the definition. Whatever would
// make a later step choose silently between two definitions is a problem with its line.

import { Kind } from "graphql";
import type { DefinitionNode, NamedTypeNode, OperationTypeDefinitionNode, SchemaDefinitionNode } from "graphql";

export interface Located {
  readonly node: DefinitionNode;
  readonly path: string;
  /** null when the file was parsed without positions. */
  readonly line: number | null;
}

interface Complaint {
  readonly path: string;
  readonly line: number | null;
  readonly message: string;
}

/** More in one place is no schema that anybody wrote, and comparing them takes the square of their number. */
const maximumDirectives = 200;
const extensionKinds: Readonly<Record<string, string>> = {
  [Kind.SCHEMA_EXTENSION]: Kind.SCHEMA_DEFINITION,
  [Kind.SCALAR_TYPE_EXTENSION]: Kind.SCALAR_TYPE_DEFINITION,
  [Kind.OBJECT_TYPE_EXTENSION]: Kind.OBJECT_TYPE_DEFINITION,
  [Kind.INTERFACE_TYPE_EXTENSION]: Kind.INTERFACE_TYPE_DEFINITION,
  [Kind.UNION_TYPE_EXTENSION]: Kind.UNION_TYPE_DEFINITION,
  [Kind.ENUM_TYPE_EXTENSION]: Kind.ENUM_TYPE_DEFINITION,
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: Kind.INPUT_OBJECT_TYPE_DEFINITION,
};

type Parts = Record<string, unknown> & { kind: string };

export interface Merged {
  readonly definitions: readonly DefinitionNode[];
  readonly problems: readonly Complaint[];
  /** Types that are used and defined nowhere. Whether that is a problem depends on the other side. */
  readonly unknown: readonly UnknownType[];
}

export interface UnknownType {
  readonly name: string;
  readonly path: string;
  readonly line: number | null;
}

export function mergeDefinitions(located: readonly Located[]): Merged {
  const problems: Complaint[] = [];
  const merged = new Map<string, { parts: Parts; extended: boolean }>();
  const ordered = [
    ...located.filter(({ node }) => !isExtension(node)),
    ...located.filter(({ node }) => isExtension(node)),
  ];
  for (const { node, path, line } of ordered) {
    const key = keyOf(node);
    const kind = extensionKinds[node.kind] ?? node.kind;
    const there = merged.get(key);
    if (there === undefined)
      merged.set(key, { parts: { ...(node as unknown as Parts), kind }, extended: isExtension(node) });
    else if (!isExtension(node)) problems.push({ path, line, message: `There can be only one ${label(node)}.` });
    else if (there.parts.kind !== kind)
      problems.push({ path, line, message: `${label(node)} is extended as another kind of type.` });
    else fold(there.parts, node as unknown as Parts);
  }
  const definitions = withRoots([...merged.values()].map(({ parts }) => parts as unknown as DefinitionNode));
  const places = new Map(located.map((one) => [keyOf(one.node), one]));
  for (const definition of definitions) problems.push(...complaints(definition, places.get(keyOf(definition))));
  return { definitions, problems, unknown: unknownTypes(located) };
}

export function isExtension(node: DefinitionNode): boolean {
  return extensionKinds[node.kind] !== undefined;
}

/** The type that a definition or extension is about; undefined for schema and directives. */
export function nameOf(node: DefinitionNode): string | undefined {
  if (node.kind === Kind.DIRECTIVE_DEFINITION || !("name" in node)) return undefined;
  return node.name?.value;
}

/** Every type that a definition mentions, with the line of the mention. */
export function namesUsed(node: DefinitionNode): { name: string; line: number | null }[] {
  const names: { name: string; line: number | null }[] = [];
  collectNames(node as unknown as Parts, names);
  return names;
}

/** The library's own visitor takes ten times as long, and this is done for every definition of both versions. */
function collectNames(node: Parts, into: { name: string; line: number | null }[]): void {
  if (node.kind === Kind.NAMED_TYPE) {
    const { name, loc } = node as unknown as NamedTypeNode;
    into.push({ name: name.value, line: loc?.startToken.line ?? null });
    return;
  }
  for (const part of ["type", "fields", "arguments", "interfaces", "types", "operationTypes"]) {
    const inside = node[part];
    if (Array.isArray(inside)) for (const one of inside as Parts[]) collectNames(one, into);
    else if (inside !== undefined) collectNames(inside as Parts, into);
  }
}

function keyOf(node: DefinitionNode): string {
  if (node.kind === Kind.DIRECTIVE_DEFINITION) return `@${node.name.value}`;
  return nameOf(node) ?? "schema ";
}

function label(node: DefinitionNode): string {
  if (node.kind === Kind.DIRECTIVE_DEFINITION) return `directive named @${node.name.value}`;
  const name = nameOf(node);
  return name === undefined ? "schema definition" : `type named ${name}`;
}

function fold(into: Parts, extension: Parts): void {
  for (const part of ["directives", "interfaces", "fields", "values", "types", "operationTypes"]) {
    const more = extension[part];
    if (Array.isArray(more) && more.length > 0)
      into[part] = [...((into[part] as unknown[] | undefined) ?? []), ...more];
  }
}

/** A schema block that only carries directives names no root, and then the types with the default names are the roots. */
function withRoots(definitions: DefinitionNode[]): DefinitionNode[] {
  const names = new Set(definitions.map(nameOf));
  return definitions.map((node) => {
    if (node.kind !== Kind.SCHEMA_DEFINITION || (node.operationTypes ?? []).length > 0) return node;
    const roots = (["query", "mutation", "subscription"] as const).flatMap((operation) => {
      const value = operation.charAt(0).toUpperCase() + operation.slice(1);
      if (!names.has(value)) return [];
      const type: NamedTypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value } };
      return [{ kind: Kind.OPERATION_TYPE_DEFINITION, operation, type } as OperationTypeDefinitionNode];
    });
    return { ...node, operationTypes: roots } as SchemaDefinitionNode;
  });
}

interface Named {
  readonly name: { readonly value: string };
  readonly loc?: { readonly startToken: { readonly line: number } };
  readonly arguments?: readonly Named[];
  readonly directives?: readonly unknown[];
}

function complaints(node: DefinitionNode, place: Located | undefined): Complaint[] {
  const found: Complaint[] = [];
  const path = place?.path ?? "";
  const parts = node as unknown as Record<string, readonly Named[] | undefined>;
  const twice = (list: readonly Named[] | undefined, what: string, owner: string): void => {
    const seen = new Set<string>();
    for (const { name, loc } of list ?? []) {
      if (seen.has(name.value)) {
        found.push({
          path,
          line: loc?.startToken.line ?? null,
          message: `${owner} has two ${what} named ${name.value}.`,
        });
      }
      seen.add(name.value);
    }
  };
  const owner = label(node);
  twice(parts["fields"], "fields", owner);
  twice(parts["values"], "values", owner);
  twice(parts["arguments"], "arguments", owner);
  for (const field of parts["fields"] ?? [])
    twice(field.arguments, "arguments", `${owner}, field ${field.name.value},`);
  const members = [...(parts["fields"] ?? []), ...(parts["values"] ?? []), ...(parts["arguments"] ?? [])];
  for (const one of [parts as unknown as Named, ...members, ...members.flatMap((field) => field.arguments ?? [])]) {
    if ((one.directives?.length ?? 0) <= maximumDirectives) continue;
    const line = one.loc?.startToken.line ?? place?.line ?? null;
    found.push({ path, line, message: `${owner} has more than ${maximumDirectives} directives in one place.` });
  }
  return found;
}

function unknownTypes(located: readonly Located[]): UnknownType[] {
  const known = new Set(["Int", "Float", "String", "Boolean", "ID"]);
  for (const { node } of located) known.add(nameOf(node) ?? "");
  const found = new Map<string, UnknownType>();
  for (const { node, path } of located) {
    for (const { name, line } of namesUsed(node)) {
      if (!known.has(name) && !found.has(name)) found.set(name, { name, path, line });
    }
  }
  return [...found.values()];
}
