// How a tree says it is to be compiled: the settings file nearest to a source file, read from the tree alone.

import { dirname, join } from "node:path";
import ts from "typescript6";

/** Texts of one tree by path, and which paths it has. */
export interface SettingsSource {
  readonly text: (path: string) => string | undefined;
  readonly has: (path: string) => boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** Said whatever the settings say: nothing is written, and what is not the tree's own is not judged. */
const always: ts.CompilerOptions = {
  noEmit: true,
  skipLibCheck: true,
  composite: false,
  incremental: false,
  declaration: false,
  declarationMap: false,
  isolatedDeclarations: false,
  noUnusedLocals: false,
  noUnusedParameters: false,
};

/** For a tree that says nothing: everything that can be a module is one, and is looked at as strictly as TypeScript does. */
const unsaid: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
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
const scripts: ts.CompilerOptions = { allowJs: true, checkJs: true, maxNodeModuleJsDepth: 0 };

/** The settings file that a source file falls under; undefined when there is none above it. */
export function settingsFor(path: string, { has }: SettingsSource): string | undefined {
  for (let at = dirname(path); ; at = dirname(at)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const file = at === "." ? name : `${at}/${name}`;
      if (has(file)) return file;
    }
    if (at === "." || at === "/") return undefined;
  }
}

export function optionsUnder(
  file: string | undefined,
  source: SettingsSource,
  { top, packages }: { readonly top: string; readonly packages: boolean },
): ts.CompilerOptions {
  const said = file === undefined ? unsaid : { ...oldDefaults(file, source), ...parsed(file, source, top) };
  const types = packages ? {} : { types: [] };
  return { ...said, ...always, ...types, ...scripts };
}

function parsed(file: string, source: SettingsSource, top: string): ts.CompilerOptions {
  const read = (name: string): string | undefined =>
    name.startsWith(top) ? source.text(name.slice(top.length)) : undefined;
  const host: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: true,
    readDirectory: () => [],
    fileExists: (name) => name.startsWith(top) && source.has(name.slice(top.length)),
    readFile: read,
  };
  const parse = (json: unknown, name: string): ts.CompilerOptions =>
    ts.parseJsonConfigFileContent(json, host, dirname(top + name), undefined, top + name).options;
  const { config } = ts.readConfigFile(top + file, read) as {
    config: { references?: { path?: string }[]; files?: unknown[] } | undefined;
  };
  const own = parse(config ?? {}, file);
  // A solution file only points at the real settings.
  const beside = config?.references?.map((one) => one.path ?? "").find((one) => one.endsWith(".json"));
  if (beside === undefined || (config?.files?.length ?? 1) > 0) return own;
  const name = join(dirname(file), beside);
  return source.text(name) === undefined ? own : parse(ts.readConfigFile(top + name, read).config, name);
}

/** What was not said meant something else before TypeScript 6: a project that names an older one is taken at its word. */
function oldDefaults(file: string, source: SettingsSource): ts.CompilerOptions {
  for (let at = dirname(file); ; at = dirname(at)) {
    const major = majorNamed(source.text(at === "." ? "package.json" : `${at}/package.json`));
    if (major !== undefined) return major < 6 ? { strict: false, types: ["*"] } : {};
    if (at === "." || at === "/") return {};
  }
}

function majorNamed(text: string | undefined): number | undefined {
  let json: Json;
  try {
    json = JSON.parse(text ?? "{}") as Json;
  } catch {
    return undefined;
  }
  for (const field of ["devDependencies", "dependencies", "peerDependencies"]) {
    const version = (json[field] as Json | undefined)?.["typescript"];
    const major = typeof version === "string" ? /\d+/.exec(version)?.[0] : undefined;
    if (major !== undefined) return Number(major);
  }
  return undefined;
}
