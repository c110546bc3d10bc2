// Attributes that code gives to objects by name: `setattr(self, name, …)`, `self.__dict__[name] = …`, `vars(self).update(…)`. A name that is
// written out becomes a member of the class. Of a name that is computed, the class remembers the line and the names that may come of it.
// Reading attributes this way gives nothing, nor does handing on an object's own attributes (`__setstate__`, a copy's `__dict__`).

import { nothing, parseRef, type PythonRef } from "../ref.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";
import type { FileRecord } from "./file-record.ts";
import { exprRef } from "./refs.ts";
import { type Draft, moduleOf, type Scope } from "./scope.ts";

/** Methods that give an object the attributes which it, or its like, had before. */
const restoring = new Set(["__setstate__", "__copy__", "__deepcopy__"]);
const readingMethods = new Set([
  "get",
  "items",
  "keys",
  "values",
  "copy",
  "pop",
  "clear",
  "__contains__",
  "__getitem__",
]);

/** The object whose attributes `X.__dict__` or `vars(X)` are; 0 for anything else. */
export function dictOwner(syntax: Syntax, node: number): number {
  if (syntax.kind(node) === "attribute")
    return syntax.text(syntax.at(node, "attribute")) === "__dict__" ? syntax.at(node, "object") : 0;
  if (syntax.kind(node) !== "call" || syntax.text(syntax.at(node, "function")) !== "vars") return 0;
  return syntax.first(syntax.at(node, "arguments"));
}

/** `setattr(object, key, …)`, also as a method: `object.__setattr__(self, key, …)`, `super().__setattr__(key, …)`. */
export function noteSetattr(syntax: Syntax, record: FileRecord, call: number, scope: Scope): void {
  const callee = syntax.at(call, "function");
  const args = syntax.children(syntax.at(call, "arguments"));
  const isMethod = syntax.kind(callee) === "attribute" && syntax.text(syntax.at(callee, "attribute")) === "__setattr__";
  if (!isMethod && syntax.text(callee) !== "setattr") return;
  const [object = 0, key = 0] = isMethod && args.length === 2 ? [syntax.at(callee, "object"), args[0]] : args;
  giveByKey(syntax, record, { object, key, at: call }, scope);
}

export interface GivenKey {
  readonly object: number;
  readonly key: number;
  /** The node that says so. */
  readonly at: number;
}

/** One attribute, by a key that may be computed. */
export function giveByKey(syntax: Syntax, record: FileRecord, { object, key, at }: GivenKey, scope: Scope): void {
  if (isAssigned(syntax, key, scope) || restoring.has(methodOf(scope))) return;
  give(syntax, record, { object, names: namesOf(syntax, key, scope, 0), at }, scope);
}

/** `X.__dict__.method(…)`: what it does to the attributes. `call` is 0 where the method is not called. */
export function giveByMethod(syntax: Syntax, record: FileRecord, attribute: number, call: number, scope: Scope): void {
  const method = syntax.text(syntax.at(attribute, "attribute"));
  const object = dictOwner(syntax, syntax.at(attribute, "object"));
  const args = call === 0 ? [] : syntax.children(syntax.at(call, "arguments"));
  if (readingMethods.has(method)) return;
  if (method === "update") for (const from of args) giveAll(syntax, record, object, from, scope);
  else giveByKey(syntax, record, { object, key: args[0] ?? 0, at: call === 0 ? attribute : call }, scope);
}

/** All that a mapping holds, or a keyword argument names. Without a mapping (0), anybody may write anything. */
export function giveAll(syntax: Syntax, record: FileRecord, object: number, from: number, scope: Scope): void {
  if (restoring.has(methodOf(scope))) return;
  const at = from === 0 ? object : from;
  const names = from === 0 ? ["*"] : keysOf(syntax, from, scope);
  give(syntax, record, { object, names, at }, scope);
}

/** `C.name = …`, for a class of this file; false for anything else. */
export function giveToClass(syntax: Syntax, record: FileRecord, target: number, scope: Scope): boolean {
  const object = syntax.at(target, "object");
  const ref = exprRef(syntax, object, scope);
  if (parseRef(ref).steps.length > 0 || classOf(ref, scope) === undefined) return false;
  const name = syntax.text(syntax.at(target, "attribute"));
  give(syntax, record, { object, names: [name], at: target }, scope);
  return true;
}

interface Gift {
  readonly object: number;
  readonly names: readonly string[];
  readonly at: number;
}

