// Follows a use through a program, step by step, to what it reaches, or to the first step that does not hold.

import type { Call, Shape, Step, Use } from "../facts.ts";
import { callOf, elementOf, newOf } from "./calls.ts";
import { misfit } from "./fits.ts";
import { allMembers, memberOf, owned } from "./members.ts";
import type { Definition, Found, Program } from "./program.ts";
import { fault, notKnown, type Evaluator, type Fault, type Result, type Value } from "./value.ts";

/** Types deep in types are not worth the walk, and may be circular. */
const deepest = 30;

export class Evaluation implements Evaluator {
  readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  /** Returns what is wrong with a use, if that can be told. A fault may be a mere doubt. */
  faultOf(use: Use, path: string): Fault | undefined {
    let value = this.valueOf(use.from, path, 0);
    if (value === undefined) return undefined;
    const isType = use.steps.at(-1)?.s === "type";
    if (!isType && use.steps[0]?.s !== "implement" && use.from.k === "value" && use.from.steps.length === 0) {
      const early = this.valueSpace(value);
      if (early !== undefined) return early;
    }
    for (const step of use.steps) {
      if (value === undefined) return undefined;
      const result = this.step(value, step, path, use.inside, isType);
      const found = "fault" in result ? result.fault : result.lacks;
      if (found !== undefined) {
        const line = found.line ?? (step.s === "member" ? step.line : undefined);
        return { ...found, line };
      }
      value = "fault" in result ? undefined : result.value;
    }
    return undefined;
  }

  /** A name used as a value must be one. */
  private valueSpace(value: Value): Fault | undefined {
    if (value.what !== "symbol") return undefined;
    const types = value.declarations.every((one) => one.kind === "interface" || one.kind === "type");
    if (!types && !value.typeOnly) return undefined;
    return {
      code: "type-only",
      symbol: value.name,
      target: { path: value.path, name: value.name },
      detail: "is only a type",
    };
  }

  private step(value: Value, step: Step, path: string, inside: string | undefined, isType: boolean): Result {
    switch (step.s) {
      case "member":
        return this.named(memberOf(this, value, step.name, inside, 0), isType);
      case "call":
        return callOf(this, value, step, path, 0);
      case "new":
        return this.constructed(value, step, path, inside);
      case "await":
        return { value: value.what === "promise" ? value.value : value };
      case "element":
        return this.element(value);
      case "operand": {
        const settled = this.settle(value, 0);
        return settled?.what === "promise" && settled.owner !== undefined
          ? fault("async", settled.owner, "gives a promise")
          : notKnown;
      }
      case "jsx":
        return elementOf(this, value, step, path, 0);
      case "type":
        return this.typePosition(value, step.types ?? 0);
      case "implement":
        return this.implemented(value, step);
      case "fit": {
        const found = misfit(this, value, step.value, path, undefined, 0);
        return found === undefined ? notKnown : { fault: found };
      }
    }
  }

  private named(result: Result, isType: boolean): Result {
    if ("fault" in result || isType || result.value === undefined) return result;
    const wrong = result.value.what === "symbol" ? this.valueSpace(result.value) : undefined;
    return wrong === undefined ? result : { fault: wrong };
  }

  private constructed(named: Value, step: Call, path: string, inside: string | undefined): Result {
    const value = this.settle(named, 0) ?? named;
    const abstract = value.what === "symbol" && value.declarations.some((one) => one.abstract);
    if (abstract && inside === undefined)
      return fault("abstract", { path: value.path, name: value.name }, "is abstract");
    return newOf(this, value, step, path, 0);
  }

  private element(value: Value): Result {
    const settled = this.settle(value, 0);
    if (settled?.what === "promise")
      return settled.owner === undefined ? notKnown : fault("async", settled.owner, "gives a promise");
    if (settled?.what !== "shape" || settled.shape.k !== "array") return notKnown;
    return { value: this.valueOf(settled.shape.of, settled.path, 0) };
  }

  private typePosition(value: Value, given: number): Result {
    if (value.what !== "symbol") return notKnown;
    const target = { path: value.path, name: value.name };
    const types = value.declarations.filter((one) => one.kind !== "function" && one.kind !== "variable");
    if (types.length === 0) return fault("not-a-type", target, "is no longer a type");
    const generic = types.filter((one) => one.kind !== "namespace" && one.kind !== "enum");
    if (generic.length === 0 || this.program.file(value.path)?.summary.dialect === "javascript") return notKnown;
    const fits = generic.some((one) => given >= (one.types?.[0] ?? 0) && given <= (one.types?.[1] ?? 0));
    if (fits) return notKnown;
    const [least, most] = generic[0]?.types ?? [0, 0];
    return fault(
      "type-arguments",
      target,
      `takes ${least === most ? least : `${least} to ${most}`} type arguments, not ${given}`,
    );
  }

