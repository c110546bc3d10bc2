// Judges whether a value written in one place fits the type asked for in another, as far as the syntax shows: the properties of an object
// literal, a literal of another primitive type, a promise where a plain value is wanted.

import type { Shape } from "../facts.ts";
import { allMembers } from "./members.ts";
import type { Evaluator, Fault, Target, Value } from "./value.ts";

const plain = new Set(["string", "number", "boolean", "bigint"]);

/** The fault, or undefined when it fits or cannot be told. */
export function misfit(
  evaluator: Evaluator,
  wanted: Value | undefined,
  given: Shape,
  givenPath: string,
  owner: Target | undefined,
  depth: number,
): Fault | undefined {
  const target = evaluator.settle(wanted, depth);
  if (target === undefined || depth > 10) return undefined;
  if (given.k === "object" && given.fresh) return objectMisfit(evaluator, target, given, givenPath, depth);
  const names = primitiveNames(evaluator, target, depth);
  const value = evaluator.settle(evaluator.valueOf(given, givenPath, depth + 1), depth + 1);
  if (value?.what === "promise") {
    const plainWanted = names !== undefined || target.what === "instance";
    if (!plainWanted || value.owner === undefined) return undefined;
    return { code: "async", symbol: label(value.owner), target: value.owner, detail: "gives a promise" };
  }
  if (names === undefined || value?.what !== "shape" || value.shape.k !== "primitive") return undefined;
  if (!plain.has(value.shape.name) || names.has(value.shape.name)) return undefined;
  const decider = value.owner ?? owner;
  if (decider === undefined) return undefined;
  return {
    code: "wrong-type",
    symbol: label(decider),
    target: decider,
    detail: `does not fit: ${value.shape.name} is given where ${[...names].join(" or ")} is asked for`,
  };
}

function label(target: Target): string {
  return target.member === undefined ? target.name : `${target.name}.${target.member}`;
}

/** The primitive types allowed, when nothing but primitives is. */
function primitiveNames(evaluator: Evaluator, target: Value, depth: number): Set<string> | undefined {
  if (target.what !== "shape") return undefined;
  const { shape } = target;
  if (shape.k === "primitive") return plain.has(shape.name) ? new Set([shape.name]) : undefined;
  if (shape.k !== "union" || shape.of.length === 0) return undefined;
  const names = new Set<string>();
  for (const one of shape.of) {
    const value = evaluator.settle(evaluator.valueOf(one, target.path, depth + 1), depth + 1);
    if (value?.what !== "shape" || value.shape.k !== "primitive") return undefined;
    names.add(value.shape.name);
  }
  return names;
}

function objectMisfit(
  evaluator: Evaluator,
  target: Value,
  given: Extract<Shape, { k: "object" }>,
  givenPath: string,
  depth: number,
): Fault | undefined {
  const members = allMembers(evaluator, target, depth + 1);
  if (members === undefined) return undefined;
  for (const one of given.members) {
    const entry = members.get(one.name);
    if (entry === undefined) {
      const holder = holderOf(target);
      if (holder === undefined) continue;
      return {
        code: "unknown-property",
        symbol: `${holder.name}.${one.name}`,
        target: { ...holder, member: one.name },
        detail: "is gone",
        line: one.line,
      };
    }
    if (one.shape === undefined) continue;
    const inner = misfit(
      evaluator,
      evaluator.valueOf(entry.member.shape, entry.path, depth + 1),
      one.shape,
      givenPath,
      entry.target,
      depth + 1,
    );
    if (inner !== undefined) return { ...inner, line: inner.line ?? one.line };
  }
  if (given.open) return undefined;
  for (const [name, { member, target: at }] of members) {
    if (member.optional || given.members.some((one) => one.name === name)) continue;
    return { code: "missing-property", symbol: label(at), target: at, detail: "is required" };
  }
  return undefined;
}

function holderOf(target: Value): Target | undefined {
  if (target.what === "instance") return { path: target.of.path, name: target.of.name };
  if (target.what === "shape") return target.owner;
  return undefined;
}
