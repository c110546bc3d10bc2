// Turns an expression into a ref where it is evident what it is: a chain of attributes, calls and awaits from a name. Everything else is "".

import {
  attributeStep,
  awaitStep,
  bareCallStep,
  callStep,
  indexStep,
  instanceStep,
  itemStep,
  manyStep,
  mappingStep,
  nameRef,
  numberIndexStep,
  partStep,
  plainRef,
  type PythonRef,
  superRef,
  keyIndexStep,
  textIndexStep,
  textMapping,
  textMappingStep,
  withSteps,
} from "../ref.ts";
import { callShape } from "./call-shape.ts";
import { importedByCall } from "./imported-by-call.ts";
import type { Local, Scope, Source } from "./scope.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

/** Annotations of things that hold items, all of one kind, and of those that hold them by key. */
const collections = new Set(
  `list List set Set frozenset FrozenSet deque Deque Sequence MutableSequence Iterable Iterator Collection Container Reversible
  AbstractSet MutableSet AsyncIterable AsyncIterator ValuesView`.split(/\s+/),
);
const mappings = new Set("dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict".split(" "));
/** Built-in functions that give the items of their only argument again. */
const sameItems = new Set(["list", "set", "frozenset", "tuple", "sorted", "reversed", "iter"]);

const builtinGenerics = new Set("list List set Set frozenset dict Dict".split(" "));

/** Wrappers in annotations whose argument is the thing itself. */
const seeThrough = new Set(["Optional", "Final", "ClassVar", "Annotated", "Required", "NotRequired", "ReadOnly"]);
/** A chain longer than this says nothing useful, and substitution of locals could grow it without end. */
const maxRefLength = 400;

export function exprRef(syntax: Syntax, node: number, scope: Scope): string {
  // Down the chain to its root, then back up; loops, because chains can be long.
  const steps: string[] = [];
  let at = node;
  for (;;) {
    const kind = syntax.kind(at);
    if (kind === "attribute") {
      steps.push(attributeStep(syntax.text(syntax.at(at, "attribute"))));
      at = syntax.at(at, "object");
    } else if (kind === "call") {
      const owner = superOwner(syntax, at, scope) ?? castRef(syntax, at, scope) ?? importedByCall(syntax, at);
      if (owner !== undefined) return finish(owner, steps);
      steps.push(callStep(callShape(syntax, syntax.at(at, "arguments"), scope)));
      at = syntax.at(at, "function");
    } else if (kind === "await") {
      steps.push(awaitStep);
      at = syntax.first(at);
    } else if (kind === "subscript") {
      const inside = syntax.children(at).filter((child) => syntax.is(child, "subscript"));
      if (inside.length !== 1) return "";
      if (syntax.kind(inside[0] ?? 0) !== "slice") steps.push(keyStep(syntax, inside[0] ?? 0));
      at = syntax.at(at, "value");
    } else if (kind === "parenthesized_expression") {
      const inside = syntax.children(at);
      if (inside.length !== 1) return "";
      at = inside[0] ?? 0;
    } else if (kind === "identifier") {
      return finish(lookup(syntax, syntax.text(at), scope), steps);
    } else {
      return finish(literalRef(syntax, at, scope), steps);
    }
    if (at === 0) return "";
  }
}

function keyStep(syntax: Syntax, key: number): string {
  const kind = syntax.kind(key);
  const name = kind === "string" ? /^["']([^"'\\{}]+)["']$/.exec(syntax.text(key))?.[1] : undefined;
  if (name !== undefined) return keyIndexStep(name);
  if (kind === "string" || kind === "concatenated_string") return textIndexStep;
  const isNumber =
    kind === "integer" || (kind === "unary_operator" && syntax.kind(syntax.at(key, "argument")) === "integer");
  return isNumber ? numberIndexStep : indexStep;
}

