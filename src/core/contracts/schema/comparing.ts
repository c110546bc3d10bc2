// Holds what the parts of the schema comparison hand to each other.

import type { Flow } from "../rule.ts";
import type { SchemaRuleName } from "./schema-rules.ts";
import type { Shape } from "./shape.ts";
import type { Shapes } from "./shapes.ts";

/** The current place: the path a person reads, and the name of the nearest property or parameter. */
export interface Where {
  readonly path: string;
  readonly name: string | null;
}

export interface Comparing {
  readonly flow: Flow;
  /** Written as text in an address or a header, where the number 5 and the text "5" are the same. */
  readonly textual: boolean;
  readonly xml: boolean;
  readonly before: Shapes;
  readonly after: Shapes;
  readonly report: (rule: SchemaRuleName, where: Where, before: string | null, after: string | null) => void;
  /** Tells whether two parts say the same word for word. */
  readonly same: (before: unknown, after: unknown) => boolean;
  /** Compares two schemas as they were read; undefined is "anything". */
  readonly descend: (before: unknown, after: unknown, where: Where) => void;
  readonly descendShapes: (before: Shape, after: Shape, where: Where) => void;
  /** Tells whether nothing would break, without reporting. */
  readonly fits: (before: Shape, after: Shape, how?: Fitting) => boolean;
}

export interface Fitting {
  /** As if data flowed the other way. */
  readonly turned?: boolean;
  /** As if data flowed this way. */
  readonly flow?: Flow;
  /** Also where something would be dangerous, it does not fit. */
  readonly strict?: boolean;
}

/** Tells whether two schemas allow the same, as far as can be told. */
export function isEquivalent({ fits }: Comparing, before: Shape, after: Shape): boolean {
  return fits(before, after, { strict: true }) && fits(before, after, { strict: true, turned: true });
}

export function below(where: Where, property: string): Where {
  return { path: `${where.path}.${property}`, name: property };
}

export function inItems(where: Where, index: number | null): Where {
  return { path: `${where.path}[${index ?? ""}]`, name: where.name };
}

export function inAlternative(where: Where, key: string): Where {
  return { path: `${where.path}(${key})`, name: where.name };
}
