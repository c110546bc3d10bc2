// What the TypeScript compiler says of a whole tree held in memory. It shares nothing with the checker it judges.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript6";

export interface Diagnosis {
  readonly path: string;
  readonly line: number;
  readonly code: number;
  readonly message: string;
  readonly text: string;
}

const root = "/tree/";
const libraries = dirname(createRequire(import.meta.url).resolve("typescript6"));
const parsed = new Map<string, ts.SourceFile>();

const fallback: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2022.d.ts"],
  jsx: ts.JsxEmit.Preserve,
  allowJs: true,
  checkJs: true,
  noImplicitAny: false,
  esModuleInterop: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: [],
};

/** Every error in the scripts of a tree. */
export function diagnose(tree: ReadonlyMap<string, string>): Diagnosis[] {
  // The scenarios print; without this every such line would count as broken from the start.
  const files = new Map([...tree, ["console.d.ts", "declare const console: { log(...all: unknown[]): void };\n"]]);
  const host = hostOf(files);
  const roots = [...files.keys()].filter((path) => /\.[cm]?[jt]sx?$/.test(path)).map((path) => root + path);
  const program = ts.createProgram({ rootNames: roots, options: optionsOf(files), host });
  const found: Diagnosis[] = [];
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.startsWith(root)) continue;
    for (const one of [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]) {
      if (one.category !== ts.DiagnosticCategory.Error) continue;
      const { line } = file.getLineAndCharacterOfPosition(one.start ?? 0);
      found.push({
        path: file.fileName.slice(root.length),
        line: line + 1,
        code: one.code,
        message: ts.flattenDiagnosticMessageText(one.messageText, "\n"),
        text: (file.text.split("\n")[line] ?? "").trim(),
      });
    }
  }
  return found;
}

/** Errors of the merged tree on lines that are in order on both sides; a line already broken is its own side's matter. */
export function mergedOnly(
  files: Readonly<Record<"ours" | "theirs" | "merged", ReadonlyMap<string, string>>>,
): Diagnosis[] {
  const merged = diagnose(files.merged);
  if (merged.length === 0) return [];
  // A line that had an error may get another one that matters: which it is counts too.
  const keyOf = (one: Diagnosis): string => [one.path, one.text, one.code].join("\n");
  const before = new Set([...diagnose(files.ours), ...diagnose(files.theirs)].map(keyOf));
  return merged.filter((one) => !before.has(keyOf(one)));
}

function optionsOf(files: ReadonlyMap<string, string>): ts.CompilerOptions {
  if (!files.has("tsconfig.json")) return fallback;
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => files.get(path.slice(root.length)));
  const host: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: true,
    readDirectory: () => [],
    fileExists: (path) => files.has(path.slice(root.length)),
    readFile: (path) => files.get(path.slice(root.length)),
  };
  const { options } = ts.parseJsonConfigFileContent(config, host, root.slice(0, -1));
  return { ...fallback, ...options };
}

function hostOf(files: ReadonlyMap<string, string>): ts.CompilerHost {
  const directories = new Set<string>();
  for (const path of files.keys()) {
    for (let at = dirname(root + path); at.length > 1; at = dirname(at)) directories.add(at);
  }
  const links = linksOf(files);
  const follow = (path: string): string => {
    const link = links.find(([from]) => path === from || path.startsWith(`${from}/`));
    return link === undefined ? path : link[1] + path.slice(link[0].length);
  };
  for (const [from, to] of links) {
    if (directories.has(to)) for (let at = dirname(from); at.length > 1; at = dirname(at)) directories.add(at);
  }
  const read = (path: string): string | undefined =>
    path.startsWith(root)
      ? files.get(follow(path).slice(root.length))
      : path.startsWith(libraries)
        ? ts.sys.readFile(path)
        : undefined;
  return {
    fileExists: (path) =>
      path.startsWith(root)
        ? files.has(follow(path).slice(root.length))
        : path.startsWith(libraries) && ts.sys.fileExists(path),
    readFile: read,
    directoryExists: (path) => directories.has(follow(path.replace(/\/$/, ""))),
    realpath: follow,
    getDirectories: () => [],
    getSourceFile(path, options) {
      const text = read(path);
      if (text === undefined) return undefined;
      const key = `${path}\n${text}`;
      const known = path.startsWith(libraries) ? parsed.get(path) : parsed.get(key);
      if (known !== undefined) return known;
      const file = ts.createSourceFile(path, text, options, true);
      parsed.set(path.startsWith(libraries) ? path : key, file);
      return file;
    },
    getDefaultLibFileName: (options) => join(libraries, ts.getDefaultLibFileName(options)),
    getDefaultLibLocation: () => libraries,
    getCurrentDirectory: () => root.slice(0, -1),
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => undefined,
  };
}

/** What installing would link: each package of the tree under its name. */
function linksOf(files: ReadonlyMap<string, string>): readonly (readonly [from: string, to: string])[] {
  return [...files]
    .filter(([path]) => path.endsWith("/package.json"))
    .map(([path, text]) => [
      `${root}node_modules/${String((JSON.parse(text) as { name?: string }).name)}`,
      dirname(root + path),
    ]);
}
