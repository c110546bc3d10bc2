// TypeScript and JavaScript as constel knows them. The syntax is read here and at once; the compiler, where this program
// carries it, is asked for what only types tell.

import { readTypeScriptInterfaces } from "./interfaces/read-interfaces.ts";
import type { Exported } from "../../ports/semantic.ts";
import type { Language, LanguageMemory, OpenLanguage } from "../language.ts";
import { openCompiler } from "./compiler/open-compiler.ts";
import type { CompilerAnswer } from "./compiler/typescript-compiler.ts";
import type { TypeScriptSummary } from "./facts.ts";
import { isScript, scripts } from "./files.ts";
import { parseTypeScript } from "./reader/parse-typescript.ts";
import { apartTypeScript } from "./rules/apart.ts";
import { checkTypeScript } from "./rules/check-typescript.ts";
import { typescriptImportGraph } from "./rules/import-graph.ts";
import { Summaries } from "./rules/summaries.ts";

export const typescript: Language = {
  name: "typescript",
  title: "TypeScript",
  wantsCompiler: true,
  sources: scripts,
  interfaces: async (path, text) => readTypeScriptInterfaces(path, text),
  data: /\.json$/,
  settingsFiles: /(^|\/)(package\.json|[jt]sconfig[\w.-]*\.json|pnpm-workspace\.yaml)$/,
  manifests: ["package.json"],
  definedTwice: "one silently replaces the other",
  importsAnyFile: true,
  definition: (name) => `export\\b[^\\n]*\\b${name}\\b|(class|type) ${name}\\b`,
  open,
};

function open(memory: LanguageMemory): OpenLanguage {
  const ports = { parse: parseTypeScript, cache: memory.facts.of<TypeScriptSummary>("typescript") };
  const compiler = openCompiler(ports, memory.compiler, memory.facts.of<CompilerAnswer>("typescript-compiler"));
  return {
    language: typescript,
    check: (input) => checkTypeScript(input, ports),
    apart: (input) => apartTypeScript(input, ports),
    exports: async (path, text) => (isScript(path) ? offered(parseTypeScript(path, text, "outline")) : []),
    unreadable: async (path, blob, read) => {
      const view = { id: blob, blobs: new Map([[path, blob]]) };
      const summary = await new Summaries(parseTypeScript, ports.cache, read).load(view, path);
      if (summary === null) return { why: "not readable as text, larger than 1 MB, or missing from a partial clone" };
      if (summary.broken === undefined || summary.dialect === "json") return undefined;
      const { broken, brokenLine: line } = summary;
      return { why: line === undefined ? broken : "syntax error", line };
    },
    imports: (tree, read, signal) => typescriptImportGraph(tree, read, ports, signal),
    ...(compiler === undefined ? {} : { compiler }),
  };
}

function offered({ exports, declarations }: TypeScriptSummary): readonly Exported[] {
  return exports.flatMap((one) => {
    const declared = declarations.find(({ name }) => name === (one.local ?? one.name));
    // What is only passed on was not written here.
    if (declared === undefined || frameworkNames.has(one.name)) return [];
    return [{ name: one.name, kind: declared.kind, line: declared.line }];
  });
}

/** Names that a framework asks for: many files have them and mean nothing by it. */
const frameworkNames = new Set([
  "getServerSideProps",
  "getStaticProps",
  "getStaticPaths",
  "getInitialProps",
  "generateMetadata",
  "generateStaticParams",
  "getLayout",
  "errorElement",
  "ErrorBoundary",
  "HydrateFallback",
  "shouldRevalidate",
  "clientLoader",
  "clientAction",
  "createApp",
  "defaultProps",
  "defaultOptions",
  "defaultConfig",
  "propTypes",
  "mapStateToProps",
  "mapDispatchToProps",
]);
