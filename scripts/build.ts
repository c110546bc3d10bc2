// Compiles constel into one file for this machine: bun scripts/build.ts <output>. bin/build calls it.
// The autoload switches keep bunfig.toml, .env and the like of the current directory out of the binary
// (docs/decisions/0002-hostile-directories.md).

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { BunPlugin } from "bun";

const [output] = process.argv.slice(2);
if (output === undefined) throw new Error("usage: build.ts <output>");
const top = join(import.meta.dir, "..");

const result = await Bun.build({
  // The thread that looks at repositories is started by its file, so it is a beginning of its own.
  entrypoints: [join(top, "src/main.ts"), join(top, "src/app/sensing-worker.ts")],
  root: join(top, "src"),
  target: "bun",
  format: "esm",
  minify: true,
  bytecode: true,
  splitting: true,
  plugins: [withNativeParser()],
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

/**
 * The parser for TypeScript looks for its native part by names it makes up while it runs, which no bundler can follow. Here
 * the one of this machine is named outright, and so travels inside the binary.
 */
function withNativeParser(): BunPlugin {
  return {
    name: "native-parser",
    setup(build) {
      build.onLoad({ filter: /oxc-parser\/src-js\/bindings\.js$/ }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        const exports = text.indexOf("\nconst { Severity,");
        if (exports === -1) throw new Error(`${path} is not as this script knows it`);
        const head = `const nativeBinding = require(${JSON.stringify(nativePart(path))});`;
        const contents = `${head}\nconst __napiLoadedBindingTarget = "native";${text.slice(exports)}`;
        return { contents, loader: "js" };
      });
    },
  };
}

function nativePart(parser: string): string {
  const require = createRequire(parser);
  const systems = ["gnu", "musl", "msvc", ""].map((kind) =>
    [process.platform, process.arch, kind].filter(Boolean).join("-"),
  );
  for (const system of systems) {
    try {
      const packageFile = require.resolve(`@oxc-parser/binding-${system}/package.json`);
      const native = join(dirname(packageFile), `parser.${system}.node`);
      if (existsSync(native)) return native;
    } catch {
      // not the one that was installed here
    }
  }
  throw new Error("the parser's native part is not installed for this machine");
}
