// The compiler's helper in the single-file program. From a clone the helper is started as a file of its own (languages/typescript/compiler).

import { serveCompiler } from "../languages/typescript/compiler/compiler-child.ts";
import { unpackedProgram } from "./unpack-compiler.ts";

serveCompiler(unpackedProgram);
