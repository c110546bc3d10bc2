// One tree of blobs as the compiler sees it: a file system that exists only in memory below /tree. Texts are fetched
// beforehand, following imports, because the compiler cannot wait. Packages of the tree stand under their names, as
// installing would link them; those of others are read from a checkout, where there is one.

import { realpathSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript6";
import { optionsUnder, settingsFor, type SettingsSource } from "./compiler-options.ts";

/** Fetches texts by blob id; ids that cannot be read are left out. */
export type FetchTexts = (blobIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export const top = "/tree/";
/** Past these a program is too large for a check that must answer soon. */
const maxFiles = 6000;
const maxCharacters = 60_000_000;
const maxAmbient = 300;

const libraries = dirname(createRequire(import.meta.url).resolve("typescript6"));
/** Parsed files live on between requests: an edit costs its own file. */
const parsed = new Map<string, ts.SourceFile>();

export class CompilerTree {
  private readonly blobs: ReadonlyMap<string, string>;
  private readonly texts: Map<string, string>;
  private readonly packagesFrom: string | undefined;
  private readonly directories = new Set<string>();
  private readonly source: SettingsSource;
  private declared: readonly string[] | undefined;
  private links: readonly (readonly [from: string, to: string])[] = [];
  private readonly options = new Map<string | undefined, ts.CompilerOptions>();
  private readonly resolutions = new Map<string, ts.ModuleResolutionCache>();

  constructor(blobs: ReadonlyMap<string, string>, texts: Map<string, string>, packagesFrom: string | undefined) {
    this.blobs = blobs;
    this.texts = texts;
    this.packagesFrom = packagesFrom === undefined ? undefined : real(packagesFrom);
    const host = this.host({});
    this.source = {
      text: (path) => host.readFile(top + path),
      has: (path) => host.fileExists(top + path),
    };
    for (const path of blobs.keys()) this.addDirectories(path);
  }

  /** The paths that are compiled under the same settings, together. */
  groups(paths: readonly string[]): readonly (readonly string[])[] {
    const groups = new Map<string | undefined, string[]>();
    for (const path of paths) {
      const settings = settingsFor(path, this.source);
      const group = groups.get(settings);
      if (group === undefined) groups.set(settings, [path]);
      else group.push(path);
    }
    return [...groups.values()];
  }

  /** Fetches settings, then the files below `paths` and all they import. False when that is too much. */
  async load(paths: readonly string[], fetch: FetchTexts): Promise<boolean> {
    await this.loadSettings(fetch);
    const askers = new Set(paths.map((path) => settingsFor(path, this.source)));
    const seen = new Set<string>();
    let next = [...paths, ...this.ambient()];
    let characters = 0;
    while (next.length > 0) {
      await this.fetchAll(next, fetch);
      const found = new Set<string>();
      for (const path of next) {
        seen.add(path);
        characters += this.text(path)?.length ?? 0;
        for (const target of this.importsOf(path, askers)) if (!seen.has(target)) found.add(target);
      }
      if (seen.size > maxFiles || characters > maxCharacters) return false;
      next = [...found].filter((path) => !seen.has(path));
    }
    return true;
  }

  /** The paths are of one group. */
  program(paths: readonly string[]): ts.Program {
    const rootNames = [...paths, ...this.ambient()]
      .filter((path) => this.text(path) !== undefined)
      .map((path) => top + path);
    const options = this.optionsOf(paths[0] ?? "");
    return ts.createProgram({ rootNames, options, host: this.host(options) });
  }

  /**
   * What these files ask for in vain, by whatever name (an alias that only a bundler knows is as unknown as a package), and those
   * of the packages named in manifests that what they import of the tree asks for.
   */
  missingPackages(paths: readonly string[]): string[] {
    const wanted = this.dependencies();
    const asked = new Set(paths);
    const missing = new Set<string>();
    const seen = new Set<string>();
    let next = [...paths];
    while (next.length > 0) {
      const path = next.pop() ?? "";
      const text = seen.has(path) || path.endsWith(".json") ? undefined : this.text(path);
      seen.add(path);
      if (text === undefined) continue;
      const file = settingsFor(path, this.source);
      const options = this.optionsIn(file);
      for (const name of namesIn(text)) {
        const found = ts.resolveModuleName(
          name,
          top + path,
          options,
          this.host(options),
          this.resolutionsIn(file, options),
        ).resolvedModule?.resolvedFileName;
        const inside = found?.startsWith(top) === true ? found.slice(top.length) : undefined;
        if (inside !== undefined && this.blobs.has(inside)) next.push(inside);
        else if (found === undefined && (wanted.has(packageOf(name)) || (asked.has(path) && this.isUnknown(name))))
          missing.add(packageOf(name));
      }
    }
    return [...missing].sort();
  }

  /** Neither a file beside it, nor part of the runtime, nor declared by hand. */
  private isUnknown(name: string): boolean {
    if (/^[./]|^[a-z]+:/.test(name) || isBuiltin(name)) return false;
    this.declared ??= this.ambient().flatMap((path) =>
      [...(this.text(path) ?? "").matchAll(/\bmodule\s+["']([^"']+)["']/g)].map(([, one = ""]) => one),
    );
    return !this.declared.some((pattern) => {
      const [start = "", end] = pattern.split("*");
      return end === undefined ? pattern === name : name.startsWith(start) && name.endsWith(end);
    });
  }

  /** What the manifests of the tree say they need, but for packages of the tree itself. */
  private dependencies(): Set<string> {
    const names = new Set<string>();
    for (const path of this.blobs.keys()) {
      if (path !== "package.json" && !path.endsWith("/package.json")) continue;
      for (const name of dependenciesIn(this.text(path))) names.add(name);
    }
    for (const [from] of this.links) names.delete(from.slice("node_modules/".length));
    return names;
  }

  private text(path: string): string | undefined {
    return this.texts.get(this.blobs.get(path) ?? "");
  }

  private ambient(): string[] {
    return [...this.blobs.keys()]
      .filter((path) => /\.d\.[cm]?ts$/.test(path) && !path.includes("node_modules/"))
      .slice(0, maxAmbient);
  }

  private async fetchAll(paths: readonly string[], fetch: FetchTexts): Promise<void> {
    const wanted = paths.flatMap((path) => {
      const blob = this.blobs.get(path);
      return blob === undefined || this.texts.has(blob) ? [] : [blob];
    });
    if (wanted.length === 0) return;
    for (const [blob, text] of await fetch([...new Set(wanted)])) this.texts.set(blob, text);
  }

  /** Settings may stand on others of any name. */
  private async loadSettings(fetch: FetchTexts): Promise<void> {
    const seen = new Set<string>();
    let next = [...this.blobs.keys()].filter(isSettings);
    await this.fetchAll(next, fetch);
    this.link();
    while (next.length > 0) {
      await this.fetchAll(next, fetch);
      for (const path of next) seen.add(path);
      next = next.flatMap((path) => this.standsOn(path)).filter((path) => !seen.has(path));
    }
  }

  private standsOn(path: string): string[] {
    const [, written = ""] = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(this.text(path) ?? "") ?? [];
    return [...written.matchAll(/"([^"]+)"/g)].flatMap(([, name = ""]) => {
      const found = name.startsWith(".")
        ? join(dirname(path), name)
        : (this.inTree(`${top}node_modules/${name}`) ?? "");
      return [found, `${found}.json`, `${found}/tsconfig.json`].filter((one) => this.blobs.has(one));
    });
  }

  /** Followed under the settings of those who ask, which is how the compiler will follow them. */
  private importsOf(path: string, askers: ReadonlySet<string | undefined>): string[] {
    const text = this.text(path);
    if (text === undefined || path.endsWith(".json")) return [];
    const names = namesIn(text);
    return [...askers].flatMap((file) => {
      const options = this.optionsIn(file);
      const host = this.host(options);
      return [...names].flatMap((name) => {
        const found = ts.resolveModuleName(name, top + path, options, host, this.resolutionsIn(file, options))
          .resolvedModule?.resolvedFileName;
        return found?.startsWith(top) && this.blobs.has(found.slice(top.length)) ? [found.slice(top.length)] : [];
      });
    });
  }

  private resolutionsIn(file: string | undefined, options: ts.CompilerOptions): ts.ModuleResolutionCache {
    const known = this.resolutions.get(file ?? "");
    if (known !== undefined) return known;
    const made = ts.createModuleResolutionCache(top.slice(0, -1), (name) => name, options);
    this.resolutions.set(file ?? "", made);
    return made;
  }

  private optionsOf(path: string): ts.CompilerOptions {
    return this.optionsIn(settingsFor(path, this.source));
  }

  private optionsIn(file: string | undefined): ts.CompilerOptions {
    const known = this.options.get(file);
    if (known !== undefined) return known;
    const read = optionsUnder(file, this.source, { top, packages: this.packagesFrom !== undefined });
    this.options.set(file, read);
    return read;
  }

  /** Each package of the tree under its own name; a name claimed twice is nobody's. */
  private link(): void {
    const byName = new Map<string, string | undefined>();
    for (const path of this.blobs.keys()) {
      if (!path.endsWith("/package.json") || !isSettings(path)) continue;
      const name = packageName(this.text(path));
      if (name !== undefined) byName.set(name, byName.has(name) ? undefined : dirname(path));
    }
    this.links = [...byName].flatMap(([name, directory]) =>
      directory === undefined ? [] : [[`node_modules/${name}`, directory] as const],
    );
    for (const [from] of this.links) this.addDirectories(`${from}/package.json`);
  }

  private addDirectories(path: string): void {
    for (let at = dirname(path); !this.directories.has(at); at = dirname(at)) this.directories.add(at);
  }

  /** Where a name inside the tree really is: a linked package is one of the tree's own directories. */
  private inTree(name: string): string | undefined {
    if (!name.startsWith(top)) return undefined;
    const path = name.slice(top.length);
    if (!path.startsWith("node_modules/")) return path;
    const link = this.links.find(([from]) => path === from || path.startsWith(`${from}/`));
    return link === undefined ? path : link[1] + path.slice(link[0].length);
  }

  /** The file outside the tree that a name stands for. */
  private outside(name: string): string | undefined {
    if (name.startsWith(libraries)) return name;
    if (this.packagesFrom === undefined || !name.startsWith(top) || !name.includes("/node_modules/")) return undefined;
    return join(this.packagesFrom, name.slice(top.length));
  }

  private host(options: ts.CompilerOptions): ts.CompilerHost {
    const settings = JSON.stringify([options.target, options.module, options.moduleDetection, options.jsx]);
    const read = (name: string): string | undefined => {
      const inside = this.inTree(name);
      const text = inside === undefined ? undefined : this.text(inside);
      if (text !== undefined) return text;
      const outside = this.outside(name);
      return outside === undefined ? undefined : ts.sys.readFile(outside);
    };
    return {
      fileExists: (name) => {
        if (this.blobs.has(this.inTree(name) ?? "")) return true;
        const outside = this.outside(name);
        return outside !== undefined && ts.sys.fileExists(outside);
      },
      directoryExists: (name) => {
        const inside = this.inTree(name.endsWith("/") ? name : `${name}/`)?.slice(0, -1);
        if (inside !== undefined && this.directories.has(inside === "" ? "." : inside)) return true;
        const outside = this.outside(`${name}/`);
        return outside !== undefined && ts.sys.directoryExists(outside);
      },
      readFile: read,
      realpath: (name) => this.realpath(name),
      getDirectories: (name) => {
        const outside = this.outside(`${name}/`);
        return outside === undefined ? [] : ts.sys.getDirectories(outside);
      },
      getSourceFile: (name, languageVersion) => {
        const blob = this.blobs.get(this.inTree(name) ?? "");
        const key = `${name}\n${blob ?? this.packagesFrom ?? ""}\n${settings}\n${JSON.stringify(languageVersion)}`;
        const known = parsed.get(key);
        if (known !== undefined) return known;
        const text = read(name);
        if (text === undefined) return undefined;
        const file = ts.createSourceFile(name, text, languageVersion, true);
        if (parsed.size > 2 * maxFiles) parsed.clear();
        parsed.set(key, file);
        return file;
      },
      getDefaultLibFileName: (given) => join(libraries, ts.getDefaultLibFileName(given)),
      getDefaultLibLocation: () => libraries,
      getCurrentDirectory: () => top.slice(0, -1),
      getCanonicalFileName: (name) => name,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => "\n",
      writeFile: () => undefined,
    };
  }

  /** A package's own packages lie beside where it really is; a link into the checkout leads into the tree. */
  private realpath(name: string): string {
    const inside = this.inTree(name);
    if (inside === undefined || !name.includes("/node_modules/")) return name;
    if (!inside.includes("node_modules/")) return top + inside;
    const outside = this.outside(name);
    if (outside === undefined || this.packagesFrom === undefined) return name;
    const found = real(outside);
    return found.startsWith(`${this.packagesFrom}/`) ? top + found.slice(this.packagesFrom.length + 1) : name;
  }
}

