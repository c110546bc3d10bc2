// Source text of a TypeScript, TSX, JavaScript or JSON file in, its summary out. A text that does not parse gives a
// summary that says so; nothing here throws for what is in a file.

import { parseSync, type ParseResult, type Program } from "oxc-parser";
import { readInBudget } from "../../../ports/budget.ts";
import type {
  Declaration,
  Import,
  Member,
  ModuleMention,
  ParseTypeScript,
  SummaryDepth,
  TypeScriptSummary,
} from "../facts.ts";
import { declareBlock } from "./bindings.ts";
import { declarationsIn, defaultName, type Reader } from "./declarations.ts";
import { moduleLinks, type ModuleLinks } from "./module-links.ts";
import { nestsTooDeeply } from "./nesting.ts";
import { Scope } from "./scope.ts";
import { SourceFile } from "./source-file.ts";
import { moduleCallPattern } from "./module-calls.ts";
import { Shapes } from "./value-shapes.ts";
import { Walk } from "./walk.ts";

type Dialect = {
  readonly lang: "ts" | "tsx" | "dts" | "jsx";
  readonly sourceType: "module" | "commonjs" | "unambiguous";
};

export const parseTypeScript: ParseTypeScript = (path, text, depth) => {
  const language = path.endsWith(".json") ? "json" : dialectOf(path).lang === "jsx" ? "javascript" : "typescript";
  return readInBudget(
    { path, text },
    () => (language === "json" ? jsonSummary(text) : read(path, text, depth)),
    (why) => ({ ...empty(language), broken: why }),
  );
};

function read(path: string, text: string, depth: SummaryDepth): TypeScriptSummary {
  const dialect = dialectOf(path);
  const javascript = dialect.lang === "jsx";
  if (nestsTooDeeply(text)) return { ...empty(javascript ? "javascript" : "typescript"), broken: "nested too deeply" };
  const result = parseSync(path, text, { ...dialect, astType: "ts", preserveParens: false });
  const { program } = result;
  const error = firstError(result, text);
  if (error !== undefined) return { ...empty(javascript ? "javascript" : "typescript"), ...error };

  const file = new SourceFile(text, javascript);
  const shapes = new Shapes(file);
  const top = new Scope(undefined, { isFunction: true, self: null });
  declareBlock({ scope: top, file, top: true }, program.body, shapes, true);
  const reader = { file, shapes };
  const links = moduleLinks(program.body, top, reader);
  const declarations = [...declarationsIn(program.body, top, reader), ...links.declarations];
  const found =
    depth === "full" ? walked(program.body, top, reader, links.imports, declarations) : namedModules(result, file);
  const requires = found.some((one) => one.how === "require");
  return {
    depth,
    dialect: javascript ? "javascript" : "typescript",
    module: links.module === "script" && requires ? "commonjs" : links.module,
    imports: links.imports,
    exports: links.exports,
    ...(links.exportsOpen || exportsMore(links, text) ? { exportsOpen: true } : {}),
    mentions: [...links.mentions, ...found],
    declarations,
    uses: file.uses,
    free: [...file.free].map(([name, line]) => ({ name, line })),
    duplicates: file.duplicates,
    ...(links.augments ? { augments: true } : {}),
  };
}

function walked(
  body: Program["body"],
  top: Scope,
  { file, shapes }: Reader,
  imports: readonly Import[],
  declarations: readonly Declaration[],
): ModuleMention[] {
  const imported = new Set(imports.map((one) => one.local));
  const walk = new Walk(file, shapes, imported, opaqueNames(declarations, imports));
  walk.visitAll(body, top);
  return walk.mentions;
}

/** Modules named below the top, without reading what is between: the parser lists `import()`, and `require` is looked for. */
function namedModules(result: ParseResult, file: SourceFile): ModuleMention[] {
  const found: ModuleMention[] = [];
  const dynamic = file.text.includes("import(") ? result.module.dynamicImports : [];
  for (const { moduleRequest } of dynamic) {
    const specifier = /^["'`]([^"'`$]+)["'`]$/.exec(file.text.slice(moduleRequest.start, moduleRequest.end))?.[1];
    if (specifier !== undefined) found.push({ specifier, line: file.lineAt(moduleRequest.start), how: "dynamic" });
  }
  for (const match of file.text.matchAll(/(?<![\w.$])require\(\s*["']([^"'\n]+)["']\s*\)/g)) {
    found.push({ specifier: match[1] ?? "", line: file.lineAt(match.index), how: "require" });
  }
  for (const match of file.text.matchAll(moduleCallPattern))
    found.push({ specifier: match[1] ?? "", line: file.lineAt(match.index), how: "call" });
  return found;
}

/** CommonJS that assigns to `exports` more often than at the top of the file exports more than is listed. */
function exportsMore(links: ModuleLinks, text: string): boolean {
  if (links.module === "esm" || !text.includes("exports")) return false;
  const written = [...text.matchAll(/(?<![\w.$])(?:module\.)?exports(?:\.\w+|\[[^\]]*\])?\s*=(?!=)/g)].length;
  const handed = /\(\s*(?:module\.)?exports\s*[,)]|,\s*exports\s*\)/.test(text);
  return handed || written > links.exports.length;
}

/** Names whose uses cannot be judged here or anywhere: built-in modules, variables of no known shape. */
function opaqueNames(declarations: readonly Declaration[], imports: readonly Import[]): Set<string> {
  const names = new Set(imports.filter((one) => /^(node|bun):/.test(one.specifier)).map((one) => one.local));
  for (const one of declarations) if (one.kind === "variable" && one.shape === undefined) names.add(one.name);
  return names;
}

function dialectOf(path: string): Dialect {
  if (/\.d\.([\w-]+\.)?[cm]?ts$/.test(path)) return { lang: "dts", sourceType: "module" };
  if (path.endsWith(".tsx")) return { lang: "tsx", sourceType: "module" };
  if (/\.[cm]?ts$/.test(path)) return { lang: "ts", sourceType: "module" };
  return {
    lang: "jsx",
    sourceType: path.endsWith(".cjs") ? "commonjs" : path.endsWith(".mjs") ? "module" : "unambiguous",
  };
}

function firstError(
  result: ParseResult,
  text: string,
): Required<Pick<TypeScriptSummary, "broken" | "brokenLine">> | undefined {
  const error = result.errors.find((one) => String(one.severity) === "Error");
  if (error === undefined) return undefined;
  const start = error.labels[0]?.start ?? 0;
  return { broken: error.message, brokenLine: text.slice(0, start).split("\n").length };
}

function empty(dialect: TypeScriptSummary["dialect"]): TypeScriptSummary {
  return {
    depth: "full",
    dialect,
    module: "script",
    imports: [],
    exports: [],
    mentions: [],
    declarations: [],
    uses: [],
    free: [],
    duplicates: [],
  };
}

function jsonSummary(text: string): TypeScriptSummary {
  const found = parsedJson(text);
  if (found === undefined) return { ...empty("json"), broken: "not JSON" };
  const keys = typeof found === "object" && found !== null && !Array.isArray(found) ? Object.keys(found) : undefined;
  const members = keys?.map((name): Member => ({ name, line: 1 }));
  const declaration = {
    name: defaultName,
    kind: "variable" as const,
    line: 1,
    endLine: 1,
    print: "",
    ...(members ? { shape: { k: "object" as const, members } } : {}),
  };
  return {
    ...empty("json"),
    module: "esm",
    declarations: [declaration],
    exports: [
      { name: "default", local: defaultName, line: 1 },
      { name: "export=", local: defaultName, line: 1 },
    ],
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
