// For the single-file build: the owner's page inside the program (src/daemon/door/window/built-window.ts). A clone without a built page gives a
// program without one, which says so.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";

const files = ["index.html", "app.js", "app.css"] as const;

export function withBuiltWindow(top: string): BunPlugin {
  const built = join(top, "web/dist");
  const isBuilt = files.every((file) => existsSync(join(built, file)));
  if (!isBuilt)
    process.stderr.write("constel: the page was not built (scripts/build-web.ts); the program is without it\n");
  const texts = Object.fromEntries(isBuilt ? files.map((file) => [file, readFileSync(join(built, file), "utf8")]) : []);
  return {
    name: "built-window",
    setup(build) {
      build.onLoad({ filter: /window\/built-window\.ts$/ }, () => ({
        loader: "ts",
        contents: `export const builtWindow = ${isBuilt ? JSON.stringify(texts) : "undefined"};`,
      }));
    },
  };
}
