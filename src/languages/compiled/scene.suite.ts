// A scene for the tests and the eval of the compiled languages: three trees as plain maps of files, merged as git would, and the
// check run on them.

import type { SemanticOutcome } from "../../ports/semantic.ts";
import { openLanguages } from "../open-languages.ts";
import { inputOf, type Scene } from "../python/rules/scenario.suite.ts";

export function runCompiled(language: string, scene: Scene): Promise<SemanticOutcome> {
  const open = openLanguages().named(language);
  if (open === undefined) throw new Error(`there is no language ${language}`);
  return open.check(inputOf(scene));
}

/** Returns what was said, short: `rule symbol use.path`. */
export async function said(language: string, scene: Scene): Promise<string[]> {
  const { conflicts } = await runCompiled(language, scene);
  return conflicts.map(({ rule, symbol, use }) => `${rule} ${symbol} ${use.path}`);
}
