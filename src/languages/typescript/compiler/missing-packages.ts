// Packages that are not installed anywhere the compiler may look. Types that come through them are unknown, and a silence says so.

import { isBuiltin } from "node:module";
import { dirname } from "node:path";
import { type CompilerTree, top } from "./compiler-tree.ts";

/** "Cannot find module": in a file asked about, whatever the name stands for. */
export const unresolvedCodes: ReadonlySet<number> = new Set([2307, 2792, 2882]);

/**
 * The modules that the files asked about want in vain, by whatever name (an alias that only a bundler knows is as unknown as a package), and
 * of the packages named in manifests those that a file of the program imports and that are installed nowhere above it.
 */
export function missingPackages(
  tree: CompilerTree,
  unresolved: readonly string[],
  program: readonly string[],
): readonly string[] {
  const missing = new Set(unresolved.filter(isForeign).map(packageOf));
  const wanted = tree.dependencies();
  if (wanted.size === 0) return [...missing].sort();
  const declared = declaredIn(tree);
  for (const file of program) {
    const path = file.startsWith(top) && !file.includes("/node_modules/") ? file.slice(top.length) : undefined;
    const text = path === undefined || path.endsWith(".json") ? undefined : tree.text(path);
    if (path === undefined || text === undefined) continue;
    for (const name of namesIn(text)) {
      const from = packageOf(name);
      if (!wanted.has(from) || missing.has(from) || isBuiltin(name)) continue;
      if (!isInstalled(tree, from, path) && !isDeclared(name, declared)) missing.add(from);
    }
  }
  return [...missing].sort();
}

/** Neither a file beside it nor part of the runtime. */
const isForeign = (name: string): boolean => !/^[./]|^[a-z]+:/.test(name) && !isBuiltin(name);

function isInstalled(tree: CompilerTree, name: string, path: string): boolean {
  const typed = `@types/${name.replace(/^@/, "").replace("/", "__")}`;
  for (let at = dirname(path); ; at = dirname(at)) {
    const directory = at === "." ? `${top}node_modules` : `${top}${at}/node_modules`;
    if ([name, typed].some((one) => tree.directoryExists(`${directory}/${one}`))) return true;
    if (at === "." || at === "/") return false;
  }
}

/** The modules that declarations of the tree describe by hand: `declare module "@lib/*"`. */
function declaredIn(tree: CompilerTree): string[] {
  return tree
    .ambient()
    .flatMap((path) =>
      [...(tree.text(path) ?? "").matchAll(/\bmodule\s+["']([^"']+)["']/g)].map(([, one = ""]) => one),
    );
}

function isDeclared(name: string, declared: readonly string[]): boolean {
  return declared.some((pattern) => {
    const [start = "", end] = pattern.split("*");
    return end === undefined ? pattern === name : name.startsWith(start) && name.endsWith(end);
  });
}

function namesIn(text: string): Set<string> {
  const written = text.matchAll(/\b(?:from|import|require)\s*\(?\s*["']([^"'\n]+)["']/g);
  return new Set([...written].map(([, name = ""]) => name));
}

/** `@scope/name/deep/file` is of the package `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
