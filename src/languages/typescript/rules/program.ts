// One tree as a program: the summary of each file when it is there, and what names mean across files. Files are read
// only when a question leads to them: asking for one that is not loaded notes the wish and answers "not known", and
// the caller loads the wishes and asks again.

import type { TreeView } from "../../../ports/semantic.ts";
import type { Declaration, Export, Import, TypeScriptSummary } from "../facts.ts";
import type { ProjectSettings } from "./project-settings.ts";
import type { ModuleResolver, Resolution } from "./resolve-module.ts";

export interface Definition {
  readonly what: "symbol";
  readonly path: string;
  readonly name: string;
  readonly declarations: readonly Declaration[];
  /** Reached through `import type` or `export type`. */
  readonly typeOnly?: boolean;
}

export interface WholeModule {
  readonly what: "module";
  readonly path: string;
  readonly typeOnly?: boolean;
}

/** undefined: not known. */
export type Found = Definition | WholeModule | "missing" | undefined;

/** The things that answers rest on: the files that were looked at, and where each module name led. */
export interface Asked {
  readonly files: Set<string>;
  /** By directory and name. */
  readonly modules: Map<string, string>;
}

export class Program {
  readonly tree: TreeView;
  readonly wishes = new Set<string>();
  /** The files and module names that were asked for while someone was keeping count. */
  asked: Asked | undefined;
  private readonly resolver: ModuleResolver;
  private readonly summaryOf: (blobId: string, path: string) => TypeScriptSummary | null | undefined;

  /** `summaryOf` answers undefined when not loaded yet, null when it cannot be read. */
  constructor(
    tree: TreeView,
    resolver: ModuleResolver,
    summaryOf: (blobId: string, path: string) => TypeScriptSummary | null | undefined,
  ) {
    this.tree = tree;
    this.resolver = resolver;
    this.summaryOf = summaryOf;
  }

  get settings(): ProjectSettings {
    return this.resolver.settings;
  }

  resolve(from: string, specifier: string): Resolution {
    const found = this.resolver.resolve(from, specifier);
    this.asked?.modules.set(`${from.slice(0, from.lastIndexOf("/") + 1)}\n${specifier}`, outcomeOf(found));
    if (typeof found === "object") this.asked?.files.add(found.path);
    return found;
  }

  /** Tells whether a module name still leads where it led. */
  leadsTo(key: string, outcome: string): boolean {
    const end = key.indexOf("\n");
    return outcomeOf(this.resolver.resolve(key.slice(0, end), key.slice(end + 1))) === outcome;
  }

  /** The summary, when loaded and readable. */
  file(path: string): FileIndex | undefined {
    this.asked?.files.add(path);
    const blob = this.tree.blobs.get(path);
    if (blob === undefined || !/\.([cm]?[jt]sx?|json)$/.test(path)) return undefined;
    const summary = this.summaryOf(blob, path);
    if (summary === undefined) {
      this.wishes.add(path);
      return undefined;
    }
    return summary === null || summary.broken !== undefined ? undefined : indexOf(summary);
  }

  /** Returns what a module exports under a name, followed through re-exports to its definition. */
  exported(path: string, name: string, trail: readonly string[] = []): Found {
    const file = this.file(path);
    const mark = `${path}\n${name}`;
    if (file === undefined || trail.includes(mark) || trail.length > 40) return undefined;
    const next = [...trail, mark];
    const entry = file.exports.get(name);
    if (entry !== undefined) return this.follow(path, entry, next);
    const fromStar = name === "default" ? "missing" : this.throughStars(path, file, name, next);
    if (fromStar !== "missing") return fromStar;
    if (file.summary.exportsOpen || file.exports.has("export=")) return undefined;
    return file.summary.module === "commonjs" && name === "default" ? undefined : "missing";
  }

  private throughStars(path: string, file: FileIndex, name: string, trail: readonly string[]): Found {
    let open = false;
    for (const star of file.stars) {
      const target = this.resolve(path, star.from ?? "");
      if (typeof target === "string") {
        open = true;
        continue;
      }
      if (trail.includes(`${target.path}\n${name}`)) continue;
      const found = this.exported(target.path, name, trail);
      if (found === undefined) open = true;
      else if (found !== "missing") return star.typeOnly ? { ...found, typeOnly: true } : found;
    }
    return open ? undefined : "missing";
  }

