// Compares two GraphQL schemas. GraphQL Inspector finds and grades the differences (docs/decisions/0031-typed-contracts.md
// says why); loading, and what it gets wrong, are ours.

import { diff } from "@graphql-inspector/core";
import { buildASTSchema, Kind } from "graphql";
import type { DocumentNode, GraphQLSchema, ScalarTypeDefinitionNode } from "graphql";

import { Budget } from "../budget.ts";
import { ChangeList } from "../change-list.ts";
import type { ContractComparison, ContractProblem, ContractSource } from "../format.ts";
import { contractChanges } from "./changes.ts";
import { withoutCommon } from "./common.ts";
import { loadSchema } from "./load.ts";
import type { LoadedSchema } from "./load.ts";

export async function compareGraphql(
  before: ContractSource,
  after: ContractSource,
  signal?: AbortSignal,
  budget = new Budget(),
): Promise<ContractComparison> {
  try {
    return await compareSchemas(before, after, signal, budget);
  } catch (cause) {
    // Nesting that the parser survives can still be too deep for what comes after it.
    if (!(cause instanceof RangeError)) throw cause;
    const message = "The schema is nested too deeply to be compared.";
    return { kind: "unreadable", problems: [{ side: "after", path: after.entry, line: null, message }] };
  }
}

async function compareSchemas(
  before: ContractSource,
  after: ContractSource,
  signal: AbortSignal | undefined,
  budget: Budget,
): Promise<ContractComparison> {
  const [old, young] = [await loadSchema(before, "before", signal), await loadSchema(after, "after", signal)];
  const outside = new Set(unknownOnBoth(old, young));
  const problems = [
    ...old.problems,
    ...young.problems,
    ...undefinedTypes(old, "before", outside),
    ...undefinedTypes(young, "after", outside),
  ];
  if (problems.length > 0) return { kind: "unreadable", problems };
  const { documents, leftOut } = withoutCommon(
    withOutside(old.document, outside),
    withOutside(young.document, outside),
    budget,
  );
  const [oldDocument, newDocument] = documents;
  const [oldSchema, newSchema] = [build(oldDocument, before, "before"), build(newDocument, after, "after")];
  if ("message" in oldSchema) return { kind: "unreadable", problems: [oldSchema] };
  if ("message" in newSchema) return { kind: "unreadable", problems: [newSchema] };
  signal?.throwIfAborted();
  const differences = await diff(oldSchema, newSchema).catch((cause: unknown) => cause);
  if (!Array.isArray(differences)) {
    // The schemas parse, and one of them is invalid in a way that the comparison does not survive.
    return { kind: "unreadable", problems: [problem("after", after.entry, differences)] };
  }
  const notes = [...new Set([...old.notes, ...young.notes, ...outsideNotes(young, outside)])];
  const changes = new ChangeList();
  for (const change of contractChanges(differences, newSchema)) changes.add(change);
  for (const name of leftOut) changes.leaveOut(name);
  const complete = notes.length === 0 && changes.complete;
  return { kind: "compared", changes: changes.sorted(), notes: [...notes, ...changes.notes()], complete };
}

/** Scalars that gateways provide without a definition. */
const provided = /^(?:AWS[A-Z]\w*|_Any|_FieldSet|FieldSet|federation__\w+|link__\w+)$/;

/** Types that neither side defines: a part of a larger schema. They are taken as opaque, and that is said. */
function unknownOnBoth(old: LoadedSchema, young: LoadedSchema): string[] {
  const [before, after] = [old, young].map(({ unknown }) => new Set(unknown.map(({ name }) => name)));
  const names = [...(before ?? []), ...(after ?? [])];
  return names.filter((name) => provided.test(name) || (before?.has(name) === true && after?.has(name) === true));
}

/** A type that only one side leaves undefined was forgotten or deleted, so that side is no schema. */
function undefinedTypes(
  { unknown }: LoadedSchema,
  side: "before" | "after",
  outside: ReadonlySet<string>,
): ContractProblem[] {
  return unknown
    .filter(({ name }) => !outside.has(name))
    .map(({ name, path, line }) => ({ side, path, line, message: `The type ${name} is defined nowhere.` }));
}

function outsideNotes({ unknown }: LoadedSchema, outside: ReadonlySet<string>): string[] {
  return unknown
    .filter(({ name }) => outside.has(name) && !provided.test(name))
    .map(({ name, path, line }) => `The type ${name} (${path}:${line}) is defined elsewhere and was not compared.`);
}

function withOutside(document: DocumentNode, outside: ReadonlySet<string>): DocumentNode {
  const scalars = [...outside].map((value): ScalarTypeDefinitionNode => ({
    kind: Kind.SCALAR_TYPE_DEFINITION,
    name: { kind: Kind.NAME, value },
  }));
  return { ...document, definitions: [...document.definitions, ...scalars] };
}

function build(
  document: DocumentNode,
  source: ContractSource,
  side: "before" | "after",
): GraphQLSchema | ContractProblem {
  try {
    // Directives of federation and of tools are mostly used without being declared, so the SDL is not validated as a whole.
    return buildASTSchema(document, { assumeValid: true, assumeValidSDL: true });
  } catch (cause) {
    return problem(side, source.entry, cause);
  }
}

function problem(side: "before" | "after", path: string, cause: unknown): ContractProblem {
  const message = cause instanceof Error ? cause.message : String(cause);
  return { side, path, line: null, message: `The schema cannot be compared: ${message}` };
}
