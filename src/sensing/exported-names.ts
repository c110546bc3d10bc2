// The names a file offers to others, where a parser can tell.

import type { Exported } from "../ports/semantic.ts";
import type { SourceDeclaration, SourceLanguage } from "../languages/compiled/facts.ts";
import { isPython } from "../languages/python/rules/project-tree.ts";
import type { SourcePorts } from "../languages/compiled/source-tree.ts";
import type { PythonPorts } from "../languages/python/rules/summaries.ts";
import type { TypeScriptPorts } from "../languages/typescript/rules/check-typescript.ts";

export interface LanguagePorts {
  readonly typescript: TypeScriptPorts;
  readonly python: PythonPorts;
  readonly compiled: Readonly<Record<SourceLanguage, SourcePorts>>;
}

export async function exportedNames(path: string, text: string, ports: LanguagePorts): Promise<readonly Exported[]> {
  if (isPython(path)) {
    const summary = await ports.python.parse(text);
    return Object.entries(summary.names).flatMap(([name, bindings]) => {
      const [first] = bindings;
      const isOffered = first !== undefined && (first.k === "d" || first.k === "c") && !name.startsWith("_");
      return isOffered ? [{ name, kind: first.k, line: first.l }] : [];
    });
  }
  const compiled = /\.(go|java|rs)$/.exec(path)?.[1];
  if (compiled !== undefined)
    return await compiledNames(compiled === "rs" ? "rust" : (compiled as "go" | "java"), text, ports);
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  const summary = ports.typescript.parse(path, text, "outline");
  return summary.exports.flatMap((one) => {
    const declared = summary.declarations.find(({ name }) => name === (one.local ?? one.name));
    // What is only passed on was not written here.
    return declared === undefined ? [] : [{ name: one.name, kind: declared.kind, line: declared.line }];
  });
}

async function compiledNames(
  language: SourceLanguage,
  text: string,
  ports: LanguagePorts,
): Promise<readonly Exported[]> {
  const summary = await ports.compiled[language].parse(text);
  // Nobody can import a program.
  if (summary.skipped !== undefined || (language === "go" && summary.package === "main")) return [];
  const isOffered = ({ name, of, module, access, words }: SourceDeclaration): boolean =>
    of === "" &&
    module === "" &&
    !words.includes("conditional") &&
    (language === "go" ? /^\p{Lu}/u.test(name) : access === "public");
  return summary.declarations.filter(isOffered).flatMap(({ kind, name, line, takes }) => {
    if (kind === "function")
      return customary.test(name) ? [] : [{ name, kind: `function of ${takes?.join(" to ")}`, line }];
    if (kind !== "type") return [];
    const members = summary.declarations.filter(({ of }) => of === name).map((one) => one.name);
    return [{ name, kind, line, members: [...new Set(members)] }];
  });
}

/** What packages of these languages call their functions whatever they do: every package has a `NewClient` of its own. */
const customary =
  /^(New|With|Default|Must|Is|Has|Get|Set|To|From|As|Into|Register|Init|Run|Handle|Parse|Load|Open|Read|Write|Make|Test|Benchmark|Example|Fuzz)(?![a-z])|^(new|with|default|is|has|get|set|to|from|as|into|try|init|run|handle|parse|load|open|read|write|make|test)_/;
