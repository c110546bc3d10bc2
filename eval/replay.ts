// Replays the merges in a repository's history: our textual verdict and conflicted files against what `git merge` itself
// leaves behind in a scratch clone. The second side is given as a commit, as staged work on the merge base, or as unstaged
// work whose new files are untracked.
//
//   bun eval/replay.ts <repository> [--limit 500] [--mode committed|uncommitted|untracked]

import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../src/host/clock/system-clock.ts";
import { observe } from "../src/host/git/observer.ts";
import { systemProcesses } from "../src/host/process/run.ts";
import type { MergeOutcome, RepositoryObserver, Snapshot } from "../src/ports/git.ts";

export type ReplayMode = "committed" | "uncommitted" | "untracked";

export interface ReplayScore {
  readonly mode: ReplayMode;
  readonly merges: number;
  /** Merges left out, and why: no single merge base to leave the work on, or git itself failed. */
  readonly left: Readonly<Record<string, number>>;
  readonly conflicted: number;
  /** Of whole merges: is there a conflict? */
  readonly verdict: Score;
  /** Of files: is this one in conflict? */
  readonly files: Score;
  /** Merges where the sets of files differ. */
  readonly differences: readonly { merge: string; ours: readonly string[]; git: readonly string[] }[];
}

export interface Score {
  readonly right: number;
  readonly falseAlarms: number;
  readonly missed: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly precisionInterval: readonly [number, number];
  readonly recallInterval: readonly [number, number];
}

export async function replay(
  repository: string,
  options: { limit: number; mode: ReplayMode; progress?: (done: number, of: number) => void },
): Promise<ReplayScore> {
  const scratch = new ReplayScratch(repository);
  try {
    return await replayIn(scratch, options);
  } finally {
    await scratch.close();
  }
}

async function replayIn(
  scratch: ReplayScratch,
  options: { limit: number; mode: ReplayMode; progress?: (done: number, of: number) => void },
): Promise<ReplayScore> {
  const merges = scratch.sample(options.limit);
  const observer = await scratch.observe();
  const left: Record<string, number> = {};
  const differences: ReplayScore["differences"][number][] = [];
  const verdict = { right: 0, falseAlarms: 0, missed: 0 };
  const files = { right: 0, falseAlarms: 0, missed: 0 };
  let counted = 0;
  let conflicted = 0;
  for (const [done, merge] of merges.entries()) {
    options.progress?.(done, merges.length);
    const base = scratch.bases(merge.first, merge.second);
    if (options.mode !== "committed" && base.length !== 1) {
      left["no single merge base"] = (left["no single merge base"] ?? 0) + 1;
      continue;
    }
    scratch.present(merge, options.mode, base[0] ?? "");
    const outcome = await judge(observer, scratch, merge, options.mode);
    const truth = scratch.merge(options.mode === "committed" ? merge.second : scratch.commitAll());
    if (truth === undefined || outcome?.kind === "skipped" || outcome === undefined) {
      const why =
        truth === undefined
          ? "git itself failed"
          : `we passed over it: ${outcome?.kind === "skipped" ? outcome.detail : ""}`;
      left[why] = (left[why] ?? 0) + 1;
      continue;
    }
    counted += 1;
    if (truth.conflicted) conflicted += 1;
    tally(verdict, outcome.kind === "conflicted", truth.conflicted);
    const mine = pathsOf(outcome);
    for (const path of new Set([...mine, ...truth.paths]))
      tally(files, mine.includes(path), truth.paths.includes(path));
    if (mine.join("\0") !== truth.paths.join("\0") || (outcome.kind === "conflicted") !== truth.conflicted) {
      differences.push({ merge: merge.commit, ours: mine, git: truth.paths });
    }
  }
  return {
    mode: options.mode,
    merges: counted,
    left,
    conflicted,
    verdict: score(verdict),
    files: score(files),
    differences,
  };
}

async function judge(
  observer: RepositoryObserver,
  scratch: ReplayScratch,
  merge: Merge,
  mode: ReplayMode,
): Promise<MergeOutcome | undefined> {
  const ours = await snapshot(observer, scratch.ours, merge.first, mode);
  const theirs = await snapshot(observer, scratch.theirs, merge.second, mode);
  if (ours === undefined || theirs === undefined) return undefined;
  return (await observer.merge([{ ours, theirs }]))[0];
}

