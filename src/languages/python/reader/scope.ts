// Python's scopes as the analysis needs them: which names a module, class or function binds, and what each evidently is.

import type { PythonBinding } from "../facts.ts";

export type Draft = { -readonly [K in keyof PythonBinding]: PythonBinding[K] } & {
  /** The expression or annotation whose meaning fills `v`, once every name of the scope is known. */
  source?: Source;
  /** Members by name while the class is being read; they become `m`. */
  drafts?: Map<string, Draft[]>;
};

/** The source that a name is taken from: a value, an annotation, the items of something, or what a `with` enters. */
export interface Source {
  readonly node: number;
  readonly how: "value" | "annotation" | "item" | "entered" | "entered async";
  /** The part of each item, when several names take it apart. */
  readonly part?: number;
}

export interface Local {
  /** Bound more than once, or by something unclear: nothing is known of it. */
  opaque: boolean;
  readonly source: Source | undefined;
  /** The meaning, when it is given (`self`, imports) or once it was asked for. */
  ref: string | undefined;
}

export interface Scope {
  readonly kind: "module" | "class" | "function";
  readonly parent: Scope | undefined;
  /** Qualified name; "" for the module. */
  readonly name: string;
  /** Functions: comprehensions and lambdas see through to a class body, functions do not. */
  readonly transparent: boolean;
  /** Modules and classes. */
  readonly names: Map<string, Draft[]>;
  /** Functions. */
  readonly locals: Map<string, Local>;
  readonly globals: Set<string>;
  /** Classes that can be named from outside: their draft. Functions: the class whose method they are. */
  readonly owner: { readonly path: string; readonly draft: Draft } | undefined;
  /** Functions: the first parameter of a method. */
  self: string | undefined;
}

export function newScope(
  kind: Scope["kind"],
  parent: Scope | undefined,
  name: string,
  more: { readonly transparent?: boolean; readonly owner?: Scope["owner"] } = {},
): Scope {
  return {
    kind,
    parent,
    name,
    transparent: more.transparent ?? false,
    names: new Map(),
    locals: new Map(),
    globals: new Set(),
    owner: more.owner,
    self: undefined,
  };
}

/** Adds a binding to a module or class, or a local to a function. */
export function bind(scope: Scope, name: string, draft: Draft): void {
  if (scope.kind === "function") {
    if (scope.globals.has(name)) {
      const top = moduleOf(scope);
      push(top.names, name, { kind: "value", line: draft.line, conditional: true });
      return;
    }
    const before = scope.locals.get(name);
    if (before !== undefined) {
      before.opaque = true;
      return;
    }
    scope.locals.set(name, { opaque: false, source: draft.source, ref: draft.refersTo });
    return;
  }
  push(scope.names, name, draft);
}

export function moduleOf(scope: Scope): Scope {
  let at = scope;
  while (at.parent !== undefined) at = at.parent;
  return at;
}

function push(names: Map<string, Draft[]>, name: string, draft: Draft): void {
  const list = names.get(name);
  if (list === undefined) names.set(name, [draft]);
  else list.push(draft);
}
