// Follows a ref through one tree of a project, step by step, the way Python would look names up. Three answers: found (with the
// places passed), missing for certain, or unknown. Anything dynamic, external or not yet loaded is unknown. Here is where names lead, and how
// far they are followed; what a step from a value gives is left to value-steps.ts.

import type { PythonBinding, PythonSummary } from "../facts.ts";
import { parseRef, type PythonRef, type Root } from "../ref.ts";
import { plainTypes } from "./demands.ts";
import type { ProjectTree, PythonModule } from "./project-tree.ts";
import { ValueSteps } from "./value-steps.ts";
import {
  type Bringer,
  type ClassValue,
  givenBy,
  live,
  type Mark,
  type Missing,
  nothingKnown,
  own,
  type Step,
  unknown,
  type Value,
  withEntries,
} from "./values.ts";

export interface Resolution {
  /** The marks that each step reached; a hole where nothing is known. */
  readonly trail: readonly (Mark | undefined)[];
  readonly broken: { readonly step: number; readonly missing: Missing } | undefined;
  /** The first step to a name that nobody wrote out, and what may still bring it. */
  readonly open: { readonly step: number; readonly by: Bringer } | undefined;
  /** The values that the whole ref may be. */
  readonly values: readonly Value[];
  /** Every file that was consulted. */
  readonly deps: ReadonlySet<string>;
  /** A summary was not loaded: ask again. */
  readonly pending: boolean;
}

interface Nested {
  readonly values: readonly Value[];
  readonly mark: Mark | undefined;
  readonly deps: readonly string[];
}

/** Chains of aliases and bases are short; a longer one is a loop or an attack. */
const maxDepth = 40;
const maxWork = 4_000;

export class Resolver {
  private readonly tree: ProjectTree;
  private deps = new Set<string>();
  private pending = false;
  private depth = 0;
  private work = 0;
  /** Lookups made in all, so that a caller can bound them. */
  effort = 0;
  private cut = false;
  private readonly known = new Map<string, Nested>();
  private readonly active = new Set<string>();
  private readonly steps: ValueSteps;

  constructor(tree: ProjectTree) {
    this.tree = tree;
    this.steps = new ValueSteps({
      value: (path, ref) => this.nested(path, ref).values,
      external: (path, ref) => this.external(path, ref),
      inModule: (module, name) => this.moduleAttribute(module, name),
    });
  }

  resolve(path: string, ref: PythonRef): Resolution {
    this.deps = new Set();
    this.pending = false;
    this.work = 0;
    const result = this.follow(path, ref);
    this.effort += 1 + this.work;
    return { ...result, deps: this.deps, pending: this.pending };
  }

  private follow(path: string, ref: PythonRef): Pick<Resolution, "trail" | "broken" | "open" | "values"> {
    const { root, steps } = parseRef(ref);
    const trail: (Mark | undefined)[] = [];
    let open: Resolution["open"];
    let step = this.root(path, root);
    for (let index = 0; ; index += 1) {
      if (step.missing !== undefined)
        return { trail, broken: { step: index, missing: step.missing }, open, values: [unknown] };
      trail.push(step.mark);
      if (step.open !== undefined) open ??= { step: index, by: step.open };
      const next = steps[index];
      if (next === undefined) return { trail, broken: undefined, open, values: step.values };
      step = this.steps.from(step.values, next);
    }
  }

  /** A ref inside a definition: its own failure is reported where it stands, so here it is merely unknown. */
  private nested(path: string, ref: PythonRef): Nested {
    const key = `${path} ${ref}`;
    const known = this.known.get(key);
    if (known !== undefined) {
      for (const dep of known.deps) this.deps.add(dep);
      return known;
    }
    this.work += 1;
    if (ref === "") return { values: [unknown], mark: undefined, deps: [] };
    if (this.depth > maxDepth || this.work > maxWork || this.active.has(key)) {
      this.cut = true;
      return { values: [unknown], mark: undefined, deps: [] };
    }
    const outer = { deps: this.deps, pending: this.pending, cut: this.cut };
    this.deps = new Set();
    this.pending = false;
    this.cut = false;
    this.active.add(key);
    this.depth += 1;
    const { trail, values, broken } = this.follow(path, ref);
    this.depth -= 1;
    this.active.delete(key);
    const found = { values, mark: broken === undefined ? trail.at(-1) : undefined, deps: [...this.deps] };
    // An answer that was cut short by a loop, or by a file not loaded yet, holds only where it was asked.
    if (!this.pending && !this.cut) this.known.set(key, found);
    for (const dep of found.deps) outer.deps.add(dep);
    this.deps = outer.deps;
    this.pending ||= outer.pending;
    this.cut ||= outer.cut;
    return found;
  }

