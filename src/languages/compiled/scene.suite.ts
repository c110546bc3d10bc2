// A scene for the tests and the eval of Go, Java and Rust: three trees as plain maps of files, merged as git would, and the check
// run on them.

import { compiledLanguages } from "../compiled-languages.ts";
import type { SourceLanguage } from "./facts.ts";
import type { SemanticOutcome } from "../../ports/semantic.ts";
import { inputOf, type Scene } from "../python/rules/scenario.suite.ts";
import { checkCompiled } from "./check-compiled.ts";

export function runCompiled(language: SourceLanguage, scene: Scene): Promise<SemanticOutcome> {
  return checkCompiled(language, inputOf(scene), compiledLanguages(() => new Map())[language]);
}

/** What was said, short: `rule symbol use.path`. */
export async function said(language: SourceLanguage, scene: Scene): Promise<string[]> {
  const { conflicts } = await runCompiled(language, scene);
  return conflicts.map(({ rule, symbol, use }) => `${rule} ${symbol} ${use.path}`);
}
