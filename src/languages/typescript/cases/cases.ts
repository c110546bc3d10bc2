// What TypeScript is measured on.

import type { LanguageCases } from "../../../../eval/language-cases.ts";
import { measureTypeScript } from "./measure-typescript.ts";
import { semanticTypeScript } from "./templates.ts";

export const cases: LanguageCases = {
  templates: semanticTypeScript,
  measures: [
    {
      what: "judged by its compiler",
      isExact: false,
      judge: "typescript",
      run: async (quick) => ({ tally: await measureTypeScript(quick) }),
    },
  ],
};
