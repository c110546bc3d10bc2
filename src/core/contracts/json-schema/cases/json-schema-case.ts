// How the cases of JSON Schema are written: two schemas, and the words that decide.

import type { ContractCase } from "../../document-case.ts";
import type { ContractVerdict } from "../../format.ts";

export type JsonSchemaCase = readonly [
  verdict: ContractVerdict,
  name: string,
  before: unknown,
  after: unknown,
  because: string,
];

export function jsonSchemaCases(table: readonly JsonSchemaCase[]): ContractCase[] {
  return table.map(([verdict, name, before, after, because]) => ({ name, verdict, before, after, because }));
}
