// Finds the tests nearest to a source by imports: those that reach it in the fewest steps come first.
//   bun scripts/nearest-tests.ts [BASE]     prints the tests nearest to what changed since BASE (default: what is not committed, else the last commit)

import { Glob } from "bun";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const top = join(import.meta.dir, "..");
/** A change of a dozen files still runs in well under a minute. */
const mostTests = 40;
const testsPerFile = 8;

/** For each source file the test files that reach it, nearest first. */
export function nearestTests(most: number): (path: string) => string[] {
  const all = [...new Glob("{src,test}/**/*.ts").scanSync(top)].filter((path) => !path.startsWith("test/lanes/"));
  const importers = new Map<string, string[]>();
  for (const path of all) {
    for (const match of readFileSync(join(top, path), "utf8").matchAll(/["'](\.[^"']+\.ts)["']/g)) {
      const target = normalize(join(dirname(path), match[1] ?? ""));
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  return (path) => {
    const seen = new Set([path]);
    for (const one of seen) for (const importer of importers.get(one) ?? []) seen.add(importer);
    return [...seen].filter((one) => one.endsWith(".test.ts")).slice(0, most);
  };
}

/** Takes turns between the changed files, so that one with many tests leaves room for the others. */
export function inTurns(lists: readonly (readonly string[])[], most: number): string[] {
  const chosen = new Set<string>();
  for (let turn = 0; turn < Math.max(0, ...lists.map((list) => list.length)); turn++)
    for (const list of lists) {
      const next = list[turn];
      if (next !== undefined && chosen.size < most) chosen.add(next);
    }
  return [...chosen];
}

function changedSince(base: string | undefined): string[] {
  const git = (...words: string[]): string[] =>
    Bun.spawnSync(["git", ...words], { cwd: top })
      .stdout.toString()
      .split("\n")
      .filter(Boolean);
  if (base !== undefined)
    return [...git("diff", "--name-only", base), ...git("ls-files", "--others", "--exclude-standard")];
  const open = [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
  return open.length > 0 ? open : git("diff", "--name-only", "HEAD~1", "HEAD");
}

if (import.meta.main) {
  const changed = changedSince(process.argv[2]).filter((path) => path.endsWith(".ts") && existsSync(join(top, path)));
  const near = nearestTests(testsPerFile);
  const lists = changed.map((path) => (path.endsWith(".test.ts") ? [path] : near(path)));
  const alone = changed.filter((_, at) => lists[at]?.length === 0 && changed[at]?.startsWith("src/"));
  if (alone.length > 0) console.error(`   no test imports ${alone.join(", ")}; stories may still notice`);
  for (const test of inTurns(lists, mostTests)) console.log(`./${test}`);
}