function give(syntax: Syntax, record: FileRecord, { object, names, at }: Gift, scope: Scope): void {
  const line = syntax.line(at);
  const draft = receiver(syntax, object, scope);
  const possible = draft ?? maybeItself(syntax, object, scope);
  for (const name of names) {
    const isWritten = !name.includes("*");
    if (draft === undefined && isWritten) record.stores.add(name);
    // A class that stands further down has no members yet.
    const members = isWritten ? draft?.drafts : undefined;
    if (members !== undefined) {
      const before = members.get(name) ?? [];
      members.set(name, [...before, { kind: "value", line, onSelf: true, conditional: true, refersTo: nothing }]);
    } else if (possible !== undefined) {
      const { line: first = line, like = [] } = possible.computed ?? {};
      possible.computed = { line: first, like: [...new Set([...like, name])] };
    }
  }
}

/** The class of this file that the object is, or is an instance of. */
function receiver(syntax: Syntax, object: number, scope: Scope): Draft | undefined {
  const text = syntax.text(object);
  if (/^(super\(\)|type\(\w+\)|\w+\.__class__)$/.test(text)) {
    const inside = /^\w+\((\w+)\)$|^(\w+)\./.exec(text);
    const word = inside?.[1] ?? inside?.[2] ?? "super";
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
      if (at.self === word || (word === "super" && at.self !== undefined)) return at.owner?.draft;
    return undefined;
  }
  const byRef = classOf(exprRef(syntax, object, scope), scope);
  if (byRef !== undefined) return byRef;
  return syntax.kind(object) === "identifier" ? madeOfSelf(syntax, text, scope) : undefined;
}

/** What a descriptor is asked about is the object, or the class, that has the descriptor. */
const descriptorMethods = new Set(["__get__", "__set__", "__delete__", "__set_name__"]);

/** A parameter of which nothing is said may be another object of the method's own class. */
function maybeItself(syntax: Syntax, object: number, scope: Scope): Draft | undefined {
  if (syntax.kind(object) !== "identifier" || descriptorMethods.has(methodOf(scope))) return undefined;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const local = at.locals.get(syntax.text(object));
    if (local !== undefined) return local.source === undefined ? ownMethod(at)?.owner?.draft : undefined;
  }
  return undefined;
}

/** The class of this file that a ref is, or is an instance of. */
function classOf(ref: PythonRef, scope: Scope): Draft | undefined {
  const { root, steps } = parseRef(ref);
  const [step, ...more] = steps;
  if (more.length > 0 || (step !== undefined && step.kind !== "call" && step.kind !== "instance")) return undefined;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
    if ((root.kind === "instance" || root.kind === "class") && at.owner?.path === root.path) return at.owner.draft;
  return root.kind === "name"
    ? moduleOf(scope)
        .names.get(root.name)
        ?.find(({ kind }) => kind === "class")
    : undefined;
}

/** `copy = cls.__new__(cls)`: a local made with the method's own object may be of its class; a part of that object (`self.hook`) is not. */
function madeOfSelf(syntax: Syntax, name: string, scope: Scope): Draft | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const source = at.locals.get(name)?.source;
    if (source === undefined && !at.locals.has(name)) continue;
    const method = source === undefined || source.how === "annotation" ? undefined : ownMethod(at);
    if (method?.self === undefined || source === undefined || syntax.kind(source.node) !== "call") return undefined;
    const mentions = new RegExp(
      `\\b(${method.self}|${method.owner?.path.split(".").at(-1) ?? method.self})\\b(?!\\.\\w+\\b(?!\\())`,
    );
    return mentions.test(syntax.text(source.node)) ? method.owner?.draft : undefined;
  }
  return undefined;
}

/** The method around. */
function ownMethod(scope: Scope): Scope | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) if (at.self !== undefined) return at;
  return undefined;
}

const methodOf = (scope: Scope): string => ownMethod(scope)?.name.split(".").at(-1) ?? "";

/** The key is what `__setattr__` was asked to set: somebody wrote that name as an attribute, and is read there. */
function isAssigned(syntax: Syntax, key: number, scope: Scope): boolean {
  return methodOf(scope) === "__setattr__" && [...(ownMethod(scope)?.locals.keys() ?? [])][1] === syntax.text(key);
}

