// What collections, mappings and context managers hold, and how it comes out of them.

import { unknown, type Value } from "./values.ts";

/** Into and out of collections. */
export function itemStep(value: Value, step: string): readonly Value[] {
  if (step === "L" || step === "D") return [{ kind: "many", of: [value], byKey: step === "D" }];
  if (step === "x") return value.kind === "many" ? value.of : [unknown];
  if (step === "e") return value.kind === "many" && !value.byKey ? value.of : [unknown];
  return value.kind === "pair" && step === "#1" ? value.second : [unknown];
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
