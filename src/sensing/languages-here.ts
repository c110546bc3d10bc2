// TEMPORARY: the languages behind the interface, until they are.

import { compiledLanguages } from "../languages/compiled-languages.ts";
import { checkCompiled } from "../languages/compiled/check-compiled.ts";
import type { Language, OpenLanguage } from "../languages/language.ts";
import { compiledImportGraph } from "../languages/compiled/import-graph.ts";
import { pythonImportGraph } from "../languages/python/rules/import-graph.ts";
import { typescriptImportGraph } from "../languages/typescript/rules/import-graph.ts";
import { parsePython } from "../languages/python/reader/summarise.ts";
import { checkPython } from "../languages/python/rules/check-python.ts";
import type { TypeScriptCompiler } from "../languages/typescript/compiler/typescript-compiler.ts";
import { parseTypeScript } from "../languages/typescript/reader/parse-typescript.ts";
import { surfaceOf } from "../languages/typescript/reader/surface.ts";
import { checkTypeScript } from "../languages/typescript/rules/check-typescript.ts";
import { exportedNames, type LanguagePorts } from "./exported-names.ts";

export function languagesHere(compiler?: TypeScriptCompiler): OpenLanguage[] {
  const python = new Map();
  const ports: LanguagePorts = {
    typescript: { parse: parseTypeScript, cache: new Map() },
    python: { parse: parsePython, cache: { get: (b) => python.get(b), set: (b, s) => void python.set(b, s) } },
    compiled: compiledLanguages(() => new Map()),
  };
  const settings =
    /(^|\/)(package\.json|[jt]sconfig[\w.-]*\.json|pyproject\.toml|setup\.(cfg|py)|pnpm-workspace\.yaml|go\.mod|Cargo\.toml)$/;
  const make = (
    name: string,
    title: string,
    files: RegExp,
    check: OpenLanguage["check"],
    more: object = {},
    lang: object = {},
  ): OpenLanguage => {
    const language: Language = { name, title, files, settingsFiles: settings, open: () => one, ...lang };
    const one: OpenLanguage = {
      language,
      check,
      exports: (path, text) => exportedNames(path, text, ports),
      imports: async (tree, read, signal) => {
        if (name === "typescript")
          return { imports: await typescriptImportGraph(tree, read, ports.typescript, signal), tests: new Set() };
        if (name === "python")
          return { imports: await pythonImportGraph(tree, read, ports.python, signal), tests: new Set() };
        const found = await compiledImportGraph(name as "go", tree, read, ports.compiled[name as "go"], signal);
        return { imports: found.graph, tests: found.tests };
      },
      ...more,
    };
    return one;
  };
  const ts = { ...ports.typescript, surfaceOf };
  return [
    make(
      "typescript",
      "TypeScript",
      /\.([cm]?[jt]sx?|json)$/,
      (input) => checkTypeScript(input, ports.typescript),
      compiler === undefined
        ? {}
        : {
            compiler: {
              name: "TypeScript",
              isVisible: (path: string, was: string, is: string) => surfaceOf(path, was) !== surfaceOf(path, is),
              check: (
                input: Parameters<OpenLanguage["check"]>[0],
                { packagesFrom, deadlineMs }: { packagesFrom?: string; deadlineMs: number },
              ) =>
                checkTypeScript(input, {
                  ...ts,
                  compiler,
                  compilerDeadlineMs: deadlineMs,
                  ...(packagesFrom === undefined ? {} : { packagesFrom }),
                }),
              close: () => undefined,
            },
          },
      { compilerOf: "TypeScript" },
    ),
    make("python", "Python", /\.pyi?$/, (input) => checkPython(input, ports.python)),
    make("go", "Go", /\.go$/, (input) => checkCompiled("go", input, ports.compiled.go)),
    make("java", "Java", /\.java$/, (input) => checkCompiled("java", input, ports.compiled.java)),
    make("rust", "Rust", /\.rs$/, (input) => checkCompiled("rust", input, ports.compiled.rust)),
  ];
}
