// Finds the file of the tree that an import means. Handles relative names, tsconfig paths and baseUrl, packages of the same workspace,
// `#` imports, `.js` written for `.ts`, directories with an index.

import type { TreeView } from "../../../ports/semantic.ts";
import {
  directoryOf,
  joinPath,
  type PackageSettings,
  type PathRules,
  type ProjectSettings,
} from "./project-settings.ts";

/** `missing`: it should be a file of this tree and is not. `external`: not ours to know. */
export type Resolution = { readonly path: string } | "missing" | "external";

const extensions = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];
const written: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts", ".js", ".jsx"],
  ".jsx": [".tsx", ".d.ts", ".jsx"],
  ".mjs": [".mts", ".d.mts", ".mjs"],
  ".cjs": [".cts", ".d.cts", ".cjs"],
};
const conditions = new Set([
  "source",
  "types",
  "import",
  "require",
  "default",
  "node",
  "browser",
  "bun",
  "development",
  "module",
]);
const builtFolders = /(^|\/)(dist|build|lib|out|esm|cjs)(\/(esm|cjs|src|types))?(?=\/)/;

export class ModuleResolver {
  private readonly blobs: ReadonlyMap<string, string>;
  readonly settings: ProjectSettings;
  private readonly known = new Map<string, Resolution>();

  constructor(tree: TreeView, settings: ProjectSettings) {
    this.blobs = tree.blobs;
    this.settings = settings;
  }

