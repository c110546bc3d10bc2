// What Python is measured on.

import { examine } from "../../../../eval/examine-python.ts";
import type { LanguageCases } from "../../../../eval/language-cases.ts";
import { measurePython } from "./measure-python.ts";
import { semanticPython } from "./templates.ts";

export const cases: LanguageCases = {
  templates: semanticPython,
  measures: [
    { what: "an examiner's cases", isExact: true, judge: "none", run: () => examine() },
    { what: "judged by running it", isExact: false, judge: "python3", run: measurePython },
  ],
};
