// Functions that move, modules and packages that get other names, names that a package no longer gives on.

import type { TextEdit } from "./language-server.ts";
import { absolute, type Definition, edited, type File, type Import, isAt, type Project } from "./project.ts";
import type { Attempt, Refactoring } from "./attempt.ts";
import { nameOf } from "./refactor-names.ts";

export const moveFunction: Attempt = async (project, server, chance) => {
  const candidates = project.own.filter(
    ({ kind, owner, decorators, path }) =>
      kind === "function" && owner === null && decorators.length === 0 && !path.endsWith("__init__.py"),
  );
  if (candidates.length === 0) return undefined;
  const target = chance.pick(candidates);
  const file = project.files.get(target.path);
  if (file === undefined) return undefined;
  const uses = (await server.references(target)).filter((use) => use.path !== target.path || !isAt(use, target));
  const lines = file.text.split("\n");
  const newPath = target.path.replace(/\.py$/, "_parts.py");
  const stem = target.path.split("/").at(-1)?.slice(0, -3) ?? "";
  const future = file.imports.filter(({ top }) => top).map((one) => lines.slice(one.line, one.end.line + 1).join("\n"));
  const imported = new Set(
    file.imports.flatMap(({ names }) => names.map(({ name, alias }) => (alias ?? name).split(".")[0])),
  );
  const needed = (target.names ?? []).filter(
    (name) => file.names.includes(name) && !imported.has(name) && name !== target.name,
  );
  const parts = [...future, ...(needed.length === 0 ? [] : [`from .${stem} import ${needed.join(", ")}`])];
  const moved = `${parts.join("\n")}\n\n\n${lines.slice(target.start, target.end + 1).join("\n")}\n`;
  const cut = { line: target.start, column: 0, endLine: target.end + 1, endColumn: 0, text: "" };
  const files = new Map<string, string>([[newPath, moved]]);
  const usedAtHome = uses.some(({ path }) => path === target.path);
  const homeEdits = usedAtHome ? [cut, afterImports(file, `from .${stem}_parts import ${target.name}\n`)] : [cut];
  files.set(target.path, edited(file.text, homeEdits));
  for (const path of new Set(uses.map((use) => use.path))) {
    if (path === target.path) continue;
    const other = project.files.get(path);
    if (other === undefined) return undefined;
    const edits = other.imports.flatMap((one) => takenFrom(project, path, one, target));
    if (edits.length > 0) files.set(path, edited(other.text, edits));
  }
  return { what: `moves ${nameOf(target)} to ${newPath}`, target, files, moved: new Map() };
};

export const renameModule: Attempt = async (project, _server, chance) => {
  const paths = [...new Set(project.own.map(({ path }) => path))].filter((path) => !/__(init|main)__\.py$/.test(path));
  if (paths.length === 0) return undefined;
  const path = chance.pick(paths);
  return renamed(project, project.moduleOf(path), new Map([[path, path.replace(/\.py$/, "_anew.py")]]), path, chance);
};

export const renamePackage: Attempt = async (project, _server, chance) => {
  const homes = [...new Set(project.own.map(({ path }) => path))]
    .filter((path) => path.endsWith("/__init__.py") && project.moduleOf(path).includes("."))
    .map((path) => path.slice(0, -12));
  if (homes.length === 0) return undefined;
  const home = chance.pick(homes);
  const inside = [...project.files.keys()].filter((path) => path.startsWith(`${home}/`));
  const moves = new Map(inside.map((path) => [path, `${home}_anew${path.slice(home.length)}`]));
  return renamed(project, project.moduleOf(`${home}/__init__.py`), moves, undefined, chance);
};

export const dropExport: Attempt = async (project, _server, chance) => {
  const given = [...project.files].flatMap(([path, file]) =>
    path.endsWith("/__init__.py")
      ? file.imports
          .filter(({ from, top }) => top && from !== null && from.startsWith("."))
          .flatMap((one) => one.names.map((name) => ({ path, one, name: name.alias ?? name.name, was: name.name })))
      : [],
  );
  if (given.length === 0) return undefined;
  const { path, one, name, was } = chance.pick(given);
  const file = project.files.get(path);
  const home = absolute(project, path, one.from ?? "");
  const target = project.own.find((it) => it.name === was && it.owner === null && project.moduleOf(it.path) === home);
  if (file === undefined || target === undefined) return undefined;
  const rest = one.names.filter((it) => (it.alias ?? it.name) !== name);
  const text = rest.length === 0 ? "" : statement({ ...one, names: rest });
  const all = new RegExp(`^\\s*["']${name}["'],?\\s*\\n`, "m");
  // Sometimes only the star's list loses it.
  const onlyListed = all.test(file.text) && chance.coin(0.3);
  const dropped = onlyListed ? file.text : edited(file.text, [replace(one, text)]);
  const files = new Map([[path, dropped.replace(all, "")]]);
  const what = `${onlyListed ? "drops from __all__" : "no longer gives on"} ${name} (${path})`;
  return { what, target, through: path, files, moved: new Map() };
};

