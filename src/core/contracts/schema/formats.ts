// Says how two formats relate. Those that are listed here allow all that an earlier one in their row allows; any other two have nothing to
// do with each other.

import type { SchemaRuleName } from "./schema-rules.ts";

const widening: readonly (readonly string[])[] = [
  ["int8", "int16", "int32", "int64"],
  ["uint8", "int16"],
  ["uint8", "uint16", "uint32", "uint64"],
  ["uint16", "int32"],
  ["uint32", "int64"],
  ["float", "double", "decimal"],
  ["int32", "float"],
  ["int32", "double"],
  ["int64", "double"],
  ["email", "idn-email"],
  ["hostname", "idn-hostname"],
  ["uri", "uri-reference", "iri-reference"],
  ["url", "uri"],
  ["uri", "iri", "iri-reference"],
];

export function formatChange(before: string | null, after: string | null): SchemaRuleName | null {
  if (before === after) return null;
  if (before === null) return "format-added";
  if (after === null) return "format-removed";
  if (widens(before, after)) return "format-widened";
  return widens(after, before) ? "format-narrowed" : "format-changed";
}

function widens(narrow: string, wide: string): boolean {
  return widening.some((row) => row.includes(narrow) && row.indexOf(wide) > row.indexOf(narrow));
}
