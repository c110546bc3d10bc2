// Reads what a tree's own settings say about module names: tsconfig paths, package names and their entry points. Settings are read from the
// tree as text; a malformed one counts as absent, since its author will hear of it elsewhere.

import type { ReadBlob, TreeView } from "../../../ports/semantic.ts";

export interface PathRules {
  /** Directory that plain names are tried against; undefined without baseUrl. */
  readonly baseUrl: string | undefined;
  /** Pattern with at most one `*`, and its targets, relative to the tree. */
  readonly paths: readonly (readonly [string, readonly string[]])[];
}

export interface PackageSettings {
  readonly directory: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface ProjectSettings {
  /** By directory of the tsconfig.json or jsconfig.json. */
  readonly rules: ReadonlyMap<string, PathRules>;
  /** By package name; a name claimed twice is left out. */
  readonly packages: ReadonlyMap<string, PackageSettings>;
  /** By directory. */
  readonly packageAt: ReadonlyMap<string, PackageSettings>;
}

type Json = Readonly<Record<string, unknown>>;

type SettingsFiles = readonly (readonly [path: string, blob: string])[];
const known = new WeakMap<TreeView, SettingsFiles>();

/** The settings files of a tree: path and blob. Looked for once while the tree is kept. */
export function settingsFiles(tree: TreeView): SettingsFiles {
  const found = known.get(tree) ?? findSettingsFiles(tree);
  known.set(tree, found);
  return found;
}

function findSettingsFiles(tree: TreeView): SettingsFiles {
  const found: [string, string][] = [];
  for (const [path, blob] of tree.blobs) {
    if (path.endsWith(".json") && isSettingsName(baseName(path)) && !path.includes("node_modules/"))
      found.push([path, blob]);
  }
  return found;
}

export async function readProjectSettings(
  files: readonly (readonly [string, string])[],
  read: ReadBlob,
): Promise<ProjectSettings> {
  const configs = new Map<string, Json>();
  const packageAt = new Map<string, PackageSettings>();
  for (const [path, blob] of files) {
    const json = looseJson((await read(blob)) ?? "");
    if (json === undefined) continue;
    if (baseName(path) === "package.json") packageAt.set(directoryOf(path), { directory: directoryOf(path), json });
    else configs.set(path, json);
  }
  const rules = new Map<string, PathRules>();
  for (const path of configs.keys()) {
    if (/(^|\/)(ts|js)config\.json$/.test(path)) rules.set(directoryOf(path), rulesOf(path, configs));
  }
  return { rules, packages: byName(packageAt), packageAt };
}

/** Changing one of these may change what every import means. */
export function isSettingsName(name: string): boolean {
  return name === "package.json" || /^(ts|js)config(\.[\w.-]+)?\.json$/.test(name);
}

function byName(packages: ReadonlyMap<string, PackageSettings>): Map<string, PackageSettings> {
  const found = new Map<string, PackageSettings>();
  const twice = new Set<string>();
  for (const one of packages.values()) {
    const { name } = one.json as { name?: unknown };
    if (typeof name !== "string") continue;
    if (found.has(name)) twice.add(name);
    found.set(name, one);
  }
  for (const name of twice) found.delete(name);
  return found;
}

function rulesOf(path: string, configs: ReadonlyMap<string, Json>, seen: readonly string[] = []): PathRules {
  const json = configs.get(path);
  if (json === undefined || seen.includes(path)) return { baseUrl: undefined, paths: [] };
  const directory = directoryOf(path);
  let inherited: PathRules = { baseUrl: undefined, paths: [] };
  for (const parent of listOf(json["extends"])) {
    const above = configPath(directory, parent, configs);
    if (above !== undefined) inherited = over(rulesOf(above, configs, [...seen, path]), inherited);
  }
  const options = record(json["compilerOptions"]);
  const baseUrl = typeof options["baseUrl"] === "string" ? joinPath(directory, options["baseUrl"]) : inherited.baseUrl;
  const written = record(options["paths"]);
  const root =
    typeof options["baseUrl"] === "string" ? joinPath(directory, options["baseUrl"]) : (inherited.baseUrl ?? directory);
  const own = Object.entries(written).map(([pattern, targets]): readonly [string, readonly string[]] => [
    pattern,
    listOf(targets).map((one) => joinPath(root, one.replace("${configDir}", "."))),
  ]);
  const rules = { baseUrl, paths: own.length > 0 ? own : inherited.paths };
  if (rules.paths.length > 0 || !Array.isArray(json["references"])) return rules;
  // A solution file only points at the real settings (tsconfig.app.json beside it).
  for (const one of json["references"] as unknown[]) {
    const { path: to } = record(one) as { path?: unknown };
    const target = typeof to === "string" ? configPath(directory, to, configs) : undefined;
    if (target === undefined || directoryOf(target) !== directory) continue;
    const found = rulesOf(target, configs, [...seen, path]);
    if (found.paths.length > 0) return found;
  }
  return rules;
}

function over(own: PathRules, inherited: PathRules): PathRules {
  return { baseUrl: own.baseUrl ?? inherited.baseUrl, paths: own.paths.length > 0 ? own.paths : inherited.paths };
}

function configPath(directory: string, name: string, configs: ReadonlyMap<string, Json>): string | undefined {
  if (!name.startsWith(".")) return undefined;
  const path = joinPath(directory, name);
  return [path, `${path}.json`, `${path}/tsconfig.json`].find((one) => configs.has(one));
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function listOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one): one is string => typeof one === "string");
}

/** JSON with comments and trailing commas, as tsconfig files are written. */
function looseJson(text: string): Json | undefined {
  const bare = text.replace(
    /("(?:[^"\\]|\\[^])*(?:"|$))|\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*/g,
    (_, quoted: string | undefined) => quoted ?? "",
  );
  const clean = bare.replace(
    /("(?:[^"\\]|\\[^])*(?:"|$))|,(?=\s*[}\]])/g,
    (_, quoted: string | undefined) => quoted ?? "",
  );
  try {
    return record(JSON.parse(clean));
  } catch {
    return undefined;
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function directoryOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at === -1 ? "" : path.slice(0, at);
}

/** Joins and tidies; a path that leaves the tree keeps its leading `..`. */
export function joinPath(directory: string, relative: string): string {
  const parts: string[] = [];
  const from = relative.startsWith("/") ? relative : `${directory}/${relative}`;
  for (const part of from.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}
