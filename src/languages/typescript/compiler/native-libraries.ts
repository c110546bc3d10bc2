// Finds the program and the libraries in the native compiler's package for this machine. The package is an optional dependency of
// `typescript`, one for each kind of machine, and stands beside that package or inside it.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The native compiler on the disk, ready to be started. */
export interface NativeProgram {
  readonly path: string;
  /** The directory in which it looks for its libraries. */
  readonly directory: string;
  /** Returns a library's text, or null where the compiler reads it from the disk. */
  readonly library: (path: string) => string | null;
  /** It runs and has answered: its file is no longer needed. */
  readonly answered: () => void;
}

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

/** The one that was installed with the sources. */
export async function installedProgram(): Promise<NativeProgram> {
  const directory = nativeLibraries();
  if (directory === undefined) throw new Error("there is no native compiler for this machine");
  return { path: join(directory, "tsc"), directory, library: () => null, answered: () => undefined };
}
