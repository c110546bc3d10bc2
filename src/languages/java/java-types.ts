// Finds the type that a name means in a Java file: enclosing types, imports, the package, wildcards. A package is every directory that ends
// in its name, whatever source root it lies under.

import type { SourceDeclaration, SourceSummary } from "../compiled/facts.ts";
import type { Mark } from "../compiled/rules.ts";
import { libraryHas } from "./java-library.ts";
import { directoryOf, joined, type SourceTree } from "../compiled/source-tree.ts";

export interface JavaType extends Mark {
  /** As its file names it: `Outer.Inner`. */
  readonly qualified: string;
  readonly summary: SourceSummary;
}

/** `missing`: for certain not in this project; `unknown`: it may come from elsewhere. */
export type TypeAnswer = JavaType | "missing" | "unknown";

export class JavaTypes {
  private readonly tree: SourceTree;
  private readonly path: string;
  readonly summary: SourceSummary;

  constructor(tree: SourceTree, path: string, summary: SourceSummary) {
    this.tree = tree;
    this.path = path;
    this.summary = summary;
  }

  /** The type that is written as `path` inside the type `of`. */
  async named(of: string, path: readonly string[], depth = 0): Promise<TypeAnswer> {
    const [first = "", ...rest] = path;
    if (first === "" || depth > 8) return "unknown";
    let found = await this.simple(of, first, depth);
    if (found === "unknown" || found === "missing") {
      if (rest.length === 0 || !/^\p{Ll}/u.test(first)) return found;
      return await qualifiedType(this.tree, path);
    }
    for (const name of rest) {
      const inner: TypeAnswer = await nested(this.tree, found, name, depth);
      if (typeof inner === "string") return inner;
      found = inner;
    }
    return found;
  }

  own(of: string): JavaType | undefined {
    return typeIn(this.path, this.summary, of);
  }

  private async simple(of: string, name: string, depth: number): Promise<TypeAnswer> {
    let isSure = true;
    for (let at = of; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
      const around = this.own(at);
      if (around === undefined) return "unknown";
      if (around.declaration.name === name) return around;
      const inner = await nested(this.tree, around, name, depth);
      if (typeof inner !== "string") return inner;
      if (inner === "unknown") isSure = false;
    }
    const single = this.summary.imports.find((one) => one.name === name);
    if (single !== undefined) return await qualifiedType(this.tree, single.path);
    const inPackage = await topLevel(this.tree, this.summary.package, name, directoryOf(this.path));
    if (inPackage !== "missing") return inPackage;
    for (const one of this.summary.imports) {
      if (one.name !== "*" || one.words.includes("static")) continue;
      const there = await this.below(one.path, name);
      if (there !== "missing") return there;
    }
    return isSure && !languageTypes(name) ? "missing" : "unknown";
  }

  private async below(path: readonly string[], name: string): Promise<TypeAnswer> {
    if (await hasPackage(this.tree, path.join("."))) return await topLevel(this.tree, path.join("."), name, "");
    const inLibrary = libraryHas(path.join("."), name);
    if (inLibrary !== undefined) return inLibrary ? "unknown" : "missing";
    const holder = await qualifiedType(this.tree, path);
    return typeof holder === "string" ? "unknown" : await nested(this.tree, holder, name, 0);
  }
}

/** A member type, inherited ones included. */
async function nested(tree: SourceTree, holder: JavaType, name: string, depth: number): Promise<TypeAnswer> {
  const own = typeIn(holder.path, holder.summary, `${holder.qualified}.${name}`);
  if (own !== undefined) return own;
  let isSure = true;
  for (const path of holder.declaration.supers ?? []) {
    const above = await superOf(tree, holder, path, depth + 1);
    // What comes from outside of the project is not likely to hold a type of a name that the project had.
    if (above === "unknown") isSure &&= path.length === 1 && languageTypes(path[0] ?? "");
    else if (above !== "missing") {
      const inherited = await nested(tree, above, name, depth + 1);
      if (typeof inherited !== "string") return inherited;
      if (inherited === "unknown") isSure = false;
    }
  }
  return isSure ? "missing" : "unknown";
}

/** A type that another is built on, looked up where that one is written. */
export async function superOf(
  tree: SourceTree,
  type: JavaType,
  path: readonly string[],
  depth = 0,
): Promise<TypeAnswer> {
  if (path.length === 0 || depth > 8) return "unknown";
  return await new JavaTypes(tree, type.path, type.summary).named(type.declaration.of, path, depth + 1);
}

