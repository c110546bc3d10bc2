// Uses of which nobody can say whether they still fit what the other side changed: the definition holds only under conditions (another
// system, type checkers, an import that may fail), `__all__` is computed, or the module is found only by what a program does to its
// path. None of them is told as broken; each is named, so that silence is not taken for more than it is.

import type { PythonBinding, PythonSummary, PythonUse } from "../facts.ts";
import { parseRef, type Root } from "../ref.ts";
import type { UnsureUse } from "../../../ports/semantic.ts";
import { stdlibModules } from "./stdlib-modules.ts";
import type { Resolution } from "./resolver.ts";
import { live, own } from "./values.ts";

/** Both versions of a file that the other side changed; undefined where it is not there. */
export interface ChangedModule {
  readonly path: string;
  readonly was: PythonSummary | undefined;
  readonly is: PythonSummary | undefined;
}

export interface AskedUse {
  readonly use: PythonUse;
  readonly resolution: Resolution;
  /** The file it stands in. */
  readonly file: PythonSummary;
  /** The files that stars of this file lead to. */
  readonly starred: ReadonlySet<string>;
}

export type Unsure = Pick<UnsureUse, "symbol" | "definition" | "definitionLine" | "because">;

/** The files that the other side changed, as uses may name them. */
export class ChangedModules {
  private readonly byPath: ReadonlyMap<string, ChangedModule>;
  private readonly byName = new Map<string, ChangedModule[]>();

  constructor(modules: readonly ChangedModule[]) {
    this.byPath = new Map(modules.map((one) => [one.path, one]));
    for (const one of modules) {
      const parts = partsOf(one.path);
      const name = parts.at(-1) ?? "";
      this.byName.set(name, [...(this.byName.get(name) ?? []), one]);
    }
  }

  unsure(asked: AskedUse): Unsure | undefined {
    return this.underConditions(asked) ?? this.throughStar(asked) ?? this.outside(asked);
  }

  /** What it reaches is defined several times or only sometimes, and the other side changed one of these. */
  private underConditions({ resolution: { trail } }: AskedUse): Unsure | undefined {
    for (const mark of trail) {
      for (const { path, name } of mark === undefined ? [] : [mark, ...(mark.via === undefined ? [] : [mark.via])]) {
        const module = this.byPath.get(path);
        const [was, is] = [own(module?.was?.names, name), own(module?.is?.names, name)];
        if (was === undefined || is === undefined || !live(is).some((one) => one.conditional === true)) continue;
        if (differ(was, is))
          return { symbol: name, definition: path, because: "it is defined only under conditions there" };
      }
    }
    return undefined;
  }

  private throughStar({ use, file, starred }: AskedUse): Unsure | undefined {
    const { root } = parseRef(use.ref);
    if (root.kind !== "name" || own(file.names, root.name) !== undefined) return undefined;
    for (const path of starred) {
      const { was, is } = this.byPath.get(path) ?? {};
      if (was === undefined || is === undefined || own(was.names, root.name) === undefined) continue;
      const isComputed = was.all === null || is.all === null;
      if (isComputed && was.listed !== is.listed)
        return { symbol: root.name, definition: path, because: "what `import *` brings is computed there" };
    }
    return undefined;
  }

  /** A module that is nowhere where Python looks, and whose name is that of a file the other side changed. */
  private outside({ use, file, resolution }: AskedUse): Unsure | undefined {
    for (const { dotted, name } of importsBehind(use, file, resolution)) {
      const parts = dotted.split(".");
      if (stdlibModules.has(parts[0] ?? "")) continue;
      for (const { path, was, is } of this.byName.get(parts.at(-1) ?? "") ?? []) {
        if (was === undefined || !endsWith(partsOf(path), parts)) continue;
        const before = name === undefined ? undefined : own(was.names, name);
        const after = name === undefined ? undefined : own(is?.names, name);
        const isOther = before !== undefined && (after === undefined || differ(before, after));
        if (is === undefined || isOther)
          return { symbol: name ?? dotted, definition: path, because: `where ${dotted} is imported from is not known` };
      }
    }
    return undefined;
  }
}

interface Imported {
  readonly dotted: string;
  /** The name that is taken from it. */
  readonly name: string | undefined;
}

/** The modules that the use is of, if this project does not hold them. */
function importsBehind({ ref }: PythonUse, { names }: PythonSummary, { broken, trail }: Resolution): Imported[] {
  const { root, steps } = parseRef(ref);
  if (broken !== undefined) return broken.missing.kind === "module" ? importsOf(root, undefined) : [];
  // A root that was reached through an import is in the project.
  if (root.kind !== "name" || trail[0]?.via !== undefined) return [];
  const [step] = steps;
  const member = step?.kind === "attribute" ? step.name : undefined;
  return (own(names, root.name) ?? []).flatMap(({ kind, refersTo = "" }) =>
    kind === "import" && member !== undefined ? importsOf(parseRef(refersTo).root, member) : [],
  );
}

function importsOf(root: Root, member: string | undefined): Imported[] {
  if (root.kind === "module") return root.level > 0 ? [] : [{ dotted: root.module, name: member }];
  if (root.kind !== "imported" || root.level > 0) return [];
  // `from tools import calc` may take a name or a module.
  const asModule = { dotted: `${root.module}.${root.name}`, name: member };
  return member === undefined ? [{ dotted: root.module, name: root.name }, asModule] : [asModule];
}

/** True when one of the definitions is gone, or there is one of another form. */
function differ(was: readonly PythonBinding[], is: readonly PythonBinding[]): boolean {
  const [before, after] = [countForms(was), countForms(is)];
  for (const [form, count] of before) if ((after.get(form) ?? 0) < count && !hasPlain(is, form)) return true;
  return [...after.keys()].some((form) => !before.has(form));
}

function countForms(bindings: readonly PythonBinding[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of bindings) counts.set(formOf(one), (counts.get(formOf(one)) ?? 0) + 1);
  return counts;
}

/** One that holds whatever the conditions say. */
const hasPlain = (bindings: readonly PythonBinding[], form: string): boolean =>
  bindings.some((one) => one.conditional === undefined && formOf(one) === form);

/** Describes how it can be used, as far as that is written down. */
function formOf({ kind, parameters, isAsync, refersTo, members }: PythonBinding): string {
  const made = own(members, "__init__")?.map((one) => one.parameters);
  return JSON.stringify([kind, parameters, isAsync, kind === "import" ? refersTo : undefined, made]);
}

/** `vendor/tools/calc.py` and `vendor/tools/calc/__init__.py` are vendor, tools, calc. */
function partsOf(path: string): string[] {
  return path.replace(/(\/__init__)?\.pyi?$/, "").split("/");
}

function endsWith(parts: readonly string[], end: readonly string[]): boolean {
  return end.length <= parts.length && end.every((part, at) => parts[parts.length - end.length + at] === part);
}
