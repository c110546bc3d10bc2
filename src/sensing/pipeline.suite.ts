// The pipeline as tests of other parts want it: everything asked at once, by the syntax alone unless they say otherwise.

import type { OpenLanguage } from "../languages/language.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import { languagesHere } from "./languages-here.ts";
import { PairPipeline, type PipelineParts } from "./pipeline.ts";
import { openMemory } from "./repository-memory.ts";

/** No compiler, and none that would be missed. */
export function syntaxOnly(languages: readonly OpenLanguage[] = languagesHere()): OpenLanguage[] {
  return languages.map((one) => {
    const { compiler: _compiler, ...open } = one;
    const { compilerOf: _compilerOf, ...language } = one.language;
    return { ...open, language };
  });
}

export function pipelineOver(observer: RepositoryObserver, more: Partial<PipelineParts> = {}): PairPipeline {
  return new PairPipeline({
    observer,
    memory: openMemory(syntaxOnly()),
    compilers: { asked: { when: "now" }, deadlineMs: 60_000 },
    deadlineMs: 60_000,
    log: (line) => {
      throw new Error(line);
    },
    ...more,
  });
}
