// Go as constel knows it.

import { openCompiled } from "../compiled/open-compiled.ts";
import type { Language } from "../language.ts";
import { goRules } from "./go-rules.ts";
import { goToolchain } from "./go-toolchain.ts";
import { parseGo } from "./parse-go.ts";

export const go: Language = {
  name: "go",
  title: "Go",
  sources: /\.go$/,
  settingsFiles: /(^|\/)go\.mod$/,
  manifests: ["go.mod"],
  sharesNamesInDirectory: true,
  definedTwice: "the merge does not compile",
  definition: (name) => `(func|type) ${name}\\b`,
  open: (memory) => openCompiled(go, goRules, parseGo, goToolchain, memory),
};
