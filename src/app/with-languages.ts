// The languages and their compilers for one command: opened, used and closed.

import type { OpenLanguage } from "../languages/language.ts";
import { compilerHere } from "../languages/typescript/compiler/compiler-check.ts";
import type { TypeScriptCompiler } from "../languages/typescript/compiler/typescript-compiler.ts";
import { languagesHere } from "../sensing/languages-here.ts";

export type Compilers = TypeScriptCompiler;

/** `kept`: compilers that the caller goes on using, and closes. */
export async function withLanguages<Result>(
  kept: Compilers | undefined,
  work: (languages: readonly OpenLanguage[]) => Promise<Result>,
): Promise<Result> {
  const own = kept === undefined ? compilerHere() : undefined;
  try {
    return await work(languagesHere(kept ?? own));
  } finally {
    own?.close();
  }
}
