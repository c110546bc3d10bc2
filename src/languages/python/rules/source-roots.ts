// Reads where a project says its packages are: pyproject.toml, setup.cfg, pytest.ini, tox.ini. What cannot be read is no root.

import { parse } from "smol-toml";
import type { ReadBlob, TreeView } from "../../../ports/semantic.ts";
import { rememberUnlessFailed } from "../../../ports/unless-failed.ts";
import { join, parent } from "./project-tree.ts";

const configFiles = /(^|\/)(pyproject\.toml|setup\.cfg|setup\.py|pytest\.ini|tox\.ini)$/;
/** A monorepo has some dozens; thousands are vendored copies. */
const maxConfigFiles = 100;

const known = new WeakMap<TreeView, Promise<readonly string[]>>();

/** Remembered per tree object, for callers that keep the base of many pairs. */
export function sourceRoots(tree: TreeView, read: ReadBlob): Promise<readonly string[]> {
  // What one clone lacks may be there later, and whoever asks next is to notice it too.
  const noticing: ReadBlob = async (blob) => {
    const text = await read(blob);
    if (text === undefined) known.delete(tree);
    return text;
  };
  return rememberUnlessFailed(known, tree, () => readRoots(tree, noticing));
}

async function readRoots(tree: TreeView, read: ReadBlob): Promise<readonly string[]> {
  const roots = new Set<string>(["", "src", "lib"]);
  const found = [...tree.blobs.keys()].filter((path) => configFiles.test(path)).sort((a, b) => a.length - b.length);
  for (const path of found.slice(0, maxConfigFiles)) {
    const dir = parent(path);
    roots.add(dir).add(join(dir, "src"));
    if (path.endsWith("setup.py")) continue;
    const text = (await read(tree.blobs.get(path) ?? "")) ?? "";
    for (const root of path.endsWith(".toml") ? fromToml(text) : fromIni(text)) roots.add(clean(dir, root));
  }
  return [...roots];
}

function clean(dir: string, written: string): string {
  const parts = join(dir, written).split("/");
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}

function fromToml(text: string): string[] {
  let config: unknown;
  try {
    config = parse(text);
  } catch {
    return []; // A broken pyproject is its author's to mend; plain roots still hold.
  }
  const roots: string[] = [];
  const add = (value: unknown): void => {
    for (const item of Array.isArray(value) ? value : [value]) if (typeof item === "string") roots.push(item);
  };
  const tool = at(config, "tool");
  add(at(tool, "setuptools", "packages", "find", "where"));
  add(at(tool, "setuptools", "package-dir", ""));
  add(at(tool, "pytest", "ini_options", "pythonpath"));
  add(at(tool, "pdm", "build", "package-dir"));
  add(at(tool, "pyright", "extraPaths"));
  add(at(tool, "mypy", "mypy_path"));
  const poetry = at(tool, "poetry", "packages");
  for (const item of Array.isArray(poetry) ? poetry : []) add(at(item, "from"));
  const wheel = at(tool, "hatch", "build", "targets", "wheel", "packages");
  for (const item of Array.isArray(wheel) ? wheel : []) if (typeof item === "string") roots.push(parent(item));
  return roots;
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  let inside = value;
  for (const key of keys) {
    if (typeof inside !== "object" || inside === null) return undefined;
    inside = Object.getOwnPropertyDescriptor(inside, key)?.value;
  }
  return inside;
}

function fromIni(text: string): string[] {
  const roots: string[] = [];
  let section = "";
  let key = "";
  for (const line of text.split("\n")) {
    const header = /^\[([^\]]+)\]/.exec(line);
    if (header !== null) {
      section = header[1] ?? "";
      key = "";
      continue;
    }
    const pair = /^([\w.-]+)\s*=(.*)$/.exec(line);
    if (pair !== null) key = pair[1] ?? "";
    else if (!/^\s/.test(line)) key = "";
    const value = (pair === null ? line : (pair[2] ?? "")).trim();
    if (value === "" || value.startsWith("#")) continue;
    if (section === "options" && key === "package_dir") roots.push(/^=([^]*)$/.exec(value)?.[1]?.trim() ?? "");
    if (section === "options.packages.find" && key === "where") roots.push(value);
    if ((section === "pytest" || section === "tool:pytest") && key === "pythonpath") roots.push(...value.split(/\s+/));
  }
  return roots;
}
