// What Java is measured on.

import { join } from "node:path";
import type { LanguageCases } from "../../../../eval/language-cases.ts";
import { allAtOnce, type CompiledCases, judgeWith } from "../../compiled/cases/judge-trees.ts";
import { judgedByCompiler } from "../../compiled/cases/measure-compiled.ts";
import { writtenByHand } from "../../compiled/cases/pairs.ts";
import { javaPairs } from "./pairs.ts";
import { semanticJava } from "./templates.ts";
import { writeJava } from "./write-java.ts";

const compiled: CompiledCases = {
  render: writeJava,
  judge: () =>
    judgeWith(
      [
        ["java", "--version"],
        ["javac", "--version"],
      ],
      (directories, root) =>
        allAtOnce(
          ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", join(import.meta.dir, "Judge.java")],
          directories,
          root,
        ),
    ),
};

export const cases: LanguageCases = {
  templates: semanticJava,
  measures: [judgedByCompiler("java", "javac"), writtenByHand("java", javaPairs)],
  compiled,
};
