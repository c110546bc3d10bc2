// Rust as constel knows it.

import { openCompiled } from "../compiled/open-compiled.ts";
import type { Language } from "../language.ts";
import { parseRust } from "./parse-rust.ts";
import { rustRules } from "./rust-rules.ts";
import { rustToolchain } from "./rust-toolchain.ts";

export const rust: Language = {
  name: "rust",
  title: "Rust",
  sources: /\.rs$/,
  settingsFiles: /(^|\/)Cargo\.toml$/,
  manifests: ["Cargo.toml"],
  customaryFiles: /(^|\/)mod\.rs$/,
  definedTwice: "the merge does not compile",
  definition: (name) => `pub\\b[^\\n]*\\b(fn|struct|enum|trait|type) ${name}\\b|type ${name}\\b`,
  open: (memory) => openCompiled(rust, rustRules, parseRust, rustToolchain, memory),
};
