// Changes of what a constant or an attribute holds, and of what a class is, with their uses.

import type { TextEdit } from "./language-server.ts";
import { type Definition, endsAt, insert, isAt } from "./project.ts";
import type { Attempt } from "./attempt.ts";
import { apply, nameOf } from "./refactor-names.ts";

/** What is assigned comes inside a tuple now, and each use takes it out. */
export function wrapValue(fits: (one: Definition) => boolean): Attempt {
  return async (project, server, chance) => {
    const candidates = project.own.filter((one) => fits(one) && one.value != null && !one.name.startsWith("__"));
    if (candidates.length === 0) return undefined;
    const target = chance.pick(candidates);
    const { value, promise } = target;
    if (value == null || /ClassVar|Final|TypeAlias|TypeVar/.test(promise?.text ?? "")) return undefined;
    const edits: TextEdit[] = [
      { path: target.path, ...insert(value.begin, "((") },
      { path: target.path, ...insert(value.end, "), None)") },
    ];
    if (promise != null)
      edits.push(
        { path: target.path, ...insert(promise.begin, "tuple[") },
        { path: target.path, ...insert(promise.end, ", None]") },
      );
    for (const use of await server.references(target)) {
      const file = project.files.get(use.path);
      if (file === undefined) return undefined;
      if (use.path === target.path && isAt(use, target)) continue;
      if (file.imports.some(({ line, end }) => line <= use.line && use.endLine <= end.line)) continue;
      // A second place that sets it would have to be understood, as would an argument of that name.
      if (file.written.some((spot) => endsAt(use, spot))) return undefined;
      if (/["'\w]/.test(file.text.split("\n")[use.line]?.[use.endColumn] ?? "")) return undefined;
      edits.push({ path: use.path, ...insert({ line: use.endLine, column: use.endColumn }, "[0]") });
    }
    const files = apply(project, edits);
    return files && { what: `puts ${nameOf(target)} into a tuple`, target, results: true, files, moved: new Map() };
  };
}

/** A class of the project goes on without its only base. */
export const dropBase: Attempt = async (project, _server, chance) => {
  const classes = project.own.filter(({ kind, owner }) => kind === "class" && owner === null);
  const candidates = classes.filter(
    ({ name, bases = [] }) => bases.length === 1 && bases[0] !== name && classes.some((one) => one.name === bases[0]),
  );
  if (candidates.length === 0) return undefined;
  const target = chance.pick(candidates);
  const base = classes.find(({ name }) => name === target.bases?.[0]);
  const line = project.files.get(target.path)?.text.split("\n")[target.line] ?? "";
  const from = target.column + target.name.length;
  const to = line.lastIndexOf("):");
  if (base === undefined || line[from] !== "(" || to < from) return undefined;
  const edit = { line: target.line, column: from, endLine: target.line, endColumn: to + 1, text: "" };
  const files = apply(project, [{ path: target.path, ...edit }]);
  return files && { what: `takes the base of ${nameOf(target)} away`, target, base, files, moved: new Map() };
};
