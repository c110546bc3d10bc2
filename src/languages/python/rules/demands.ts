// Judges what code asks of a value whose type is known: an attribute, an item, its parts, an answer to a call. Only a certain no is
// reported; what a class may have from elsewhere is not.

import type { Step as RefStep } from "../ref.ts";
import { attributesOf } from "./known-outside.ts";
import { itemsAfter } from "./items.ts";
import { type Missing, nothingKnown, type Step, unknown, type Value } from "./values.ts";

/** Built-in types that a project's functions give. */
export const plainTypes: ReadonlySet<string> = new Set(
  "str int float bool bytes list dict set frozenset tuple".split(" "),
);

type Typed = Extract<Value, { kind: "plain" | "many" | "instance" }>;
export type Demand = Extract<RefStep, { kind: "item" | "index" | "unpack" | "call" | "sum" }>;

export function plainAttribute(value: Extract<Value, { kind: "plain" }>, name: string): Step {
  if (/^__\w+__$/.test(name)) return nothingKnown;
  const known = value.type === "None" ? [] : attributesOf(`builtins.${value.type === "bool" ? "int" : value.type}`);
  if (known === undefined) return nothingKnown;
  return known.includes(name) ? held(value, [unknown]) : refused(value, `has no \`${name}\``, "attribute");
}

/** Of a collection whose own type may be one of several: what none of them has is missing. */
export function manyAttribute(value: Extract<Value, { kind: "many" }>, name: string, gives: Value): Step {
  const isKnown =
    /^__\w+__$/.test(name) ||
    (value.byKey ? mappings : collections).some((of) => attributesOf(of)?.includes(name) !== false);
  return isKnown ? held(value, [gives]) : refused(value, `has no \`${name}\``, "attribute");
}

const mappings = ["builtins.dict", "collections.OrderedDict", "collections.defaultdict"];
const collections = [
  "builtins.list",
  "builtins.set",
  "builtins.frozenset",
  "builtins.tuple",
  "collections.deque",
  "collections.abc.Generator",
  "collections.abc.AsyncGenerator",
  "collections.abc.ValuesView",
];

/** `lacks` says whether instances certainly have none of these methods. */
export function demanded(value: Typed, demand: Demand, lacks: (names: readonly string[]) => boolean): Step | undefined {
  const can = answers(value, demand, lacks);
  if (can === undefined) return undefined;
  if (!can) return refused(value, inability(value, demand), "type");
  return held(value, demand.kind === "item" || demand.kind === "index" ? itemsAfter(value, demand) : [unknown]);
}

/** undefined: nobody can say. */
function answers(value: Typed, demand: Demand, lacks: (names: readonly string[]) => boolean): boolean | undefined {
  if (value.kind === "instance") {
    return lacks(methods[demand.kind]) ? false : undefined;
  }
  if (demand.kind === "sum")
    return (
      value.kind === "plain" && (demand.with === "text" ? value.type === "str" : /^(int|float|bool)$/.test(value.type))
    );
  if (demand.kind === "call") return false;
  const type = value.kind === "many" ? (value.byKey ? "dict" : "list") : value.type;
  const isScalar = /^(int|float|bool|None)$/.test(type);
  if (demand.kind === "index" && demand.key === "number" && value.keys === "text") return false;
  if (demand.kind === "index")
    return isScalar || type === "frozenset" || (value.kind === "plain" && type === "set")
      ? false
      : demand.key !== "text" || type === "dict";
  if (demand.kind === "unpack" && value.kind === "plain" && value.count !== undefined)
    return value.count === demand.count;
  return !isScalar;
}

/** Any of these lets an instance do it. */
const methods: Readonly<Record<Demand["kind"], readonly string[]>> = {
  call: ["__call__"],
  index: ["__getitem__", "__class_getitem__"],
  item: ["__iter__", "__getitem__"],
  unpack: ["__iter__", "__getitem__"],
  sum: ["__add__", "__radd__", "__sub__", "__rsub__", "__truediv__", "__rtruediv__", "__floordiv__", "__rfloordiv__"],
};

function inability(value: Typed, demand: Demand): string {
  switch (demand.kind) {
    case "call":
      return "cannot be called";
    case "index":
      if (demand.key === "number" && value.kind !== "instance" && value.keys === "text") return "has its items by name";
      return demand.key === "text" ? "has no items by name" : "has no items";
    case "sum":
      return demand.with === "text" ? "cannot be added to text" : "is no number";
    case "item":
      return "cannot be looped over";
    default:
      return value.kind === "plain" && value.count !== undefined
        ? `has ${value.count} parts, where ${demand.count} are taken`
        : "cannot be taken apart";
  }
}

function held(value: Typed, values: readonly Value[]): Step {
  return { values, mark: value.origin };
}

function refused(value: Typed, inability: string, failure: "attribute" | "type"): Step {
  const isNone = value.kind === "plain" && value.type === "None";
  const detail = `${isNone ? "nothing" : typeName(value)}, which ${inability}`;
  const missing: Missing = { kind: "result", detail, mark: value.origin, isNone, failure };
  return { missing };
}

function typeName(value: Typed): string {
  if (value.kind === "instance") return `\`${value.of.name}\``;
  if (value.kind === "many") return value.byKey ? "a mapping" : "a collection";
  return /^[aeiou]/.test(value.type) ? `an ${value.type}` : `a ${value.type}`;
}
