// The dependencies that a manifest asks for: package.json, pyproject.toml, requirements files, go.mod, Cargo.toml. Only what
// names a version is listed; a name asked for twice under conditions says nothing certain and is left out.

import { parse } from "smol-toml";
import type { Ecosystem } from "./version-range.ts";

export interface Requirement {
  readonly name: string;
  readonly range: string;
}

export interface Manifest {
  readonly ecosystem: Ecosystem;
  readonly requirements: readonly Requirement[];
}

export function ecosystemOf(path: string): Ecosystem | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "package.json") return "npm";
  if (name === "pyproject.toml" || /^requirements[\w.-]*\.(txt|in)$/.test(name)) return "python";
  if (/(^|\/)requirements\/[\w.-]+\.(txt|in)$/.test(path)) return "python";
  if (name === "Cargo.toml") return "cargo";
  return name === "go.mod" ? "go" : undefined;
}

/** undefined when it cannot be read: somebody is in the middle of writing it. */
export function readManifest(path: string, text: string): Manifest | undefined {
  const ecosystem = ecosystemOf(path);
  if (ecosystem === undefined) return undefined;
  try {
    return { ecosystem, requirements: certain(requirementsOf(path, ecosystem, text)) };
  } catch {
    return undefined; // not JSON or TOML at the moment
  }
}

function requirementsOf(path: string, ecosystem: Ecosystem, text: string): Requirement[] {
  if (ecosystem === "npm") return npm(JSON.parse(text));
  if (ecosystem === "go") return go(text);
  if (path.endsWith(".toml")) return ecosystem === "cargo" ? cargo(parse(text)) : pyproject(parse(text));
  return text.split("\n").flatMap((line) => python(line.replace(/(^|\s)#.*/, "").replace(/\s--hash=.*|\\\s*$/, "")));
}

/** The same name with the same range twice is one; with different ranges it depends on something we cannot see. */
function certain(all: readonly Requirement[]): Requirement[] {
  const ranges = new Map<string, Set<string>>();
  for (const { name, range } of all) ranges.set(name, (ranges.get(name) ?? new Set()).add(range));
  return [...ranges].flatMap(([name, set]) => (set.size === 1 ? [{ name, range: [...set][0] ?? "" }] : []));
}

type Table = Readonly<Record<string, unknown>>;

const tableOf = (value: unknown): Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : {};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function npm(value: unknown): Requirement[] {
  const document = tableOf(value);
  // Peers say what others may bring, which is wide on purpose.
  const sections = ["dependencies", "devDependencies", "optionalDependencies"];
  return sections.flatMap((section) =>
    Object.entries(tableOf(document[section])).flatMap(([name, range]) =>
      typeof range === "string" ? [{ name, range }] : [],
    ),
  );
}

function pyproject(document: Table): Requirement[] {
  const project = tableOf(document["project"]);
  const lists = [
    project["dependencies"],
    ...Object.values(tableOf(project["optional-dependencies"])),
    ...Object.values(tableOf(document["dependency-groups"])),
  ];
  const poetry = tableOf(tableOf(document["tool"])["poetry"]);
  const tables = [
    poetry["dependencies"],
    poetry["dev-dependencies"],
    ...Object.values(tableOf(poetry["group"])).map((group) => tableOf(group)["dependencies"]),
  ];
  const fromLists = lists.flatMap(listOf).flatMap((one) => (typeof one === "string" ? python(one) : []));
  return [...fromLists, ...tables.flatMap((table) => versioned(tableOf(table)))].filter(
    ({ name }) => name !== "python",
  );
}

function cargo(document: Table): Requirement[] {
  const sections = ["dependencies", "dev-dependencies", "build-dependencies"];
  const tables = [...sections.map((name) => document[name]), tableOf(document["workspace"])["dependencies"]];
  return tables.flatMap((table) => versioned(tableOf(table)));
}

/** `name = "1.2"` or `name = { version = "1.2", … }`. */
function versioned(table: Table): Requirement[] {
  return Object.entries(table).flatMap(([name, value]) => {
    const range = typeof value === "string" ? value : tableOf(value)["version"];
    const isRenamed = tableOf(value)["package"] !== undefined || tableOf(value)["markers"] !== undefined;
    return typeof range === "string" && !isRenamed ? [{ name: pythonName(name), range }] : [];
  });
}

/** One requirement as PEP 508 writes it. */
function python(line: string): Requirement[] {
  const match = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\]\s*)?\(?([<>=!~][^;@)]*)\)?$/.exec(line.trim());
  return match === null ? [] : [{ name: pythonName(match[1] ?? ""), range: (match[2] ?? "").trim() }];
}

const pythonName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

function go(text: string): Requirement[] {
  const found: Requirement[] = [];
  let block = "";
  for (const raw of text.split("\n")) {
    const line = raw.replace(/\/\/.*/, "").trim();
    if (line === ")") block = "";
    const opened = /^(\w+)\s*\($/.exec(line)?.[1];
    if (opened !== undefined) block = opened;
    const match = /^(?:require\s+)?(\S+)\s+v(\S+)$/.exec(line);
    const isRequire = block === "require" || line.startsWith("require ");
    // A module's path has a dot inside.
    if (match?.[1]?.slice(1, -1).includes(".") !== true || !isRequire) continue;
    // A pseudo-version is a commit, which has no order that says anything.
    if (/-\d{14}-[0-9a-f]{12}$/.test(line)) continue;
    found.push({ name: match[1], range: (match[2] ?? "").replace(/\+incompatible$/, "") });
  }
  return found;
}
