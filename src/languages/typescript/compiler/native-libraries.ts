// Finds the program and the libraries in the native compiler's package for this machine. The package is an optional dependency of
// `typescript`, one for each kind of machine, and stands beside that package or inside it.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The directory; undefined where there is none for this machine, or it was not installed. */
export function nativeLibraries(from: string = import.meta.url): string | undefined {
  try {
    const compiler = createRequire(from).resolve("typescript/package.json");
    const name = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    return join(dirname(createRequire(compiler).resolve(name)), "lib");
  } catch {
    return undefined; // not installed
  }
}
