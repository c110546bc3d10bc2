// Defines what a reader of users' SQL offers, whichever database it reads. read-only.ts opens one.

import { Refusal } from "../protocol/errors.ts";
import type { Dialect } from "./tables.ts";

export interface Answer {
  readonly columns: readonly string[];
  /** May be gone through once. Stopping early is fine. */
  readonly rows: AsyncIterable<readonly unknown[]>;
}

export interface Relation {
  readonly name: string;
  readonly kind: "table" | "view";
  readonly columns: readonly string[];
}

export interface Reader {
  readonly dialect: Dialect;
  /** One statement. At most `maxRows` rows are given; ask for one more than you show to learn whether there are more. */
  rows(sql: string, options?: { maxRows?: number }): Promise<Answer>;
  tables(): Promise<Relation[]>;
  /** The database's plan for a statement, one line a step, indented. */
  explain(sql: string): Promise<string[]>;
  close(): Promise<void>;
}

export function unknownTable(name: string, relations: readonly Relation[]): Refusal {
  const names = relations.map((relation) => relation.name);
  return new Refusal("query.unknown-table", `there is no table or view ${name}; these exist: ${names.join(", ")}`, {
    table: name,
    names,
  });
}
