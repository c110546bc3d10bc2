// Judges whether a call or `new` fits the definition it reaches, and says what it gives.

import type { Call, Declaration, Shape, Signature, Step } from "../facts.ts";
import { misfit } from "./fits.ts";
import { allMembers, owned } from "./members.ts";
import type { Definition } from "./program.ts";
import { fault, notKnown, type Evaluator, type Result, type Target, type Value } from "./value.ts";

type Element = Extract<Step, { s: "jsx" }>;

export function callOf(
  evaluator: Evaluator,
  callee: Value | undefined,
  call: Call,
  from: string,
  depth: number,
): Result {
  const { signatures, owner, path } = callable(evaluator, callee, depth);
  if (signatures === undefined || owner === undefined || path === undefined) {
    const settled = evaluator.settle(callee, depth);
    if (settled?.what === "promise" && settled.owner !== undefined)
      return fault("async", settled.owner, "gives a promise, which cannot be called");
    return notKnown;
  }
  const wrong = mismatch(evaluator, signatures, call, { owner, path, from }, depth);
  if (wrong !== undefined) return wrong;
  const [only] = signatures;
  if (only === undefined || signatures.length > 1 || only.generator) return notKnown;
  const value = evaluator.valueOf(only.returns, path, depth + 1);
  if (only.async && value?.what !== "promise") return { value: { what: "promise", value: undefined, owner } };
  return { value: owned(value, owner) };
}

interface Callable {
  readonly signatures?: readonly Signature[];
  readonly owner?: Target;
  readonly path?: string;
}

function callable(evaluator: Evaluator, callee: Value | undefined, depth: number): Callable {
  if (callee?.what === "symbol") {
    const functions = callee.declarations.filter((one) => one.kind === "function");
    if (functions.length > 0) {
      const signatures = functions.flatMap((one) => (one.shape?.k === "function" ? one.shape.signatures : []));
      return { signatures, owner: { path: callee.path, name: callee.name }, path: callee.path };
    }
  }
  const settled = evaluator.settle(callee, depth);
  if (settled?.what === "symbol" && settled !== callee && depth < 20) return callable(evaluator, settled, depth + 1);
  if (settled?.what !== "shape" || settled.shape.k !== "function") return {};
  const owner = settled.owner ?? (callee?.what === "symbol" ? { path: callee.path, name: callee.name } : undefined);
  return { signatures: settled.shape.signatures, path: settled.path, ...(owner === undefined ? {} : { owner }) };
}

interface Sides {
  readonly owner: Target;
  /** The file in which the signature was written, and the file of the call. */
  readonly path: string;
  readonly from: string;
}

function mismatch(
  evaluator: Evaluator,
  signatures: readonly Signature[],
  call: Call,
  sides: Sides,
  depth: number,
): Result | undefined {
  if (signatures.length === 0) return undefined;
  const typed = signatures.filter((one) => call.types === undefined || inRange(call.types, one.types));
  if (typed.length === 0)
    return fault(
      "type-arguments",
      sides.owner,
      `takes ${rangeOf(signatures[0]?.types)} type arguments, not ${call.types}`,
    );
  if (call.spread) return undefined;
  const fitting = typed.filter((one) => takes(one, call.count));
  if (fitting.length === 0) return fault("arity", sides.owner, `takes ${describe(typed)}, not ${call.count}`);
  const [only] = fitting;
  if (only === undefined || typed.length > 1) return undefined;
  for (const [index, given] of (call.args ?? []).entries()) {
    const parameter = only.parameters[index];
    if (given === undefined || parameter?.shape === undefined || parameter.rest) continue;
    const wanted = owned(evaluator.valueOf(parameter.shape, sides.path, depth + 1), { ...sides.owner });
    const found = misfit(evaluator, wanted, given, sides.from, sides.owner, depth + 1);
    if (found !== undefined) return { fault: found };
  }
  return undefined;
}

function takes(signature: Signature, count: number): boolean {
  const { least, most } = bounds(signature);
  return count >= least && count <= most;
}

function bounds(signature: Signature): { least: number; most: number } {
  let least = 0;
  signature.parameters.forEach((one, index) => {
    if (!one.optional && !one.rest) least = index + 1;
  });
  const rest = signature.parameters.some((one) => one.rest);
  return { least, most: rest ? Number.POSITIVE_INFINITY : signature.parameters.length };
}

function describe(signatures: readonly Signature[]): string {
  const all = signatures.map(bounds);
  const least = Math.min(...all.map((one) => one.least));
  const most = Math.max(...all.map((one) => one.most));
  const count =
    most === Number.POSITIVE_INFINITY ? `at least ${least}` : least === most ? `${least}` : `${least} to ${most}`;
  return `${count} argument${count === "1" ? "" : "s"}`;
}

