// Tells whether the crate has a macro of its own by the name of a known one: defined in a file above, in a module whose macros are brought
// in (`#[macro_use]`), or in a crate whose macros are all brought in. A glob brings none: the compiler refuses a name that could mean both.

import type { SourceUse } from "../compiled/facts.ts";
import type { SourceTree } from "../compiled/source-tree.ts";
import { plainCrates } from "./macro-forms.ts";
import type { RustModule, RustModules } from "./rust-modules.ts";

interface OwnMacros {
  readonly names: Set<string>;
  /** Macros of a crate that nobody can read are brought in. */
  isOpen: boolean;
}

/** The first macro around a use that may not be the one it is taken for. */
export async function hiddenMacro(
  tree: SourceTree,
  modules: RustModules,
  file: RustModule,
  { macros = [] }: SourceUse,
): Promise<string | undefined> {
  if (macros.length === 0) return undefined;
  const { names, isOpen } = await ownMacros(tree, modules, file);
  return isOpen ? macros[0] : macros.find((name) => names.has(name));
}

function ownMacros(tree: SourceTree, modules: RustModules, file: RustModule): Promise<OwnMacros> {
  return tree.remember(`rust macros ${file.root} ${file.path.join("::")}`, async () => {
    const found: OwnMacros = { names: new Set(), isOpen: false };
    for (let length = 0; length <= file.path.length; length += 1)
      await collect(tree, modules, await modules.at(file.root, file.path.slice(0, length)), found, 0);
    return found;
  });
}

const maxDepth = 6;

async function collect(
  tree: SourceTree,
  modules: RustModules,
  module: RustModule | undefined,
  found: OwnMacros,
  depth: number,
): Promise<void> {
  const summary = module === undefined ? undefined : await tree.summary(module.file);
  if (module === undefined || summary === undefined || summary.skipped !== undefined || depth > maxDepth) {
    found.isOpen = true;
    return;
  }
  for (const { kind, name, words, module: inline } of summary.declarations) {
    if (kind === "macro") found.names.add(name);
    if (kind !== "module" || !words.includes("macro-use")) continue;
    if (words.includes("crate")) found.isOpen ||= !plainCrates.has(name);
    else if (!words.includes("inline") && inline === module.inline)
      await collect(tree, modules, await modules.at(module.root, [...module.path, name]), found, depth + 1);
  }
}
