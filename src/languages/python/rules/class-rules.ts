// Finds how Python's classes give members and constructors: inheritance, dataclasses, named tuples, enums. What a class inherits from
// outside the project is known for a few bases only; otherwise the answer is "unknown".

import type { PythonBinding } from "../facts.ts";
import { type PythonParameter, readParameter } from "../parameter.ts";
import { parseRef, type PythonRef } from "../ref.ts";
import {
  dataclassDecorators,
  attributesOf,
  bringsNoConstructor,
  isEnum,
  isHarmlessOnClass,
  isNamedTuple,
  isTypedDict,
} from "./known-outside.ts";
import { type Bringer, type ClassValue, live, own, type Value } from "./values.ts";

export interface ClassRules {
  member(
    of: ClassValue,
    name: string,
    above: boolean,
  ): { owner: ClassValue; bindings: readonly PythonBinding[] } | "unknown" | Bringer | "missing";
  /** Its instances certainly have no such method of Python's own protocols. */
  lacks(of: ClassValue, name: string): boolean;
  /** False only when its instances can evidently not be awaited. */
  isAwaitable(of: ClassValue): boolean;
  /** Finds what keeps the class from being constructed. */
  abstract(of: ClassValue): { owner: ClassValue; name: string; line: number } | undefined;
  traits(of: ClassValue): Traits;
  /** Returns what calling the class takes. Undefined when it cannot be told. */
  constructor_(of: ClassValue): Constructor | undefined;
  /** Returns the number of parts its instances are taken apart into. Undefined for all but named tuples, and where it cannot be told. */
  parts(of: ClassValue): number | undefined;
}

export interface Traits {
  /** A decorator, metaclass or base may have changed anything. */
  readonly opaque: boolean;
  readonly isEnum: boolean;
  /** Its instances are dictionaries, whose keys are its members. */
  readonly isTypedDict: boolean;
}

export interface Constructor {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly parameters: readonly PythonParameter[];
  readonly bound: number;
  /** Dataclasses: the classes whose fields make the parameters. */
  readonly also?: readonly { readonly path: string; readonly name: string; readonly line: number }[];
}

/** Answers what a ref leads to; the code that follows refs provides it. */
export interface ClassAsks {
  value(path: string, ref: PythonRef): readonly Value[];
  external(path: string, ref: PythonRef): string | undefined;
}

interface Lineage {
  /** The class and its project bases, in lookup order (depth first, which is right for all but diamonds). */
  readonly classes: readonly ClassValue[];
  readonly outside: readonly string[];
  readonly complete: boolean;
  /** With an incomplete one: the first thing that may bring any name. */
  readonly bringer: Bringer | undefined;
}

