// Compiles constel into one file for this machine: bun scripts/build.ts <output>. scripts/build.sh calls it; scripts/release builds the others.

import { buildProgram } from "./releasing/program.ts";
import { ownTarget } from "./releasing/targets.ts";

const [output] = process.argv.slice(2);
if (output === undefined) throw new Error("usage: build.ts <output>");
await buildProgram(ownTarget(), output);
