// Decides which of the things that share a name a use means, and whether its arguments suit it. Only their number is judged here; types are
// in rust-types.ts.

import type { SourceUse } from "../compiled/facts.ts";
import { type Mark, misfit, right, unknown, type Verdict, wrong } from "../compiled/rules.ts";
import type { RustThing } from "./rust-modules.ts";

/** Of things that share a name: what is called, or what others stand in. */
export function chosen(
  things: readonly RustThing[],
  isHolder: boolean,
  args: number | undefined,
): RustThing | undefined {
  const suits = ({ declaration, module }: RustThing): boolean =>
    isHolder
      ? declaration.kind !== "module" || module !== undefined
      : args === undefined || declaration.kind === "function" || declaration.takes !== undefined;
  return things.find(suits) ?? things[0];
}

export function fit(use: SourceUse, thing: RustThing, marks: readonly Mark[], isByPath: boolean): Verdict {
  const { kind, takes, gives, words } = thing.declaration;
  if (use.args === undefined || words.includes("shaped") || words.includes("conditional")) return right(...marks);
  if (kind === "type" || kind === "variant") {
    if (words.includes("alias") || words.includes("hidden")) return unknown;
    const against = words.includes("tuple") ? misfit(takes, use.args) : "it is not made by a call any more";
    return against === undefined ? right(...marks) : wrong("arity", against, thing);
  }
  if (kind !== "function" || takes === undefined) return right(...marks);
  // By its path, a method is given itself first.
  const self = thing.declaration.of !== "" && isByPath ? (gives ?? 0) : 0;
  if (thing.declaration.of !== "" && !isByPath && gives === 0)
    return wrong("arity", "it is not a method any more", thing);
  const against = misfit([takes[0] + self, takes[1] + self], use.args);
  return against === undefined ? right(...marks) : wrong("arity", against, thing);
}
