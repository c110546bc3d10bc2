// Finds what collections, mappings and context managers hold, and how it comes out of them.

import type { Step } from "../ref.ts";
import { unknown, type Value } from "./values.ts";

/** Into and out of collections. */
export function itemsAfter(value: Value, step: Step): readonly Value[] {
  switch (step.kind) {
    case "many":
    case "mapping":
      return [
        {
          kind: "many",
          of: [value],
          byKey: step.kind === "mapping",
          ...(step.keys === undefined ? {} : { keys: step.keys }),
        },
      ];
    case "index":
      return value.kind === "many" ? value.of : [unknown];
    case "item":
      return value.kind === "many" && !value.byKey ? value.of : [unknown];
    case "part":
      return value.kind === "pair" && step.at === 1 ? value.second : [unknown];
    default:
      return [unknown];
  }
}

export function mappingMethod(of: readonly Value[], name: string): Value {
  if (name === "values") return { kind: "gives", values: [{ kind: "many", of, byKey: false }] };
  if (name === "items")
    return { kind: "gives", values: [{ kind: "many", of: [{ kind: "pair", second: of }], byKey: false }] };
  return name === "get" || name === "pop" ? { kind: "gives", values: of } : unknown;
}

export function managerMethod(of: readonly Value[], name: string): Value {
  if (name === "__enter__") return { kind: "gives", values: of };
  return name === "__aenter__" ? { kind: "gives", values: [{ kind: "coroutine", result: of[0] ?? unknown }] } : unknown;
}
