// One line of a format's table of cases: two versions of a specification, the verdict it should get, and the words of the
// specification or of a tool's documentation that decide it. The tables are data for the tests and for eval/contracts.ts.

import type { ContractSource, ContractVerdict } from "./format.ts";

export interface ContractCase {
  readonly name: string;
  readonly verdict: ContractVerdict;
  readonly before: unknown;
  readonly after: unknown;
  readonly because: string;
}

/** A specification that is one file, given as a value or as text. */
export function sourceOf(document: unknown, entry: string): ContractSource {
  const text = typeof document === "string" ? document : JSON.stringify(document, null, 2);
  return { entry, read: (path) => Promise.resolve(path === entry ? text : undefined) };
}
