// Finds what the impls of a Rust type bring: its own functions and constants, and those of the traits that it implements.

import type { SourceDeclaration } from "../compiled/facts.ts";
import type { Mark } from "../compiled/rules.ts";
import { directoryOf, type SourceTree } from "../compiled/source-tree.ts";
import { libraryTraits } from "./rust-library.ts";
import type { RustModule, RustModules, RustThing } from "./rust-modules.ts";

export class RustImpls {
  private readonly tree: SourceTree;
  private readonly modules: RustModules;

  constructor(tree: SourceTree, modules: RustModules) {
    this.tree = tree;
    this.modules = modules;
  }

  /** Functions and constants of impls in the type's own file and in files that somebody changed, and what may hide one. */
  async named(
    type: RustThing,
    name: string,
  ): Promise<{ readonly things: readonly RustThing[]; readonly doubts: readonly Mark[] } | undefined> {
    const crate = directoryOf(type.home.root);
    const near = [...this.tree.focus].filter(
      (path) => path.endsWith(".rs") && (crate === "" || path.startsWith(`${crate}/`)),
    );
    const found: RustThing[] = [];
    const brought: RustThing[] = [];
    const doubts: Mark[] = [];
    for (const path of new Set([type.path, ...near])) {
      const summary = await this.tree.summary(path);
      if (summary === undefined) continue;
      if (summary.skipped !== undefined) return undefined;
      for (const one of summary.declarations) {
        const isMacro = one.name === "!" && one.of !== "";
        const isTrait = one.kind === "constructor" && one.name.startsWith("impl ");
        if (one.name !== name && !isMacro && !isTrait) continue;
        // One letter is a type parameter: the trait is there for all.
        const isForAll = isTrait && /^[A-Z]$/.test(one.of);
        const isNamedSo = one.of.split("::").at(-1) === type.declaration.name;
        if ((!isNamedSo && !isForAll) || one.kind === "field" || one.kind === "variant") continue;
        const home = await this.homeOf(path, one.module);
        if (home === undefined) continue;
        if (!isForAll && !(await this.isSame(home, one.of, type, path, one.module))) continue;
        const fromTrait = isTrait ? await this.ofTrait(home, one, name) : [];
        // A macro among its functions, or a trait from elsewhere, may bring what we look for, when nothing else does.
        if (isMacro || (fromTrait === undefined && !isForAll)) doubts.push({ path, declaration: one });
        else if (!isTrait) found.push({ path, declaration: one, home });
        brought.push(...(fromTrait ?? []));
      }
    }
    return { things: [...found, ...brought], doubts };
  }

  /** Returns what a trait brings under that name to the types that implement it. Undefined if nobody can say. */
  private async ofTrait(
    home: RustModule,
    { supers }: SourceDeclaration,
    name: string,
  ): Promise<RustThing[] | undefined> {
    const [path = []] = supers ?? [];
    if (libraryTraits.has(path.at(-1) ?? "")) return [];
    const answer = await this.modules.path(home, path);
    if (typeof answer === "string" || answer.things.some(({ declaration }) => declaration.words.includes("crate")))
      return undefined;
    const found: RustThing[] = [];
    for (const trait of answer.things) {
      const { name: of, module } = trait.declaration;
      for (const declaration of (await this.tree.summary(trait.path))?.declarations ?? [])
        if (declaration.name === name && declaration.of === of && declaration.module === module)
          found.push({ path: trait.path, declaration, home: trait.home });
    }
    return found;
  }

  private async homeOf(path: string, inline: string): Promise<RustModule | undefined> {
    const file = await this.modules.of(path);
    if (file === undefined || inline === "") return file;
    return await this.modules.at(file.root, [...file.path, ...inline.split("::")]);
  }

  private async isSame(home: RustModule, of: string, type: RustThing, path: string, inline: string): Promise<boolean> {
    if (path === type.path && inline === type.declaration.module && !of.includes("::")) return true;
    const answer = await this.modules.path(home, of.split("::"));
    return (
      typeof answer !== "string" &&
      answer.things.some((one) => one.path === type.path && one.declaration.name === type.declaration.name)
    );
  }
}
