// A scene for the checker's tests and its eval: three trees as plain maps of files, merged as git would, and the check run on
// them. Files changed on both sides go through the real `git merge-file`.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePython } from "../reader/summarise.ts";
import type { PythonSummary } from "../facts.ts";
import type { SemanticInput, SemanticOutcome, TreeView } from "../../../ports/semantic.ts";
import { checkPython } from "./check-python.ts";
import type { PythonPorts } from "./summaries.ts";

export type Files = Readonly<Record<string, string>>;

/** Sides give only what they change; `null` deletes. `merged` is for what a file-by-file merge cannot do: renames. */
export interface Scene {
  readonly base: Files;
  readonly ours: Readonly<Record<string, string | null>>;
  readonly theirs: Readonly<Record<string, string | null>>;
  readonly merged?: Files;
}

export function applied(base: Files, change: Scene["ours"]): Record<string, string> {
  const files: Record<string, string> = { ...base };
  for (const [path, text] of Object.entries(change)) {
    if (text === null) delete files[path];
    else files[path] = text;
  }
  return files;
}

/** The clean merge, or undefined when git sees a conflict. */
export function mergeFiles(base: Files, ours: Files, theirs: Files): Record<string, string> | undefined {
  const merged: Record<string, string> = {};
  for (const path of new Set([...Object.keys(base), ...Object.keys(ours), ...Object.keys(theirs)])) {
    const [b, o, t] = [base[path], ours[path], theirs[path]];
    const one = o === t ? o : o === b ? t : t === b ? o : mergeTexts(b ?? "", o, t);
    if (one === null) return undefined;
    if (one !== undefined) merged[path] = one;
  }
  return merged;
}

function mergeTexts(base: string, ours: string | undefined, theirs: string | undefined): string | null {
  if (ours === undefined || theirs === undefined) return null;
  const dir = mkdtempSync(join(tmpdir(), "constel-merge-"));
  try {
    const paths = ["ours", "base", "theirs"].map((name) => join(dir, name));
    for (const [index, text] of [ours, base, theirs].entries()) writeFileSync(paths[index] ?? "", text);
    const run = Bun.spawnSync(["git", "merge-file", "-q", ...paths]);
    return run.exitCode === 0 ? readFileSync(paths[0] ?? "", "utf8") : null;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const texts = new Map<string, string>();

export function treeOf(files: Files): TreeView {
  const blobs = new Map<string, string>();
  const hasher = new Bun.CryptoHasher("sha1");
  for (const path of Object.keys(files).sort()) {
    const text = files[path] ?? "";
    const blob = new Bun.CryptoHasher("sha1").update(text).digest("hex");
    texts.set(blob, text);
    blobs.set(path, blob);
    hasher.update(`${path}\0${blob}\n`);
  }
  return { id: hasher.digest("hex"), blobs };
}

export function ports(): PythonPorts & { readonly parsed: () => number } {
  const kept = new Map<string, PythonSummary>();
  let parsed = 0;
  return {
    parse(source) {
      parsed += 1;
      return parsePython(source);
    },
    cache: {
      get: (blob) => kept.get(blob),
      // Through JSON, as a real store would.
      set: (blob, summary) => void kept.set(blob, JSON.parse(JSON.stringify(summary)) as PythonSummary),
    },
    parsed: () => parsed,
  };
}

export function inputOf(scene: Scene): SemanticInput {
  const ours = applied(scene.base, scene.ours);
  const theirs = applied(scene.base, scene.theirs);
  const merged = scene.merged ?? mergeFiles(scene.base, ours, theirs);
  if (merged === undefined) throw new Error("the scene does not merge cleanly");
  return {
    base: treeOf(scene.base),
    ours: treeOf(ours),
    theirs: treeOf(theirs),
    merged: treeOf(merged),
    read: (blob) => Promise.resolve(texts.get(blob)),
  };
}

export function run(scene: Scene, machine: PythonPorts = ports()): Promise<SemanticOutcome> {
  return checkPython(inputOf(scene), machine);
}
