// The names a file offers to others, where a parser can tell, and which of them are too common to mean anything.

import { isPython } from "../python/project-tree.ts";
import type { LanguagePorts } from "./semantic.ts";

export interface Exported {
  readonly name: string;
  readonly kind: string;
  readonly line: number;
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
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  const summary = ports.typescript.parse(path, text, "outline");
  return summary.exports.flatMap((one) => {
    const declared = summary.declarations.find(({ name }) => name === (one.local ?? one.name));
    // What is only passed on was not written here.
    return declared === undefined ? [] : [{ name: one.name, kind: declared.kind, line: declared.line }];
  });
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
  return new RegExp(`(^|\\n)(export\\b[^\\n]*\\b${escaped}\\b|(async )?(def|class) ${escaped}\\b)`).test(text);
}