function renamed(
  project: Project,
  module: string,
  moves: ReadonlyMap<string, string>,
  path: string | undefined,
  chance: { pick<T>(items: readonly T[]): T },
): Refactoring | undefined {
  const old = module.split(".");
  const files = new Map<string, string | null>();
  for (const [at, file] of project.files) {
    const edits: Omit<TextEdit, "path">[] = [];
    for (const one of file.imports) {
      const changed = renamedImport(project, at, one, old);
      if (changed === undefined) return undefined;
      if (changed !== one) edits.push(replace(one, statement(changed)));
    }
    const to = moves.get(at);
    if (to !== undefined) files.set(at, null);
    if (to !== undefined || edits.length > 0) files.set(to ?? at, edited(file.text, edits));
  }
  const inside = project.own.filter((one) => moves.has(one.path) && one.owner === null && one.kind !== "constant");
  if (inside.length === 0) return undefined;
  const target = chance.pick(inside.filter((one) => path === undefined || one.path === path));
  return { what: `renames ${path === undefined ? "package" : "module"} ${module}`, target, files, moved: moves };
}

/** The same when it is not meant; undefined when the name is used in a way that one statement cannot mend. */
function renamedImport(project: Project, path: string, one: Import, old: readonly string[]): Import | undefined {
  const fresh = `${old.at(-1)}_anew`;
  const full = old.join(".");
  const within = (name: string): boolean => name === full || name.startsWith(`${full}.`);
  if (one.from === null) {
    if (!one.names.some(({ name }) => within(name))) return one;
    if (one.names.some(({ name, alias }) => within(name) && alias === null)) return undefined;
    const names = one.names.map((it) =>
      within(it.name) ? { ...it, name: it.name.replace(full, [...old.slice(0, -1), fresh].join(".")) } : it,
    );
    return { ...one, names };
  }
  const meant = absolute(project, path, one.from);
  if (within(meant)) {
    const dots = /^\.*/.exec(one.from)?.[0] ?? "";
    const tail = one.from.slice(dots.length).split(".");
    const at = old.length - 1 - (meant.split(".").length - tail.length);
    if (at < 0 || tail[at] !== old.at(-1)) return one;
    return { ...one, from: dots + tail.with(at, fresh).join(".") };
  }
  if (meant !== old.slice(0, -1).join(".") || !one.names.some(({ name }) => name === old.at(-1))) return one;
  return {
    ...one,
    names: one.names.map((it) => (it.name === old.at(-1) ? { name: fresh, alias: it.alias ?? it.name } : it)),
  };
}

function takenFrom(project: Project, path: string, one: Import, target: Definition): Omit<TextEdit, "path">[] {
  if (one.from === null || absolute(project, path, one.from) !== project.moduleOf(target.path)) return [];
  const ours = one.names.filter(({ name }) => name === target.name);
  if (ours.length === 0) return [];
  const rest = one.names.filter(({ name }) => name !== target.name);
  const parts = [
    ...(rest.length === 0 ? [] : [statement({ ...one, names: rest })]),
    statement({ ...one, from: `${one.from}_parts`, names: ours }),
  ];
  return [replace(one, parts.join(`\n${" ".repeat(one.column)}`))];
}

function statement({ from, names }: Pick<Import, "from" | "names">): string {
  const list = names.map(({ name, alias }) => (alias === null ? name : `${name} as ${alias}`)).join(", ");
  return from === null ? `import ${list}` : `from ${from} import ${list}`;
}

const replace = ({ line, column, end }: Import, text: string): Omit<TextEdit, "path"> => ({
  line,
  column,
  endLine: end.line,
  endColumn: end.column,
  text,
});

export function afterImports({ imports }: File, text: string): Omit<TextEdit, "path"> {
  const last = imports.filter(({ top }) => top).at(-1);
  const line = last === undefined ? 0 : last.end.line + 1;
  return { line, column: 0, endLine: line, endColumn: 0, text };
}