  resolve(from: string, specifier: string): Resolution {
    const directory = directoryOf(from);
    const key = `${directory}\n${specifier}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = this.find(directory, specifier);
    this.known.set(key, found);
    return found;
  }

  private find(directory: string, specifier: string): Resolution {
    const name = specifier.replace(/\?[^]*$/, "");
    if (/^\.\.?(\/|$)/.test(name)) return this.file(joinPath(directory, name)) ?? "missing";
    if (name.startsWith("#")) return this.privateName(directory, name);
    if (/^[a-z]+:/.test(name) || name.startsWith("/")) return "external";
    const rules = this.nearest(directory, this.settings.rules);
    const aliased = rules === undefined ? undefined : this.alias(name, rules);
    if (aliased !== undefined && aliased !== "missing") return aliased;
    return this.inWorkspace(name) ?? aliased ?? "external";
  }

  private nearest<Found>(directory: string, map: ReadonlyMap<string, Found>): Found | undefined {
    for (let at = directory; ; at = directoryOf(at)) {
      const found = map.get(at);
      if (found !== undefined || at === "") return found;
    }
  }

  private alias(name: string, rules: PathRules): Resolution | undefined {
    let missing = false;
    for (const [pattern, targets] of bySpecificity(rules.paths)) {
      const rest = matched(pattern, name);
      if (rest === undefined) continue;
      for (const target of targets) {
        const found = this.file(target.replace("*", rest));
        if (found !== undefined) return found;
      }
      missing ||= pattern !== "*";
    }
    const direct = rules.baseUrl === undefined ? undefined : this.file(joinPath(rules.baseUrl, name));
    return direct ?? (missing ? "missing" : undefined);
  }

  private inWorkspace(name: string): Resolution | undefined {
    const parts = name.split("/");
    const packageName = name.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
    const found = this.settings.packages.get(packageName);
    if (found === undefined) return undefined;
    const rest = name.slice(packageName.length + 1);
    return this.entry(found, rest) ?? "external";
  }

  private entry(found: PackageSettings, rest: string): Resolution | undefined {
    const { json, directory } = found;
    const subpath = rest === "" ? "." : `./${rest}`;
    for (const target of exportTargets(json["exports"], subpath)) {
      const hit = this.source(directory, target);
      if (hit !== undefined) return hit;
    }
    if (rest !== "") {
      if (json["exports"] !== undefined) return undefined;
      return this.file(joinPath(directory, rest)) ?? this.file(joinPath(directory, `src/${rest}`)) ?? "missing";
    }
    for (const field of ["source", "types", "typings", "module", "main"]) {
      const target = json[field];
      const hit = typeof target === "string" ? this.source(directory, target) : undefined;
      if (hit !== undefined) return hit;
    }
    return this.file(joinPath(directory, "src/index")) ?? this.file(joinPath(directory, "index"));
  }

  /** A built file stands for its source: dist/index.js for src/index.ts. */
  private source(directory: string, target: string): Resolution | undefined {
    const direct = this.file(joinPath(directory, target));
    if (direct !== undefined) return direct;
    const bare = target.replace(/(\.d)?\.[cm]?[jt]sx?$/, "");
    if (!builtFolders.test(bare)) return undefined;
    for (const folder of ["src", "source", ""]) {
      const hit = this.file(joinPath(directory, bare.replace(builtFolders, `$1${folder}`)));
      if (hit !== undefined) return hit;
    }
    return undefined;
  }

  private privateName(directory: string, name: string): Resolution {
    const found = this.nearest(directory, this.settings.packageAt);
    if (found === undefined) return "external";
    const targets = exportTargets(found.json["imports"], name);
    for (const target of targets) {
      const hit = target.startsWith(".") ? this.source(found.directory, target) : undefined;
      if (hit !== undefined) return hit;
    }
    return targets.some((one) => one.startsWith(".")) ? "missing" : "external";
  }

  private file(candidate: string): Resolution | undefined {
    const dot = candidate.slice(candidate.lastIndexOf("/") + 1).lastIndexOf(".");
    const extension = dot === -1 ? "" : candidate.slice(candidate.lastIndexOf("."));
    const stem = candidate.slice(0, candidate.length - extension.length);
    for (const other of written[extension] ?? []) if (this.blobs.has(stem + other)) return { path: stem + other };
    if (extension !== "" && this.blobs.has(candidate)) return { path: candidate };
    for (const other of extensions) if (this.blobs.has(candidate + other)) return { path: candidate + other };
    for (const other of extensions)
      if (this.blobs.has(`${candidate}/index${other}`)) return { path: `${candidate}/index${other}` };
    if (candidate === "") return this.file("index");
    const main = this.settings.packageAt.get(candidate);
    return main !== undefined && typeof main.json["main"] === "string"
      ? this.source(candidate, main.json["main"])
      : undefined;
  }
}

function bySpecificity(paths: PathRules["paths"]): PathRules["paths"] {
  return paths.length < 2
    ? paths
    : [...paths].sort(([a], [b]) => b.replace("*", "").length - a.replace("*", "").length);
}

/** Returns the text that the `*` of a pattern stands for; empty for an exact match. */
function matched(pattern: string, name: string): string | undefined {
  const star = pattern.indexOf("*");
  if (star === -1) return pattern === name ? "" : undefined;
  const before = pattern.slice(0, star);
  const after = pattern.slice(star + 1);
  if (!name.startsWith(before) || !name.endsWith(after) || name.length < before.length + after.length) return undefined;
  return name.slice(before.length, name.length - after.length);
}

/** The targets of a subpath in an `exports` or `imports` field, in order, whatever the condition. */
function exportTargets(field: unknown, subpath: string): string[] {
  if (field === undefined || field === null) return [];
  if (typeof field === "string" || Array.isArray(field)) return subpath === "." ? leaves(field) : [];
  const entries = Object.entries(field as Record<string, unknown>);
  if (!entries.some(([key]) => key.startsWith(".") || key.startsWith("#"))) return subpath === "." ? leaves(field) : [];
  for (const [key, value] of entries) {
    const rest = matched(key, subpath);
    if (rest !== undefined) return leaves(value).map((one) => one.replaceAll("*", rest));
  }
  return [];
}

function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => conditions.has(key))
    .flatMap(([, below]) => leaves(below));
}
