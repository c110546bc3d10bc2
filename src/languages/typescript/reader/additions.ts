// Finds what a change to a file brings for files that nobody changed. Those can only use what was there before. They break when that is
// changed or taken away. Additions break them only where both sides add the same name, which a file may then export twice.

import { type Part, type Statement, statementsOf } from "./surface.ts";

export interface Additions {
  /** Everything that others could see before is there as it was. */
  readonly onlyAdds: boolean;
  /** Names that were not there before, for others to import or for the file itself. */
  readonly names: ReadonlySet<string>;
}

/** undefined where that is not known: the file cannot be read or declares for all files, or what it adds is no plain declaration. */
export function additionsOf(path: string, was: string, is: string): Additions | undefined {
  if (/\.d\.[cm]?ts$/.test(path)) return undefined;
  const [before, after] = [statementsOf(path, was), statementsOf(path, is)];
  if (before === undefined || after === undefined || !isModule(after)) return undefined;
  const left = counted(before.map(({ surface }) => surface));
  const added = after.filter(({ surface }) => {
    const count = left.get(surface) ?? 0;
    left.set(surface, count - 1);
    return count <= 0;
  });
  const isKept = [...left.values()].every((count) => count <= 0);
  const had = new Set(before.flatMap(({ part }) => allOf(namesOf(part))));
  const said = added.map(({ part }) => namesOf(part));
  if (said.includes(undefined)) return undefined;
  const names = said.flatMap(allOf);
  // A second declaration of a name joins the first, as interfaces and overloads do.
  return {
    onlyAdds: isKept && !names.some((name) => had.has(name)),
    names: new Set(names.filter((name) => !had.has(name))),
  };
}

/** Without an import or export, what a file declares is there for all files. */
const isModule = (statements: readonly Statement[]): boolean =>
  statements.some(({ part: { type } }) => type?.startsWith("Export") === true || type === "ImportDeclaration");

const allOf = (names: Names | undefined): readonly string[] =>
  names === undefined ? [] : [...names.declares, ...names.exports];

function counted(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

interface Names {
  readonly declares: readonly string[];
  readonly exports: readonly string[];
}

function namesOf(part: Part): Names | undefined {
  if (part.type === "ImportDeclaration") {
    const declares = (part["specifiers"] as readonly Part[]).flatMap((one) => nameOf(one["local"] as Part) ?? []);
    return declares.length > 0 ? { declares, exports: [] } : undefined;
  }
  if (part.type === "ExportDefaultDeclaration") return { declares: [], exports: ["default"] };
  if (part.type === "ExportNamedDeclaration") {
    const declaration = part["declaration"] as Part | null;
    const declares = declaration === null ? [] : declaredBy(declaration);
    const specifiers = (part["specifiers"] as readonly Part[]).map((one) => nameOf(one["exported"] as Part));
    if (declares === undefined || specifiers.includes(undefined)) return undefined;
    return { declares, exports: [...declares, ...specifiers.flatMap((name) => name ?? [])] };
  }
  const declares = declaredBy(part);
  return declares === undefined ? undefined : { declares, exports: [] };
}

const declarations = new Set([
  "FunctionDeclaration",
  "TSDeclareFunction",
  "ClassDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSEnumDeclaration",
]);

/** undefined for what is no plain declaration: namespaces, patterns, what another module exports, statements that do something. */
function declaredBy(part: Part): string[] | undefined {
  if (part.type === "VariableDeclaration") {
    const names = (part["declarations"] as readonly Part[]).map((one) => nameOf(one["id"] as Part));
    return names.includes(undefined) ? undefined : names.flatMap((name) => name ?? []);
  }
  const name = declarations.has(part.type ?? "") ? nameOf(part["id"] as Part | null) : undefined;
  return name === undefined ? undefined : [name];
}

function nameOf(part: Part | null | undefined): string | undefined {
  if (part?.type === "Identifier") return part["name"] as string;
  return part?.type === "Literal" ? String(part["value"]) : undefined;
}
