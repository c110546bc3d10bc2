// Holds what the compiled languages have in common as languages: one reader, one set of rules, and the owner's toolchain as second opinion.
// Go, Java and Rust each consist of this, their own rules and what their compiler is told.

import type { Exported, SemanticInput, SemanticOutcome } from "../../ports/semantic.ts";
import type { Language, LanguageMemory, OpenLanguage } from "../language.ts";
import { drive } from "../check/driver.ts";
import { compiledPair } from "./check-compiled.ts";
import type { ParseSource, SourceSummary } from "./facts.ts";
import { compiledImportGraph } from "./import-graph.ts";
import type { CompiledRules } from "./rules.ts";
import { SourceTree } from "./source-tree.ts";
import { toolchainCompiler } from "../toolchain/toolchain-compiler.ts";
import type { Diagnosis, Toolchain } from "../toolchain/toolchain.ts";

export function openCompiled(
  language: Language,
  rules: CompiledRules,
  parse: ParseSource,
  toolchain: Toolchain,
  memory: LanguageMemory,
): OpenLanguage {
  const check = (input: SemanticInput): Promise<SemanticOutcome> => drive(driven, input);
  const ports = { parse, cache: memory.facts.of<SourceSummary>(language.name) };
  const driven = compiledPair(rules, ports);
  return {
    language,
    check,
    compiler: toolchainCompiler(toolchain, check, memory.facts.of<Diagnosis>(`${language.name} compiler`)),
    exports: async (_path, text) => offered(rules, await parse(text)),
    unreadable: async (path, blob, read) => {
      const view = { id: blob, blobs: new Map([[path, blob]]) };
      const summary = await new SourceTree(view, language.sources, ports, read, new Set()).summary(path);
      if (summary === undefined)
        return { why: "not readable as text, larger than 1 MB, or missing from a partial clone" };
      return summary.skipped === undefined ? undefined : { why: summary.skipped, line: summary.skippedLine };
    },
    imports: (tree, read, signal) => compiledImportGraph(rules, tree, read, ports, signal),
  };
}

function offered(rules: CompiledRules, summary: SourceSummary): readonly Exported[] {
  const { declarations } = summary;
  return declarations.flatMap((declaration): Exported[] => {
    const { kind, name, line, takes, of, module, words } = declaration;
    if (of !== "" || module !== "" || words.includes("conditional") || !rules.isOffered(declaration, summary))
      return [];
    if (kind === "function")
      return customary.test(name) ? [] : [{ name, kind: `function of ${takes?.join(" to ")}`, line }];
    if (kind !== "type") return [];
    const members = declarations.filter((one) => one.of === name).map((one) => one.name);
    return [{ name, kind, line, members: [...new Set(members)] }];
  });
}

/** The names that packages of these languages give their functions whatever they do: every package has a `NewClient` of its own. */
const customary =
  /^(New|With|Default|Must|Is|Has|Get|Set|To|From|As|Into|Register|Init|Run|Handle|Parse|Load|Open|Read|Write|Make|Test|Benchmark|Example|Fuzz)(?![a-z])|^(new|with|default|is|has|get|set|to|from|as|into|try|init|run|handle|parse|load|open|read|write|make|test)_/;
