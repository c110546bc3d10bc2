// Judges one use that was right on its side: what is wrong with it in the merge, and whether that can be the other side's doing. Pure.

import {
  expectsMissingAttribute,
  expectsMissingImport,
  expectsMissingKey,
  expectsMissingName,
  expectsTypeError,
  throughLocal,
  type PythonBinding,
  type PythonEntries,
  type PythonSummary,
  type PythonUse,
} from "../facts.ts";
import { awaitStep, firstSteps, parseRef } from "../ref.ts";
import { isPython } from "./project-tree.ts";
import type { Resolution } from "./resolver.ts";
import type { ChangedFiles } from "../../check/changed-files.ts";
import { live, type Missing, own } from "./values.ts";

export class FileUses {
  readonly summary: PythonSummary;
  /** Line of each use, by scope and ref. */
  readonly lines = new Map<string, number>();

  constructor(summary: PythonSummary) {
    this.summary = summary;
    for (const { line, scope, ref } of summary.uses) {
      const key = `${summary.scopes[scope] ?? ""} ${ref}`;
      if (!this.lines.has(key)) this.lines.set(key, line);
    }
  }
}

export function touches(resolution: Resolution, changed: ChangedFiles, moved: boolean): boolean {
  if (!resolution.trail.some((mark) => mark !== undefined)) return false;
  if (moved) return true;
  for (const path of resolution.deps) if (changed.has(path)) return true;
  // A namespace package has no file of its own.
  for (const mark of resolution.trail) {
    if (mark === undefined || isPython(mark.path)) continue;
    for (const path of changed.keys()) if (path.startsWith(`${mark.path}/`)) return true;
  }
  return false;
}

/** Says what is wrong after that was right before. Undefined if nothing is. */
export function verdict(
  use: PythonUse,
  scope: string,
  before: Resolution,
  after: Resolution,
  file: FileUses,
): Missing | undefined {
  if (after.pending) return undefined;
  const { expects, ref } = use;
  const { root, steps } = parseRef(ref);
  if (after.broken !== undefined) {
    const { step, missing } = after.broken;
    // A property that is called is told as that, not as what it gives.
    const usedOtherwise = missing.kind === "result" ? changedUse(use, scope, before, after, file) : undefined;
    if (usedOtherwise !== undefined) return usedOtherwise;
    if (before.trail[step] === undefined && !isOfChanged(missing, before, step)) return undefined;
    // An annotation that no longer resolves is reported where it is written, and not at all when it is a string.
    if (steps.slice(step).some(({ kind }) => kind === "instance")) return undefined;
    // Nothing where something was is often tested for before the local is used.
    if (missing.kind === "result" && missing.isNone && (expects & throughLocal) !== 0) return undefined;
    const isTypeError = missing.kind === "result" && missing.failure === "type";
    const forgiven =
      missing.kind === "call" || missing.kind === "parts" || missing.kind === "abstract" || isTypeError
        ? expectsTypeError
        : missing.kind === "key"
          ? expectsMissingKey
          : missing.kind === "member" || missing.kind === "result"
            ? expectsMissingAttribute
            : root.kind === "name" && step === 0
              ? expectsMissingName
              : expectsMissingAttribute | expectsMissingImport;
    return (expects & forgiven) === 0 ? missing : undefined;
  }
  return changedUse(use, scope, before, after, file);
}

/** What gave it was there before, and gave something of which nothing was known; what it gives now cannot do this. */
function isOfChanged(missing: Missing, before: Resolution, step: number): boolean {
  const origin = missing.kind === "result" ? missing.mark : missing.kind === "member" ? missing.given : undefined;
  return origin !== undefined && before.trail[step - 1] !== undefined;
}

/** Finds something that is still found, but is called, awaited or read in a way it no longer can be. */
function changedUse(
  { ref }: PythonUse,
  scope: string,
  before: Resolution,
  after: Resolution,
  file: FileUses,
): Missing | undefined {
  const { root, steps } = parseRef(ref);
  for (const [index, mark] of after.trail.entries()) {
    const was = before.trail[index];
    if (mark === undefined || was === undefined) continue;
    const next = steps[index]?.kind;
    const called = next === "call";
    // A property that gives something to call may be called; the same text gives what the method gave.
    const givesValue = mark.isPlain === true || (mark.text !== undefined && mark.text === was.text);
    if (was.as === "method" && mark.as === "property" && called && givesValue) return { kind: "property", mark };
    if (was.as === "property" && mark.as === "method" && !called) return { kind: "method", mark };
    if (was.isAsync === true && mark.isAsync === false && mark.isPlain === true && next === "await")
      return { kind: "sync", mark };
    if (was.isAsync !== false || mark.isAsync !== true || next === "await") continue;
    if (file.lines.has(`${scope} ${firstSteps(ref, index)}${awaitStep}`)) continue; // Kept in a variable and awaited later.
    // An override that hands on what the method above it gives is awaited by whoever awaits that.
    if (root.kind === "super" && next === undefined && scope.split(".").at(-1) === mark.name.split(".").at(-1))
      continue;
    return { kind: "async", mark };
  }
  return undefined;
}

export function classIn(summary: PythonSummary | undefined, qualified: string): PythonBinding | undefined {
  let names: PythonBinding["members"] = summary?.names;
  let found: PythonBinding | undefined;
  for (const part of qualified.split(".")) {
    found = live(own(names, part) ?? []).find(({ kind }) => kind === "class");
    names = found?.members;
  }
  return found;
}

/** The first of the definitions that may hold. */
/** What is written out in a dictionary, or in one that stands in another: `CONFIG`, `CONFIG["db"]`. */
export function entriesIn(summary: PythonSummary | undefined, name: string): PythonEntries | undefined {
  const [dictionary = "", ...keys] = name.split('["');
  let found = bindingIn(summary, dictionary)?.entries;
  for (const key of keys) found = own(found?.inside, key.slice(0, -2));
  return found;
}

export function bindingIn(summary: PythonSummary | undefined, qualified: string): PythonBinding | undefined {
  let names: PythonSummary["names"] | undefined = summary?.names;
  let found: PythonBinding | undefined;
  for (const part of qualified.split(".")) {
    found = live(own(names, part) ?? [])[0];
    names = found?.members;
  }
  return found;
}

/** Returns the step where the fault lies, for something that is found but no longer used rightly. */
export function stepOf(missing: Missing, before: Resolution): number {
  const at = before.trail.findLastIndex((mark) => {
    if (missing.kind === "async" || missing.kind === "sync") return mark?.isAsync === (missing.kind === "sync");
    if (missing.kind === "property") return mark?.as === "method";
    return missing.kind === "method" && mark?.as === "property";
  });
  return Math.max(0, at);
}
