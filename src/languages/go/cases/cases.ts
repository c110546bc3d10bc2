// What Go is measured on.

import { join } from "node:path";
import type { LanguageCases } from "../../../../eval/language-cases.ts";
import { allAtOnce, type CompiledCases, judgeWith } from "../../compiled/cases/judge-trees.ts";
import { judgedByCompiler } from "../../compiled/cases/measure-compiled.ts";
import { writtenByHand } from "../../compiled/cases/pairs.ts";
import { goPairs } from "./pairs.ts";
import { semanticGo } from "./templates.ts";
import { writeGo } from "./write-go.ts";

const compiled: CompiledCases = {
  render: writeGo,
  judge: () =>
    judgeWith([["go", "version"]], (directories, root) =>
      // One file without a module; what it compiles goes where Go keeps such things.
      allAtOnce(["go", "run", join(import.meta.dir, "judge.go")], directories, root, { GO111MODULE: "off" }),
    ),
};

export const cases: LanguageCases = {
  templates: semanticGo,
  measures: [judgedByCompiler("go", "go"), writtenByHand("go", goPairs)],
  compiled,
};
