// Looking up a member of a value: module exports, static and instance members through base classes, enum members,
// namespaces, object literals.

import type { Declaration, Member } from "../facts.ts";
import { declarationsByName, type Definition } from "./program.ts";
import { fault, mayLack, notKnown, type Evaluator, type Result, type Target, type Value } from "./value.ts";

const ofEveryObject = new Set([
  "constructor",
  "toString",
  "toLocaleString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "__proto__",
]);
const ofEveryFunction = new Set([
  ...ofEveryObject,
  "name",
  "length",
  "prototype",
  "call",
  "apply",
  "bind",
  "arguments",
  "caller",
]);
const ofEveryPromise = new Set([...ofEveryObject, "then", "catch", "finally"]);

export function memberOf(
  evaluator: Evaluator,
  whole: Value | undefined,
  name: string,
  inside: string | undefined,
  depth: number,
): Result {
  const value = evaluator.settle(whole, depth);
  if (value === undefined || depth > 30) return notKnown;
  switch (value.what) {
    case "module":
      return moduleMember(evaluator, value.path, name, depth);
    case "symbol":
      return staticMember(evaluator, value, name, inside, depth);
    case "instance":
      return instanceMember(evaluator, value, name, inside, depth);
    case "promise":
      if (ofEveryPromise.has(name)) return notKnown;
      return value.owner === undefined
        ? notKnown
        : fault("async", value.owner, `gives a promise, which has no ${name}`);
    case "all":
      return memberOfAll(evaluator, value.of, name, inside, depth);
    case "shape":
      return shapeMember(evaluator, value, name, depth);
  }
}

function moduleMember(evaluator: Evaluator, path: string, name: string, depth: number): Result {
  const found = evaluator.program.exported(path, name);
  if (found === "missing") return fault("no-export", { path, name }, "is not exported");
  if (found !== undefined) return { value: found };
  const whole = evaluator.program.whole(path);
  if (typeof whole !== "object" || whole.what !== "symbol") {
    const unsure = evaluator.program.mayExport(path, name);
    return unsure === undefined ? notKnown : mayLack("no-export", { path, name }, unsure);
  }
  return name === "default" ? { value: whole } : exportedByWhole(evaluator, whole, path, name, depth);
}

/** A name taken from a module that exports one value: CommonJS, JSON. */
function exportedByWhole(evaluator: Evaluator, whole: Definition, path: string, name: string, depth: number): Result {
  const value = evaluator.settle(whole, depth + 1);
  if (value === undefined || value.what !== "shape" || value.shape.k !== "object") return notKnown;
  const member = value.shape.members.find((one) => one.name === name);
  const isOpen = value.shape.open === true || evaluator.program.file(path)?.summary.exportsOpen === true;
  if (member === undefined && isOpen) return mayLack("no-export", { path, name }, notAllWritten);
  if (member === undefined) return fault("no-export", { path, name }, "is not exported");
  return { value: evaluator.valueOf(member.shape, value.path, depth + 1) };
}

function staticMember(
  evaluator: Evaluator,
  value: Definition,
  name: string,
  inside: string | undefined,
  depth: number,
): Result {
  let open = false;
  let holds = false;
  for (const one of value.declarations) {
    if (one.kind === "namespace") {
      holds = true;
      open ||= one.open === true;
      const inner = declarationsByName(one.inner ?? []).get(name);
      if (inner !== undefined)
        return { value: { what: "symbol", path: value.path, name: `${value.name}.${name}`, declarations: inner } };
    } else if (one.kind === "enum") {
      holds = true;
      if (one.members?.some((member) => member.name === name)) return { value: { what: "instance", of: value } };
    } else if (one.kind === "class") {
      holds = true;
      const found = classMember(evaluator, value, one, name, true, inside, depth);
      if (found !== "missing") return found;
      open ||= ofEveryFunction.has(name);
    } else if (one.kind === "function" || one.kind === "variable") open = true;
  }
  if (ofEveryObject.has(name) || !holds) return notKnown;
  const target = { path: value.path, name: value.name, member: name };
  return open ? mayLack("no-member", target, notAllWritten) : fault("no-member", target, "is gone");
}

function classMember(
  evaluator: Evaluator,
  owner: Definition,
  declaration: Declaration,
  name: string,
  isStatic: boolean,
  inside: string | undefined,
  depth: number,
): Result | "missing" {
  const member = declaration.members?.find((one) => one.name === name && (one.static === true) === isStatic);
  if (member !== undefined) return reach(evaluator, owner, member, inside, depth);
  const target: Target = { path: owner.path, name: owner.name, member: name };
  if (declaration.open) return mayLack("no-member", target, notAllWritten);
  let open: Result | undefined;
  for (const base of declaration.bases ?? []) {
    const above = evaluator.settle(evaluator.valueOf(base, owner.path, depth + 1), depth + 1);
    const found = above === undefined ? notKnown : inBase(evaluator, above, name, isStatic, inside, depth + 1);
    if (found === "missing") continue;
    if ("fault" in found || found.value !== undefined) return found;
    open ??= found.lacks === undefined ? mayLack("no-member", target, ofBase) : found;
  }
  return open ?? "missing";
}

/** For what a compiler reads. */
export const ofBase = "what it extends may still have it";
const notAllWritten = "it has members that are not written out, and this may be one of them";

