// One thing that happens to a definition, and a use that meets it.

import type { Files } from "../rules/trees.suite.ts";

export interface Change {
  readonly name: string;
  /** The exported name the use reaches. */
  readonly symbol: string;
  readonly kind: "value" | "type";
  /** The defining module before and after. `elsewhere` holds files added beside it. */
  readonly before: string;
  readonly after: string;
  readonly elsewhere?: Files;
  /** A new use, given how the symbol is written there. */
  readonly use: (symbol: string) => string;
}

export const wrap = (body: string): string => `export async function fresh() {\n${body}\n}\n`;