/** Every module a text may name, and a few it does not: one too many costs a reading, one too few the whole opinion. */
function namesIn(text: string): Set<string> {
  const { importedFiles, referencedFiles } = ts.preProcessFile(text, true, true);
  const written = text.matchAll(/\b(?:from|import|require)\s*\(?\s*["']([^"'\n]+)["']/g);
  return new Set([
    ...[...importedFiles, ...referencedFiles].map((one) => one.fileName),
    ...[...written].flatMap(([, name]) => name ?? []),
  ]);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** `@scope/name/deep/file` is of the package `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function dependenciesIn(text: string | undefined): string[] {
  try {
    const manifest = JSON.parse(text ?? "{}") as Record<string, unknown>;
    return ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].flatMap((key) => {
      const listed = manifest[key];
      return typeof listed === "object" && listed !== null ? Object.keys(listed) : [];
    });
  } catch {
    return []; // not JSON: then nothing is known of what it needs
  }
}

function packageName(text: string | undefined): string | undefined {
  try {
    const { name } = JSON.parse(text ?? "{}") as { name?: unknown };
    return typeof name === "string" && name !== "" ? name : undefined;
  } catch {
    return undefined;
  }
}

function isSettings(path: string): boolean {
  return /(^|\/)(package\.json|[tj]sconfig[^/]*\.json)$/.test(path) && !path.includes("node_modules/");
}
