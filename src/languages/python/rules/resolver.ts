// Follows a ref through one tree of a project, step by step, the way Python would look names up. Three answers: found (with the
// places passed), missing for certain, or unknown. Anything dynamic, external or not yet loaded is unknown.

import type { PythonBinding, PythonSummary } from "../facts.ts";
import { type CallShape, itself, parseRef, type PythonRef, type Root, type Step as RefStep } from "../ref.ts";
import { type ClassRules, classRules } from "./class-rules.ts";
import { harmlessDecorators, managerDecorators, propertyDecorators } from "./known-outside.ts";
import { type Demand, demanded, manyAttribute, plainAttribute, plainTypes } from "./demands.ts";
import { itemsAfter, managerMethod, mappingMethod } from "./items.ts";
import type { ProjectTree, PythonModule } from "./project-tree.ts";
import { misfit } from "./signature-fit.ts";
import {
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
} from "./values.ts";

export interface Resolution {
  /** What each step reached; a hole where nothing is known. */
  readonly trail: readonly (Mark | undefined)[];
  readonly broken: { readonly step: number; readonly missing: Missing } | undefined;
  /** The step whose member only something outside the project might have. */
  readonly open: number | undefined;
  /** What the whole ref is. */
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
  private readonly classes: ClassRules;

  constructor(tree: ProjectTree) {
    this.tree = tree;
    this.classes = classRules({
      value: (path, ref) => this.nested(path, ref).values,
      external: (path, ref) => this.external(path, ref),
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
    let open: number | undefined;
    let step = this.root(path, root);
    for (let index = 0; ; index += 1) {
      if (step.missing !== undefined)
        return { trail, broken: { step: index, missing: step.missing }, open, values: [unknown] };
      trail.push(step.mark);
      if (step.open === true) open ??= index;
      const next = steps[index];
      if (next === undefined) return { trail, broken: undefined, open, values: step.values };
      step = this.step(path, step.values, next);
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
        return inner === undefined ? this.attribute(module, root.name) : this.submodule(inner, root.name);
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
    if (bindings !== undefined) return this.bound(path, name, live(bindings), 0);
    const starred = this.fromStars(path, summary, name);
    if (starred !== undefined) return starred;
    const answered =
      outside && own(summary.names, "__getattr__") !== undefined && summary.answers?.includes(name) !== false;
    if (summary.dynamic === true || answered || /^__\w+__$/.test(name)) return nothingKnown;
    if (summary.computed !== undefined) return { values: [unknown], open: true };
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

  /** What bindings of one name are: several when it cannot be told which holds. */
  private bound(path: string, qualified: string, bindings: readonly PythonBinding[], bound: number): Step {
    const values: Value[] = [];
    let mark: Mark | undefined;
    for (const binding of bindings.slice(0, 6)) {
      const here = { path, name: qualified, line: binding.line };
      if (binding.kind === "function") values.push({ kind: "function", path, name: qualified, binding, bound });
      else if (binding.kind === "class") values.push({ kind: "class", path, name: qualified, binding });
      else {
        const target = this.nested(path, binding.refersTo ?? "");
        const isValue = binding.kind === "value" && !binding.refersTo?.startsWith("bNone");
        values.push(...target.values.map((value) => (isValue ? givenBy(value, here) : value)));
        if (binding.kind === "import" && target.mark !== undefined && target.mark.path !== path) {
          mark ??= { ...target.mark, via: here };
        }
      }
      mark ??= here;
    }
    return { values, mark };
  }

  private step(path: string, values: readonly Value[], step: RefStep): Step {
    const results = values.map((value) => this.one(path, value, step));
    const found = results.filter((result) => result.missing === undefined);
    const [first, second] = results;
    if (first === undefined) return nothingKnown;
    if (second === undefined) return first;
    if (found.length === 0) return first;
    const all = found.flatMap((result) => result.values ?? []);
    // When one of several may be anything, nothing certain was reached.
    const certain = results.every((result) => result.mark !== undefined || result.missing !== undefined);
    return {
      values: all.slice(0, 6),
      mark: certain ? found.find((result) => result.mark !== undefined)?.mark : undefined,
    };
  }

  private one(path: string, value: Value, step: RefStep): Step {
    if (value.kind === "unknown") return nothingKnown;
    switch (step.kind) {
      case "attribute":
        return this.attribute(value, step.name);
      case "call":
        return this.call(path, value, step);
      case "await":
        return { values: [value.kind === "coroutine" ? value.result : unknown] };
      case "instance":
        if (value.kind === "plain type") return { values: [{ kind: "plain", type: value.type, count: undefined }] };
        return { values: [value.kind === "class" ? { kind: "instance", of: value } : unknown] };
      case "item":
      case "index":
      case "unpack":
      case "sum":
        return this.demanded(value, step) ?? this.items(value, step);
      default:
        return { values: itemsAfter(value, step) };
    }
  }

  private demanded(value: Value, step: Demand): Step | undefined {
    if (value.kind !== "plain" && value.kind !== "many" && value.kind !== "instance") return undefined;
    return demanded(
      value,
      step,
      (names) => value.kind === "instance" && names.every((name) => this.classes.lacks(value.of, name)),
    );
  }

  private items(value: Value, step: Exclude<Demand, { kind: "call" }>): Step {
    if (value.kind !== "instance" || step.kind === "unpack" || step.kind === "sum")
      return { values: itemsAfter(value, step) };
    const found = this.itemOf(value.of, step.kind === "item" ? "__iter__" : "__getitem__");
    return found.mark === undefined && found.missing === undefined && value.origin !== undefined
      ? { ...found, mark: value.origin }
      : found;
  }

  private attribute(value: Value, name: string): Step {
    switch (value.kind) {
      case "plain":
        return plainAttribute(value, name);
      case "module":
        return this.moduleAttribute(value.module, name);
      case "class":
        return this.member(value, name, "class", false);
      case "instance": {
        const found = this.member(value.of, name, "instance", false);
        if (found.missing?.kind !== "member" || value.origin === undefined) return found;
        return { missing: { ...found.missing, given: value.origin } };
      }
      case "super":
        return (
          (name === "__init__" ? this.generatedInit(value.of) : undefined) ??
          this.member(value.of, name, "instance", true)
        );
      case "many":
        return manyAttribute(value, name, value.byKey ? mappingMethod(value.of, name) : unknown);
      case "manager":
        return { values: [managerMethod(value.of, name)] };
      default:
        return nothingKnown;
    }
  }

  /** `super().__init__` of a dataclass, which nobody wrote down; undefined when it is another. */
  private generatedInit(of: ClassValue): Step | undefined {
    const [base, ...others] = (of.binding.bases ?? []).flatMap((ref) => this.nested(of.path, ref).values);
    const made = base?.kind === "class" && others.length === 0 ? this.classes.constructor_(base) : undefined;
    if (made?.also === undefined) return undefined;
    const { path, name, line, parameters } = made;
    const mark = { path, name, line };
    return {
      values: [
        { kind: "function", path, name, binding: { kind: "function", line: line, parameters: parameters }, bound: 0 },
      ],
      mark,
    };
  }

  /** What looping over an instance, or indexing it, gives by its own method's word. */
  private itemOf(of: ClassValue, method: "__iter__" | "__getitem__"): Step {
    const found = this.member(of, method, "instance", false).values?.[0];
    if (found?.kind !== "function" || (found.binding.decorators ?? []).length > 0 || found.binding.isAsync === true)
      return nothingKnown;
    const given = this.given(found);
    return { values: method === "__iter__" ? given.flatMap((one) => itemsAfter(one, { kind: "item" })) : given };
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

  private member(of: ClassValue, name: string, through: "class" | "instance", above: boolean): Step {
    const found = this.classes.member(of, name, above);
    if (found === "unknown") return nothingKnown;
    if (found === "open") return { values: [unknown], open: true };
    // What a class has of its metaclass, `type` or `ABCMeta`.
    if (found === "missing" && through === "class" && (name === "mro" || name === "register")) return nothingKnown;
    if (found === "missing") return { missing: { kind: "member", name, path: of.path, owner: of.name } };
    const { owner, bindings } = found;
    const qualified = `${owner.name}.${name}`;
    const mark = { path: owner.path, name: qualified, line: bindings[0]?.line ?? owner.binding.line };
    if (this.classes.traits(owner).isEnum)
      return { values: [bindings[0]?.kind === "function" ? unknown : { kind: "instance", of: owner }], mark };
    const [only] = bindings;
    if (only === undefined || bindings.length > 1) return { values: [unknown], mark };
    if (only.kind !== "function") {
      const values =
        only.kind === "class"
          ? this.bound(owner.path, qualified, bindings, 0).values
          : this.nested(owner.path, only.refersTo ?? "").values;
      return {
        values: (values ?? [unknown]).map((value) =>
          givenBy(only.onSelf === true ? value : asMember(value, through), mark),
        ),
        mark,
      };
    }
    const decorators = (only.decorators ?? []).map((ref) => this.external(owner.path, ref));
    if (decorators.some((decorator) => decorator !== undefined && propertyDecorators.has(decorator))) {
      const given = only.isAsync === true ? [unknown] : this.nested(owner.path, only.gives ?? "").values;
      const values = given.map((value) => givenBy(value, mark));
      return { values, mark: { ...mark, as: "property", text: only.fingerprint, isPlain: only.isPlain === true } };
    }
    // A lambda in a class body, and names that are static without saying so, bind like any function.
    let bound = through === "instance" ? 1 : 0;
    if (decorators.includes("builtins.staticmethod") || name === "__new__") bound = 0;
    if (decorators.includes("builtins.classmethod") || name === "__init_subclass__" || name === "__class_getitem__")
      bound = 1;
    const method: Value = { kind: "function", path: owner.path, name: qualified, binding: only, bound, of };
    return {
      values: [method],
      mark: decorators.every(isHarmless) ? { ...mark, as: "method", text: only.fingerprint } : mark,
    };
  }

  private call(path: string, value: Value, step: CallShape): Step {
    if (value.kind === "function") return this.callFunction(value, step);
    if (value.kind === "class") return this.construct(value, step);
    if (value.kind === "gives") return step.positional > 1 ? nothingKnown : { values: value.values };
    if (value.kind === "plain type") return { values: [{ kind: "plain", type: value.type, count: undefined }] };
    if (value.kind === "instance") {
      const method = this.member(value.of, "__call__", "instance", false).values?.[0];
      if (method?.kind === "function") return this.call(path, method, step);
    }
    return this.demanded(value, { kind: "call", ...step }) ?? nothingKnown;
  }

  private callFunction(value: Extract<Value, { kind: "function" }>, step: CallShape): Step {
    const { binding } = value;
    const decorators = (binding.decorators ?? []).map((ref) => this.external(value.path, ref));
    const managed = decorators.some((name) => name !== undefined && managerDecorators.has(name));
    const known = decorators.every((name) => isHarmless(name) || (name !== undefined && managerDecorators.has(name)));
    if (binding.parameters === undefined || !known) return nothingKnown;
    const isAsync = binding.isAsync === true && !managed;
    const wrong = misfit(binding.parameters, value.bound, step);
    const given = this.given(value);
    const isPlain =
      binding.isPlain === true || given.every((one) => one.kind === "instance" && !this.classes.isAwaitable(one.of));
    const mark: Mark = { path: value.path, name: value.name, line: binding.line, isAsync, isPlain };
    const result = given.map((one) => givenBy(one, mark));
    if (wrong !== undefined) return { missing: { kind: "call", detail: wrong, mark } };
    if (managed)
      return { values: [{ kind: "manager", of: result.flatMap((one) => itemsAfter(one, { kind: "item" })) }], mark };
    return { values: isAsync ? [{ kind: "coroutine", result: result[0] ?? unknown }] : result, mark };
  }

  private given({ path, name, binding, of }: Extract<Value, { kind: "function" }>): readonly Value[] {
    const { gives = "" } = binding;
    if (gives === itself) return [of === undefined ? unknown : { kind: "instance", of }];
    // What a method gives of its own object may be another thing in a subclass.
    const isOwn = of === undefined || (of.path === path && name.startsWith(`${of.name}.`));
    const { kind } = parseRef(gives).root;
    const isOfObject = kind === "instance" || kind === "class" || kind === "super";
    return isOfObject && !isOwn ? [unknown] : this.nested(path, gives).values;
  }

  private construct(value: ClassValue, step: CallShape): Step {
    const traits = this.classes.traits(value);
    if (traits.opaque) return nothingKnown;
    if (traits.isEnum) return { values: [{ kind: "instance", of: value }] };
    const instance: Value = { kind: "instance", of: value };
    const abstract = this.classes.abstract(value);
    if (abstract !== undefined) {
      const { owner, name, line } = abstract;
      const asking = { path: owner.path, name: owner.name, line: owner.binding.line };
      const mark = { path: owner.path, name: `${owner.name}.${name}`, line };
      return { missing: { kind: "abstract", mark, owner: asking } };
    }
    const constructor_ = this.classes.constructor_(value);
    if (constructor_ === undefined)
      return { values: [instance], mark: { path: value.path, name: value.name, line: value.binding.line } };
    const { path, name, line, also } = constructor_;
    const mark: Mark = { path, name, line, ...(also === undefined ? {} : { also }) };
    const wrong = misfit(constructor_.parameters, constructor_.bound, step);
    return wrong === undefined ? { values: [instance], mark } : { missing: { kind: "call", detail: wrong, mark } };
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

const isHarmless = (decorator: string | undefined): boolean =>
  decorator !== undefined && harmlessDecorators.has(decorator);

/** `name = function` in a class body makes a method of it. */
function asMember(value: Value, through: "class" | "instance"): Value {
  return value.kind === "function" && through === "instance" ? { ...value, bound: value.bound + 1 } : value;
}
