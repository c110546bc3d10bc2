// Names of one file that nothing binds in the merge though each side's own version binds them: one side took away a function, an
// import or a local variable, and the other used it somewhere else in the same file.

import type { PythonSummary, PythonUse } from "../facts.ts";
import { expectsMissingName } from "../facts.ts";
import { rootName } from "../ref.ts";
import type { Side } from "../../../ports/semantic.ts";
import { own } from "./values.ts";

export interface DanglingName {
  readonly name: string;
  readonly scope: string;
  readonly line: number;
}

export function danglingNames(four: Readonly<Record<"base" | Side | "merged", PythonSummary>>): DanglingName[] {
  const ours = unbound(four.ours);
  const theirs = unbound(four.theirs);
  return [...unbound(four.merged).values()].filter(({ name }) => !has(ours, name) && !has(theirs, name));
}

/** First unbound use of each name in each scope. */
function unbound(summary: PythonSummary): Map<string, DanglingName> {
  const found = new Map<string, DanglingName>();
  for (const use of summary.uses) {
    const name = expectedName(use);
    if (name === undefined || own(summary.names, name) !== undefined) continue;
    const scope = summary.scopes[use.scope] ?? "";
    if (!found.has(name)) found.set(name, { name, scope, line: use.line });
  }
  return found;
}

function has(names: ReadonlyMap<string, DanglingName>, name: string): boolean {
  return names.has(name);
}

function expectedName({ expects, ref }: PythonUse): string | undefined {
  return (expects & expectsMissingName) === 0 ? rootName(ref) : undefined;
}
