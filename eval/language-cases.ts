// Finds what a language is measured on: `cases/cases.ts` in its folder. languages/all.ts alone says which languages there are, so a new one
// brings its cases along.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { languages } from "../src/languages/all.ts";
import type { CompiledCases } from "../src/languages/compiled/cases/judge-trees.ts";
import type { Mistake, Tally } from "./judge-scenarios.ts";
import type { Template } from "./scenarios/scenario.ts";

export interface LanguageCases {
  /** Pairs that are judged end to end, through git and every reviewer. */
  readonly templates: readonly Template[];
  /** Rows of the table, each with a judge that shares no code with the checker. */
  readonly measures: readonly Measure[];
  /** For what the compiled languages are measured on together (semantic-compiled.ts). */
  readonly compiled?: CompiledCases;
}

export interface Measure {
  /** The end of the row's name: `judged by its compiler`. */
  readonly what: string;
  /** True if a single mistake is too many; else the usual bars count. */
  readonly isExact: boolean;
  /** The program that must be there. */
  readonly judge: string;
  /** undefined without the judge. */
  run(quick: boolean): Promise<{ readonly tally: Tally; readonly mistakes?: readonly Mistake[] } | undefined>;
}

/** By the language's name, in the order of the list; a language without cases is left out. */
export async function languageCases(): Promise<ReadonlyMap<string, LanguageCases & { readonly title: string }>> {
  const found = new Map<string, LanguageCases & { readonly title: string }>();
  for (const { name, title } of languages) {
    const path = join(import.meta.dir, "../src/languages", name, "cases/cases.ts");
    if (!existsSync(path)) continue;
    const { cases } = (await import(path)) as { cases: LanguageCases };
    found.set(name, { ...cases, title });
  }
  return found;
}
