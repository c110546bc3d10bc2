// The pipeline as tests of other parts want it: everything asked at once, by the syntax alone unless they say otherwise.

import { type OpenLanguages, openLanguages } from "../languages/open-languages.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import { PairPipeline, type PipelineParts } from "./pipeline.ts";
import { openMemory } from "./repository-memory.ts";

/** No compiler, and none that would be missed. */
export function syntaxOnly(): OpenLanguages {
  const languages = openLanguages();
  const all = languages.all.map((one) => {
    const { compiler: _compiler, ...open } = one;
    const { wantsCompiler: _wantsCompiler, ...language } = one.language;
    return { ...open, language };
  });
  return { ...languages, all };
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
