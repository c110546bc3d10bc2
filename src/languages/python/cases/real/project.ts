// A real Python tree as Python's own parser sees it (code.py), and the names its modules go by.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Span, TextEdit } from "./language-server.ts";

export interface Spot {
  readonly line: number;
  readonly column: number;
}

export interface Parameter extends Spot {
  readonly name: string;
  /** `first` may only be given by place, `keyword` only by name; `star` and `stars` take the rest. */
  readonly kind: "first" | "place" | "star" | "keyword" | "stars";
  readonly default: string | null;
  readonly end: Spot;
}

export interface Definition extends Spot {
  readonly kind: "function" | "class" | "constant" | "attribute";
  readonly path: string;
  readonly name: string;
  /** The class it is a member of. */
  readonly owner: string | null;
  /** Inside a function, or in a branch. */
  readonly nested: boolean;
  readonly start: number;
  readonly end: number;
  readonly indent: number;
  readonly decorators: readonly string[];
  // Of functions.
  readonly keyword?: Spot;
  readonly isAsync?: boolean;
  /** It awaits or yields. */
  readonly awaits?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly newParameter?: Spot & { readonly text: string };
  readonly bodyLine?: number | null;
  readonly usesFirst?: boolean;
  readonly usesSuper?: boolean;
  readonly names?: readonly string[];
  readonly returns?: string | null;
  readonly returnsAt?: { readonly begin: Spot; readonly end: Spot } | null;
  /** What its `return`s give, where every way out of it gives something. */
  readonly results?: readonly { readonly begin: Spot; readonly end: Spot }[] | null;
  // Of constants and attributes.
  readonly value?: { readonly begin: Spot; readonly end: Spot } | null;
  readonly promise?: { readonly begin: Spot; readonly end: Spot; readonly text: string } | null;
  // Of classes.
  readonly bases?: readonly string[];
  readonly fields?: readonly { readonly name: string; readonly default: boolean }[];
}

export interface Import extends Spot {
  readonly from: string | null;
  readonly names: readonly { readonly name: string; readonly alias: string | null }[];
  readonly end: Spot;
  readonly top: boolean;
}

export interface Call {
  readonly begin: Spot;
  /** Where the called name ends. */
  readonly name: Spot;
  readonly end: Spot;
  readonly places: number;
  /** What is given by place. */
  readonly given: readonly { readonly begin: Spot; readonly end: Spot }[];
  readonly keywords: readonly string[];
  readonly starred: boolean;
  readonly awaited: boolean;
}

export interface File {
  readonly text: string;
  readonly definitions: readonly Definition[];
  readonly imports: readonly Import[];
  readonly calls: readonly Call[];
  /** What its top level binds. */
  readonly names: readonly string[];
  /** Where names and members end that are assigned or deleted. */
  readonly written: readonly Spot[];
}

export interface Project {
  readonly files: ReadonlyMap<string, File>;
  /** Of importable modules that are no tests, examples or documents. */
  readonly own: readonly Definition[];
  /** The module's full name; for a package, its own. */
  moduleOf(path: string): string;
}

export async function readProject(root: string, paths: readonly string[]): Promise<Project> {
  const child = Bun.spawn(["python3", "-I", join(import.meta.dir, "code.py"), root], {
    stdin: new Blob([JSON.stringify(paths)]),
    stdout: "pipe",
  });
  const read = JSON.parse(await new Response(child.stdout).text()) as Record<string, Omit<File, "text">>;
  const files = new Map(
    Object.entries(read).map(([path, file]): [string, File] => [
      path,
      {
        ...file,
        text: readFileSync(join(root, path), "utf8"),
        definitions: file.definitions.map((one) => ({ ...one, path })),
      },
    ]),
  );
  const packages = new Set(paths.filter((path) => path.endsWith("/__init__.py")).map((path) => path.slice(0, -12)));
  const moduleOf = (path: string): string => {
    const parts = path.replace(/(\/__init__)?\.py$/, "").split("/");
    let at = parts.length - (path.endsWith("/__init__.py") ? 0 : 1);
    while (at > 0 && packages.has(parts.slice(0, at).join("/"))) at -= 1;
    return parts.slice(at).join(".");
  };
  const aside = /(^|\/)(tests?|testing|docs?|examples?|benchmarks?|scripts?|tools?|setup\.py|conftest\.py)(\/|$)/;
  const own = [...files].flatMap(([path, file]) =>
    // A module's `__getattr__` answers for any name, as pyright sees it, so that nothing in it could be judged.
    aside.test(path) || !moduleOf(path).includes(".") || file.names.includes("__getattr__")
      ? []
      : file.definitions.filter(({ nested }) => !nested),
  );
  return { files, own, moduleOf };
}

/** What `from X import …` in that file means by X. */
export function absolute(project: Project, path: string, from: string): string {
  const dots = /^\.*/.exec(from)?.[0].length ?? 0;
  if (dots === 0) return from;
  const module = project.moduleOf(path).split(".");
  const home = module.slice(0, module.length - dots + (path.endsWith("/__init__.py") ? 1 : 0));
  const tail = from.slice(dots);
  return [...home, ...(tail === "" ? [] : [tail])].join(".");
}

export function edited(text: string, edits: readonly Omit<TextEdit, "path">[]): string {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = (line: number, column: number): number => (starts[line] ?? text.length) + column;
  const sorted = edits
    .map(({ line, column, endLine, endColumn, text: into }) => ({
      from: offset(line, column),
      to: offset(endLine, endColumn),
      into,
    }))
    .toSorted((a, b) => b.from - a.from || b.to - a.to);
  let result = text;
  let before = Number.POSITIVE_INFINITY;
  for (const { from, to, into } of sorted) {
    // Pyright names a place twice for `import a as a`; once is enough.
    if (to > before || (from === before && to > from)) continue;
    result = result.slice(0, from) + into + result.slice(to);
    before = from;
  }
  return result;
}

export const insert = ({ line, column }: Spot, text: string): Omit<TextEdit, "path"> => ({
  line,
  column,
  endLine: line,
  endColumn: column,
  text,
});

export const isAt = (span: Span, spot: Spot): boolean => span.line === spot.line && span.column === spot.column;
export const endsAt = (span: Span, spot: Spot): boolean => span.endLine === spot.line && span.endColumn === spot.column;
