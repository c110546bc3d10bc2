// Compiles constel into one file for this machine: bun scripts/build.ts <output>. scripts/build.sh calls it.
// The autoload switches keep bunfig.toml, .env and the like of the current directory out of the binary
// (docs/decisions/0002-hostile-directories.md).

import { join } from "node:path";
import { buildOf } from "../src/ports/build.ts";
import { withNativeParser } from "./native-parser.ts";
import { withBuiltWindow } from "./built-window.ts";

const [output] = process.argv.slice(2);
if (output === undefined) throw new Error("usage: build.ts <output>");
const top = join(import.meta.dir, "..");

const result = await Bun.build({
  entrypoints: [join(top, "src/main.ts")],
  root: join(top, "src"),
  target: "bun",
  format: "esm",
  minify: true,
  bytecode: true,
  splitting: true,
  define: { CONSTEL_BUILD: JSON.stringify(buildOf(top) ?? "unknown") },
  plugins: [withNativeParser("inside"), withBuiltWindow(top)],
  compile: {
    outfile: output,
    autoloadDotenv: false,
    autoloadBunfig: false,
    autoloadTsconfig: false,
    autoloadPackageJson: false,
  },
});
for (const line of result.logs) process.stderr.write(`${String(line)}\n`);
if (!result.success) process.exit(1);