/** From a full name: the longest package that is in the project, then types. */
export async function qualifiedType(tree: SourceTree, path: readonly string[]): Promise<TypeAnswer> {
  for (let length = path.length - 1; length > 0; length -= 1) {
    const [packageName, name, ...rest] = [
      path.slice(0, length).join("."),
      path[length] ?? "",
      ...path.slice(length + 1),
    ];
    if (!(await hasPackage(tree, packageName))) continue;
    const top = await topLevel(tree, packageName, name, "");
    if (typeof top === "string" || rest.length === 0) return top;
    return typeIn(top.path, top.summary, [name, ...rest].join(".")) ?? "missing";
  }
  return "missing";
}

function typeIn(path: string, summary: SourceSummary, qualified: string): JavaType | undefined {
  const [of, name] = split(qualified);
  const declaration = summary.declarations.find((one) => one.kind === "type" && one.name === name && one.of === of);
  return declaration === undefined ? undefined : { path, summary, declaration, qualified };
}

function split(qualified: string): readonly [of: string, name: string] {
  const dot = qualified.lastIndexOf(".");
  return dot === -1 ? ["", qualified] : [qualified.slice(0, dot), qualified.slice(dot + 1)];
}

/** Its own directory comes first: a test may have a class of the same name as another module's. */
async function topLevel(tree: SourceTree, packageName: string, name: string, directory: string): Promise<TypeAnswer> {
  const found: JavaType[] = [];
  for (const at of await directoriesOf(tree, packageName)) {
    const path = joined(at, `${name}.java`);
    const summary = await tree.summary(path);
    if (summary?.skipped !== undefined) return "unknown";
    const type = summary?.package === packageName ? typeIn(path, summary, name) : undefined;
    if (type !== undefined && at === directory) return type;
    if (type !== undefined) found.push(type);
  }
  if (found.length === 0) return await besides(tree, packageName, name);
  return found.length === 1 ? (found[0] ?? "unknown") : "unknown";
}

/** A type may also stand in a file that is named for another. */
async function besides(tree: SourceTree, packageName: string, name: string): Promise<TypeAnswer> {
  const { types, isSure } = await tree.remember(`java package ${packageName}`, async () => {
    const all = new Map<string, JavaType | "unknown">();
    let isSure = true;
    for (const at of await directoriesOf(tree, packageName)) {
      for (const path of tree.files(at)) {
        if (!path.endsWith(".java")) continue;
        const summary = await tree.summary(path);
        if (summary === undefined || summary.skipped !== undefined) isSure = false;
        if (summary?.package !== packageName) continue;
        for (const declaration of summary.declarations) {
          if (declaration.kind !== "type" || declaration.of !== "") continue;
          const known = all.has(declaration.name);
          all.set(declaration.name, known ? "unknown" : { path, summary, declaration, qualified: declaration.name });
        }
      }
    }
    return { types: all, isSure };
  });
  return types.get(name) ?? (isSure ? "missing" : "unknown");
}

/** True when no package that begins a full name is in the project. */
export async function isFromOutside(tree: SourceTree, path: readonly string[]): Promise<boolean> {
  for (let length = path.length - 1; length > 0; length -= 1)
    if (await hasPackage(tree, path.slice(0, length).join("."))) return false;
  return true;
}

async function hasPackage(tree: SourceTree, packageName: string): Promise<boolean> {
  return (await directoriesOf(tree, packageName)).length > 0;
}

function directoriesOf(tree: SourceTree, packageName: string): Promise<readonly string[]> {
  return tree.remember(`java directories ${packageName}`, async () => {
    const end = packageName.replaceAll(".", "/");
    const found: string[] = [];
    for (const directory of tree.directories()) {
      if (directory !== end && !directory.endsWith(`/${end}`) && packageName !== "") continue;
      const first = tree.files(directory).find((path) => path.endsWith(".java"));
      const summary = first === undefined ? undefined : await tree.summary(first);
      if (summary?.package === packageName || summary?.skipped !== undefined) found.push(directory);
    }
    return found;
  });
}

export function memberOf(type: JavaType, declaration: SourceDeclaration): boolean {
  return declaration.of === type.qualified;
}

/** java.lang: a type of the project that is gone may leave one of these in its place. */
const languageTypes = (name: string): boolean => libraryHas("java.lang", name) === true;
