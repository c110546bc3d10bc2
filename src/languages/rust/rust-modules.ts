// Rust's modules: which file holds which, from the crate's root down by `mod`, and what a name or path means in one of them. Names
// under `cfg`, behind macros, or from globs of other crates are unknown.

import type { SourceDeclaration, SourceImport } from "../compiled/facts.ts";
import type { Mark } from "../compiled/rules.ts";
import { baseName, directoryOf, joined, type SourceTree } from "../compiled/source-tree.ts";
import { namedDependencies } from "./cargo-manifest.ts";

export interface RustModule {
  /** The crate's root file. */
  readonly root: string;
  readonly path: readonly string[];
  readonly file: string;
  /** Modules written in the file around it, joined by `::`. */
  readonly inline: string;
}

/** Something that has a name: an item in a module, or a module. */
export interface RustThing extends Mark {
  readonly home: RustModule;
  /** Set for modules. */
  readonly module?: RustModule;
}

export type RustAnswer =
  | { readonly things: readonly RustThing[]; readonly trail: readonly Mark[] }
  | "missing"
  | "private"
  | "unknown";

const maxDepth = 12;

export class RustModules {
  private readonly tree: SourceTree;

  constructor(tree: SourceTree) {
    this.tree = tree;
  }

  /** The module that a file is; undefined when no crate's root leads to it for certain. */
  of(file: string): Promise<RustModule | undefined> {
    return this.tree.remember(`rust module of ${file}`, async () => {
      for (let directory = directoryOf(file); ; directory = directoryOf(directory)) {
        const roots = [joined(directory, "lib.rs"), joined(directory, "main.rs")].filter((root) => this.tree.has(root));
        if (isRoot(file) && directory === directoryOf(file)) return { root: file, path: [], file, inline: "" };
        for (const root of roots) {
          const module = await this.at(root, segments(directory, file));
          if (module?.file === file) return module;
        }
        if (roots.length > 0 || directory === "") return undefined;
      }
    });
  }

  at(root: string, path: readonly string[]): Promise<RustModule | undefined> {
    return this.tree.remember(`rust module ${root} ${path.join("::")}`, async () => {
      let module: RustModule | undefined = { root, path: [], file: root, inline: "" };
      for (const name of path) {
        const file: RustModule = module;
        const summary = await this.tree.summary(file.file);
        const same = (summary?.declarations ?? []).filter(
          (one) => one.kind === "module" && one.name === name && one.module === file.inline,
        );
        // Under conditions there may be one for each system.
        const [declaration] = same;
        module = declaration === undefined || same.length > 1 ? undefined : this.child(file, declaration);
        if (module === undefined) return undefined;
      }
      return module;
    });
  }

  private child(parent: RustModule, { name, words }: SourceDeclaration): RustModule | undefined {
    if (words.includes("elsewhere") || words.includes("crate")) return undefined;
    if (words.includes("test") && words.includes("conditional")) return undefined;
    const path = [...parent.path, name];
    const inline = parent.inline === "" ? name : `${parent.inline}::${name}`;
    if (words.includes("inline")) return { root: parent.root, path, file: parent.file, inline };
    const own = isRoot(parent.file) || baseName(parent.file) === "mod.rs";
    const base = own ? directoryOf(parent.file) : parent.file.replace(/\.rs$/, "");
    const directory = joined(base, parent.inline.replaceAll("::", "/"));
    const file = [joined(directory, `${name}.rs`), joined(directory, `${name}/mod.rs`)].find((one) =>
      this.tree.has(one),
    );
    return file === undefined ? undefined : { root: parent.root, path, file, inline: "" };
  }

  /** Returns what a path means when it is written in `from`. */
  async path(from: RustModule, path: readonly string[], depth = 0): Promise<RustAnswer> {
    const [first = "", ...rest] = path;
    if (depth > maxDepth || path.length === 0) return "unknown";
    let now: RustAnswer;
    if (first === "crate") now = await this.moduleThing(from.root, []);
    else if (first === "self") now = await this.moduleThing(from.root, from.path);
    else if (first === "super")
      now = from.path.length === 0 ? "unknown" : await this.moduleThing(from.root, from.path.slice(0, -1));
    else {
      const root = await this.crateCalled(first);
      const isCrate = root !== undefined && root !== from.root && !(await this.isWrittenIn(from, first));
      now = isCrate ? await this.moduleThing(root, []) : await this.lookUp(from, first, from, depth);
      if (now === "missing" && (await this.isOutside(first))) now = "unknown";
    }
    let isUp = first === "super" || first === "self";
    for (const [at, name] of rest.entries()) {
      if (typeof now === "string") return now;
      const before: Exclude<RustAnswer, string> = now;
      const [module] = before.things.flatMap((thing) => thing.module ?? []);
      if (module === undefined) {
        const variant = at === rest.length - 1 ? await this.variantIn(before.things, name) : undefined;
        return { things: variant ?? before.things, trail: [...before.trail, ...before.things] };
      }
      if (isUp && name === "super") {
        now = module.path.length === 0 ? "unknown" : await this.moduleThing(module.root, module.path.slice(0, -1));
        continue;
      }
      isUp = false;
      const after: RustAnswer = await this.lookUp(module, name, from, depth);
      now =
        typeof after === "string"
          ? after
          : { things: after.things, trail: [...before.trail, ...before.things, ...after.trail] };
    }
    return now;
  }