  private summary(path: string): PythonSummary | undefined {
    this.deps.add(path);
    const summary = this.tree.summary(path);
    if (summary === "wanted") this.pending = true;
    return summary === "wanted" || summary === undefined || summary.skipped !== undefined ? undefined : summary;
  }

  private root(path: string, root: Root): Step {
    switch (root.kind) {
      case "name":
        return this.nameIn(path, root.name, false);
      case "listed": {
        const found = this.nameIn(path, root.name, true);
        if (found.missing === undefined) return found;
        const dir = /(^|\/)__init__\.pyi?$/.test(path) ? this.tree.module(path, 1, "") : undefined;
        return dir !== undefined && this.tree.submodule(dir, root.name) !== undefined ? nothingKnown : found;
      }
      case "module":
        return this.moduleStep(path, root.level, root.module);
      case "imported": {
        const step = this.moduleStep(path, root.level, root.module);
        const module = step.values?.[0];
        if (module?.kind !== "module") return step;
        // `from . import name` in the package itself can only mean the module of that name.
        const inner = module.module.path === path ? this.tree.submodule(module.module, root.name) : undefined;
        return inner === undefined ? this.moduleAttribute(module.module, root.name) : this.submodule(inner, root.name);
      }
      case "instance":
      case "class":
      case "super": {
        const found = this.ownClass(path, root.path);
        if (found === undefined) return nothingKnown;
        return { values: [root.kind === "class" ? found : { kind: root.kind, of: found }] };
      }
      case "plain":
        return { values: [root] };
      default:
        return nothingKnown;
    }
  }

  private moduleStep(from: string, level: number, dotted: string): Step {
    const module = this.tree.module(from, level, dotted);
    if (module === undefined) return { missing: { kind: "module", name: ".".repeat(level) + dotted } };
    if (module.path !== undefined) this.deps.add(module.path);
    const mark = { path: module.path ?? module.dirs[0] ?? "", name: "", line: 1 };
    return { values: [{ kind: "module", module, dotted }], mark };
  }

  private ownClass(path: string, qualified: string): ClassValue | undefined {
    const summary = this.summary(path);
    let names: PythonSummary["names"] | undefined = summary?.names;
    let binding: PythonBinding | undefined;
    for (const part of qualified.split(".")) {
      binding = live(own(names, part) ?? []).find((candidate) => candidate.kind === "class");
      names = binding?.members;
    }
    return binding === undefined ? undefined : { kind: "class", path, name: qualified, binding };
  }

  /** A name of a module. Its `__getattr__` counts only when asked from outside, and not for star imports. */
  private nameIn(path: string, name: string, outside: boolean): Step {
    const summary = this.summary(path);
    if (summary === undefined) return nothingKnown;
    const bindings = own(summary.names, name);
    if (bindings !== undefined) return this.bound(path, name, live(bindings));
    const starred = this.fromStars(path, summary, name);
    if (starred !== undefined) return starred;
    if (/^__\w+__$/.test(name)) return nothingKnown;
    const bringer = broughtAtRunTime(path, summary, name, outside);
    if (bringer !== undefined) return { values: [unknown], open: bringer };
    if (!outside && plainTypes.has(name)) return { values: [{ kind: "plain type", type: name }] };
    return { missing: { kind: "name", name, path } };
  }

