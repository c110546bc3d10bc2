// Replays what commits of a real history did to specifications: every version is compared with the one before it, and what is said of it
// must hold together. A commit that only moves words about must be silent, a version compared with itself too, every change must
// have a path and a sentence, and nothing may crash or take long. Exit 1 where something does not hold.
//   bun eval/replay-contracts.ts <repository or git directory> [--limit 100] [--only <part of a path>] [--skip 0] [--show] [--seconds 20]

import { isDeepStrictEqual, parseArgs } from "node:util";
import { formatOf, mayBeContract } from "../src/core/contracts/format-of.ts";
import { type ContractFormat, type ContractSource, verdictOf } from "../src/core/contracts/format.ts";
import { readDocument } from "../src/core/contracts/read-document.ts";
import { GitObjects } from "./git-objects.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: "string", default: "100" },
    skip: { type: "string", default: "0" },
    only: { type: "string", default: "" },
    seconds: { type: "string", default: "20" },
    show: { type: "boolean", default: false },
  },
});
const [repository] = positionals;
if (repository === undefined) throw new Error("which repository?");
/** Of one commit: a renamed licence header is in thousands of files. */
const mostFiles = 8;
/** A file that only others refer to changes these; so many are compared. */
const mostEntries = 3;

const objects = new GitObjects(repository);
const tally = {
  commits: 0,
  comparisons: 0,
  breaking: 0,
  dangerous: 0,
  compatible: 0,
  silent: 0,
  sameMeaning: 0,
  unreadable: 0,
  incomplete: 0,
};
const formats = new Map<string, number>();
const faults: string[] = [];
let slowestMs = 0;

for (const { commit, parent, paths } of await commits()) {
  if (tally.commits >= Number(options.limit)) break;
  const entries = await entriesOf(commit, parent, paths);
  if (entries.length === 0) continue;
  tally.commits += 1;
  for (const entry of entries) await replay(commit, parent, entry);
}
await objects.close();
console.log(
  `${repository}: ${JSON.stringify({ ...tally, formats: Object.fromEntries(formats), slowestMs: Math.round(slowestMs) })}`,
);
for (const fault of faults) console.log(`FAULT ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Commits that change files that may be specifications, the newest first. */
async function commits(): Promise<{ commit: string; parent: string; paths: string[] }[]> {
  const log = await objects.run(
    "log",
    "--no-merges",
    "--no-renames",
    "--diff-filter=M",
    "--name-only",
    "--format=%x00%H %P",
    `--skip=${options.skip}`,
    `-n${Number(options.limit) * 40}`,
    "HEAD",
  );
  return log
    .split("\0")
    .slice(1)
    .flatMap((record) => {
      const [head = "", ...files] = record.split("\n").filter((line) => line !== "");
      const [commit = "", parent] = head.split(" ");
      const paths = files.filter((path) => mayBeContract(path) && path.includes(options.only));
      return parent === undefined || paths.length === 0 ? [] : [{ commit, parent, paths: paths.slice(0, mostFiles) }];
    });
}

async function entriesOf(commit: string, parent: string, paths: readonly string[]): Promise<string[]> {
  const own: string[] = [];
  for (const path of paths) {
    if ((await formatOf(sourceAt(commit, path))) !== undefined) own.push(path);
  }
  if (own.length > 0) return own;
  // A part of a specification in many files: whoever holds its directory may refer to it.
  const [first = ""] = paths;
  const found: string[] = [];
  for (let at = first; at !== "" && found.length < mostEntries;) {
    at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : "";
    for (const path of await objects.filesIn(parent, at)) {
      if (/\.(ya?ml|json)$/.test(path) && (await formatOf(sourceAt(parent, path)))?.name.endsWith("api") === true)
        found.push(path);
    }
  }
  return found.slice(0, mostEntries);
}

async function replay(commit: string, parent: string, entry: string): Promise<void> {
  const [before, after] = [sourceAt(parent, entry), sourceAt(commit, entry)];
  const format = (await formatOf(before)) ?? (await formatOf(after));
  if (format === undefined) return;
  const what = `${commit.slice(0, 12)} ${entry}`;
  try {
    await judge(format, before, after, what);
  } catch (cause) {
    faults.push(`${what}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
  }
}

async function judge(format: ContractFormat, before: ContractSource, after: ContractSource, what: string) {
  const begun = performance.now();
  const signal = AbortSignal.timeout(120_000);
  const compared = await format.compare(before, after, signal, "2026-11-16");
  const tookMs = performance.now() - begun;
  slowestMs = Math.max(slowestMs, tookMs);
  if (tookMs > Number(options.seconds) * 1_000) faults.push(`${what}: took ${Math.round(tookMs)} ms`);
  tally.comparisons += 1;
  formats.set(format.name, (formats.get(format.name) ?? 0) + 1);
  if (compared.kind === "unreadable") {
    tally.unreadable += 1;
    if (options.show) console.log(`${what}: unreadable: ${JSON.stringify(compared.problems[0])}`);
    return;
  }
  const { changes, complete, notes } = compared;
  if (!complete) tally.incomplete += 1;
  if (changes.length === 0) tally.silent += 1;
  else tally[verdictOf(changes)] += 1;
  if (options.show) {
    console.log(`${what}: ${changes.length === 0 ? "silent" : verdictOf(changes)} (${changes.length})`);
    for (const one of changes.slice(0, 4)) console.log(`    ${one.verdict} ${one.path}: ${one.text} [${one.rule}]`);
    for (const note of notes.slice(0, 2)) console.log(`    note: ${note}`);
  }
  for (const { path, text, rule } of changes) {
    if (path === "" || text.length < 5 || /undefined|\[object|NaN/.test(`${path} ${text}`))
      faults.push(`${what}: says "${path}: ${text}" (${rule})`);
  }
  const same = await format.compare(after, after, signal, "2026-11-16");
  if (same.kind !== "compared" || same.changes.length > 0) faults.push(`${what}: differs from itself`);
  if (await sayTheSame(before, after)) {
    tally.sameMeaning += 1;
    if (changes.length > 0) faults.push(`${what}: ${changes.length} changes where only words moved`);
  }
}

/** Only of documents: they hold the same values. The files they refer to may differ. */
async function sayTheSame(before: ContractSource, after: ContractSource): Promise<boolean> {
  const [was, is] = [await before.read(before.entry), await after.read(after.entry)];
  if (was === undefined || is === undefined || !/\.(ya?ml|json)$/.test(before.entry) || was === is) return false;
  const [one, other] = [readDocument(was), readDocument(is)];
  return one.kind === "read" && other.kind === "read" && isDeepStrictEqual(one.value, other.value);
}

function sourceAt(commit: string, entry: string): ContractSource {
  return {
    entry,
    read: (path) => objects.text(commit, path),
    list: (directory) => objects.below(commit, directory),
  };
}
