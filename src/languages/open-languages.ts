// The languages ready to answer: opened together, because they share one memory, and closed together.

import { languages } from "./all.ts";
import { FactsMemory, factsBytes } from "./facts-memory.ts";
import type { FactsShelf } from "../ports/facts-shelf.ts";
import type { CompilerCare, OpenLanguage } from "./language.ts";

export interface OpenLanguages {
  readonly all: readonly OpenLanguage[];
  /** The language whose source the file is. */
  of(path: string): OpenLanguage | undefined;
  named(name: string): OpenLanguage | undefined;
  /** Lets go of what was not asked for since the last call and can be read back. */
  forgetUnasked(): void;
  /** The processes that compilers keep from one question to the next. */
  readonly pids: readonly number[];
  /** Ends the compilers that were asked. */
  close(): void;
}

export interface LanguagesCare {
  readonly bytes?: number;
  readonly compiler?: CompilerCare;
  /** The shelf on which what is known of files outlives the process. It is closed with the languages. */
  readonly shelf?: FactsShelf | undefined;
}

/** Starts nothing: grammars are loaded for the first file of their language, compilers when they are first asked. */
export function openLanguages(care: LanguagesCare = {}): OpenLanguages {
  const memory = { facts: new FactsMemory(care.bytes ?? factsBytes, care.shelf), compiler: care.compiler ?? {} };
  const all = languages.map((language) => language.open(memory));
  return {
    all,
    of: (path) => all.find(({ language }) => language.sources.test(path)),
    named: (name) => all.find(({ language }) => language.name === name),
    get pids() {
      return all.flatMap(({ compiler }) => compiler?.pids ?? []);
    },
    forgetUnasked: () => memory.facts.forgetUnasked(),
    close: () => {
      for (const { compiler } of all) compiler?.close();
      memory.facts.close();
    },
  };
}
