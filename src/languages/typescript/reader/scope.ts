// Names in nested scopes, enough to tell a local name from a top-level one and a top-level one from a free one.

import type { Shape } from "../facts.ts";

/** A name may live as a value, as a type, or both: bits. */
export const inValues = 1;
export const inTypes = 2;

export interface Binding {
  readonly spaces: number;
  /** Declared at the top of the file, or imported: other files may decide what it is. */
  readonly top: boolean;
  /** Returns the shape that a local name holds; called only when the name is used. */
  readonly shape: () => Shape | undefined;
}

export type Kind =
  | "var"
  | "function"
  | "overload"
  | "once"
  | "class"
  | "interface"
  | "alias"
  | "enum"
  | "namespace"
  | "import"
  | "import-type";

interface ScopeOptions {
  readonly isFunction?: boolean;
  readonly self?: Shape | null;
  readonly parentSelf?: Shape | undefined;
  readonly className?: string;
}

export class Scope {
  readonly parent: Scope | undefined;
  readonly isFunction: boolean;
  /** The class around, as a shape, for `this`; null where `this` is something else. */
  readonly self: Shape | null | undefined;
  readonly className: string | undefined;
  /** The class above the class around, for `super`. */
  readonly parentSelf: Shape | undefined;
  // Most scopes declare nothing: the maps are made when first needed.
  private names: Map<string, Binding | Binding[]> | undefined;
  private kinds: Map<string, Kind | Kind[]> | undefined;

  constructor(parent: Scope | undefined, options: ScopeOptions = {}) {
    this.parent = parent;
    this.isFunction = options.isFunction ?? false;
    this.self = options.self === undefined ? parent?.self : options.self;
    this.className = options.className ?? parent?.className;
    this.parentSelf = "parentSelf" in options ? options.parentSelf : parent?.parentSelf;
  }

  bind(name: string, binding: Binding): void {
    this.names ??= new Map();
    const known = this.names.get(name);
    this.names.set(name, known === undefined ? binding : [...listed(known), binding]);
  }

  /** Notes a declaration; true when the language forbids it beside the ones already there. */
  declares(name: string, kind: Kind): boolean {
    this.kinds ??= new Map();
    const known = this.kinds.get(name);
    this.kinds.set(name, known === undefined ? kind : [...listed(known), kind]);
    return known !== undefined && listed(known).some((other) => !mergesWith[kind].includes(other));
  }

  find(name: string, space: number): Binding | undefined {
    const known = this.names?.get(name);
    if (known === undefined) return this.parent?.find(name, space);
    const hit = listed(known).find((binding) => (binding.spaces & space) !== 0);
    return hit ?? this.parent?.find(name, space);
  }
}

function listed<Item extends object | string>(known: Item | Item[]): Item[] {
  return Array.isArray(known) ? known : [known];
}

const mergesWith: Record<Kind, readonly Kind[]> = {
  var: ["var", "interface", "alias", "import-type"],
  function: ["overload", "namespace", "interface", "alias", "import-type"],
  overload: ["overload", "function", "namespace", "interface", "alias", "import-type"],
  once: ["interface", "alias", "import-type"],
  class: ["interface", "namespace"],
  interface: ["var", "function", "overload", "once", "class", "interface", "namespace"],
  alias: ["var", "function", "overload", "once", "namespace"],
  enum: ["enum", "namespace"],
  namespace: ["function", "overload", "class", "interface", "alias", "enum", "namespace", "var", "once"],
  import: [],
  "import-type": ["var", "function", "overload", "once"],
};
