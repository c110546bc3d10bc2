// One GraphQL schema from its files. The entry is read first. Files beside it join when they define what is still
// missing, when an import comment names them, or when they extend what is there. What the files say together is
// put in order by merge.ts; a schema that cannot be read is a list of problems with their lines.

import { GraphQLError, Kind, parse } from "graphql";
import type { DefinitionNode, DocumentNode } from "graphql";

import type { ContractProblem, ContractSource } from "../format.ts";
import { isExtension, mergeDefinitions, nameOf, namesUsed } from "./merge.ts";
import type { Located, UnknownType } from "./merge.ts";
import { isGraphqlPath, isGraphqlSchema } from "./recognise.ts";

/** The largest schemas in public use are near 6 MB; beyond this a comparison would hold everybody else up. */
const maximumCharacters = 16_000_000;
/** A token is some four characters of real SDL. Parsed, it takes some hundreds of bytes. */
const maximumTokens = 2_000_000;
const maximumFiles = 2000;

export interface LoadedSchema {
  readonly document: DocumentNode;
  readonly problems: readonly ContractProblem[];
  readonly unknown: readonly UnknownType[];
  readonly notes: readonly string[];
}

interface Loading {
  readonly source: ContractSource;
  readonly side: "before" | "after";
  readonly withLines: boolean;
  readonly definitions: Located[];
  readonly problems: ContractProblem[];
  readonly notes: string[];
  readonly seen: Set<string>;
  characters: number;
  tokens: number;
}

/** Positions triple what a parsed schema holds in memory, so they are asked for only when there is a problem to locate. */
export async function loadSchema(
  source: ContractSource,
  side: "before" | "after",
  signal?: AbortSignal,
): Promise<LoadedSchema> {
  const loaded = await loadOnce(source, side, false, signal);
  const wrong = loaded.problems.some(({ line }) => line === null) || loaded.unknown.length > 0;
  return wrong ? loadOnce(source, side, true, signal) : loaded;
}

async function loadOnce(
  source: ContractSource,
  side: "before" | "after",
  withLines: boolean,
  signal?: AbortSignal,
): Promise<LoadedSchema> {
  const loading: Loading = {
    source,
    side,
    withLines,
    definitions: [],
    problems: [],
    notes: [],
    seen: new Set(),
    characters: 0,
    tokens: 0,
  };
  const inside = (await source.read(source.entry)) === undefined ? await schemaFiles(source, source.entry) : [];
  if (inside.length > 0) await readDirectory(loading, inside, signal);
  else await readFile(loading, source.entry, signal);
  if (loading.problems.length === 0 && inside.length === 0) await readNeighbours(loading, signal);
  const merged = loading.problems.length === 0 ? mergeDefinitions(loading.definitions) : undefined;
  const problems = [...loading.problems, ...(merged?.problems ?? []).map((found) => ({ side, ...found }))];
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: merged?.definitions ?? [] };
  return { document, problems, unknown: merged?.unknown ?? [], notes: loading.notes };
}

async function schemaFiles(source: ContractSource, directory: string): Promise<string[]> {
  const paths = (await source.list?.(directory)) ?? [];
  return paths.filter(isGraphqlPath).toSorted();
}

/** A directory is the schema of all its files; those with operations are a client's. */
async function readDirectory(loading: Loading, paths: readonly string[], signal?: AbortSignal): Promise<void> {
  if (paths.length > maximumFiles) {
    const message = `There are more than ${maximumFiles} schema files.`;
    loading.problems.push({ side: loading.side, path: loading.source.entry, line: null, message });
    return;
  }
  for (const path of paths) {
    const text = await loading.source.read(path);
    if (text !== undefined && !isGraphqlSchema(path, text) && text.trim() !== "") continue;
    await readFile(loading, path, signal);
  }
}

/** Reads a file into the schema, and the files that its import comments name. */
async function readFile(loading: Loading, path: string, signal?: AbortSignal): Promise<void> {
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (loading.seen.has(next)) continue;
    loading.seen.add(next);
    signal?.throwIfAborted();
    const text = await loading.source.read(next);
    if (text === undefined) {
      loading.problems.push({
        side: loading.side,
        path: next,
        line: null,
        message: "The file is not there or is not text.",
      });
      continue;
    }
    const parsed = parseFile(loading, next, text);
    if (parsed === undefined) continue;
    loading.definitions.push(...parsed);
    waiting.push(...importsOf(next, text));
  }
}

