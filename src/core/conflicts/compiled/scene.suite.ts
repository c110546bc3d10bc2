// A scene for the tests and the eval of Go, Java and Rust: three trees as plain maps of files, merged as git would, and the check
// run on them.

import { compiledLanguages } from "../../../host/parse/compiled-languages.ts";
import type { SourceLanguage } from "../../../protocol/source-summary.ts";
import type { SemanticOutcome } from "../../../protocol/semantic.ts";
import { inputOf, type Scene } from "../python/scenario.suite.ts";
import { checkCompiled } from "./check-compiled.ts";

export function runCompiled(language: SourceLanguage, scene: Scene): Promise<SemanticOutcome> {
  return checkCompiled(language, inputOf(scene), compiledLanguages(() => new Map())[language]);
}

/** What was said, short: `rule symbol use.path`. */
export async function said(language: SourceLanguage, scene: Scene): Promise<string[]> {
  const { conflicts } = await runCompiled(language, scene);
  return conflicts.map(({ rule, symbol, use }) => `${rule} ${symbol} ${use.path}`);
}
