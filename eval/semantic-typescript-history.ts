// Runs the TypeScript checker over the real merges of a repository and prints what it would have said. Merges that people
// landed are nearly all sound, so each finding is to be looked at: it is a mistake of theirs or of ours.
// Usage: bun eval/semantic-typescript-history.ts <repository> [--merges N] [--skip N]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkTypeScript } from "../src/languages/typescript/rules/check-typescript.ts";
import { parseTypeScript } from "../src/languages/typescript/reader/parse-typescript.ts";
import type { TreeView } from "../src/ports/semantic.ts";
import type { TypeScriptSummary } from "../src/languages/typescript/facts.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { merges: { type: "string", default: "200" }, skip: { type: "string", default: "0" } },
});
const [repository = "."] = positionals;
// Merging writes objects; they go to a place of their own, so that the repository stays as it is.
const scratch = mkdtempSync(join(tmpdir(), "constel-history-"));

function git(...args: readonly string[]): string | undefined {
  const objects = Bun.spawnSync(["git", "-C", repository, "rev-parse", "--git-path", "objects"])
    .stdout.toString()
    .trim();
  const run = Bun.spawnSync(["git", "-C", repository, ...args], {
    env: {
      PATH: "/usr/bin:/bin",
      GIT_OBJECT_DIRECTORY: scratch,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository, objects),
    },
  });
  return run.exitCode === 0 ? run.stdout.toString() : undefined;
}

function treeOf(id: string): TreeView {
  const blobs = new Map<string, string>();
  for (const line of (git("ls-tree", "-r", "-z", id) ?? "").split("\0")) {
    const [head = "", path = ""] = line.split("\t");
    const [, kind, blob = ""] = head.split(" ");
    if (kind === "blob") blobs.set(path, blob);
  }
  return { id, blobs };
}

const texts = new Map<string, string | undefined>();
const read = (blob: string): Promise<string | undefined> => {
  if (!texts.has(blob)) texts.set(blob, git("cat-file", "blob", blob));
  return Promise.resolve(texts.get(blob));
};

const cache = new Map<string, TypeScriptSummary>();
const merges = (git("log", "--merges", "--format=%H %P", `--skip=${values.skip}`, `-${values.merges}`) ?? "")
  .trim()
  .split("\n");
const tally = { merges: 0, clean: 0, both: 0, findings: 0, ms: 0 };
for (const line of merges) {
  const [merge = "", first = "", second = ""] = line.split(" ");
  const base = git("merge-base", first, second)?.trim();
  const merged = base === undefined ? undefined : git("merge-tree", "--write-tree", first, second)?.trim();
  tally.merges += 1;
  if (base === undefined || merged === undefined) continue;
  tally.clean += 1;
  const input = { base: treeOf(base), ours: treeOf(first), theirs: treeOf(second), merged: treeOf(merged), read };
  const started = performance.now();
  const { conflicts } = await checkTypeScript(input, { parse: parseTypeScript, cache });
  tally.ms += performance.now() - started;
  tally.findings += conflicts.length;
  for (const one of conflicts)
    console.log(
      `${merge.slice(0, 10)} ${one.rule} ${one.use.path}:${one.use.line} ${one.message}\n    ${one.use.text.trim()}`,
    );
}
console.log(
  `${tally.merges} merges, ${tally.clean} clean, ${tally.findings} findings, ${(tally.ms / Math.max(1, tally.clean)).toFixed(1)} ms a check (files read included)`,
);
rmSync(scratch, { recursive: true, force: true });
