// Renames and deletions.

import type { TextEdit } from "./language-server.ts";
import { type Definition, edited, isAt, type Parameter, type Project } from "./project.ts";
import type { Attempt } from "./attempt.ts";

export function renameSymbol(fits: (one: Definition) => boolean): Attempt {
  return async (project, server, chance) => {
    const candidates = project.own.filter(fits);
    if (candidates.length === 0) return undefined;
    const target = chance.pick(candidates);
    const edits = await server.rename(target, renewed(target.name));
    if (edits === undefined || edits.length === 0) return undefined;
    const files = apply(project, edits);
    return files && { what: `renames ${nameOf(target)} to ${renewed(target.name)}`, target, files, moved: new Map() };
  };
}

export const renameParameter: Attempt = async (project, server, chance) => {
  const named = ({ parameters }: Definition): readonly Parameter[] =>
    (parameters ?? []).filter(
      ({ kind, name }) => (kind === "place" || kind === "keyword") && !/^(self|cls)$/.test(name),
    );
  const candidates = project.own.filter((one) => named(one).length > 0);
  if (candidates.length === 0) return undefined;
  const target = chance.pick(candidates);
  const parameter = chance.pick(named(target));
  const edits = await server.rename({ path: target.path, ...parameter }, renewed(parameter.name));
  if (edits === undefined || edits.length === 0) return undefined;
  const files = apply(project, edits);
  const what = `renames parameter ${parameter.name} of ${nameOf(target)}`;
  return files && { what, target, parameter: parameter.name, files, moved: new Map() };
};

export function deleteUnused(fits: (one: Definition) => boolean): Attempt {
  return async (project, server, chance) => {
    const candidates = project.own.filter(fits);
    // Most functions are used; a few tries find one that is not.
    for (let round = 0; round < 12 && candidates.length > 0; round++) {
      const target = chance.pick(candidates);
      const siblings = project.own.filter(({ path, owner }) => path === target.path && owner === target.owner);
      const references = await server.references(target);
      if (siblings.length < 2 || references.some((one) => one.path !== target.path || !isAt(one, target))) continue;
      const file = project.files.get(target.path);
      if (file === undefined) continue;
      const edit = { line: target.start, column: 0, endLine: target.end + 1, endColumn: 0, text: "" };
      const files = new Map([[target.path, edited(file.text, [edit])]]);
      return { what: `deletes ${nameOf(target)}`, target, files, moved: new Map() };
    }
    return undefined;
  };
}

/** Undefined when an edit leaves the tree that was read. */
export function apply(project: Project, edits: readonly TextEdit[]): Map<string, string> | undefined {
  const files = new Map<string, string>();
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const file = project.files.get(path);
    if (file === undefined) return undefined;
    files.set(
      path,
      edited(
        file.text,
        edits.filter((edit) => edit.path === path),
      ),
    );
  }
  return files;
}

export const nameOf = ({ path, owner, name }: Definition): string =>
  `${owner === null ? "" : `${owner}.`}${name} (${path})`;

const renewed = (name: string): string =>
  /^[A-Z0-9_]+$/.test(name) ? `${name}_ANEW` : /^_*[A-Z]/.test(name) ? `${name}Anew` : `${name}_anew`;
