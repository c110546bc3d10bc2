// For every build of constel: the parser for TypeScript with its native part, of this machine or another.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";

/**
 * The parser for TypeScript looks for its native part by names it makes up while it runs, which no bundler can follow. Here it is
 * named outright. Inside the binary it travels with it, and Bun lays it down in the temporary directory to load it;
 * beside it, it is named as seen from the binary, and loaded from where it lies.
 */
export function withNativeParser(where: { readonly inside: string } | { readonly beside: string }): BunPlugin {
  const load = (parser: string): string =>
    "inside" in where
      ? `require(${JSON.stringify(where.inside)})`
      : `require("node:module").createRequire(process.execPath)(${JSON.stringify(`./${relative(dirname(where.beside), nativePart(parser))}`)})`;
  return {
    name: "native-parser",
    setup(build) {
      build.onLoad({ filter: /oxc-parser\/src-js\/bindings\.js$/ }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        const exports = text.indexOf("\nconst { Severity,");
        if (exports === -1) throw new Error(`${path} is not as this script knows it`);
        const head = `const nativeBinding = ${load(path)};`;
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
