// Finds the file of a set that a module specifier means: relative ones of TypeScript and Python, and absolute ones by the end of the path,
// if only one file has it. Settings of compilers and packages are not read, so an alias like `@/routes` is found by what follows it.

import { dirname, posix } from "node:path";

const endings = [
  "",
  ".ts",
  ".tsx",
  ".js",
  ".jsx",
  ".mts",
  ".mjs",
  ".cjs",
  "/index.ts",
  "/index.js",
  ".py",
  "/__init__.py",
];

export class Modules {
  readonly #files: ReadonlySet<string>;
  readonly #byEnd = new Map<string, string[]>();

  constructor(files: Iterable<string>) {
    this.#files = new Set(files);
    for (const file of this.#files) {
      const name = posix.basename(stem(file));
      this.#byEnd.set(name, [...(this.#byEnd.get(name) ?? []), file]);
    }
  }

  find(module: string, from: string): string | undefined {
    if (from.endsWith(".py")) return this.#python(module, from);
    if (module.startsWith(".")) return this.#at(posix.join(dirname(from), module));
    return /^[@~#]?\//.test(module) ? this.#ending(module.replace(/^[@~#]?\//, "")) : undefined;
  }

  #python(module: string, from: string): string | undefined {
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const rest = module.slice(dots).replaceAll(".", "/");
    if (dots === 0) return this.#at(rest) ?? this.#ending(rest);
    const up = "../".repeat(dots - 1);
    return this.#at(posix.join(dirname(from), up, rest));
  }

  #at(path: string): string | undefined {
    const plain = path.replace(/\.[cm]?js$/, "");
    return [path, plain]
      .flatMap((one) => endings.map((ending) => `${one}${ending}`))
      .find((one) => this.#files.has(one));
  }

  #ending(path: string): string | undefined {
    const end = stem(path);
    const found = (this.#byEnd.get(posix.basename(end)) ?? []).filter(
      (file) => stem(file) === end || stem(file).endsWith(`/${end}`),
    );
    return found.length === 1 ? found[0] : undefined;
  }
}

function stem(file: string): string {
  return file.replace(/\.[cm]?[jt]sx?$|\.py$/, "").replace(/\/(index|__init__)$/, "");
}
