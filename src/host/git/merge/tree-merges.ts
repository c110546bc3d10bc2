// Merges of pairs through one `git merge-tree` that stays: starting one costs as much as merging a few pairs, and every edit
// needs a few. It is told how to merge by the directory it works in, so one of another context takes its place. git sends an
// answer before the byte that ends it; a merge that changes nothing is asked for after the last pair (after each, where they are few), and its
// answer brings that byte. Whoever comes while it is busy, and a git that keeps its answers back, gets a process of its own.

import { contextDirectory } from "./merge-context.ts";
import { type MergeReport, readReports } from "./merge-report.ts";
import type { SnapshotPair } from "../../../ports/git.ts";
import type { Git } from "../git.ts";
import { Patience, unlessEnded } from "../patience.ts";
import type { PrivateStore } from "../objects/private-store.ts";

interface MergesSaid {
  /** In order; fewer than asked for when git gave up at one. */
  readonly reports: readonly MergeReport[];
  /** The message about the one it gave up at. */
  readonly detail: string;
}

/** A report and its place, as soon as it is known. */
export type HeardReport = (report: MergeReport, at: number) => void;

/** So many are told one by one: for each git merges once more what changes nothing, which costs it a tenth of a merge. */
const fewPairs = 8;
/** git frees little of what it has read while it runs: after so many pairs another takes its place. */
const mostPairs = 2_000;
/** Nobody edits: it is not kept for later. */
const idleMs = 60_000;
const answersWithinMs = 2_000;
/** A busy machine may keep an answer back once or twice: after so many it is this git's way. */
const certain = 3;

const mergeTree = ["merge-tree", "--write-tree", "--stdin", "-z", "--messages"];

export class TreeMerges {
  readonly #git: Git;
  readonly #store: PrivateStore;
  readonly #answersWithinMs: number;
  #standing: { readonly context: string; readonly process: MergeProcess } | undefined;
  #isBusy = false;
  /** The number of times in a row that it answered when its input ended, and not before. */
  #keptBack = 0;
  #closed = false;

  /** `answersWithinMs`: a git that said nothing for so long is one that keeps its answers back. */
  constructor(git: Git, store: PrivateStore, options: { readonly answersWithinMs?: number } = {}) {
    this.#git = git;
    this.#store = store;
    this.#answersWithinMs = options.answersWithinMs ?? answersWithinMs;
  }

