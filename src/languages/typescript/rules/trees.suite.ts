// Builds the four trees of a check from maps of files, merging with git itself. Shared by the tests and the evaluation.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SemanticInput, TreeView } from "../../../ports/semantic.ts";

/** Path to text; null removes a file of base. */
export type Files = Readonly<Record<string, string | null>>;

export interface Sides {
  readonly base: Files;
  readonly ours: Files;
  readonly theirs: Files;
}

export interface Trees {
  readonly input: SemanticInput;
  readonly files: Readonly<Record<"base" | "ours" | "theirs" | "merged", ReadonlyMap<string, string>>>;
}

/** Undefined when the merge conflicts in the text. */
export function treesOf({ base, ours, theirs }: Sides): Trees | undefined {
  const blobs = new Map<string, string>();
  const before = overlay(new Map(), base);
  const files = { base: before, ours: overlay(before, ours), theirs: overlay(before, theirs) };
  const merged = mergeFiles(files.base, files.ours, files.theirs);
  if (merged === undefined) return undefined;
  const view = (id: string, map: ReadonlyMap<string, string>): TreeView => ({
    id,
    blobs: new Map(
      [...map].map(([path, text]) => {
        const blob = Bun.hash(text).toString(16);
        blobs.set(blob, text);
        return [path, blob];
      }),
    ),
  });
  const input: SemanticInput = {
    base: view("base", files.base),
    ours: view("ours", files.ours),
    theirs: view("theirs", files.theirs),
    merged: view("merged", merged),
    read: (id) => Promise.resolve(blobs.get(id)),
  };
  return { input, files: { ...files, merged } };
}

function overlay(below: ReadonlyMap<string, string>, files: Files): Map<string, string> {
  const all = new Map(below);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) all.delete(path);
    else all.set(path, text);
  }
  return all;
}

function mergeFiles(
  base: ReadonlyMap<string, string>,
  ours: ReadonlyMap<string, string>,
  theirs: ReadonlyMap<string, string>,
): Map<string, string> | undefined {
  const merged = new Map<string, string>();
  for (const path of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const [was, one, other] = [base.get(path), ours.get(path), theirs.get(path)];
    const text = one === other || other === was ? one : one === was ? other : mergeText(was, one, other);
    if (text === null) return undefined;
    if (text !== undefined) merged.set(path, text);
  }
  return merged;
}

function mergeText(base: string | undefined, ours: string | undefined, theirs: string | undefined): string | null {
  if (base === undefined || ours === undefined || theirs === undefined) return null;
  const directory = mkdtempSync(join(tmpdir(), "constel-merge-"));
  try {
    writeFileSync(join(directory, "ours"), ours);
    writeFileSync(join(directory, "base"), base);
    writeFileSync(join(directory, "theirs"), theirs);
    const run = Bun.spawnSync(["git", "merge-file", "-p", "ours", "base", "theirs"], { cwd: directory });
    return run.exitCode === 0 ? run.stdout.toString() : null;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
