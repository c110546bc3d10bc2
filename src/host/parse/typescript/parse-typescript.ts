// Source text of a TypeScript, TSX, JavaScript or JSON file in, its summary out. A text that does not parse gives a
// summary that says so; nothing here throws for what is in a file.

import { parseSync, type ParseResult } from "oxc-parser";
import type { Member, ParseTypeScript, TypeScriptSummary } from "../../../protocol/typescript-summary.ts";
import { declareBlock } from "./bindings.ts";
import { declarationsIn, defaultName } from "./declarations.ts";
import { moduleLinks } from "./module-links.ts";
import { Scope } from "./scope.ts";
import { SourceFile } from "./source-file.ts";
import { Shapes } from "./value-shapes.ts";
import { Walk } from "./walk.ts";

type Dialect = {
  readonly lang: "ts" | "tsx" | "dts" | "jsx";
  readonly sourceType: "module" | "commonjs" | "unambiguous";
};

export const parseTypeScript: ParseTypeScript = (path, text) => {
  if (path.endsWith(".json")) return jsonSummary(text);
  const dialect = dialectOf(path);
  const javascript = dialect.lang === "jsx";
  const result = parseSync(path, text, { ...dialect, astType: "ts", preserveParens: false });
  const { program } = result;
  const error = firstError(result);
  if (error !== undefined) return { ...empty(javascript ? "javascript" : "typescript"), broken: error };

  const file = new SourceFile(text, javascript);
  const shapes = new Shapes(file);
  const top = new Scope(undefined, { isFunction: true, self: null });
  declareBlock({ scope: top, file, top: true }, program.body, shapes, true);
  const reader = { file, shapes };
  const links = moduleLinks(program.body, top, reader);
  const declarations = [...declarationsIn(program.body, top, reader), ...links.declarations];
  const walk = new Walk(file, shapes, new Set(links.imports.map((one) => one.local)));
  walk.visitAll(program.body, top);
  const requires = walk.mentions.some((one) => one.how === "require");
  const known = links.exports.length > 0 && links.module === "commonjs";
  const open = links.exportsOpen || (walk.exportsBelow > 0 && !known) || walk.exportsBelow > links.exports.length;
  return {
    dialect: javascript ? "javascript" : "typescript",
    module: links.module === "script" && requires ? "commonjs" : links.module,
    imports: links.imports,
    exports: links.exports,
    ...(open && links.module !== "esm" ? { exportsOpen: true } : {}),
    mentions: [...links.mentions, ...walk.mentions],
    declarations,
    uses: file.uses,
    free: [...file.free].map(([name, line]) => ({ name, line })),
    duplicates: file.duplicates,
    ...(links.augments ? { augments: true } : {}),
  };
};

/** True for the files this checker reads. */
export function isScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
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

function firstError(result: ParseResult): string | undefined {
  const error = result.errors.find((one) => String(one.severity) === "Error");
  return error?.message;
}

function empty(dialect: TypeScriptSummary["dialect"]): TypeScriptSummary {
  return {
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
