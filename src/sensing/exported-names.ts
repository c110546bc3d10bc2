// The names a file offers to others, where a parser can tell, and which of them are too common to mean anything.

import type { SourceDeclaration, SourceLanguage } from "../languages/compiled/facts.ts";
import { isPython } from "../languages/python/rules/project-tree.ts";
import type { LanguagePorts } from "./semantic.ts";

export interface Exported {
  readonly name: string;
  readonly kind: string;
  readonly line: number;
  /** What a type of a compiled language holds: two of one name are the same thing only when they hold much the same. */
  readonly members?: readonly string[];
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

/** One name on both sides says the same; of types, when at least two members and half of all are the same. */
export function saysTheSame(one: Exported, other: Exported): boolean {
  if (one.name !== other.name || one.kind !== other.kind) return false;
  if (one.members === undefined || other.members === undefined) return true;
  const shared = one.members.filter((name) => other.members?.includes(name) === true).length;
  return shared >= 2 && shared * 2 >= Math.max(one.members.length, other.members.length);
}

/** One word, or a name that a framework asks for: many files have it and mean nothing by it. */
export function isCommonName(name: string): boolean {
  const isOneWord = !/[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z]|[A-Z]{2,}[a-z]/.test(name);
  return name.length < 6 || isOneWord || frameworkNames.has(name);
}

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
  "set_up",
  "tear_down",
  "setUp",
  "tearDown",
  "setup_module",
  "teardown_module",
  "get_queryset",
  "create_app",
  "createApp",
  "defaultProps",
  "defaultOptions",
  "defaultConfig",
  "propTypes",
  "mapStateToProps",
  "mapDispatchToProps",
]);

/** Whether a text seems to export or define the name at its top level; cheap, and on the generous side. */
export function mentionsExport(text: string, name: string): boolean {
  const escaped = name.replaceAll(/[$]/g, "\\$&");
  const script = `export\\b[^\\n]*\\b${escaped}\\b|(async )?(def|class) ${escaped}\\b`;
  const compiled = `(func|type|pub\\b[^\\n]*\\b(fn|struct|enum|trait|type)|public\\b[^\\n]*\\b(class|interface|enum|record)) ${escaped}\\b`;
  return new RegExp(`(^|\\n)(${script}|${compiled})`).test(text);
}
