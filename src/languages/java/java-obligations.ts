// Finds what a Java class owes to the types it is built on: the methods it must implement, and those it says it overrides. Also finds how a
// type reaches what is above it.

import type { SourceDeclaration, SourceUse } from "../compiled/facts.ts";
import { right, unknown, type Verdict, wrong } from "../compiled/rules.ts";
import type { SourceTree } from "../compiled/source-tree.ts";
import { libraryName } from "./java-library.ts";
import { libraryBrings } from "./java-members.ts";
import { type JavaType, type JavaTypes, memberOf, superOf } from "./java-types.ts";

/** Members of a type and of what it is built on; `isSure` when all of that is in the project. */
interface Hierarchy {
  readonly types: readonly JavaType[];
  readonly isSure: boolean;
  /** The types it is built on that are not in the project, by full name if they are from Java's own library. */
  readonly outside: readonly (string | undefined)[];
  /** Something in it cannot be read, or is written by a generator. */
  readonly isDark: boolean;
}

/** True when a member that is not found among the project's types may still come from outside. */
export function mayComeFromOutside({ outside, isDark }: Pick<Hierarchy, "outside" | "isDark">, name: string): boolean {
  return isDark || outside.some((full) => full === undefined || libraryBrings(full, name) !== false);
}

export class JavaObligations {
  private readonly tree: SourceTree;
  private readonly types: JavaTypes;

  constructor(tree: SourceTree, types: JavaTypes) {
    this.tree = tree;
    this.types = types;
  }

  async implemented(use: SourceUse): Promise<Verdict> {
    const all = await this.above(use);
    if (all === undefined || all.types.length === 0) return unknown;
    const methods = all.types.flatMap((type) =>
      type.summary.declarations
        .filter((one) => one.kind === "function" && memberOf(type, one))
        .map((declaration) => ({ path: type.path, declaration, isMet: isMetByObject(type, declaration) })),
    );
    const done = new Set(use.parts);
    for (const { declaration } of methods)
      if (!declaration.words.includes("abstract")) done.add(signature(declaration));
    const lost = methods.find(
      ({ declaration, isMet }) => declaration.words.includes("abstract") && !done.has(signature(declaration)) && !isMet,
    );
    if (lost === undefined) return right(...all.types.toReversed());
    return mayComeFromOutside(all, lost.declaration.name)
      ? unknown
      : wrong("requires", `${lost.declaration.of} asks for ${lost.declaration.name}`, lost);
  }

  async overridden(use: SourceUse): Promise<Verdict> {
    const all = await this.above(use);
    const [wanted = ""] = use.parts ?? [];
    const [name = ""] = wanted.split("/");
    if (all === undefined || everyObjectHas(wanted)) return unknown;
    for (const type of all.types) {
      const found = type.summary.declarations.find(
        (one) => one.kind === "function" && memberOf(type, one) && signature(one) === wanted,
      );
      if (found !== undefined)
        return found.access === "private" ? unknown : right(type, { path: type.path, declaration: found });
    }
    if (mayComeFromOutside(all, name)) return unknown;
    return wrong("member", `there is no ${name} to override with these parameters`, all.types[0]);
  }

  private async above(use: SourceUse): Promise<Omit<Hierarchy, "isSure"> | undefined> {
    const types: JavaType[] = [];
    const outside: (string | undefined)[] = [];
    let isDark = false;
    for (const path of use.supers ?? []) {
      const found = await this.types.named(use.of, path);
      if (typeof found === "string") {
        outside.push(libraryName(this.types.summary, path));
        continue;
      }
      const more = await hierarchyOf(this.tree, found);
      types.push(...more.types);
      outside.push(...more.outside);
      isDark ||= more.isDark;
    }
    return { types, outside, isDark };
  }
}

export async function superclassOf(tree: SourceTree, type: JavaType): Promise<JavaType | undefined> {
  const [first] = type.declaration.supers ?? [];
  if (first === undefined) return undefined;
  const found = await superOf(tree, type, first);
  return typeof found === "string" || !found.declaration.words.includes("class") ? undefined : found;
}

export async function hierarchyOf(tree: SourceTree, type: JavaType, seen = new Set<string>()): Promise<Hierarchy> {
  const key = `${type.path} ${type.qualified}`;
  if (seen.has(key)) return { types: [], isSure: true, outside: [], isDark: false };
  seen.add(key);
  const types = [type];
  const outside: (string | undefined)[] = [];
  let isSure = type.summary.doubtful !== 1;
  let isDark = !isSure;
  for (const path of type.declaration.supers ?? []) {
    const above = await superOf(tree, type, path);
    if (typeof above === "string") {
      isSure = false;
      outside.push(libraryName(type.summary, path));
      continue;
    }
    const more = await hierarchyOf(tree, above, seen);
    types.push(...more.types);
    outside.push(...more.outside);
    isSure &&= more.isSure;
    isDark ||= more.isDark;
  }
  return { types, isSure, outside, isDark };
}

const signature = ({ name, takes }: SourceDeclaration): string => `${name}/${takes?.[0] ?? 0}`;

/** Every object has these, with so many parameters. */
const ofObject: ReadonlyMap<string, readonly number[]> = new Map([
  ["clone", [0]],
  ["equals", [1]],
  ["finalize", [0]],
  ["getClass", [0]],
  ["hashCode", [0]],
  ["notify", [0]],
  ["notifyAll", [0]],
  ["toString", [0]],
  ["wait", [0, 1, 2]],
]);

/** `name/parameters`; a name alone means any form. */
export function everyObjectHas(wanted: string): boolean {
  const [name = "", count] = wanted.split("/");
  const counts = ofObject.get(name);
  return counts !== undefined && (count === undefined || counts.includes(Number(count)));
}

/** An interface that declares a public method of Object anew asks its classes for nothing; an abstract class asks for it. */
export function isMetByObject(type: JavaType, declaration: SourceDeclaration): boolean {
  return (
    type.declaration.words.includes("interface") && /^(equals\/1|(hashCode|toString)\/0)$/.test(signature(declaration))
  );
}
