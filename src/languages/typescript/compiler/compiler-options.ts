// Finds how a tree says it is to be compiled: the settings file nearest to a source file. The compiler reads it itself. We write a file that
// extends it, and that says what holds whatever the settings say.

import { dirname, join } from "node:path";
import { type CompilerTree, top } from "./compiler-tree.ts";

type Json = Readonly<Record<string, unknown>>;

/** The settings that the compiler read: enumerations are numbers, paths are whole. */
export type ReadSettings = (name: string) => Promise<Json>;

/** Beside the settings that it stands on; no repository has a file of this name. */
const asked = "tsconfig.constel-asks.json";

/** Said whatever the settings say: nothing is written, and what is not the tree's own is not judged. */
const always: Json = {
  noEmit: true,
  skipLibCheck: true,
  composite: false,
  incremental: false,
  declaration: false,
  declarationMap: false,
  emitDeclarationOnly: false,
  isolatedDeclarations: false,
  noUnusedLocals: false,
  noUnusedParameters: false,
};

/** For a tree that says nothing: everything that can be a module is one, and is looked at as strictly as TypeScript does. */
const unsaid: Json = {
  target: "esnext",
  module: "esnext",
  moduleResolution: "bundler",
  jsx: "preserve",
  strict: true,
  noImplicitAny: false,
  esModuleInterop: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
};

/**
 * JavaScript is looked at too, as far as its own text says what things are. Settings that leave it alone (`checkJs: false`, or nothing at all) spare
 * people the errors it has; of those only what two sides bring about together is told.
 */
const scripts: Json = { allowJs: true, checkJs: true, maxNodeModuleJsDepth: 0 };

/** The settings file that a source file falls under; undefined when there is none above it. */
export function settingsFor(path: string, { blobs }: Pick<CompilerTree, "blobs">): string | undefined {
  for (let at = dirname(path); ; at = dirname(at)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const file = at === "." ? name : `${at}/${name}`;
      if (blobs.has(file)) return file;
    }
    if (at === "." || at === "/") return undefined;
  }
}

export interface AskedSettings {
  /** The whole name of the file that stands on the settings of the tree. */
  readonly name: string;
  readonly text: string;
}

/** The settings under which these files are asked about; they are of one group, that of `file`. */
export async function settingsOver(
  file: string | undefined,
  paths: readonly string[],
  tree: CompilerTree,
  read: ReadSettings,
): Promise<AskedSettings> {
  const types = tree.packagesFrom === undefined ? { types: [] } : {};
  const files = paths.map((path) => top + path);
  const name = top + (file === undefined ? asked : join(dirname(file), asked));
  const rest = { files, include: [], references: [] };
  if (file === undefined) {
    return { name, text: JSON.stringify({ compilerOptions: { ...unsaid, ...always, ...types, ...scripts }, ...rest }) };
  }
  const real = await realSettings(file, tree);
  const said = await read(top + real);
  const older = { ...(await oldDefaults(real, said, tree)), ...withoutBaseUrl(said) };
  const compilerOptions = { ...older, ...always, ...types, ...scripts };
  return { name, text: JSON.stringify({ extends: top + real, compilerOptions, ...rest }) };
}

/** A solution file only points at the real settings. */
async function realSettings(file: string, tree: CompilerTree): Promise<string> {
  const { references, files } = looseJson(await tree.read(file)) as {
    references?: readonly { path?: string }[];
    files?: readonly unknown[];
  };
  const beside = Array.isArray(references) ? references.map((one) => one.path ?? "").find(isJson) : undefined;
  if (beside === undefined || (files?.length ?? 1) > 0) return file;
  const named = join(dirname(file), beside);
  return tree.blobs.has(named) ? named : file;
}

const isJson = (path: string): boolean => path.endsWith(".json");

function looseJson(text: string | undefined): Json {
  try {
    const read: unknown = Bun.JSONC.parse(text ?? "{}");
    return typeof read === "object" && read !== null ? (read as Json) : {};
  } catch {
    return {}; // the compiler tells its author
  }
}

/** TypeScript 7 no longer knows `baseUrl`, which half of all projects still have: the same is said by `paths`. */
function withoutBaseUrl({ baseUrl, paths }: Json): Json {
  if (typeof baseUrl !== "string") return {};
  const written = Object.entries((paths ?? {}) as Record<string, readonly string[]>).map(
    ([pattern, targets]) => [pattern, targets.map((one) => join(baseUrl, one))] as const,
  );
  return { baseUrl: null, paths: { "*": [join(baseUrl, "*")], ...Object.fromEntries(written) } };
}

/** What was not said meant something else before TypeScript 6: a project that names an older one is taken at its word. */
async function oldDefaults(file: string, said: Json, tree: CompilerTree): Promise<Json> {
  for (let at = dirname(file); ; at = dirname(at)) {
    const major = majorNamed(await tree.read(at === "." ? "package.json" : `${at}/package.json`));
    if (major !== undefined && major >= 6) return {};
    if (major !== undefined) return { strict: said["strict"] ?? false, types: said["types"] ?? ["*"] };
    if (at === "." || at === "/") return {};
  }
}

function majorNamed(text: string | undefined): number | undefined {
  const json = looseJson(text);
  for (const field of ["devDependencies", "dependencies", "peerDependencies"]) {
    const version = (json[field] as Json | undefined)?.["typescript"];
    const major = typeof version === "string" ? /\d+/.exec(version)?.[0] : undefined;
    if (major !== undefined) return Number(major);
  }
  return undefined;
}
