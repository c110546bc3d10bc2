// Every language that constel reads. This is the only list: everything else asks it.

import { go } from "./go/go.ts";
import { java } from "./java/java.ts";
import type { Language, LayDown } from "./language.ts";
import { python } from "./python/python.ts";
import { rust } from "./rust/rust.ts";
import { typescript } from "./typescript/typescript.ts";

export const languages: readonly Language[] = [typescript, python, go, java, rust];

/** The process beside a compiler that travels inside the single-file program (app/compiler-run.ts). */
export const serveBuiltCompiler = async (layDown: LayDown): Promise<void> =>
  (await import("./typescript/compiler/built-program.ts")).serveBuiltCompiler(layDown);