const written = /^[rRuU]?(["'])([^"'\\]*)\1$/;
const computedText = /^([fF]?)[rR]?(["'])([^"'\\]*)\2$/;

/** Names that a key may be; `*` stands for what is computed. */
function namesOf(syntax: Syntax, key: number, scope: Scope, depth: number): string[] {
  const kind = syntax.kind(key);
  const text = syntax.text(key);
  if (depth > 5) return ["*"];
  if (kind === "string") {
    const plain = written.exec(text)?.[2];
    const made = computedText.exec(text);
    return [plain ?? (made?.[1] === "" ? undefined : made?.[3]?.replaceAll(/\{[^{}]*\}/g, "*")) ?? "*"];
  }
  if (kind === "call" && syntax.text(syntax.at(syntax.at(key, "function"), "attribute")) === "format")
    return filled(syntax, syntax.at(syntax.at(key, "function"), "object"), /\{[^{}]*\}/g);
  if (kind === "binary_operator") {
    const [left = 0, right = 0] = syntax.children(key);
    const sign = syntax.textBetween(left, right).trim();
    if (sign === "%") return filled(syntax, left, /%[sdr]/g);
    const ends = namesOf(syntax, right, scope, depth + 1);
    if (sign === "+") return namesOf(syntax, left, scope, depth + 1).flatMap((one) => ends.map((end) => one + end));
  }
  if (kind === "conditional_expression") {
    const [yes = 0, , no = 0] = syntax.children(key);
    return [...namesOf(syntax, yes, scope, depth + 1), ...namesOf(syntax, no, scope, depth + 1)];
  }
  return kind === "identifier" ? namesOfVariable(syntax, text, scope, depth) : ["*"];
}

function filled(syntax: Syntax, pattern: number, holes: RegExp): string[] {
  return [written.exec(syntax.text(pattern))?.[2]?.replaceAll(holes, "*") ?? "*"];
}

/** A local that is given once, or runs over a list that is written out. */
function namesOfVariable(syntax: Syntax, name: string, scope: Scope, depth: number): string[] {
  const source = sourceOf(name, scope);
  if (source === undefined) return ["*"];
  if (source.how === "value") return namesOf(syntax, source.node, scope, depth + 1);
  return source.how === "item" ? itemsOf(syntax, source.node, source.part, scope, depth + 1) : ["*"];
}

function sourceOf(name: string, scope: Scope): NonNullable<Draft["source"]> | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const local = at.locals.get(name);
    if (local !== undefined) return local.opaque ? undefined : local.source;
    const [only, ...others] = at.names.get(name) ?? [];
    if (only !== undefined) return others.length === 0 ? only.source : undefined;
  }
  return undefined;
}

/** The names that a loop runs over; none where it runs over the attributes of the method's own object. */
function itemsOf(syntax: Syntax, items: number, part: number | undefined, scope: Scope, depth: number): string[] {
  if (depth > 5) return ["*"];
  const kind = syntax.kind(items);
  if (kind === "list" || kind === "tuple" || kind === "set")
    return syntax.children(items).flatMap((item) => {
      const inner = part === undefined ? item : (syntax.children(item)[part] ?? 0);
      return namesOf(syntax, inner, scope, depth + 1);
    });
  if (kind === "identifier") {
    const source = sourceOf(syntax.text(items), scope);
    return source?.how === "value" ? itemsOf(syntax, source.node, part, scope, depth + 1) : ["*"];
  }
  const callee = kind === "call" ? syntax.at(items, "function") : 0;
  const isKeys = /^(items|keys|copy)$/.test(syntax.text(syntax.at(callee, "attribute"))) && (part ?? 0) === 0;
  if (kind === "dictionary" || isKeys) return keysOf(syntax, isKeys ? syntax.at(callee, "object") : items, scope);
  return ["*"];
}

/** The keys of a mapping. */
function keysOf(syntax: Syntax, mapping: number, scope: Scope): string[] {
  const text = syntax.text(mapping);
  const kind = syntax.kind(mapping);
  if (kind === "keyword_argument") return [syntax.text(syntax.at(mapping, "name"))];
  if (kind === "dictionary_splat") return keysOf(syntax, syntax.first(mapping), scope);
  if (kind === "dictionary")
    return syntax
      .children(mapping)
      .flatMap((pair) =>
        syntax.kind(pair) === "pair" ? namesOf(syntax, syntax.at(pair, "key"), scope, 0) : keysOf(syntax, pair, scope),
      );
  if (kind === "call" && syntax.text(syntax.at(mapping, "function")) === "dict")
    return syntax.children(syntax.at(mapping, "arguments")).flatMap((one) => keysOf(syntax, one, scope));
  if (text === "locals()") return [...(ownMethod(scope)?.locals.keys() ?? [])];
  const copied = text.endsWith(".copy()") ? syntax.at(syntax.at(mapping, "function"), "object") : mapping;
  const owner = dictOwner(syntax, copied);
  if (owner !== 0 && receiver(syntax, owner, scope) !== undefined) return [];
  const source = kind === "identifier" ? sourceOf(text, scope) : undefined;
  return source?.how === "value" && syntax.kind(source.node) === "dictionary"
    ? keysOf(syntax, source.node, scope)
    : ["*"];
}
