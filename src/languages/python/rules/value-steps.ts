// Finds what one step from a value gives: an attribute, a call, an item, what awaiting it gives. Members are bound, properties read and
// constructors called as Python would; where names lead is left to resolver.ts.

import { printParameter, readParameter } from "../parameter.ts";
import { type CallShape, itself, parseRef, type Step as RefStep } from "../ref.ts";
import { type ClassAsks, type ClassRules, classRules } from "./class-rules.ts";
import { type Demand, demanded, manyAttribute, plainAttribute } from "./demands.ts";
import { itemsAfter, managerMethod, mappingMethod } from "./items.ts";
import { harmlessDecorators, managerDecorators, propertyDecorators } from "./known-outside.ts";
import type { PythonModule } from "./project-tree.ts";
import { misfit } from "./signature-fit.ts";
import {
  type ClassValue,
  givenBy,
  keyName,
  type Mark,
  nothingKnown,
  own,
  type Step,
  unknown,
  type Value,
  withEntries,
} from "./values.ts";

/** The questions that only the tree can answer. */
interface Asks extends ClassAsks {
  inModule(module: PythonModule, name: string): Step;
}

export class ValueSteps {
  private readonly asks: Asks;
  private readonly classes: ClassRules;

  constructor(asks: Asks) {
    this.asks = asks;
    this.classes = classRules(asks);
  }

