// Python as constel knows it.

import { readPythonInterfaces } from "./interfaces/read-interfaces.ts";
import type { Exported, SemanticInput, SemanticOutcome } from "../../ports/semantic.ts";
import type { Language } from "../language.ts";
import { toolchainCompiler } from "../toolchain/toolchain-compiler.ts";
import type { PythonSummary } from "./facts.ts";
import { pythonToolchain } from "./python-toolchain.ts";
import { parsePython } from "./reader/summarise.ts";
import { apartPython, checkPython } from "./rules/check-python.ts";
import { pythonImportGraph } from "./rules/import-graph.ts";
import { Summaries } from "./rules/summaries.ts";

export const python: Language = {
  name: "python",
  title: "Python",
  sources: /\.pyi?$/,
  interfaces: (_, text) => readPythonInterfaces(text),
  settingsFiles: /(^|\/)(pyproject\.toml|setup\.(cfg|py))$/,
  manifests: ["pyproject.toml", "setup.py"],
  customaryFiles: /(^|\/)(conftest|__init__|__main__)\.pyi?$/,
  definedTwice: "one silently replaces the other",
  definition: (name) => `(async )?(def|class) ${name}\\b`,
  open(memory) {
    const ports = { parse: parsePython, cache: memory.facts.of<PythonSummary>("python") };
    const check = (input: SemanticInput): Promise<SemanticOutcome> => checkPython(input, ports);
    return {
      language: python,
      check,
      apart: apartPython,
      compiler: toolchainCompiler(pythonToolchain, check),
      exports: async (_path, text) => offered(await parsePython(text)),
      unreadable: async (path, blob, read) => {
        const view = { id: blob, blobs: new Map([[path, blob]]) };
        const summary = await new Summaries(ports, read).of(view, path);
        if (summary === undefined)
          return { why: "not readable as text, larger than 1 MB, or missing from a partial clone" };
        return summary.skipped === undefined ? undefined : { why: summary.skipped, line: summary.skippedLine };
      },
      imports: (tree, read, signal) => pythonImportGraph(tree, read, ports, signal),
    };
  },
};

function offered({ names }: PythonSummary): readonly Exported[] {
  return Object.entries(names).flatMap(([name, [first]]) => {
    const isOffered =
      first !== undefined && (first.kind === "function" || first.kind === "class") && !name.startsWith("_");
    return isOffered && !frameworkNames.has(name) ? [{ name, kind: first.kind, line: first.line }] : [];
  });
}

/** Names that a framework asks for: many files have them and mean nothing by it. */
const frameworkNames = new Set([
  "set_up",
  "tear_down",
  "setUp",
  "tearDown",
  "setup_module",
  "teardown_module",
  "get_queryset",
  "create_app",
]);