  private implemented(value: Value, step: Extract<Step, { s: "implement" }>): Result {
    const settled = this.settle(value, 0);
    const whole: Value | undefined = settled?.what === "symbol" ? { what: "instance", of: settled } : settled;
    const members = allMembers(this, whole, 0);
    if (members === undefined) return notKnown;
    for (const [name, { member, target }] of members) {
      const asked = step.how === "extends" ? member.abstract === true : !member.optional;
      if (asked && !step.members.includes(name)) return fault("missing-member", target, "must be implemented");
    }
    return notKnown;
  }

  valueOf(shape: Shape | undefined, path: string, depth: number): Value | undefined {
    if (shape === undefined || depth > deepest) return undefined;
    switch (shape.k) {
      case "primitive":
      case "object":
      case "function":
      case "array":
        return { what: "shape", path, shape };
      case "union": {
        const rest = shape.of.filter(
          (one) =>
            !(one?.k === "primitive" && (one.name === "null" || one.name === "undefined" || one.name === "void")),
        );
        return rest.length === 1 && shape.of.length > 1
          ? this.valueOf(rest[0], path, depth + 1)
          : { what: "shape", path, shape };
      }
      case "both":
        return { what: "all", of: shape.of.map((one) => this.valueOf(one, path, depth + 1)) };
      case "type":
        return this.typeValue(shape, path, depth + 1);
      case "value":
        return this.walked(this.root(path, shape.root), shape.steps, path, depth + 1);
      case "from":
        return this.walked(this.valueOf(shape.shape, path, depth + 1), shape.steps, path, depth + 1);
    }
  }

  /** Steps already judged where they were written: a fault in them is not this use's. */
  private walked(start: Value | undefined, steps: readonly Step[], path: string, depth: number): Value | undefined {
    let value = start;
    for (const step of steps) {
      if (value === undefined || depth > deepest) return undefined;
      const result =
        step.s === "member"
          ? memberOf(this, value, step.name, "*", depth)
          : step.s === "call"
            ? callOf(this, value, step, path, depth)
            : step.s === "new"
              ? newOf(this, value, step, path, depth)
              : this.step(value, step, path, undefined, false);
      if ("fault" in result) return undefined;
      value = result.value;
    }
    return value;
  }

  private root(path: string, root: string): Value | undefined {
    const module = /^(import|require)\((.*)\)$/s.exec(root);
    if (module === null) return known(this.program.local(path, root));
    const target = this.program.resolve(path, module[2] ?? "");
    if (typeof target === "string") return undefined;
    return module[1] === "require" ? known(this.program.whole(target.path)) : { what: "module", path: target.path };
  }

  private typeValue(shape: Extract<Shape, { k: "type" }>, path: string, depth: number): Value | undefined {
    const [first = "", ...rest] = shape.name;
    const start = this.root(path, first);
    if (start === undefined) return rest.length > 0 ? undefined : this.globalType(first, shape.args ?? [], path, depth);
    let value: Value | undefined = start;
    for (const name of rest) {
      const result = memberOf(this, value, name, undefined, depth);
      if ("fault" in result || result.value === undefined) return undefined;
      value = result.value;
    }
    return value.what === "symbol" ? this.instance(value, depth) : undefined;
  }

  private instance(definition: Definition, depth: number): Value | undefined {
    const alias = definition.declarations.find((one) => one.kind === "type");
    if (alias === undefined) return { what: "instance", of: definition };
    if (
      alias.types !== undefined ||
      definition.declarations.some((one) => one.kind === "class" || one.kind === "interface")
    )
      return undefined;
    return owned(this.valueOf(alias.shape, definition.path, depth + 1), {
      path: definition.path,
      name: definition.name,
    });
  }

  private globalType(
    name: string,
    args: readonly (Shape | undefined)[],
    path: string,
    depth: number,
  ): Value | undefined {
    switch (name) {
      case "Promise":
      case "PromiseLike":
        return { what: "promise", value: this.valueOf(args[0], path, depth + 1) };
      case "Array":
      case "ReadonlyArray":
      case "Set":
        return name === "Set" ? undefined : { what: "shape", path, shape: { k: "array", of: args[0] } };
      case "Readonly":
        return this.valueOf(args[0], path, depth + 1);
      case "Partial": {
        const inner = this.valueOf(args[0], path, depth + 1);
        return inner?.what === "instance" ? { ...inner, partial: true } : undefined;
      }
      default:
        return undefined;
    }
  }

  settle(value: Value | undefined, depth: number): Value | undefined {
    if (value?.what !== "symbol" || depth > deepest) return value;
    if (value.declarations.some((one) => one.kind !== "variable" && one.kind !== "interface" && one.kind !== "type"))
      return value;
    const variable = value.declarations.find((one) => one.kind === "variable");
    if (variable === undefined) return value;
    const found = owned(this.valueOf(variable.shape, value.path, depth + 1), { path: value.path, name: value.name });
    return found?.what === "symbol" ? this.settle(found, depth + 1) : found;
  }
}

function known(found: Found): Value | undefined {
  return found === "missing" ? undefined : found;
}
