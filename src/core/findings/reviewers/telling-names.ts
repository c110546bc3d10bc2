// Names that two sides both write: when they are the same thing, and when they are too common to mean anything.

import type { Exported } from "../../../ports/semantic.ts";

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
