// Functions, classes and methods that both sides added to one file under one name: the merge is clean, and the later silently
// replaces the earlier. The same addition on both sides is no conflict.

import type { PythonBinding, PythonSummary } from "../facts.ts";
import type { Side } from "../../../ports/semantic.ts";
import { own } from "./values.ts";

export interface DuplicateDefinition {
  /** Qualified inside the file. */
  readonly name: string;
  readonly lines: Readonly<Record<Side, number>>;
  /** The definition that holds in the merge. */
  readonly mergedLine: number;
}

type Names = Readonly<Record<string, readonly PythonBinding[]>>;

export function duplicateDefinitions(
  four: Readonly<Record<"base" | Side | "merged", PythonSummary>>,
): DuplicateDefinition[] {
  return inNames(
    { base: four.base.names, ours: four.ours.names, theirs: four.theirs.names, merged: four.merged.names },
    "",
    true,
  );
}

function inNames(
  four: Readonly<Record<"base" | Side | "merged", Names>>,
  prefix: string,
  deeper: boolean,
): DuplicateDefinition[] {
  const found: DuplicateDefinition[] = [];
  for (const [name, merged] of Object.entries(four.merged)) {
    const base = own(four.base, name);
    const ours = own(four.ours, name);
    const theirs = own(four.theirs, name);
    const [left] = ours ?? [];
    const [right] = theirs ?? [];
    if (base === undefined && ours?.length === 1 && theirs?.length === 1 && left !== undefined && right !== undefined) {
      const last = merged.at(-1);
      if (
        merged.length === 2 &&
        last !== undefined &&
        merged.every(plain) &&
        plain(left) &&
        plain(right) &&
        left.fingerprint !== right.fingerprint
      ) {
        found.push({ name: prefix + name, lines: { ours: left.line, theirs: right.line }, mergedLine: last.line });
      }
    }
    if (!deeper) continue;
    const classes = [base, ours, theirs, merged].map((list) =>
      list?.length === 1 && list[0]?.kind === "class" ? list[0].members : undefined,
    );
    const [inBase, inOurs, inTheirs, inMerged] = classes;
    if (inOurs !== undefined && inTheirs !== undefined && inMerged !== undefined) {
      found.push(
        ...inNames(
          { base: inBase ?? {}, ours: inOurs, theirs: inTheirs, merged: inMerged },
          `${prefix}${name}.`,
          false,
        ),
      );
    }
  }
  return found;
}

/** Unconditional, and not one of several that belong together (overloads, setters, registrations). */
function plain(binding: PythonBinding): boolean {
  return (
    (binding.kind === "function" || binding.kind === "class") &&
    binding.fingerprint !== undefined &&
    binding.conditional === undefined &&
    binding.decorators === undefined
  );
}