async function snapshot(
  observer: RepositoryObserver,
  worktree: string,
  commit: string,
  mode: ReplayMode,
): Promise<Snapshot | undefined> {
  if (mode === "committed") return await observer.snapshotOf(commit);
  const taken = await observer.snapshot(worktree);
  return taken.kind === "taken" ? taken.snapshot : undefined;
}

interface Merge {
  readonly commit: string;
  readonly first: string;
  readonly second: string;
}

/** A clone with two worktrees, one for each side. */
class ReplayScratch {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "constel-replay-")));
  readonly ours = join(this.#root, "ours");
  readonly theirs = join(this.#root, "theirs");
  #observer: RepositoryObserver | undefined;

  constructor(repository: string) {
    this.#git(this.#root, "clone", "-q", "--shared", "--no-checkout", realpathSync(repository), "clone");
    for (const side of [this.ours, this.theirs]) {
      this.#git(join(this.#root, "clone"), "worktree", "add", "-q", "--no-checkout", "--detach", side);
    }
  }

  async observe(): Promise<RepositoryObserver> {
    this.#observer = await observe(this.ours, {
      processes: systemProcesses,
      environment: { PATH: process.env["PATH"], HOME: this.#root },
      clock: systemClock,
      directory: join(this.#root, "observe"),
      pruneGraceMs: 0,
    });
    return this.#observer;
  }

  /** Merges of two parents, spread evenly over the history. */
  sample(limit: number): Merge[] {
    const lines = this.#git(this.ours, "rev-list", "--all", "--merges", "--parents").split("\n");
    const merges = lines.map((line) => line.split(" ")).filter((ids) => ids.length === 3);
    const step = Math.max(1, merges.length / limit);
    const chosen: Merge[] = [];
    for (let at = 0; at < merges.length && chosen.length < limit; at += step) {
      const [commit = "", first = "", second = ""] = merges[Math.floor(at)] ?? [];
      chosen.push({ commit, first, second });
    }
    return chosen;
  }

  bases(first: string, second: string): string[] {
    return this.#try(this.ours, "merge-base", "--all", first, second).stdout.split("\n").filter(Boolean);
  }

  present(merge: Merge, mode: ReplayMode, base: string): void {
    this.#checkout(this.ours, merge.first);
    if (mode === "committed") return;
    this.#checkout(this.theirs, merge.second);
    this.#git(this.theirs, "update-ref", "--no-deref", "HEAD", base);
    if (mode === "uncommitted") return;
    this.#git(this.theirs, "read-tree", base);
    // What is ignored and was added by force would not be seen, by git no more than by us.
    const added = this.#git(this.theirs, "diff-tree", "-r", "-z", "--name-only", "--diff-filter=A", base, merge.second);
    const ignored = this.#try(this.theirs, "check-ignore", "--no-index", "-z", "--stdin", added).stdout;
    if (ignored !== "") this.#try(this.theirs, "update-index", "--add", "-z", "--stdin", ignored);
    this.#try(this.theirs, "update-index", "-q", "--refresh");
  }

  /** The second side's work as the user would commit it. */
  commitAll(): string {
    this.#git(this.theirs, "add", "-A");
    const tree = this.#git(this.theirs, "write-tree");
    return this.#git(this.theirs, "commit-tree", "-p", "HEAD", "-m", "all", tree);
  }

  /** Returns what the real merge leaves behind. Undefined when git could not merge at all. */
  merge(second: string): { conflicted: boolean; paths: string[] } | undefined {
    const outcome = this.#try(this.ours, "merge", "-q", "--no-commit", "--no-ff", second);
    const fields = this.#git(this.ours, "ls-files", "-u", "-z").split("\0").filter(Boolean);
    const paths = fields.map((field) => withoutSide(field.slice(field.indexOf("\t") + 1)));
    this.#try(this.ours, "merge", "--abort");
    if (outcome.code !== 0 && outcome.code !== 1) return undefined;
    return { conflicted: outcome.code === 1, paths: [...new Set(paths)].sort() };
  }

  async close(): Promise<void> {
    await this.#observer?.close();
    if (existsSync(this.#root)) rmSync(this.#root, { recursive: true, force: true });
  }

  #checkout(side: string, commit: string): void {
    this.#git(side, "checkout", "-q", "-f", "--detach", commit);
    this.#git(side, "clean", "-ffdxq");
  }

  #git(directory: string, ...args: string[]): string {
    const outcome = this.#try(directory, ...args);
    if (outcome.code !== 0) throw new Error(`git ${args.slice(0, 3).join(" ")}: ${outcome.stderr}`);
    return outcome.stdout.replace(/\n$/, "");
  }

  /** When the arguments hold `--stdin`, the last one is what to put in. */
  #try(directory: string, ...args: string[]): { code: number | null; stdout: string; stderr: string } {
    const input = args.includes("--stdin") ? (args.pop() ?? "") : "";
    const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };
    const run = Bun.spawnSync(["git", "-c", "advice.detachedHead=false", ...args], {
      cwd: directory,
      env: { PATH: process.env["PATH"] ?? "", HOME: this.#root, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C", ...who },
      stdin: Buffer.from(input),
    });
    return { code: run.exitCode, stdout: run.stdout.toString(), stderr: run.stderr.toString() };
  }
}