export function classRules(asks: ClassAsks): ClassRules {
  const lineage = (of: ClassValue): Lineage => {
    const classes: ClassValue[] = [];
    const outside: string[] = [];
    const seen = new Set<string>();
    let complete = true;
    let bringer: Bringer | undefined;
    const open = (at: ClassValue, what: string): void => {
      complete = false;
      bringer ??= { kind: "outside", path: at.path, line: at.binding.line, owner: at.name, what };
    };
    const visit = (at: ClassValue): void => {
      const key = `${at.path} ${at.name}`;
      if (seen.has(key)) return;
      seen.add(key);
      if (classes.length >= 60) return open(at, "a base");
      classes.push(at);
      if (at.binding.unreadable !== undefined) open(at, "a metaclass or another keyword");
      if (!decoratorsKnown(at)) open(at, "a decorator");
      for (const base of at.binding.bases ?? []) {
        const values = asks.value(at.path, base);
        const [only] = values;
        if (values.length === 1 && only?.kind === "class") {
          visit(only);
          continue;
        }
        const name = asks.external(at.path, base);
        if (name !== undefined && attributesOf(name) !== undefined) outside.push(name);
        else open(at, "a base outside this project");
      }
    };
    visit(of);
    return { classes, outside, complete, bringer };
  };

  const decoratorsKnown = (of: ClassValue): boolean =>
    (of.binding.decorators ?? []).every((ref) => {
      const name = asks.external(of.path, ref);
      return name !== undefined && (dataclassDecorators.has(name) || isHarmlessOnClass(name));
    });

  const dataclassOf = (of: ClassValue): PythonRef | undefined =>
    (of.binding.decorators ?? []).find((ref) => dataclassDecorators.has(asks.external(of.path, ref) ?? ""));

  const member: ClassRules["member"] = (of, name, above) => {
    const { classes, outside, complete, bringer } = lineage(of);
    for (const [index, at] of classes.entries()) {
      if (above && index === 0) continue;
      const bindings = own(at.binding.members, name);
      if (bindings !== undefined) return { owner: at, bindings: live(bindings) };
    }
    if (/^__\w+__$/.test(name)) return "unknown";
    if (outside.some((base) => attributesOf(base)?.includes(name) === true)) return "unknown";
    const answering = classes.map((at) => answers(at, name)).find((one) => one !== undefined);
    if (answering !== undefined) return answering;
    if (!complete) return bringer ?? "unknown";
    return classes.map((at) => computes(at, name)).find((one) => one !== undefined) ?? "missing";
  };

  const isAwaitable: ClassRules["isAwaitable"] = (of) => {
    const { classes, outside, complete } = lineage(of);
    const awaits = outside.some((base) => /Awaitable|Coroutine|Future|Task/.test(base));
    return !complete || awaits || classes.some((at) => own(at.binding.members, "__await__") !== undefined);
  };

  const lacks: ClassRules["lacks"] = (of, name) => {
    const { classes, outside, complete } = lineage(of);
    const isBare = outside.every((base) => bringsNoConstructor(base));
    const dynamic = ["__getattr__", "__getattribute__", name];
    return (
      complete && isBare && classes.every((at) => dynamic.every((one) => own(at.binding.members, one) === undefined))
    );
  };

  const abstract: ClassRules["abstract"] = (of) => {
    const { classes, outside, complete } = lineage(of);
    if (!complete || !outside.some((base) => base === "abc.ABC" || base.endsWith(".Protocol"))) return undefined;
    const seen = new Set<string>();
    for (const owner of classes) {
      for (const [name, bindings] of Object.entries(owner.binding.members ?? {})) {
        if (seen.has(name)) continue;
        seen.add(name);
        const [only] = live(bindings);
        const decorators = (only?.decorators ?? []).map((ref) => asks.external(owner.path, ref));
        if (only !== undefined && decorators.includes("abc.abstractmethod")) return { owner, name, line: only.line };
      }
    }
    return undefined;
  };

  const constructor_: ClassRules["constructor_"] = (of) => {
    const { classes, outside, complete } = lineage(of);
    if (outside.some(isNamedTuple)) return complete ? namedTuple(classes) : undefined;
    for (const [index, at] of classes.entries()) {
      if (own(at.binding.members, "__new__") !== undefined) return undefined;
      const own_ = live(own(at.binding.members, "__init__") ?? []);
      const [only] = own_;
      if (only !== undefined) {
        if (
          own_.length > 1 ||
          only.kind !== "function" ||
          only.parameters === undefined ||
          (only.decorators ?? []).length > 0 ||
          !readable(classes.slice(0, index + 1))
        )
          return undefined;
        const parameters = only.parameters.map(readParameter);
        return { path: at.path, name: `${at.name}.__init__`, line: only.line, parameters, bound: 1 };
      }
      if (dataclassOf(at) !== undefined) return complete ? dataclass(at, lineage(at).classes) : undefined;
    }
    if (!complete || outside.some((base) => !bringsNoConstructor(base))) return undefined;
    return { path: of.path, name: of.name, line: of.binding.line, parameters: [], bound: 0 };
  };

  const parts: ClassRules["parts"] = (of) => {
    const { classes, outside, complete } = lineage(of);
    const iterates = classes.some((at) => own(at.binding.members, "__iter__") !== undefined);
    return complete && !iterates && outside.some(isNamedTuple) ? namedTuple(classes)?.parameters.length : undefined;
  };

  const readable = (classes: readonly ClassValue[]): boolean =>
    classes.every((at) => at.binding.unreadable === undefined && decoratorsKnown(at));

  const dataclass = (of: ClassValue, classes: readonly ClassValue[]): Constructor | undefined => {
    const fields = new Map<string, PythonParameter>();
    const also = classes.map((at) => ({ path: at.path, name: at.name, line: at.binding.line }));
    for (const at of [...classes].reverse()) {
      const decorator = dataclassOf(at);
      if (decorator === undefined) continue;
      const last = parseRef(decorator).steps.at(-1);
      const options = last?.kind === "call" ? last.keywords : [];
      if (options.includes("init")) return undefined;
      const allByName = options.includes("kw_only");
      for (const [name, bindings] of Object.entries(at.binding.members ?? {})) {
        const field = bindings.find((binding) => binding.field !== undefined)?.field;
        if (field === undefined) continue;
        if (name === "_") return undefined; // KW_ONLY
        const byKeyword = allByName || field.endsWith("by keyword");
        if (field === "no parameter") fields.delete(name);
        else {
          const kind = byKeyword ? "by keyword" : "plain";
          fields.set(name, { name, kind, hasDefault: field.startsWith("defaulted") });
        }
      }
    }
    const all = [...fields.values()];
    const parameters = [
      ...all.filter(({ kind }) => kind === "plain"),
      ...all.filter(({ kind }) => kind === "by keyword"),
    ];
    return { path: of.path, name: of.name, line: of.binding.line, parameters, bound: 0, also };
  };

  const traits: ClassRules["traits"] = (of) => {
    const { outside } = lineage(of);
    return { opaque: !readable([of]), isEnum: outside.some(isEnum), isTypedDict: outside.some(isTypedDict) };
  };

  return { member, traits, constructor_, parts, abstract, isAwaitable, lacks };
}

/** `__getattr__` of the class, where it may have an answer for the name. */
function answers({ path, name: owner, binding: { members } }: ClassValue, name: string): Bringer | undefined {
  for (const what of ["__getattr__", "__getattribute__"]) {
    const [found] = own(members, what) ?? [];
    if (found !== undefined && found.answers?.includes(name) !== false)
      return { kind: "answers", path, line: found.line, owner, what };
  }
  return undefined;
}

/** Finds what gives its instances attributes of computed names, where the name may be one of them. */
function computes({ path, name: owner, binding: { computed } }: ClassValue, name: string): Bringer | undefined {
  const isLike = (like: string): boolean => new RegExp(`^${like.split("*").map(RegExp.escape).join(".*")}$`).test(name);
  if (computed?.like.some(isLike) !== true) return undefined;
  return { kind: "computed", path, line: computed.line, owner, what: "an attribute of a computed name" };
}

/** The class that names the fields is the last of its line. */
function namedTuple(classes: readonly ClassValue[]): Constructor | undefined {
  const at = classes.at(-1);
  if (at === undefined || classes.some((one) => own(one.binding.members, "__new__") !== undefined)) return undefined;
  const parameters: PythonParameter[] = [];
  for (const [name, [binding]] of Object.entries(at.binding.members ?? {})) {
    if (binding?.field === "required" || binding?.field === "defaulted")
      parameters.push({ name, kind: "plain", hasDefault: binding.field === "defaulted" });
  }
  return { path: at.path, name: at.name, line: at.binding.line, parameters, bound: 0 };
}
