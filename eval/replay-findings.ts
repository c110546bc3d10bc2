// Shows what constel would have said before real merges that went well: both parents of each clean merge of a history are reviewed. People
// merged these, so that almost every alarm here is one too many, but for merges that somebody had to mend afterwards; each alarm is printed,
// to be judged by reading.
//
//   bun eval/replay-findings.ts <repository> [--limit 300] [--open]

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ReviewedSide } from "../src/sensing/merged-pair.ts";
import { PairPipeline } from "../src/sensing/pipeline.ts";
import { systemClock } from "../src/host/clock/system-clock.ts";
import { observe } from "../src/host/git/observer.ts";
import { systemProcesses } from "../src/host/process/run.ts";
import type { RepositoryObserver } from "../src/ports/git.ts";
import { freshMemory } from "./judge-scenarios.ts";
import { wilson } from "./replay.ts";

interface Noise {
  readonly clean: number;
  readonly conflicted: number;
  readonly alarmed: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly alarms: readonly string[];
  /** Clean merges of which something was not read, and what. */
  readonly unread: number;
  readonly open: readonly string[];
}

async function noiseOf(repository: string, limit: number): Promise<Noise> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "constel-noise-")));
  const environment = { PATH: process.env["PATH"], HOME: directory };
  try {
    const clone = join(directory, "clone");
    git(directory, "clone", "-q", "--shared", "--no-checkout", realpathSync(repository), clone);
    const observer = await observe(clone, { processes: systemProcesses, environment, clock: systemClock, directory });
    try {
      return await reviewMerges(observer, sample(clone, limit));
    } finally {
      await observer.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function reviewMerges(observer: RepositoryObserver, merges: readonly (readonly string[])[]): Promise<Noise> {
  const pipeline = new PairPipeline({
    observer,
    memory: freshMemory(),
    compilers: { asked: { when: "now" }, deadlineMs: 60_000 },
    deadlineMs: 60_000,
    log: console.error,
  });
  const byKind: Record<string, number> = {};
  const alarms: string[] = [];
  const open: string[] = [];
  let [clean, conflicted, alarmed, unread] = [0, 0, 0, 0];
  for (const [commit = "", first = "", second = ""] of merges) {
    const [ours, theirs] = [await sideOf(observer, first), await sideOf(observer, second)];
    if (ours === undefined || theirs === undefined) continue;
    const [merge] = await observer.merge([{ ours: ours.snapshot, theirs: theirs.snapshot }]);
    if (merge === undefined || merge.kind === "skipped") continue;
    if (merge.kind === "conflicted") conflicted += 1;
    else clean += 1;
    const { findings, open: parts } = await pipeline.judge(ours, theirs, merge);
    const notRead = parts.filter(({ what }) => what === "language");
    if (merge.kind === "clean" && notRead.length > 0) unread += 1;
    for (const { why } of notRead) open.push(`${commit.slice(0, 12)} ${why}`);
    const told = findings.filter(({ kind, severity }) => severity !== "context" && kind !== "textual");
    if (told.length > 0 && merge.kind === "clean") alarmed += 1;
    for (const { kind, title } of told) {
      byKind[kind] = (byKind[kind] ?? 0) + 1;
      alarms.push(`${commit.slice(0, 12)} ${merge.kind} ${kind}: ${title}`);
    }
  }
  return { clean, conflicted, alarmed, byKind, alarms, unread, open };
}

async function sideOf(observer: RepositoryObserver, revision: string): Promise<ReviewedSide | undefined> {
  const snapshot = await observer.snapshotOf(revision);
  if (snapshot === undefined) return undefined;
  const { commit, tree } = snapshot;
  return { side: { label: revision.slice(0, 12), worktree: null, branch: null, commit, tree }, snapshot };
}

/** Merges of two parents, spread evenly over the history. */
function sample(clone: string, limit: number): string[][] {
  const lines = git(clone, "rev-list", "--all", "--merges", "--parents").split("\n");
  const merges = lines.map((line) => line.split(" ")).filter((ids) => ids.length === 3);
  const step = Math.max(1, merges.length / limit);
  return merges.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

function git(directory: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, GIT_CONFIG_NOSYSTEM: "1" };
  const run = Bun.spawnSync(["git", ...args], { cwd: directory, env });
  if (run.exitCode !== 0) throw new Error(`git ${args[0]}: ${run.stderr.toString()}`);
  return run.stdout.toString().trim();
}

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { limit: { type: "string", default: "300" }, open: { type: "boolean", default: false } },
});
for (const repository of positionals) {
  const noise = await noiseOf(repository, Number(values.limit));
  const [low, high] = wilson(noise.alarmed, noise.clean);
  console.log(`${noise.clean} clean merges, ${noise.conflicted} in conflict`);
  console.log(
    `clean merges with an alarm: ${noise.alarmed} [${(low * 100).toFixed(1)} %, ${(high * 100).toFixed(1)} %]`,
  );
  console.log(`alarms by kind: ${JSON.stringify(noise.byKind)}`);
  for (const alarm of noise.alarms) console.log(`  ${alarm}`);
  console.log(`clean merges with something that is not read: ${noise.unread}`);
  if (values.open) for (const part of noise.open) console.log(`  ${part}`);
}
