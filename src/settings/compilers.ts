// The settings about compilers as those take them who ask compilers.

import { existsSync } from "node:fs";
import type { CompilerWish } from "../protocol/compilers.ts";
import type { Config } from "./declarations.ts";
import { inHome } from "./paths.ts";

/** `home`: where there is one, compilers may keep things in it. */
export function compilerWish({ config, home }: { readonly config: Config; readonly home: string }): CompilerWish {
  return {
    ...(existsSync(home) ? { kept: { root: home, relative: inHome.compilersKept } } : {}),
    off: config["compilers.off"],
    buildCode: config["compilers.build_code"],
    memoryBytes: config["compilers.memory_mb"] * 1024 * 1024,
  };
}