function inBase(
  evaluator: Evaluator,
  above: Value,
  name: string,
  isStatic: boolean,
  inside: string | undefined,
  depth: number,
): Result | "missing" {
  if (depth > 30) return notKnown;
  const definition = above.what === "symbol" ? above : above.what === "instance" ? above.of : undefined;
  if (definition === undefined) {
    if (above.what !== "shape" || above.shape.k !== "object" || above.shape.open) return notKnown;
    return above.shape.members.some((one) => one.name === name)
      ? shapeMember(evaluator, above, name, depth)
      : "missing";
  }
  let known = false;
  for (const one of definition.declarations) {
    if (one.kind !== "class" && one.kind !== "interface") continue;
    known = true;
    const found = classMember(evaluator, definition, one, name, isStatic, inside, depth);
    // A member that is there but whose own type is not known must not count as missing.
    if (found !== "missing") return found;
  }
  return known ? "missing" : notKnown;
}

function reach(
  evaluator: Evaluator,
  owner: Definition,
  member: Member,
  inside: string | undefined,
  depth: number,
): Result {
  const target: Target = { path: owner.path, name: owner.name, member: member.name };
  const outside = member.hidden === "private" ? inside !== owner.name : inside === undefined;
  const hidden = member.hidden !== undefined && outside && inside !== "*";
  if (hidden) return fault("hidden", target, `is ${member.hidden}`);
  const value = evaluator.valueOf(member.shape, owner.path, depth + 1);
  return {
    value: owned(value, target) ?? { what: "shape", path: owner.path, shape: { k: "union", of: [] }, owner: target },
  };
}

/** Remembers which definition a plain shape came from, to name it when a call does not fit. */
export function owned(value: Value | undefined, owner: Target): Value | undefined {
  if (value?.what === "shape" || value?.what === "promise")
    return value.owner === undefined ? { ...value, owner } : value;
  if (value?.what === "all") return { what: "all", of: value.of.map((one) => owned(one, owner)) };
  return value;
}

function instanceMember(
  evaluator: Evaluator,
  value: Extract<Value, { what: "instance" }>,
  name: string,
  inside: string | undefined,
  depth: number,
): Result {
  const { of } = value;
  let known = false;
  for (const one of of.declarations) {
    if (one.kind !== "class" && one.kind !== "interface") {
      if (one.kind !== "namespace") return notKnown;
      continue;
    }
    known = true;
    const found = classMember(evaluator, of, one, name, false, inside, depth);
    if (found !== "missing") return found;
  }
  if (!known || ofEveryObject.has(name)) return notKnown;
  return fault("no-member", { path: of.path, name: of.name, member: name }, "is gone");
}

function memberOfAll(
  evaluator: Evaluator,
  all: readonly (Value | undefined)[],
  name: string,
  inside: string | undefined,
  depth: number,
): Result {
  let last: Result = notKnown;
  let open: Result | undefined;
  for (const one of all) {
    const found = memberOf(evaluator, one, name, inside, depth + 1);
    if (!("fault" in found)) {
      if (found.value !== undefined) return found;
      open ??= found;
    } else last = found;
  }
  return open ?? last;
}

function shapeMember(
  evaluator: Evaluator,
  value: Extract<Value, { what: "shape" }>,
  name: string,
  depth: number,
): Result {
  const { shape, path, owner } = value;
  if (shape.k !== "object") return notKnown;
  const member = shape.members.find((one) => one.name === name);
  const target: Target | undefined =
    owner === undefined
      ? undefined
      : { ...owner, member: owner.member === undefined ? name : `${owner.member}.${name}` };
  if (member !== undefined) {
    const found = evaluator.valueOf(member.shape, path, depth + 1);
    return { value: target === undefined ? found : owned(found, target) };
  }
  if (target === undefined || ofEveryObject.has(name)) return notKnown;
  return shape.open ? mayLack("no-member", target, notAllWritten) : fault("no-member", target, "is gone");
}

/** Every member of a type, or undefined when not all can be listed. */
export function allMembers(
  evaluator: Evaluator,
  whole: Value | undefined,
  depth: number,
): Map<string, { member: Member; path: string; target: Target }> | undefined {
  const value = evaluator.settle(whole, depth);
  if (value === undefined || depth > 20) return undefined;
  const found = new Map<string, { member: Member; path: string; target: Target }>();
  if (value.what === "shape") {
    const { shape, path, owner } = value;
    if (shape.k !== "object" || shape.open || owner === undefined) return undefined;
    for (const member of shape.members)
      found.set(member.name, { member, path, target: { ...owner, member: member.name } });
    return found;
  }
  if (value.what === "all") {
    for (const one of value.of) {
      const members = allMembers(evaluator, one, depth + 1);
      if (members === undefined) return undefined;
      for (const [name, entry] of members) found.set(name, entry);
    }
    return found;
  }
  if (value.what !== "instance") return undefined;
  const { of } = value;
  for (const one of of.declarations) {
    if (one.kind !== "class" && one.kind !== "interface") return undefined;
    if (one.open || (one.kind === "class" && of.declarations.length > 1)) return undefined;
    for (const base of one.bases ?? []) {
      const above = evaluator.settle(evaluator.valueOf(base, of.path, depth + 1), depth + 1);
      const members = allMembers(
        evaluator,
        above?.what === "symbol" ? { what: "instance", of: above } : above,
        depth + 1,
      );
      if (members === undefined) return undefined;
      for (const [name, entry] of members) found.set(name, entry);
    }
    for (const member of one.members ?? []) {
      if (member.static) continue;
      found.set(member.name, {
        member: value.partial ? { ...member, optional: true } : member,
        path: of.path,
        target: { path: of.path, name: of.name, member: member.name },
      });
    }
  }
  return found;
}
