// The files of one version: the entry, or every .proto file when the entry is a directory, and what they import. Import
// paths are relative to a root that only the build knows, so the directories above the importing file are tried, nearest
// first, and then any file whose path ends like the import.

import type { ContractProblem, ContractSource } from "../format.ts";
import { parseProto } from "./parse.ts";
import type { FileSyntax } from "./syntax.ts";
import { maximumTokens, ProtoError, tooManyTokens } from "./tokens.ts";
import { isWellKnownFile } from "./well-known.ts";

const maximumCharacters = 24_000_000;
const maximumFiles = 5000;

/** The entry has one key on both sides, whatever the files are called; others have the path they are imported by. */
export const entryKey = "";

export interface LoadedFile {
  readonly key: string;
  readonly path: string;
  readonly syntax: FileSyntax;
}

export interface LoadedProto {
  readonly side: "before" | "after";
  readonly source: ContractSource;
  readonly files: Map<string, LoadedFile>;
  readonly problems: ContractProblem[];
  readonly notes: string[];
  /** Imports that are not in the snapshot, with who imports them. */
  readonly missing: Map<string, { path: string; line: number }>;
  readonly paths: Map<string, string>;
  /** By text, shared by both sides: most files are the same on both. */
  readonly parsed: Map<string, FileSyntax>;
  characters: number;
  tokens: number;
  listed?: readonly string[];
}

export async function loadProto(
  source: ContractSource,
  side: "before" | "after",
  parsed: Map<string, FileSyntax>,
  signal?: AbortSignal,
): Promise<LoadedProto> {
  const loaded: LoadedProto = {
    parsed,
    side,
    source,
    files: new Map(),
    problems: [],
    notes: [],
    missing: new Map(),
    paths: new Map(),
    characters: 0,
    tokens: 0,
  };
  const text = await source.read(source.entry);
  if (text !== undefined) {
    loaded.paths.set(source.entry, entryKey);
    await addFile(loaded, entryKey, source.entry, text, signal);
    return loaded;
  }
  const inside = ((await source.list?.(source.entry)) ?? []).filter((path) => path.endsWith(".proto")).toSorted();
  if (inside.length === 0) {
    loaded.problems.push({ side, path: source.entry, line: null, message: "The file is not there or is not text." });
  }
  const prefix = source.entry === "" || source.entry === "." ? 0 : source.entry.length + 1;
  for (const path of inside) loaded.paths.set(path, path.slice(prefix));
  for (const path of inside) await readInto(loaded, path.slice(prefix), path, signal);
  return loaded;
}

/** Reads a file that only the other side imports; says whether it is there. */
export async function loadMore(loaded: LoadedProto, key: string, signal?: AbortSignal): Promise<void> {
  if (loaded.files.has(key)) return;
  const path = await findImport(loaded, key, loaded.source.entry);
  if (path === undefined || loaded.paths.has(path)) return;
  loaded.paths.set(path, key);
  await readInto(loaded, key, path, signal);
}

async function readInto(loaded: LoadedProto, key: string, path: string, signal?: AbortSignal): Promise<void> {
  if (loaded.files.has(key)) return;
  const text = await loaded.source.read(path);
  if (text !== undefined) await addFile(loaded, key, path, text, signal);
}

async function addFile(
  loaded: LoadedProto,
  key: string,
  path: string,
  text: string,
  signal?: AbortSignal,
): Promise<void> {
  const waiting = [{ key, path, text }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal?.throwIfAborted();
    const syntax = parseInto(loaded, next.path, next.text);
    if (syntax === undefined) continue;
    loaded.files.set(next.key, { key: next.key, path: next.path, syntax });
    for (const { path: wanted, line } of syntax.imports) {
      if (isWellKnownFile(wanted) || loaded.files.has(wanted) || loaded.missing.has(wanted)) continue;
      const found = await findImport(loaded, wanted, next.path);
      if (found === undefined) {
        loaded.missing.set(wanted, { path: next.path, line });
        continue;
      }
      if (loaded.paths.has(found)) continue;
      loaded.paths.set(found, wanted);
      const more = await loaded.source.read(found);
      if (more !== undefined) waiting.push({ key: wanted, path: found, text: more });
    }
  }
}

function parseInto(loaded: LoadedProto, path: string, text: string): FileSyntax | undefined {
  const fail = (line: number | null, message: string): undefined => {
    loaded.problems.push({ side: loaded.side, path, line, message });
    return undefined;
  };
  loaded.characters += text.length;
  if (loaded.characters > maximumCharacters)
    return fail(null, `The files are larger than ${maximumCharacters} characters.`);
  if (loaded.files.size >= maximumFiles) return fail(null, `There are more than ${maximumFiles} files.`);
  try {
    const syntax = loaded.parsed.get(text) ?? parseProto(text);
    loaded.parsed.set(text, syntax);
    loaded.tokens += syntax.tokens;
    return loaded.tokens > maximumTokens ? fail(null, tooManyTokens) : syntax;
  } catch (cause) {
    if (cause instanceof ProtoError) return fail(cause.line, cause.message);
    throw cause;
  }
}

async function findImport(loaded: LoadedProto, wanted: string, from: string): Promise<string | undefined> {
  if (wanted.startsWith("/") || wanted.split("/").includes("..")) return undefined;
  const parts = from.split("/").slice(0, -1);
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const path = [...parts.slice(0, depth), wanted].join("/");
    if (loaded.paths.has(path) || (await loaded.source.read(path)) !== undefined) return path;
  }
  loaded.listed ??= (await loaded.source.list?.("")) ?? [];
  // The shortest, then the first by name, so that the answer does not depend on how files are listed.
  const ending = loaded.listed.filter((path) => path.endsWith(`/${wanted}`));
  return ending.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
}