  /** Says why a module may export a name that nobody wrote out. Undefined if it certainly does or does not, or if that is not known. */
  mayExport(path: string, name: string, trail: readonly string[] = []): string | undefined {
    const file = this.file(path);
    if (file === undefined || file.exports.has(name) || trail.includes(path) || trail.length > 40) return undefined;
    if (file.summary.exportsOpen) return "what is exported there is made at run time";
    for (const star of file.stars) {
      const target = this.resolve(path, star.from ?? "");
      const why =
        typeof target === "string"
          ? `\`export *\` of ${star.from ?? ""}, which is outside the project, may still bring it`
          : this.mayExport(target.path, name, [...trail, path]);
      if (why !== undefined) return why;
    }
    return undefined;
  }

  private follow(path: string, entry: Export, trail: readonly string[]): Found {
    const found =
      entry.from === undefined
        ? this.local(path, entry.local ?? entry.name, trail)
        : this.fromModule(path, entry.from, entry.imported ?? entry.name, trail);
    return entry.typeOnly && typeof found === "object" ? { ...found, typeOnly: true } : found;
  }

  private fromModule(path: string, specifier: string, name: string, trail: readonly string[]): Found {
    const target = this.resolve(path, specifier);
    if (typeof target === "string") return undefined;
    return name === "*" ? { what: "module", path: target.path } : this.exported(target.path, name, trail);
  }

  /** Returns what a top-level name of a file means. */
  local(path: string, name: string, trail: readonly string[] = []): Found {
    const file = this.file(path);
    if (file === undefined) return undefined;
    const declarations = file.declarations.get(name);
    if (declarations !== undefined) return { what: "symbol", path, name, declarations };
    const imported = file.imports.get(name);
    if (imported === undefined) return undefined;
    const found =
      imported.style === "import-equals"
        ? this.required(path, imported.specifier)
        : this.fromModule(path, imported.specifier, imported.imported, trail);
    return imported.typeOnly && typeof found === "object" ? { ...found, typeOnly: true } : found;
  }

  private required(path: string, specifier: string): Found {
    const target = this.resolve(path, specifier);
    return typeof target === "string" ? undefined : this.whole(target.path);
  }

  /** Returns what `require` of a module gives: what it exports as a whole, else its names. */
  whole(path: string): Found {
    const file = this.file(path);
    if (file === undefined) return undefined;
    const entry = file.exports.get("export=");
    return entry === undefined ? { what: "module", path } : this.follow(path, entry, [`${path}\nexport=`]);
  }
}

function outcomeOf(found: Resolution): string {
  return typeof found === "object" ? found.path : `:${found}`;
}

export interface FileIndex {
  readonly summary: TypeScriptSummary;
  readonly exports: ReadonlyMap<string, Export>;
  readonly stars: readonly Export[];
  readonly imports: ReadonlyMap<string, Import>;
  readonly declarations: ReadonlyMap<string, readonly Declaration[]>;
}

const indexed = new WeakMap<TypeScriptSummary, FileIndex>();

function indexOf(summary: TypeScriptSummary): FileIndex {
  const known = indexed.get(summary);
  if (known !== undefined) return known;
  const exports = new Map<string, Export>();
  for (const one of summary.exports) {
    const before = exports.get(one.name);
    if (one.name !== "*" && (before === undefined || (before.typeOnly && !one.typeOnly))) exports.set(one.name, one);
  }
  const index: FileIndex = {
    summary,
    exports,
    stars: summary.exports.filter((one) => one.name === "*"),
    imports: new Map(summary.imports.map((one) => [one.local, one])),
    declarations: declarationsByName(summary.declarations),
  };
  indexed.set(summary, index);
  return index;
}

/** Declarations of one name together; where there are overloads, the implementation cannot be called. */
export function declarationsByName(all: readonly Declaration[]): Map<string, Declaration[]> {
  const byName = new Map<string, Declaration[]>();
  for (const one of all) {
    const known = byName.get(one.name);
    if (known === undefined) byName.set(one.name, [one]);
    else known.push(one);
  }
  for (const [name, list] of byName) {
    if (list.length > 1 && list.some((one) => one.kind === "function" && one.ambient)) {
      byName.set(
        name,
        list.filter((one) => one.kind !== "function" || one.ambient),
      );
    }
  }
  return byName;
}
