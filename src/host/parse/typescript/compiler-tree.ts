// One tree of blobs as the compiler sees it: a file system that exists only in memory below /tree. Texts are fetched
// beforehand, following imports, because the compiler cannot wait.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript6";

/** Fetches texts by blob id; ids that cannot be read are left out. */
export type FetchTexts = (blobIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export const top = "/tree/";

/** Past these a program is too large for a check that must answer soon. */
const maxFiles = 6000;
const maxCharacters = 60_000_000;

const libraries = dirname(createRequire(import.meta.url).resolve("typescript6"));
/** Parsed files live on between requests: an edit costs its own file. */
const parsed = new Map<string, ts.SourceFile>();

export class CompilerTree {
  private readonly blobs: ReadonlyMap<string, string>;
  private readonly texts: Map<string, string>;
  private readonly packagesFrom: string | undefined;
  private readonly directories = new Set<string>();
  options: ts.CompilerOptions = {};

  constructor(blobs: ReadonlyMap<string, string>, texts: Map<string, string>, packagesFrom: string | undefined) {
    this.blobs = blobs;
    this.texts = texts;
    this.packagesFrom = packagesFrom;
    for (const path of blobs.keys()) {
      for (let at = dirname(path); !this.directories.has(at); at = dirname(at)) this.directories.add(at);
    }
  }

  /** Fetches settings, then the files below `paths` and all they import. False when that is too much. */
  async load(paths: readonly string[], fetch: FetchTexts): Promise<boolean> {
    const settings = [...this.blobs.keys()].filter((path) => isSettings(path) && !path.includes("node_modules/"));
    await this.fetchAll(settings, fetch);
    this.options = this.readOptions(paths[0] ?? "");
    const ambient = [...this.blobs.keys()].filter(
      (path) => /\.d\.[cm]?ts$/.test(path) && !path.includes("node_modules/"),
    );
    const seen = new Set<string>();
    let next = [...paths, ...ambient.slice(0, 300)];
    let characters = 0;
    while (next.length > 0) {
      await this.fetchAll(next, fetch);
      const found = new Set<string>();
      for (const path of next) {
        seen.add(path);
        characters += this.text(path)?.length ?? 0;
        for (const target of this.importsOf(path)) if (!seen.has(target)) found.add(target);
      }
      if (seen.size > maxFiles || characters > maxCharacters) return false;
      next = [...found].filter((path) => !seen.has(path));
    }
    return true;
  }

  private async fetchAll(paths: readonly string[], fetch: FetchTexts): Promise<void> {
    const wanted = paths.flatMap((path) => {
      const blob = this.blobs.get(path);
      return blob === undefined || this.texts.has(blob) ? [] : [blob];
    });
    if (wanted.length === 0) return;
    for (const [blob, text] of await fetch([...new Set(wanted)])) this.texts.set(blob, text);
  }

  private importsOf(path: string): string[] {
    const text = this.text(path);
    if (text === undefined || path.endsWith(".json")) return [];
    const info = ts.preProcessFile(text, true, true);
    const names = [...info.importedFiles, ...info.referencedFiles].map((one) => one.fileName);
    return names.flatMap((name) => {
      const found = ts.resolveModuleName(name, top + path, this.options, this.host()).resolvedModule?.resolvedFileName;
      return found?.startsWith(top) && this.blobs.has(found.slice(top.length)) ? [found.slice(top.length)] : [];
    });
  }

  text(path: string): string | undefined {
    return this.texts.get(this.blobs.get(path) ?? "");
  }

  program(paths: readonly string[]): ts.Program {
    const ambient = [...this.blobs.keys()].filter(
      (path) => /\.d\.[cm]?ts$/.test(path) && !path.includes("node_modules/"),
    );
    const rootNames = [...paths, ...ambient.slice(0, 300)]
      .filter((path) => this.text(path) !== undefined)
      .map((path) => top + path);
    return ts.createProgram({ rootNames, options: this.options, host: this.host() });
  }

  /** The settings nearest to the first file; strict defaults stay as TypeScript has them. */
  private readOptions(path: string): ts.CompilerOptions {
    const always: ts.CompilerOptions = {
      noEmit: true,
      skipLibCheck: true,
      composite: false,
      incremental: false,
      declaration: false,
    };
    const bare = this.packagesFrom === undefined ? { types: [] } : {};
    for (let at = dirname(path); ; at = dirname(at)) {
      const file = at === "." ? "tsconfig.json" : `${at}/tsconfig.json`;
      if (this.text(file) !== undefined) return { ...this.parseOptions(file), ...always, ...bare };
      if (at === "." || at === "/") return { ...always, ...bare };
    }
  }

  private parseOptions(file: string): ts.CompilerOptions {
    const read = (name: string): string | undefined =>
      name.startsWith(top) ? this.text(name.slice(top.length)) : undefined;
    const { config } = ts.readConfigFile(top + file, read) as {
      config: { references?: { path?: string }[]; files?: unknown[] };
    };
    const host: ts.ParseConfigHost = {
      useCaseSensitiveFileNames: true,
      readDirectory: () => [],
      fileExists: (name) => name.startsWith(top) && this.blobs.has(name.slice(top.length)),
      readFile: read,
    };
    const parse = (json: unknown, name: string): ts.CompilerOptions =>
      ts.parseJsonConfigFileContent(json, host, dirname(top + name), undefined, top + name).options;
    const own = parse(config ?? {}, file);
    // A solution file only points at the real settings.
    const beside = config?.references?.map((one) => one.path ?? "").find((one) => one.endsWith(".json"));
    if (beside === undefined || (config.files?.length ?? 1) > 0) return own;
    const name = join(dirname(file), beside);
    return this.text(name) === undefined ? own : parse(ts.readConfigFile(top + name, read).config, name);
  }

  private host(): ts.CompilerHost {
    const real = (name: string): string | undefined => {
      if (name.startsWith(libraries)) return name;
      if (!name.includes("/node_modules/") || this.packagesFrom === undefined) return undefined;
      return join(this.packagesFrom, name.slice(top.length));
    };
    const read = (name: string): string | undefined => {
      const inside = name.startsWith(top) ? this.text(name.slice(top.length)) : undefined;
      if (inside !== undefined) return inside;
      const outside = real(name);
      return outside === undefined ? undefined : ts.sys.readFile(outside);
    };
    return {
      fileExists: (name) => {
        if (name.startsWith(top) && this.blobs.has(name.slice(top.length))) return true;
        const outside = real(name);
        return outside !== undefined && ts.sys.fileExists(outside);
      },
      directoryExists: (name) => {
        const inside = name.startsWith(top) ? name.slice(top.length).replace(/\/$/, "") : ".";
        if (this.directories.has(inside === "" ? "." : inside)) return true;
        const outside = real(`${name}/`);
        return outside !== undefined && ts.sys.directoryExists(outside);
      },
      readFile: read,
      getDirectories: () => [],
      getSourceFile: (name, options) => {
        const blob = name.startsWith(top) ? this.blobs.get(name.slice(top.length)) : undefined;
        const key = `${name}\n${blob ?? ""}\n${JSON.stringify(options)}`;
        const known = parsed.get(key);
        if (known !== undefined) return known;
        const text = read(name);
        if (text === undefined) return undefined;
        const file = ts.createSourceFile(name, text, options, true);
        if (parsed.size > 2 * maxFiles) parsed.clear();
        parsed.set(key, file);
        return file;
      },
      getDefaultLibFileName: (options) => join(libraries, ts.getDefaultLibFileName(options)),
      getDefaultLibLocation: () => libraries,
      getCurrentDirectory: () => top.slice(0, -1),
      getCanonicalFileName: (name) => name,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => "\n",
      writeFile: () => undefined,
    };
  }
}

function isSettings(path: string): boolean {
  return /(^|\/)(package\.json|tsconfig[^/]*\.json)$/.test(path);
}