  /** `heard` is told of each report of a few as it comes. */
  async of(context: string, pairs: readonly SnapshotPair[], heard: HeardReport = () => {}): Promise<MergesSaid> {
    const deadlineMs = 60_000 + pairs.length * 2_000;
    const { gitDirectory, tree } = contextDirectory(this.#store, context);
    // Also for a process that runs already: no link may have been planted where it writes.
    const variables = this.#store.variables(gitDirectory, tree);
    if (this.#isBusy || this.#keptBack >= certain || this.#closed) {
      return await this.#alone(pairs, { variables, cwd: tree, deadlineMs });
    }
    this.#isBusy = true;
    try {
      if (this.#standing?.context !== context || this.#standing.process.ended) await this.restart();
      this.#standing ??= { context, process: new MergeProcess(this.#git, variables, tree) };
      const { process } = this.#standing;
      const said = await process.ask(pairs, { deadlineMs, answersWithinMs: this.#answersWithinMs }, heard);
      this.#keptBack = said.keptBack ? this.#keptBack + 1 : 0;
      // Closed meanwhile, it was not there yet to be ended.
      if (process.merged >= mostPairs || this.#closed) await process.end();
      return said;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Ends the process after the answers under way, so that the next question sees newly borrowed objects. */
  async restart(): Promise<void> {
    const standing = this.#standing;
    this.#standing = undefined;
    await standing?.process.end();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.restart();
  }

  async #alone(
    pairs: readonly SnapshotPair[],
    place: { readonly variables: Record<string, string>; readonly cwd: string; readonly deadlineMs: number },
  ): Promise<MergesSaid> {
    const outcome = await this.#git.try({ ...place, args: mergeTree, stdin: pairs.map(lineOf).join("") });
    const detail = outcome.timedOut ? "took longer than its deadline" : outcome.stderr.trim().slice(0, 500);
    return { reports: readReports(outcome.stdout), detail };
  }
}

const lineOf = ({ ours, theirs }: SnapshotPair): string => `${ours.commit} ${theirs.commit}\n`;

interface Question {
  readonly pairs: number;
  /** Each pair is followed by a merge that changes nothing, or only the last. */
  readonly isSpread: boolean;
  readonly heard: HeardReport;
  /** The answer that git gives to the merge that changes nothing. */
  readonly tail: Buffer;
  readonly answer: (reports: readonly MergeReport[] | undefined) => void;
}

/** One question at a time. */
class MergeProcess {
  ended = false;
  merged = 0;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #listening: Promise<unknown>;
  readonly #patience: Patience;
  #chunks: Uint8Array[] = [];
  #complaint = "";
  #question: Question | undefined;
  /** The number of its reports that were told. */
  #told = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(git: Git, variables: Readonly<Record<string, string>>, cwd: string) {
    this.#child = Bun.spawn(git.command(["-c", "core.deltaBaseCacheLimit=8m", ...mergeTree]), {
      cwd,
      env: git.variables({ variables }),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.#patience = new Patience(this.#child, git.signal);
    this.#listening = Promise.all([this.#listen(), this.#hearComplaints()]);
  }

  async ask(
    pairs: readonly SnapshotPair[],
    limits: { readonly deadlineMs: number; readonly answersWithinMs: number },
    heard: HeardReport,
  ): Promise<MergesSaid & { readonly keptBack: boolean }> {
    clearTimeout(this.#idle);
    this.merged += pairs.length;
    this.#complaint = "";
    const [first] = pairs;
    const { promise, resolve } = Promise.withResolvers<readonly MergeReport[] | undefined>();
    const tail = Buffer.from(`1\0${first?.ours.tree}\0\0`);
    const isSpread = pairs.length <= fewPairs;
    const question: Question = { pairs: pairs.length, isSpread, heard, tail, answer: resolve };
    this.#question = question;
    this.#told = 0;
    this.#patience.wait(limits.deadlineMs);
    let keptBack = false;
    const doubt = setTimeout(() => {
      keptBack = this.#chunks.length === 0;
      this.#endInput();
    }, limits.answersWithinMs);
    const unchanged = `${first?.ours.commit} ${first?.ours.commit}\n`;
    const lines = pairs.map(lineOf).join(isSpread ? unchanged : "") + unchanged;
    unlessEnded(() => this.#child.stdin.write(lines));
    unlessEnded(() => this.#child.stdin.flush());
    const reports = await promise;
    clearTimeout(doubt);
    this.#patience.rest();
    this.#question = undefined;
    if (reports !== undefined) {
      this.#idle = setTimeout(() => void this.end(), idleMs);
      this.#idle.unref();
      return { reports, detail: "", keptBack: false };
    }
    // It has ended, by itself or by our hand: what it said until then is all there is.
    await this.#listening;
    const said = ofPairs(readReports(Buffer.concat(this.#chunks)), question);
    const detail = this.#patience.why ?? this.#complaint.trim().slice(0, 500);
    return { reports: said, detail, keptBack: keptBack && said.length === pairs.length };
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    this.#endInput();
    await this.#listening;
    await this.#child.exited;
  }

  #endInput(): void {
    this.ended = true;
    unlessEnded(() => this.#child.stdin.end());
  }

  async #listen(): Promise<void> {
    for await (const chunk of this.#child.stdout) this.#take(chunk);
    this.ended = true;
    this.#patience.over();
    this.#question?.answer(undefined);
  }

  #take(chunk: Uint8Array): void {
    // The byte that ends the answer before may come with the next one.
    const isRest = this.#chunks.length === 0 && chunk[0] === 0;
    if (isRest && chunk.length === 1) return;
    this.#chunks.push(isRest ? chunk.subarray(1) : chunk);
    const question = this.#question;
    if (question === undefined || this.ended) return;
    const output = this.#chunks.length === 1 ? Buffer.from(this.#chunks[0] ?? []) : Buffer.concat(this.#chunks);
    this.#chunks = [output];
    const { length } = question.tail;
    const endsWithTail = output.subarray(-length).equals(question.tail);
    if (!endsWithTail && !output.subarray(-length - 1, -1).equals(question.tail)) return;
    const reports = ofPairs(readReports(output), question);
    for (const report of question.isSpread ? reports.slice(this.#told) : []) question.heard(report, this.#told++);
    // A pair may have come to the same: only after all of them is it the one that changes nothing.
    if (reports.length < question.pairs) return;
    this.#chunks = [];
    question.answer(reports);
  }

  async #hearComplaints(): Promise<void> {
    const words = new TextDecoder();
    for await (const chunk of this.#child.stderr) {
      if (this.#complaint.length < 4_000) this.#complaint += words.decode(chunk, { stream: true });
    }
  }
}

/** Without those of merges that change nothing. */
function ofPairs(reports: readonly MergeReport[], { pairs, isSpread }: Question): MergeReport[] {
  return (isSpread ? reports.filter((_, at) => at % 2 === 0) : reports).slice(0, pairs);
}