function inRange(count: number, range: readonly [number, number] | undefined): boolean {
  const [least, most] = range ?? [0, 0];
  return count >= least && count <= most;
}

function rangeOf(range: readonly [number, number] | undefined): string {
  const [least, most] = range ?? [0, 0];
  return least === most ? `${least}` : `${least} to ${most}`;
}

export function newOf(
  evaluator: Evaluator,
  callee: Value | undefined,
  call: Call,
  from: string,
  depth: number,
): Result {
  const value = callee?.what === "symbol" ? callee : undefined;
  const declaration = value?.declarations.find((one) => one.kind === "class");
  if (value === undefined || declaration === undefined) {
    const settled = evaluator.settle(callee, depth);
    return settled?.what === "symbol" && settled !== callee
      ? newOf(evaluator, settled, call, from, depth + 1)
      : notKnown;
  }
  const owner: Target = { path: value.path, name: value.name };
  // `new` through `super(…)` builds the subclass, so an abstract base is in order there; that call has no name of its own.
  const signatures = constructorsOf(evaluator, value, declaration, depth);
  if (signatures !== undefined) {
    const wrong = mismatch(
      evaluator,
      signatures.list,
      { ...call, ...(declaration.types ? { types: undefined } : {}) } as Call,
      { owner, path: signatures.path, from },
      depth,
    );
    if (wrong !== undefined) return wrong;
  }
  return { value: { what: "instance", of: value } };
}

function constructorsOf(
  evaluator: Evaluator,
  value: Definition,
  declaration: Declaration,
  depth: number,
): { list: readonly Signature[]; path: string } | undefined {
  if (declaration.constructors !== undefined) return { list: declaration.constructors, path: value.path };
  const [base] = declaration.bases ?? [];
  if (declaration.bases === undefined)
    return declaration.ambient ? undefined : { list: [{ parameters: [] }], path: value.path };
  const above = evaluator.settle(evaluator.valueOf(base, value.path, depth + 1), depth + 1);
  const parent = above?.what === "symbol" ? above.declarations.find((one) => one.kind === "class") : undefined;
  if (above?.what !== "symbol" || parent === undefined || depth > 20) return undefined;
  return constructorsOf(evaluator, above, parent, depth + 1);
}

/** An element is a call with one object: its attributes. */
export function elementOf(
  evaluator: Evaluator,
  component: Value | undefined,
  element: Element,
  from: string,
  depth: number,
): Result {
  const props = propsOf(evaluator, component, depth);
  if (props?.value === undefined) return notKnown;
  const members = allMembers(evaluator, props.value, depth + 1);
  if (members === undefined) return notKnown;
  for (const one of element.attributes) {
    const entry = members.get(one.name);
    if (entry === undefined) {
      if (one.name === "key" || one.name === "ref" || one.name.includes("-")) continue;
      const target: Target = { ...props.owner, member: one.name };
      return {
        fault: {
          code: "unknown-property",
          symbol: `${props.owner.name}.${one.name}`,
          target,
          detail: "is gone",
          line: one.line,
        },
      };
    }
    if (one.shape === undefined) continue;
    const found = misfit(
      evaluator,
      evaluator.valueOf(entry.member.shape, entry.path, depth + 1),
      one.shape,
      from,
      entry.target,
      depth + 1,
    );
    if (found !== undefined) return { fault: { ...found, line: found.line ?? one.line } };
  }
  if (element.spread) return notKnown;
  for (const [name, { member, target }] of members) {
    if (
      member.optional ||
      element.attributes.some((one) => one.name === name) ||
      (name === "children" && element.children)
    )
      continue;
    return fault("missing-property", target, "is required");
  }
  return notKnown;
}

function propsOf(
  evaluator: Evaluator,
  component: Value | undefined,
  depth: number,
): { value: Value | undefined; owner: Target } | undefined {
  const { signatures, owner, path } = callable(evaluator, component, depth);
  const [only] = signatures ?? [];
  if (only !== undefined && owner !== undefined && path !== undefined && signatures?.length === 1) {
    const shape: Shape | undefined = only.parameters[0]?.shape;
    const value = shape === undefined ? undefined : owned(evaluator.valueOf(shape, path, depth + 1), owner);
    return { value, owner: value?.what === "instance" ? { path: value.of.path, name: value.of.name } : owner };
  }
  if (component?.what !== "symbol") return undefined;
  const annotation = component.declarations.find((one) => one.kind === "variable")?.shape;
  if (annotation?.k !== "type" || !/^(FC|FunctionComponent|VFC)$/.test(annotation.name.at(-1) ?? "")) return undefined;
  const value = owned(evaluator.valueOf(annotation.args?.[0], component.path, depth + 1), {
    path: component.path,
    name: component.name,
  });
  return {
    value,
    owner:
      value?.what === "instance"
        ? { path: value.of.path, name: value.of.name }
        : { path: component.path, name: component.name },
  };
}
