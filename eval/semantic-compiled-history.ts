// Go, Java and Rust on real code: from each commit of a history to the next, a use that stands in both, was right before and is
// called wrong after, is a mistake of ours, for people committed that tree (unless they broke the build; each is printed, to be
// judged by reading). Harder than merges: every file is asked about every change.
//
//   bun eval/semantic-compiled-history.ts <repository> [--limit 200] [--files 1500]

import { parseArgs } from "node:util";
import { changedNames } from "../src/languages/compiled/changed-names.ts";
import { SourceTree } from "../src/languages/compiled/source-tree.ts";
import type { SourceUse } from "../src/languages/compiled/facts.ts";
import { goRules } from "../src/languages/go/go-rules.ts";
import { parseGo } from "../src/languages/go/parse-go.ts";
import { javaRules } from "../src/languages/java/java-rules.ts";
import { parseJava } from "../src/languages/java/parse-java.ts";
import { parseRust } from "../src/languages/rust/parse-rust.ts";
import { rustRules } from "../src/languages/rust/rust-rules.ts";
import type { TreeView } from "../src/ports/semantic.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { limit: { type: "string", default: "200" }, files: { type: "string", default: "1500" } },
});

const texts = new Map<string, string>();
for (const repository of positionals) await measure(repository);

async function measure(repository: string): Promise<void> {
  const languages = [
    { rules: goRules, ports: { parse: parseGo, cache: new Map() } },
    { rules: javaRules, ports: { parse: parseJava, cache: new Map() } },
    { rules: rustRules, ports: { parse: parseRust, cache: new Map() } },
  ];
  const counts = { commits: 0, uses: 0, wrong: 0 };
  for (const { commit, parent } of sample(repository, Number(values.limit))) {
    const [was, is] = [viewOf(repository, parent), viewOf(repository, commit)];
    let isCounted = false;
    for (const { rules, ports } of languages) {
      const changed = new Set(
        [...was.blobs.keys(), ...is.blobs.keys()].filter(
          (path) => rules.owns(path) && was.blobs.get(path) !== is.blobs.get(path),
        ),
      );
      const files = [...is.blobs.keys()].filter((path) => rules.owns(path) && was.blobs.has(path));
      if (changed.size === 0 || files.length === 0 || files.length > Number(values.files)) continue;
      isCounted = true;
      const read = async (blob: string): Promise<string> => await Promise.resolve(textOf(repository, blob));
      const [before, after] = [was, is].map((view) => new SourceTree(view, rules.reads, ports, read, changed));
      if (before === undefined || after === undefined) continue;
      const names = await changedNames(before, after, changed);
      for (const path of files) {
        const [old, now] = [await before.summary(path), await after.summary(path)];
        if (old === undefined || now === undefined) continue;
        const known = new Set(old.uses.map(identity));
        for (const use of now.uses) {
          if (!names.mayBreak(now, use) || !known.has(identity(use))) continue;
          const first = await rules.follow(before, path, use);
          if (first.state !== "right" || !first.marks.some((mark) => changed.has(mark.path))) continue;
          counts.uses += 1;
          const second = await rules.follow(after, path, use);
          if (second.state !== "wrong") continue;
          counts.wrong += 1;
          console.log(
            `  ${commit.slice(0, 12)} ${path}:${use.line} ${use.kind} ${[...use.path, ...use.members].join(".")}: ${second.why}, ${second.detail}`,
          );
        }
      }
    }
    if (isCounted) counts.commits += 1;
  }
  console.log(
    `${repository}: ${counts.commits} commits, ${counts.uses} uses asked about, ${counts.wrong} called wrong`,
  );
}

function identity(use: SourceUse): string {
  return JSON.stringify({ ...use, line: 0 });
}

/** Commits with one parent, spread evenly over the history. */
function sample(repository: string, limit: number): { commit: string; parent: string }[] {
  const lines = git(repository, "rev-list", "HEAD", "--no-merges", "--parents", "--", "*.go", "*.java", "*.rs")
    .trim()
    .split("\n");
  const all = lines.map((line) => line.split(" ")).filter((ids) => ids.length >= 2);
  const step = Math.max(1, all.length / limit);
  const chosen = all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  // The list is cut down to the paths asked for, so the parent is asked for anew.
  return chosen.map(([commit = ""]) => ({ commit, parent: git(repository, "rev-parse", `${commit}^`).trim() }));
}

function viewOf(repository: string, commit: string): TreeView {
  const blobs = new Map<string, string>();
  for (const line of git(repository, "ls-tree", "-r", "-z", commit).split("\0")) {
    const parts = /^100\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line);
    if (parts?.[1] !== undefined && parts[2] !== undefined) blobs.set(parts[2], parts[1]);
  }
  return { id: commit, blobs };
}

function textOf(repository: string, blob: string): string {
  let text = texts.get(blob);
  if (text === undefined) {
    text = git(repository, "cat-file", "blob", blob);
    texts.set(blob, text);
  }
  return text;
}

function git(repository: string, ...args: string[]): string {
  const run = Bun.spawnSync(["git", "-C", repository, ...args], {
    env: { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent" },
    maxBuffer: 1 << 28,
  });
  if (run.exitCode !== 0) throw new Error(`git ${args[0]}: ${run.stderr.toString()}`);
  return run.stdout.toString();
}
