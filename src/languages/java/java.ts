// Java as constel knows it.

import { openCompiled } from "../compiled/open-compiled.ts";
import type { Language } from "../language.ts";
import { javaRules } from "./java-rules.ts";
import { javaToolchain } from "./java-toolchain.ts";
import { parseJava } from "./parse-java.ts";

export const java: Language = {
  name: "java",
  title: "Java",
  sources: /\.java$/,
  manifests: ["pom.xml", "build.gradle", "build.gradle.kts"],
  definedTwice: "the merge does not compile",
  definition: (name) => `(public\\b[^\\n]*\\b)?(class|interface|enum|record) ${name}\\b`,
  open: (memory) => openCompiled(java, javaRules, parseJava, javaToolchain, memory),
};