function pathsOf(outcome: MergeOutcome): string[] {
  if (outcome.kind !== "conflicted") return [];
  const unmerged = outcome.conflicts.filter((one) => one.base ?? one.ours ?? one.theirs);
  return [...new Set(unmerged.map((one) => one.path))].sort();
}

const withoutSide = (path: string): string => path.replace(/~(HEAD|[0-9a-f]{40})(_\d+)?$/, "");

function tally(into: { right: number; falseAlarms: number; missed: number }, mine: boolean, truth: boolean): void {
  if (mine && truth) into.right += 1;
  else if (mine) into.falseAlarms += 1;
  else if (truth) into.missed += 1;
}

function score(tallied: { right: number; falseAlarms: number; missed: number }): Score {
  const { right, falseAlarms, missed } = tallied;
  const precision = share(right, right + falseAlarms);
  const recall = share(right, right + missed);
  return {
    ...tallied,
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    precisionInterval: wilson(right, right + falseAlarms),
    recallInterval: wilson(right, right + missed),
  };
}

const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

/** The 95 % interval of a share, after Wilson. */
export function wilson(part: number, whole: number): readonly [number, number] {
  if (whole === 0) return [0, 1];
  const z = 1.959964;
  const share = part / whole;
  const centre = share + (z * z) / (2 * whole);
  const spread = z * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole));
  const scale = 1 + (z * z) / whole;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}

export function describeScore(result: ReplayScore): string {
  const left = Object.entries(result.left).map(([why, count]) => `  left out: ${count} (${why})`);
  const differences = result.differences.map(
    (one) => `  differs: ${one.merge} ours ${JSON.stringify(one.ours)} git ${JSON.stringify(one.git)}`,
  );
  if (result.merges === 0) {
    return [`${result.mode}: nothing was compared, for there is no merge of two lines of work in it`, ...left].join(
      "\n",
    );
  }
  return [
    `${result.mode}: ${result.merges} merges, ${result.conflicted} with conflicts`,
    row("verdict", result.verdict),
    row("files", result.files),
    ...left,
    ...differences.slice(0, 20),
  ].join("\n");
}

const interval = (range: readonly [number, number]): string => `[${range.map((end) => end.toFixed(3)).join(", ")}]`;

function row(name: string, one: Score): string {
  return (
    `  ${name}: precision ${one.precision.toFixed(3)} ${interval(one.precisionInterval)}, ` +
    `recall ${one.recall.toFixed(3)} ${interval(one.recallInterval)}, F1 ${one.f1.toFixed(3)} ` +
    `(${one.right} right, ${one.falseAlarms} false alarms, ${one.missed} missed)`
  );
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { limit: { type: "string", default: "200" }, mode: { type: "string", default: "committed" } },
  });
  const mode = values.mode as ReplayMode;
  for (const repository of positionals) {
    console.log(repository.split("/").slice(-2).join("/"));
    console.log(describeScore(await replay(repository, { limit: Number(values.limit), mode })));
  }
}