  /** Splits a path. The first names lead to modules, the next is an item, and the rest is inside it. */
  async split(from: RustModule, path: readonly string[]): Promise<{ answer: RustAnswer; rest: readonly string[] }> {
    for (let length = 1; length <= path.length; length += 1) {
      const answer = await this.path(from, path.slice(0, length));
      if (typeof answer === "string") return { answer, rest: [] };
      const isModule = answer.things.some((thing) => thing.module !== undefined);
      if (length === path.length || !isModule) return { answer, rest: path.slice(length) };
    }
    return { answer: "unknown", rest: [] };
  }

  /** A crate's name counts before what a glob may bring, and after what the module itself has of that name. */
  private async isWrittenIn(module: RustModule, name: string): Promise<boolean> {
    const { declarations = [], imports = [] } = (await this.tree.summary(module.file)) ?? {};
    return (
      declarations.some((one) => one.module === module.inline && one.of === "" && one.name === name) ||
      imports.some((one) => one.module === module.inline && one.name === name)
    );
  }

  private async moduleThing(root: string, path: readonly string[]): Promise<RustAnswer> {
    const module = await this.at(root, path);
    if (module === undefined) return "unknown";
    const declaration = standIn(path.at(-1) ?? "crate", 1);
    return { things: [{ path: module.file, declaration, home: module, module }], trail: [] };
  }

  private async lookUp(module: RustModule, name: string, from: RustModule, depth: number): Promise<RustAnswer> {
    const summary = await this.tree.summary(module.file);
    if (depth > maxDepth || summary === undefined || summary.skipped !== undefined || summary.doubtful === 1)
      return "unknown";
    const here = summary.declarations.filter((one) => one.module === module.inline && one.of === "");
    const things: RustThing[] = [];
    const trail: Mark[] = [];
    let [isHidden, isSure] = [false, !here.some((one) => one.name === "!")];
    const same = here.filter((one) => one.name === name);
    for (const declaration of same) {
      // The only one of its name is what is meant, if anything is; of several the condition decides.
      const isOnly = same.filter((one) => one.kind === declaration.kind).length === 1;
      if (declaration.words.includes("conditional") && (!isOnly || declaration.words.includes("test")))
        return "unknown";
      if (!mayReach(declaration.access, module, from)) isHidden = true;
      else if (declaration.kind === "module" && declaration.words.includes("crate"))
        things.push({ path: module.file, declaration, home: module });
      else if (declaration.kind === "module") {
        const child = this.child(module, declaration);
        if (child === undefined) return "unknown";
        things.push({ path: module.file, declaration, home: module, module: child });
      } else things.push({ path: module.file, declaration, home: module });
    }
    const imports = summary.imports.filter((one) => one.module === module.inline);
    let beyond: RustThing | undefined;
    for (const one of imports.filter((each) => each.name === name)) {
      if (one.words.includes("conditional")) return "unknown";
      if (!mayReach(one.access, module, from)) isHidden = true;
      else if (!collect(await this.imported(module, one, depth), one, module, things, trail))
        beyond = { path: module.file, declaration: broughtIn(one), home: module };
    }
    // What is brought in from where nobody can look is nothing known, but that it is brought in is.
    if (things.length === 0 && beyond !== undefined) return { things: [beyond], trail };
    if (things.length > 0) return { things, trail };
    if (imports.some((one) => one.name === name) && !isHidden) return isSure ? "missing" : "unknown";
    // Two that bring the same name may only mean the same by it, so one without a condition is enough.
    if (imports.some((each) => each.name === "*" && each.words.includes("conditional"))) isSure = false;
    for (const one of imports.filter((each) => each.name === "*" && !each.words.includes("conditional"))) {
      if (!mayReach(one.access, module, from)) continue;
      const found = await this.throughGlob(module, one, name, from, depth);
      if (found === "unknown") isSure = false;
      else if (found === "private") isHidden = true;
      else if (typeof found !== "string") return found;
    }
    if (!isSure || prelude.has(name)) return "unknown";
    return isHidden ? "private" : "missing";
  }

