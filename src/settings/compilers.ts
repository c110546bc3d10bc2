// The settings about compilers as those take them who ask compilers.

import type { CompilerWish } from "../protocol/compilers.ts";
import type { Config } from "./declarations.ts";

export function compilerWish(config: Config): CompilerWish {
  return {
    off: config["compilers.off"],
    buildCode: config["compilers.build_code"],
    memoryBytes: config["compilers.memory_mb"] * 1024 * 1024,
  };
}