function parseFile(loading: Loading, path: string, text: string): Located[] | undefined {
  const fail = (line: number | null, message: string): undefined => {
    loading.problems.push({ side: loading.side, path, line, message });
    return undefined;
  };
  loading.characters += text.length;
  if (loading.characters > maximumCharacters)
    return fail(null, `The schema is larger than ${maximumCharacters} characters.`);
  try {
    const { definitions, tokenCount = 0 } = parse(text, {
      maxTokens: maximumTokens - loading.tokens,
      noLocation: !loading.withLines,
    });
    loading.tokens += tokenCount;
    const located = definitions.map((node) => ({ node, path, line: lineOf(node) }));
    const operation = located.find(
      ({ node }) => node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION,
    );
    if (operation !== undefined)
      return fail(operation.line, "The file holds operations or fragments, so it is not a schema.");
    return located;
  } catch (cause) {
    if (cause instanceof GraphQLError) return fail(cause.locations?.[0]?.line ?? null, cause.message);
    // The parser calls itself for every level, so hostile nesting ends in an exhausted stack.
    if (cause instanceof RangeError) return fail(null, "The schema is nested too deeply to be read.");
    throw cause;
  }
}

function lineOf(node: DefinitionNode): number | null {
  return node.loc?.startToken.line ?? null;
}

/** `# import Order, Item from "./order.graphql"`, as schema bundlers read it. */
function importsOf(path: string, text: string): string[] {
  const found: string[] = [];
  for (const [, quoted = ""] of text.matchAll(/^[ \t]*#[ \t]*import[ \t]([^\n]{1,1000})$/gm)) {
    const [names = "", file] = quoted.split(/["']/, 3);
    const isImport = names.trim() === "" || /[ \t]from[ \t]*$/.test(names);
    const target = file === undefined || file === "" || !isImport ? undefined : resolve(path, file);
    if (target !== undefined) found.push(target);
  }
  return found;
}

/** A path relative to a file, or undefined when it would leave the snapshot. */
function resolve(from: string, target: string): string | undefined {
  if (target.startsWith("/") || /^[a-z]+:/i.test(target)) return undefined;
  const parts = from.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** Files below the entry's directory that the schema needs, or that add to it without defining anything twice. */
async function readNeighbours(loading: Loading, signal?: AbortSignal): Promise<void> {
  const { source } = loading;
  const directory = source.entry.includes("/") ? source.entry.slice(0, source.entry.lastIndexOf("/")) : "";
  const candidates = (await schemaFiles(source, directory)).filter((path) => !loading.seen.has(path));
  if (candidates.length === 0) return;
  if (candidates.length > maximumFiles) {
    loading.notes.push(
      `Of ${candidates.length} schema files below ${directory || "."}, the first ${maximumFiles} were read.`,
    );
  }
  const files = await readCandidates(loading, candidates.slice(0, maximumFiles), signal);
  for (let grew = true; grew;) {
    grew = false;
    const known = new Set(loading.definitions.flatMap(({ node }) => (isExtension(node) ? [] : (nameOf(node) ?? []))));
    const wanted = missingNames(loading.definitions);
    for (const [path, definitions] of files) {
      if (!joins(definitions, known, wanted)) continue;
      loading.definitions.push(...definitions);
      files.delete(path);
      grew = true;
      break;
    }
  }
}

async function readCandidates(
  loading: Loading,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, Located[]>> {
  const files = new Map<string, Located[]>();
  for (const path of paths) {
    signal?.throwIfAborted();
    const text = await loading.source.read(path);
    if (text === undefined) continue;
    // A neighbour that does not parse may belong to something else, so it is no problem of this schema, but it is said.
    const attempt: Loading = { ...loading, problems: [] };
    const parsed = parseFile(attempt, path, text);
    loading.characters = attempt.characters;
    loading.tokens = attempt.tokens;
    if (parsed !== undefined) files.set(path, parsed);
    else if (!/holds operations/.test(attempt.problems[0]?.message ?? "")) {
      loading.notes.push(`${path} was not read: ${attempt.problems[0]?.message ?? "it does not parse"}`);
    }
  }
  return files;
}

function joins(definitions: readonly Located[], known: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  const own = definitions.flatMap(({ node }) => (isExtension(node) ? [] : (nameOf(node) ?? [])));
  if (own.some((name) => known.has(name))) return false;
  if (own.some((name) => wanted.has(name))) return true;
  return definitions.some(({ node }) => isExtension(node) && known.has(nameOf(node) ?? ""));
}

/** Types that are used or extended and defined nowhere. */
function missingNames(definitions: readonly Located[]): Set<string> {
  const known = new Set(["Int", "Float", "String", "Boolean", "ID"]);
  for (const { node } of definitions) if (!isExtension(node)) known.add(nameOf(node) ?? "");
  const missing = new Set<string>();
  for (const { node } of definitions) {
    for (const { name } of namesUsed(node)) if (!known.has(name)) missing.add(name);
    const extended = isExtension(node) ? nameOf(node) : undefined;
    if (extended !== undefined && !known.has(extended)) missing.add(extended);
  }
  return missing;
}