  private async throughGlob(
    module: RustModule,
    glob: SourceImport,
    name: string,
    from: RustModule,
    depth: number,
  ): Promise<RustAnswer> {
    const holder = await this.imported(module, glob, depth);
    if (typeof holder === "string") return "unknown";
    const [thing] = holder.things;
    if (thing === undefined) return "unknown";
    const mark = { path: module.file, declaration: standIn(name, glob.line) };
    if (thing.module !== undefined) {
      const same = thing.module.file === module.file && thing.module.inline === module.inline;
      if (same) return "missing";
      const found = await this.lookUp(thing.module, name, from, depth + 3);
      return typeof found === "string"
        ? found
        : { things: found.things, trail: [mark, ...holder.trail, ...found.trail] };
    }
    const variant = await this.variantIn([thing], name);
    if (variant === undefined) return thing.declaration.words.includes("enum") ? "missing" : "unknown";
    return { things: variant, trail: [mark, thing] };
  }

  private async variantIn([thing]: readonly RustThing[], name: string): Promise<readonly RustThing[] | undefined> {
    const { declaration, path, home } = thing ?? {};
    if (declaration === undefined || path === undefined || home === undefined) return undefined;
    const summary = await this.tree.summary(path);
    const found = summary?.declarations.find(
      (one) =>
        one.kind === "variant" && one.of === declaration.name && one.name === name && one.module === declaration.module,
    );
    return found === undefined ? undefined : [{ path, declaration: found, home }];
  }

  /** Before the edition of 2018 the paths of `use` began at the root. */
  private async imported(module: RustModule, { path }: SourceImport, depth: number): Promise<RustAnswer> {
    if (path.length === 0) return "unknown";
    // `use name::…` inside the module that imports `name` itself would go in circles.
    const found = await this.path(module, path, depth + 2);
    if (typeof found !== "string" || module.path.length === 0) return found;
    const root = await this.at(module.root, []);
    const [first = ""] = path;
    if (root === undefined || first === "crate" || first === "self" || first === "super") return found;
    const older = await this.path(root, path, depth + 2);
    return older === "missing" ? found : older;
  }

  /** Tells whether a crate from elsewhere has that name. Its content cannot be read here. */
  private async isOutside(name: string): Promise<boolean> {
    const outside = await this.tree.remember("rust dependencies", async () => {
      const manifests = [...this.tree.directories()].map((directory) => joined(directory, "Cargo.toml"));
      const texts = manifests.filter((path) => this.tree.has(path)).map((path) => this.tree.text(path));
      return new Set((await Promise.all(texts)).flatMap(namedDependencies));
    });
    return outside.has(name);
  }

  /** The library of a crate in this tree, by the name others use. */
  private async crateCalled(name: string): Promise<string | undefined> {
    const crates = await this.tree.remember("rust crates", async () => {
      const found = new Map<string, string>();
      for (const directory of this.tree.directories()) {
        if (!this.tree.has(joined(directory, "Cargo.toml")) || !this.tree.has(joined(directory, "src/lib.rs")))
          continue;
        const text = await this.tree.text(joined(directory, "Cargo.toml"));
        const called = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(text)?.[1];
        if (called !== undefined && !/^\[lib\][^[]*?^(name|path)\s*=/ms.test(text))
          found.set(called.replaceAll("-", "_"), joined(directory, "src/lib.rs"));
      }
      return found;
    });
    return crates.get(name);
  }
}

function collect(
  found: RustAnswer,
  one: SourceImport,
  module: RustModule,
  things: RustThing[],
  trail: Mark[],
): boolean {
  if (typeof found === "string") return found !== "unknown";
  trail.push({ path: module.file, declaration: standIn(one.name, one.line) }, ...found.trail);
  things.push(...found.things);
  return true;
}

export function mayReach(access: string, home: RustModule, from: RustModule): boolean {
  if (access === "public" || access.startsWith("in ")) return true;
  if (home.root !== from.root) return false;
  if (access === "crate") return true;
  const within = access === "super" ? home.path.slice(0, -1) : home.path;
  return within.every((name, at) => from.path[at] === name);
}

function standIn(name: string, line: number): SourceDeclaration {
  return { kind: "module", name, line, of: "", module: "", access: "public", words: [], shape: 0 };
}

function broughtIn({ name, line, module }: SourceImport): SourceDeclaration {
  return { ...standIn(name, line), module, words: ["crate", "import"] };
}

/** Cargo finds these by itself. */
function isRoot(file: string): boolean {
  return (
    /(^|\/)(src\/(lib|main)\.rs|src\/bin\/[^/]+\.rs|(tests|examples|benches)\/[^/]+\.rs|build\.rs)$/.test(file) ||
    /(^|\/)(lib|main)\.rs$/.test(file)
  );
}

function segments(directory: string, file: string): string[] {
  const inside = file.slice(directory === "" ? 0 : directory.length + 1).replace(/(\/mod)?\.rs$/, "");
  return inside.split("/");
}

/** With the types that every name can be hidden by, so that some are brought in all the same. */
const prelude = new Set(
  "bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 size_of size_of_val align_of align_of_val AsyncFn AsyncFnMut AsyncFnOnce Future IntoFuture AsMut AsRef Box Clone Copy Default DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut FnOnce From FromIterator Into IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result Send Sized Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec drop std core alloc".split(
    " ",
  ),
);