/** Returns a ref for a value that is written out. "" for one that has to be worked out. */
function literalRef(syntax: Syntax, node: number, scope: Scope): string {
  const kind = syntax.kind(node);
  switch (kind) {
    case "string":
    case "concatenated_string":
      return plainRef(/^[a-zA-Z]{0,3}[bB][a-zA-Z]{0,3}["']/.test(syntax.text(node)) ? "bytes" : "str");
    case "integer":
    case "float":
      return /[jJ]$/.test(syntax.text(node)) ? "" : plainRef(kind === "integer" ? "int" : "float");
    case "true":
    case "false":
    case "not_operator":
      return plainRef("bool");
    case "dictionary":
      return hasTextKeys(syntax, node) ? textMapping : plainRef("dict");
    case "dictionary_comprehension":
      return plainRef("dict");
    case "list_comprehension":
      return plainRef("list");
    case "set_comprehension":
      return plainRef("set");
    case "tuple":
    case "expression_list": {
      const items = syntax.children(node);
      const isOpen = items.some((item) => syntax.kind(item) === "list_splat");
      return plainRef("tuple", isOpen ? undefined : items.length);
    }
    case "list":
    case "set": {
      const same = sameRef(syntax, node, scope);
      return same === "" ? plainRef(kind) : same;
    }
    default:
      return "";
  }
}

function hasTextKeys(syntax: Syntax, dictionary: number): boolean {
  const parts = syntax.children(dictionary);
  return parts.length > 0 && parts.every((part) => syntax.kind(syntax.at(part, "key")) === "string");
}

/** A list of things that are evidently all the same. */
function sameRef(syntax: Syntax, list: number, scope: Scope): string {
  const items = syntax.children(list);
  const refs = new Set(items.slice(0, 20).map((item) => exprRef(syntax, item, scope)));
  const [only = ""] = refs;
  return refs.size === 1 && only !== "" && items.length <= 20 ? withSteps(only, manyStep) : "";
}

function finish(root: string, steps: string[]): string {
  if (root === "") return "";
  const ref = root + steps.reverse().join("");
  return ref.length > maxRefLength ? "" : ref;
}

/** `super()` in a method of a class that can be named. */
function superOwner(syntax: Syntax, call: number, scope: Scope): string | undefined {
  const callee = syntax.at(call, "function");
  if (syntax.kind(callee) !== "identifier" || syntax.text(callee) !== "super") return undefined;
  if (syntax.children(syntax.at(call, "arguments")).length > 0) return "";
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    if (at.kind === "function" && at.self !== undefined) return at.owner === undefined ? "" : superRef(at.owner.path);
  }
  return "";
}

/** `cast(C, thing)` is what it says. */
function castRef(syntax: Syntax, call: number, scope: Scope): string | undefined {
  if (!/^((typing|t|te)\.)?cast$/.test(syntax.text(syntax.at(call, "function")))) return undefined;
  const args = syntax.children(syntax.at(call, "arguments"));
  return args.length === 2 ? annotationRef(syntax, args[0] ?? 0, scope) : undefined;
}

/** Returns the class that the annotated thing is an instance of, as the annotation says. */
export function annotationRef(syntax: Syntax, node: number, scope: Scope): string {
  const kind = syntax.kind(node);
  if (kind === "type" || kind === "parenthesized_expression") return annotationRef(syntax, syntax.first(node), scope);
  if (kind === "identifier" || kind === "attribute") {
    return withSteps(exprRef(syntax, node, scope), instanceStep);
  }
  if (kind === "string") {
    const inner = syntax.text(node).replace(/^[a-zA-Z]*("""|'''|"|')|("""|'''|"|')$/g, "");
    if (!/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(inner)) return "";
    const [root = "", ...attributes] = inner.split(".");
    return finish(lookup(syntax, root, scope), [instanceStep, ...attributes.map(attributeStep).reverse()]);
  }
  if (kind === "generic_type") {
    const [name = 0, parameters = 0] = syntax.children(node);
    return wrapped(syntax, name, syntax.children(parameters), scope);
  }
  if (kind === "subscript") {
    const value = syntax.at(node, "value");
    const inside = syntax.children(node).filter((child) => syntax.is(child, "subscript"));
    return wrapped(syntax, value, inside, scope);
  }
  if (kind === "binary_operator" || kind === "union_type") {
    const sides = syntax.children(node).filter((side) => syntax.text(side) !== "None");
    return sides.length === 1 ? annotationRef(syntax, sides[0] ?? 0, scope) : "";
  }
  return "";
}

function wrapped(syntax: Syntax, generic: number, inside: readonly number[], scope: Scope): string {
  const only = inside[0] ?? 0;
  const name = syntax.text(syntax.kind(generic) === "attribute" ? syntax.at(generic, "attribute") : generic);
  const of = (node: number, step: string): PythonRef => {
    const item = annotationRef(syntax, node, scope);
    if (item !== "" || !builtinGenerics.has(name)) return withSteps(item, step);
    // Of items that are not known, the kind of collection still is, where it is a built-in one.
    return step === textMappingStep ? textMapping : plainRef(name.toLowerCase());
  };
  if (collections.has(name) && inside.length === 1) return of(only, manyStep);
  if (name === "Generator" || name === "AsyncGenerator") return of(only, manyStep);
  if (mappings.has(name) && inside.length === 2)
    return of(inside[1] ?? 0, syntax.text(only) === "str" ? textMappingStep : mappingStep);
  if (name === "tuple" || name === "Tuple") {
    if (inside.length === 2 && syntax.text(inside[1] ?? 0) === "...") return of(only, manyStep);
    return plainRef("tuple", inside.some((one) => /^\*|Unpack/.test(syntax.text(one))) ? undefined : inside.length);
  }
  if (seeThrough.has(name))
    return inside.length === 1 || name === "Annotated" ? annotationRef(syntax, only, scope) : "";
  if (name === "type" || name === "Type") return withoutInstance(annotationRef(syntax, only, scope));
  // A class of the project with arguments is that class; any other is unknown by its name.
  return withSteps(exprRef(syntax, generic, scope), instanceStep);
}

const withoutInstance = (ref: PythonRef): PythonRef =>
  ref.endsWith(instanceStep) ? ref.slice(0, -instanceStep.length) : ref;

/** Returns what a name means where it stands: a ref, or "" when it is bound here by something unclear. */
export function lookup(syntax: Syntax, name: string, from: Scope): string {
  let classVisible = true;
  for (let scope: Scope | undefined = from; scope !== undefined; scope = scope.parent) {
    if (scope.kind === "module" || scope.globals.has(name)) return nameRef(name);
    if (scope.kind === "class") {
      if (classVisible && scope.names.has(name)) return "";
      continue;
    }
    const local = scope.locals.get(name);
    if (local !== undefined) return localRef(syntax, local, scope);
    if (!scope.transparent) classVisible = false;
  }
  return "";
}

function localRef(syntax: Syntax, local: Local, scope: Scope): string {
  if (local.opaque) return "";
  if (local.ref === undefined) {
    local.ref = ""; // A local that refers to itself is nothing known.
    if (local.source !== undefined) local.ref = sourceRef(syntax, local.source, scope);
  }
  return local.ref;
}

export function sourceRef(syntax: Syntax, { node, how, part }: Source, scope: Scope): string {
  if (how === "annotation") return annotationRef(syntax, node, scope);
  if (how === "item") return itemRef(syntax, node, scope, part);
  const ref = exprRef(syntax, node, scope);
  if (how === "value") return ref;
  if (how === "entered") return withSteps(ref, attributeStep("__enter__"), bareCallStep);
  return withSteps(ref, attributeStep("__aenter__"), bareCallStep, awaitStep);
}

/** Returns what a loop over this gives each time, or one part of it. */
function itemRef(syntax: Syntax, node: number, scope: Scope, part: number | undefined): string {
  if (part === -1) return "";
  const args = syntax.kind(node) === "call" ? syntax.children(syntax.at(node, "arguments")) : [];
  const callee = args.length === 1 ? syntax.text(syntax.at(node, "function")) : "";
  if (sameItems.has(callee)) return itemRef(syntax, args[0] ?? 0, scope, part);
  if (callee === "enumerate") return part === 1 ? itemRef(syntax, args[0] ?? 0, scope, undefined) : "";
  const ref = exprRef(syntax, node, scope);
  return part === undefined ? withSteps(ref, itemStep) : withSteps(ref, itemStep, partStep(part));
}