  /** Returns what a step gives when it starts from one of several possible values. */
  from(values: readonly Value[], step: RefStep): Step {
    const results = values.map((value) => this.one(value, step));
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

  private one(value: Value, step: RefStep): Step {
    if (value.kind === "unknown") return nothingKnown;
    switch (step.kind) {
      case "attribute":
        return this.attribute(value, step.name);
      case "call":
        return this.call(value, step);
      case "await":
        return { values: [value.kind === "coroutine" ? value.result : unknown] };
      case "instance":
        if (value.kind === "plain type") return { values: [{ kind: "plain", type: value.type, count: undefined }] };
        return { values: [value.kind === "class" ? { kind: "instance", of: value } : unknown] };
      case "unpack":
        return this.parts(value, step.count) ?? this.demanded(value, step) ?? this.items(value, step);
      case "index":
        return this.keyed(value, step.name) ?? this.demanded(value, step) ?? this.items(value, step);
      case "item":
      case "sum":
        return this.demanded(value, step) ?? this.items(value, step);
      default:
        return { values: itemsAfter(value, step) };
    }
  }

  private attribute(value: Value, name: string): Step {
    switch (value.kind) {
      case "plain":
        return plainAttribute(value, name);
      case "module":
        return this.asks.inModule(value.module, name);
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

  private member(of: ClassValue, name: string, through: "class" | "instance", above: boolean): Step {
    const found = this.classes.member(of, name, above);
    if (found === "unknown") return nothingKnown;
    // A class has these from its metaclass, `type` or `ABCMeta`.
    if (found === "missing" && through === "class" && (name === "mro" || name === "register")) return nothingKnown;
    if (found === "missing") return { missing: { kind: "member", name, path: of.path, owner: of.name } };
    if ("what" in found) return { values: [unknown], open: found };
    const { owner, bindings } = found;
    const qualified = `${owner.name}.${name}`;
    const mark = { path: owner.path, name: qualified, line: bindings[0]?.line ?? owner.binding.line };
    if (this.classes.traits(owner).isEnum)
      return { values: [bindings[0]?.kind === "function" ? unknown : { kind: "instance", of: owner }], mark };
    const [only] = bindings;
    if (only === undefined || bindings.length > 1) return { values: [unknown], mark };
    if (only.kind !== "function") {
      const values: readonly Value[] =
        only.kind === "class"
          ? [{ kind: "class", path: owner.path, name: qualified, binding: only }]
          : this.asks.value(owner.path, only.refersTo ?? "");
      return {
        values: values.map((value) => givenBy(only.onSelf === true ? value : asMember(value, through), mark)),
        mark,
      };
    }
    const decorators = (only.decorators ?? []).map((ref) => this.asks.external(owner.path, ref));
    if (decorators.some((decorator) => decorator !== undefined && propertyDecorators.has(decorator))) {
      const given = only.isAsync === true ? [unknown] : this.asks.value(owner.path, only.gives ?? "");
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

  /** `super().__init__` of a dataclass, which nobody wrote down; undefined when it is another. */
  private generatedInit(of: ClassValue): Step | undefined {
    const [base, ...others] = (of.binding.bases ?? []).flatMap((ref) => this.asks.value(of.path, ref));
    const made = base?.kind === "class" && others.length === 0 ? this.classes.constructor_(base) : undefined;
    if (made?.also === undefined) return undefined;
    const { path, name, line, parameters } = made;
    const mark = { path, name, line };
    return {
      values: [
        {
          kind: "function",
          path,
          name,
          binding: { kind: "function", line, parameters: parameters.map(printParameter) },
          bound: 0,
        },
      ],
      mark,
    };
  }

  private call(value: Value, step: CallShape): Step {
    if (value.kind === "function") return this.callFunction(value, step);
    if (value.kind === "class") return this.construct(value, step);
    if (value.kind === "gives") return step.positional > 1 ? nothingKnown : { values: value.values };
    if (value.kind === "plain type") return { values: [{ kind: "plain", type: value.type, count: undefined }] };
    if (value.kind === "instance") {
      const method = this.member(value.of, "__call__", "instance", false).values?.[0];
      if (method?.kind === "function") return this.call(method, step);
    }
    return this.demanded(value, { kind: "call", ...step }) ?? nothingKnown;
  }

  private callFunction(value: Extract<Value, { kind: "function" }>, step: CallShape): Step {
    const { binding } = value;
    const decorators = (binding.decorators ?? []).map((ref) => this.asks.external(value.path, ref));
    const managed = decorators.some((name) => name !== undefined && managerDecorators.has(name));
    const known = decorators.every((name) => isHarmless(name) || (name !== undefined && managerDecorators.has(name)));
    if (binding.parameters === undefined || !known) return nothingKnown;
    const isAsync = binding.isAsync === true && !managed;
    const wrong = misfit(binding.parameters.map(readParameter), value.bound, step);
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
    return isOfObject && !isOwn ? [unknown] : this.asks.value(path, gives);
  }

  private construct(value: ClassValue, step: CallShape): Step {
    const instance: Value = { kind: "instance", of: value };
    const traits = this.classes.traits(value);
    // What a decorator or metaclass makes of the class may take other arguments; what is constructed still has the methods of the class.
    if (traits.opaque || traits.isEnum) return { values: [instance] };
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

  /** An entry of a dictionary that is written out, or of a `TypedDict`. */
  private keyed(value: Value, key: string | undefined): Step | undefined {
    if (key === undefined) return undefined;
    if (value.kind === "instance" && this.classes.traits(value.of).isTypedDict)
      return this.member(value.of, key, "instance", false);
    const { keys, grown, inside, path, name, line } =
      (value.kind === "plain" || value.kind === "many" ? value.entries : undefined) ?? {};
    if (keys === undefined || path === undefined || name === undefined || line === undefined) return undefined;
    const entry = own(keys, key);
    const items = value.kind === "many" ? value.of : [unknown];
    if (entry !== undefined) {
      const mark = { path, name: keyName(name, key), line: entry[0] };
      const within = own(inside, key);
      return {
        values: within === undefined ? items : items.map((one) => withEntries(one, { ...within, ...mark })),
        mark,
      };
    }
    if (grown === undefined) return { missing: { kind: "key", name: key, mark: { path, name, line } } };
    return { values: [unknown], open: { kind: "run", path, line: grown, owner: "", what: "what is done with it" } };
  }

  /** A named tuple is taken apart into its fields. */
  private parts(value: Value, wanted: number): Step | undefined {
    if (value.kind !== "instance") return undefined;
    const has = this.classes.parts(value.of);
    if (has === undefined) return undefined;
    const mark = { path: value.of.path, name: value.of.name, line: value.of.binding.line };
    if (has === wanted) return { values: [unknown], mark };
    return { missing: { kind: "parts", detail: `has ${has} fields, where ${wanted} are taken`, mark } };
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

  /** Returns what looping over an instance, or indexing it, gives according to its own method. */
  private itemOf(of: ClassValue, method: "__iter__" | "__getitem__"): Step {
    const found = this.member(of, method, "instance", false).values?.[0];
    if (found?.kind !== "function" || (found.binding.decorators ?? []).length > 0 || found.binding.isAsync === true)
      return nothingKnown;
    const given = this.given(found);
    return { values: method === "__iter__" ? given.flatMap((one) => this.itemsOf(one)) : given };
  }

  /** An iterator of the project's own gives what its `__next__` gives. */
  private itemsOf(iterator: Value): readonly Value[] {
    if (iterator.kind !== "instance") return itemsAfter(iterator, { kind: "item" });
    const next = this.member(iterator.of, "__next__", "instance", false).values?.[0];
    if (next?.kind !== "function" || (next.binding.decorators ?? []).length > 0 || next.binding.isAsync === true)
      return [unknown];
    return this.given(next);
  }
}

const isHarmless = (decorator: string | undefined): boolean =>
  decorator !== undefined && harmlessDecorators.has(decorator);

/** `name = function` in a class body makes a method of it. */
function asMember(value: Value, through: "class" | "instance"): Value {
  return value.kind === "function" && through === "instance" ? { ...value, bound: value.bound + 1 } : value;
}