  private fromStars(path: string, summary: PythonSummary, name: string): Step | undefined {
    const key = `${path} * ${name}`;
    if (summary.stars.length === 0) return undefined;
    if (this.active.has(key)) {
      this.cut = true;
      return undefined;
    }
    if (this.depth > maxDepth || this.work++ > maxWork) {
      this.cut = true;
      return nothingKnown;
    }
    this.active.add(key);
    this.depth += 1;
    let answer: Step | undefined;
    for (const star of summary.stars) {
      this.work += 1;
      if (this.work > maxWork) {
        this.cut = true;
        answer ??= nothingKnown;
        break;
      }
      const { root } = parseRef(star);
      const module = root.kind === "module" ? this.tree.module(path, root.level, root.module) : undefined;
      const target = module?.path === undefined ? undefined : this.summary(module.path);
      if (module?.path === undefined || target === undefined) answer ??= nothingKnown;
      else if (target.all?.includes(name) ?? !name.startsWith("_")) {
        const found = this.nameIn(module.path, name, false);
        if (found.missing !== undefined) continue;
        // What is computed can list only what is there, and may leave it to another.
        answer = target.all === null ? (answer ?? found) : found;
        if (target.all !== null) break;
      } else if (target.all === null) answer ??= nothingKnown;
    }
    this.depth -= 1;
    this.active.delete(key);
    return answer;
  }

  /** Returns what the bindings of one name are: several when it cannot be told which holds. */
  private bound(path: string, qualified: string, bindings: readonly PythonBinding[]): Step {
    const values: Value[] = [];
    let mark: Mark | undefined;
    for (const binding of bindings.slice(0, 6)) {
      const here = { path, name: qualified, line: binding.line };
      if (binding.kind === "function") values.push({ kind: "function", path, name: qualified, binding, bound: 0 });
      else if (binding.kind === "class") values.push({ kind: "class", path, name: qualified, binding });
      else {
        const target = this.nested(path, binding.refersTo ?? "");
        const isValue = binding.kind === "value" && !binding.refersTo?.startsWith("bNone");
        const given = target.values.map((value) => (isValue ? givenBy(value, here) : value));
        const { entries } = binding;
        values.push(...given.map((one) => (entries === undefined ? one : withEntries(one, { ...entries, ...here }))));
        if (binding.kind === "import" && target.mark !== undefined && target.mark.path !== path) {
          mark ??= { ...target.mark, via: here };
        }
      }
      mark ??= here;
    }
    return { values, mark };
  }

  private moduleAttribute(module: PythonModule, name: string): Step {
    const found = module.path === undefined ? undefined : this.nameIn(module.path, name, true);
    if (found !== undefined && found.missing === undefined && found.mark !== undefined) return found;
    const inner = this.tree.submodule(module, name);
    if (inner !== undefined) return this.submodule(inner, name);
    return found ?? { missing: { kind: "module", name } };
  }

  private submodule(module: PythonModule, name: string): Step {
    if (module.path !== undefined) this.deps.add(module.path);
    const mark = { path: module.path ?? module.dirs[0] ?? "", name: "", line: 1 };
    return { values: [{ kind: "module", module, dotted: name }], mark };
  }

  /** The dotted name of something outside the project: `enum.Enum`, `builtins.property`; undefined when it is not evident. */
  private external(path: string, ref: PythonRef): string | undefined {
    const { root, steps } = parseRef(ref);
    let attributes = "";
    for (const step of steps) {
      if (step.kind !== "attribute") break;
      attributes += `.${step.name}`;
    }
    if (root.kind === "imported" || root.kind === "module") {
      if (root.level > 0 || this.tree.module(path, 0, root.module) !== undefined) return undefined;
      return `${root.module}${root.kind === "imported" ? `.${root.name}` : ""}${attributes}`;
    }
    if (root.kind !== "name") return undefined;
    const { name } = root;
    const summary = this.summary(path);
    if (summary === undefined) return undefined;
    const bindings = own(summary.names, name);
    if (bindings === undefined) return summary.stars.length === 0 ? `builtins.${name}${attributes}` : undefined;
    const [only] = bindings;
    if (bindings.length !== 1 || only?.kind !== "import") return undefined;
    const target = this.external(path, only.refersTo ?? "");
    return target === undefined ? undefined : `${target}${attributes}`;
  }
}

/** Finds what may still bring a name that the module does not write out. */
function broughtAtRunTime(path: string, summary: PythonSummary, name: string, outside: boolean): Bringer | undefined {
  const { names, dynamic, computed, answers } = summary;
  const [answering] = outside && answers?.includes(name) !== false ? (own(names, "__getattr__") ?? []) : [];
  const at = { path, line: answering?.line ?? 1, owner: "" };
  if (answering !== undefined) return { ...at, kind: "answers", what: "__getattr__" };
  if (dynamic === true) return { ...at, kind: "run", what: "code run by `exec`" };
  return computed === undefined ? undefined : { ...at, kind: "computed", what: "a computed name" };
}
