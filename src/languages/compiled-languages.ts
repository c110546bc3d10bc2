// The readers of the compiled languages, by name; each loads its grammar when it reads its first file. A cache for each, because the
// same text may stand under two endings.

import type { ParseSource, SourceLanguage, SourceSummaryCache } from "./compiled/facts.ts";
import { parseGo } from "./go/parse-go.ts";
import { parseJava } from "./java/parse-java.ts";
import { parseRust } from "./rust/parse-rust.ts";

interface CompiledLanguage {
  readonly parse: ParseSource;
  readonly cache: SourceSummaryCache;
}

export function compiledLanguages(cache: () => SourceSummaryCache): Readonly<Record<SourceLanguage, CompiledLanguage>> {
  return {
    go: { parse: parseGo, cache: cache() },
    java: { parse: parseJava, cache: cache() },
    rust: { parse: parseRust, cache: cache() },
  };
}
