// One repository, watched over as long as it is registered: notices what changed in its worktrees, looks at the pairs that
// this concerns and at no others, and reports. One thing at a time, so that a report is never older than the one before.
//
// What takes long is asked by `ask-compilers.ts` and `ask-gate.ts`: at once for `check` and `try` (`once.ts`), later here, and then
// the pair is looked at again. The branch that work lands on is a side too, as the origin has it (`followed-origin.ts`,
// `landing-branch.ts`). What nobody could read or follow is open in the verdict (`open-parts.ts`); `core/worktrees/silence.ts` tells
// whoever asks what a silence rests on.

import { sideIdentity } from "../core/findings/pair-finding.ts";
import { messageOf } from "../protocol/errors.ts";
import { inBudget } from "../ports/budget.ts";
import type { PairVerdict } from "../protocol/findings.ts";
import type { MergeOutcome, RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { Clock } from "../ports/machine.ts";
import type { RepositoryReport } from "../ports/sensing.ts";
import type { WatchedState } from "../protocol/sensing-state.ts";
import { FollowedOrigin, type OriginParts } from "./followed-origin.ts";
import { onlyClaims } from "./landed.ts";
import type { ReviewedSide } from "./merged-pair.ts";
import { type OpenPair, WatchedPairs } from "./watched-pairs.ts";
import { isElsewhere } from "../protocol/elsewhere.ts";
import { OthersSides, type TakenInSide } from "./others-sides.ts";
import { PairRetries } from "./pair-retries.ts";
import { type Pace, usualPace } from "./pace.ts";
import { defaultBranchSide, type Pair, PairQueue } from "./pair-queue.ts";
import { WatchedRepository } from "./watched-repository.ts";
import { defaultAsSide, observed, speakerOf, type WatchedWorktree } from "./watched-worktree.ts";

export type Judge = (ours: ReviewedSide, theirs: ReviewedSide, merge: MergeOutcome) => Promise<PairVerdict>;

export interface WatcherParts {
  readonly observer: RepositoryObserver;
  readonly judge: Judge;
  /** Resolves when what was reported is durable. */
  readonly report: (report: RepositoryReport) => Promise<void>;
  readonly clock: Clock;
  /** Tells whether whoever works there has claimed something: then it counts even with no work of its own. */
  readonly claims?: (worktree: string) => boolean;
  /** The interval between questions to the origin, and its address. If absent, no origin is asked. */
  readonly origin?: Pick<OriginParts, "everyMs" | "address" | "inPlace"> | undefined;
  readonly log: (line: string) => void;
  /** `progress` may be different. */
  readonly progressed?: () => void;
  readonly pace?: Partial<Pace>;
}

/** So many pairs are looked at before anything else may come first. */
const pairsAtOnce = 160;
const reviewsAtOnce = 4;
/** What was found is told after so long at the latest, though others of the round still wait. */
const tellAfterMs = 2_000;

interface Looked {
  readonly pairs: readonly PairVerdict[];
  /** The mark of each pair when it was looked at, by its key. */
  readonly marks: ReadonlyMap<string, string>;
  readonly queued: readonly Pair[];
}

export class RepositoryWatcher {
  readonly #parts: WatcherParts;
  readonly #pace: Pace;
  readonly #watched: WatchedRepository;
  readonly #origin: FollowedOrigin | undefined;
  readonly #pairs: WatchedPairs;
  readonly #queue = new PairQueue();
  readonly #others = new OthersSides();
  readonly #retries: PairRetries;
  /** Taken from the queue and not yet reported. */
  #inHand = 0;
  /** Worktrees to be told of in the next report. */
  readonly #changed = new Set<string>();
  /** Those of the last report. */
  #sides: ReadonlySet<string> = new Set();
  readonly #last = { sides: "", left: 0, problem: undefined as string | null | undefined, failure: "" };
  /** Rounds that failed, one after another. */
  #failures = 0;
  /** Those who wait for what they touched: before and during the round that takes it up. */
  #fresh: (() => void)[] = [];
  #awaited: (() => void)[] = [];
  #awake = new AbortController();
  #closed = false;
  readonly #ended: Promise<void>;

  constructor(parts: WatcherParts) {
    this.#parts = parts;
    this.#pace = { ...usualPace, ...parts.pace };
    this.#retries = new PairRetries(this.#pace.retryMs, this.#pace.askEveryMs);
    const { observer, clock, log, origin } = parts;
    this.#origin =
      origin && new FollowedOrigin({ ...origin, observer, clock, changed: () => this.#watched.askForLanding() });
    this.#watched = new WatchedRepository({
      observer,
      clock,
      log,
      pace: this.#pace,
      origin: this.#origin,
      changed: (path, isUrgent) => {
        this.#changed.add(path);
        this.#queueAll(path, isUrgent);
      },
      lost: (path) => {
        this.#changed.delete(path);
        this.#pairs.forget(path);
        this.#retries.forget(path);
      },
      landingMoved: () => {
        for (const { path } of this.#watched.all()) {
          this.#queue.put(path, defaultBranchSide, false);
          this.#changed.add(path);
        }
        const { landing } = this.#watched;
        const speaker = landing === undefined ? undefined : speakerOf(landing, this.#watched.all());
        if (speaker !== undefined) this.#queueAll(speaker.path);
      },
      wake: () => this.#wake(),
      progressed: () => parts.progressed?.(),
    });
    this.#pairs = new WatchedPairs({
      observer,
      watched: this.#watched,
      others: this.#others,
      hasClaims: (path) => parts.claims?.(path) === true,
      landedChanged: (path) => this.#queueAll(path),
    });
    this.#ended = this.#run();
  }

  get observer(): RepositoryObserver {
    return this.#parts.observer;
  }

  /** Another clone, or a worktree that may be new. */
  async add(path: string): Promise<void> {
    await this.#watched.add(path);
    this.#wake();
  }

  /** Its work is over: it may stay on the disk, but collides with nobody. */
  leave(path: string): void {
    this.#watched.leave(path);
    this.#wake();
  }

  /** Somebody edited there. Resolves when the pairs it concerns were looked at and reported. */
  touch(worktree: string, files: readonly string[]): Promise<void> {
    this.#watched.touch(worktree, files);
    const done = new Promise<void>((resolve) => this.#fresh.push(resolve));
    this.#wake();
    return done;
  }

  /** A worktree's work as it was last seen, and what it lands on. */
  workOf(worktree: string): { snapshot: Snapshot; landing: Snapshot | undefined } | undefined {
    const snapshot = this.#watched.get(worktree)?.snapshot;
    return snapshot === undefined ? undefined : { snapshot, landing: this.landing };
  }

  /** Returns the snapshot that work lands on. */
  get landing(): Snapshot | undefined {
    return this.#watched.landing?.snapshot;
  }

  /** The checkouts that are there. */
  get worktrees(): string[] {
    return this.#watched.all().map(({ path }) => path);
  }

  get progress(): WatchedState {
    const repository = this.observer.identity;
    return { repository, ...this.#watched.progress, pairs_waiting: this.#queue.size + this.#inHand };
  }

  /** Somebody pushed to the origin. */
  originMoved(): void {
    this.#origin?.hint(true);
  }

  /** The lines of work as they stand now that may be shown to other machines: those with something left to land, and whole. */
  get ownSides(): { readonly path: string; readonly branch: string | undefined; readonly snapshot: Snapshot }[] {
    const { landing } = this.#watched;
    const all = this.#watched.all();
    // One that stands on the branch that work lands on counts once it has work of its own.
    const speaker =
      landing &&
      all.find((one) => one === speakerOf(landing, all) && one.snapshot?.tree === landing.snapshot.tree)?.path;
    return all.flatMap(({ path, facts, snapshot, skipped, isHeld }) => {
      const isWhole = snapshot !== undefined && skipped === undefined && !isHeld && this.#pairs.takesPart(path);
      return isWhole && path !== speaker ? [{ path, branch: facts?.branch, snapshot }] : [];
    });
  }

  /** From now on the worktrees here are compared with these sides of other machines, and with no others. */
  compareWith(sides: readonly TakenInSide[]): void {
    const { changed, gone } = this.#others.become(sides);
    for (const ref of gone) {
      this.#pairs.forget(ref);
      this.#retries.forget(ref);
    }
    for (const ref of changed) for (const path of this.worktrees) this.#queue.put(path, ref, false);
    if (changed.length + gone.length > 0) this.#wake();
  }

  /** Something beside the trees is different for this side (and the other, else any): what is said of it is worked out anew. */
  recheck(path: string, other?: string): void {
    const others = other === undefined ? this.#queueable : [other];
    for (const one of others) {
      // Also of sides that cannot be compared at the moment: when they can be again, this still holds.
      this.#pairs.renew(path, one);
      this.#queue.put(path, one, true);
    }
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watched.close();
    this.#wake();
    await Promise.all([this.#ended, this.#origin?.close()]);
    for (const resolve of [...this.#fresh, ...this.#awaited]) resolve();
    await this.observer.close();
  }

  #wake(): void {
    this.#awake.abort();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      this.#awake = new AbortController();
      let restMs: number;
      try {
        await this.#named(() => this.#round());
        this.#parts.progressed?.();
        restMs = this.#queue.size > 0 || this.#fresh.length > 0 ? 0 : this.#restMs();
        this.#last.failure = "";
        this.#failures = 0;
      } catch (cause) {
        restMs = this.#pace.retryMs;
        await this.#failed(messageOf(cause));
      }
      if (restMs > 0 && !this.#closed) await this.#parts.clock.sleep(restMs, this.#awake.signal);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** A round that ran over its budget before fails at once, and is told as a failure. */
  #named(round: () => Promise<void>): Promise<void> {
    const { identity } = this.observer;
    return inBudget({ kind: "repository", repository: identity, name: identity, key: identity }, round);
  }

  /** What fails twice in a row is told, and nobody waits any longer for what may never come. */
  async #failed(failure: string): Promise<void> {
    if (failure !== this.#last.failure) this.#parts.log(`${this.observer.identity}: ${failure}`);
    this.#last.failure = failure;
    this.#failures += 1;
    if (this.#failures < 2) return;
    if (this.#last.problem !== failure) {
      const none = { defaultBranch: null, worktrees: [], present: [], sides: [], landed: [], pairs: [], left: 0 };
      const report = { repository: this.observer.identity, ...none, problem: failure, isUnlooked: true } as const;
      try {
        await this.#parts.report(report);
        this.#last.problem = failure;
      } catch {
        // Where nothing can be stored, this cannot either; it is in the log, and the next round tries again.
      }
    }
    this.#release();
  }

  #restMs(): number {
    return Math.min(this.#watched.restMs(), this.#retries.restMs(this.#parts.clock.monotonicMs()));
  }

  #release(): void {
    for (const resolve of this.#awaited) resolve();
    this.#awaited = [];
  }

  async #round(): Promise<void> {
    this.#awaited.push(...this.#fresh);
    this.#fresh = [];
    await this.#watched.look();
    for (const [one, other] of this.#retries.take(this.#parts.clock.monotonicMs())) {
      this.#pairs.renew(one, other);
      this.#queue.put(one, other, false);
    }
    const isUrgent = this.#queue.hasUrgent;
    const queued = this.#queue.take(pairsAtOnce);
    try {
      await this.#lookAndReport(queued, isUrgent);
    } finally {
      this.#inHand = 0;
    }
    if (this.#queue.hasUrgent) return;
    this.#release();
    // Also while many pairs wait: an edit is to be heard of, and comes before them.
    await this.#watched.watchSome();
  }

  async #lookAndReport(queued: readonly Pair[], isUrgent: boolean): Promise<void> {
    let looked: Looked;
    try {
      looked = await this.#lookAtPairs(queued, isUrgent);
    } catch (cause) {
      this.#putBack(queued);
      throw cause;
    }
    await this.#report(looked);
  }

  #queueAll(path: string, isUrgent = false): void {
    for (const other of this.#queueable) this.#queue.put(path, other, isUrgent);
  }

  /** All that a line of work may be compared with. */
  get #queueable(): string[] {
    return [...this.worktrees, defaultBranchSide, ...this.#others.all];
  }

  async #lookAtPairs(queued: readonly Pair[], isUrgent: boolean): Promise<Looked> {
    const untilMs = this.#parts.clock.monotonicMs() + tellAfterMs;
    this.#inHand = queued.length;
    const ahead = new Map<string, PairVerdict>();
    const nameOf = ({ key, mark }: OpenPair): string => `${key}\n${mark}`;
    const open = await this.#pairs.merged(queued, async (pair) => {
      try {
        ahead.set(nameOf(pair), await this.#judge(pair));
      } catch {
        // Below it is its turn again, and then it counts.
      }
    });
    const pairs: PairVerdict[] = [];
    this.#inHand = open.length;
    // A few side by side: while git answers for one, another is worked out.
    let from = 0;
    for (; from < open.length; from += reviewsAtOnce) {
      if (from > 0 && this.#parts.clock.monotonicMs() >= untilMs) break;
      const group = open.slice(from, from + reviewsAtOnce);
      pairs.push(...(await Promise.all(group.map((pair) => ahead.get(nameOf(pair)) ?? this.#judge(pair)))));
      // The last ones wait for the report.
      this.#inHand = Math.max(1, open.length - pairs.length);
      this.#parts.progressed?.();
    }
    const looked = open.slice(0, from);
    for (const { queued: pair } of open.slice(from)) this.#queue.put(...pair, isUrgent);
    return { pairs, marks: new Map(looked.map(({ key, mark }) => [key, mark])), queued };
  }

  async #judge({ ours, theirs, merge, isOver }: OpenPair): Promise<PairVerdict> {
    const verdict = await this.#parts.judge(ours, theirs, merge);
    return isOver ? onlyClaims(verdict) : verdict;
  }

  async #report(looked: Looked): Promise<void> {
    const members = this.#watched.all();
    // Before every worktree was seen once, what is missing is not gone.
    if (members.some(({ snapshot, skipped }) => snapshot === undefined && skipped === undefined)) {
      return this.#putBack(looked.queued);
    }
    const { landing, problem } = this.#watched;
    const { sides, landed } = this.#sidesOf(members);
    const present = members.map(({ path }) => path);
    const listed = [...sides, ...present].join("\n");
    const changed = members.filter(({ path }) => this.#changed.has(path));
    const left = this.#queue.size;
    const isQuiet = changed.length + looked.pairs.length === 0 && left === this.#last.left;
    if (isQuiet && listed === this.#last.sides && problem === this.#last.problem) return;
    try {
      for (const member of changed) await this.#measure(member);
      await this.#parts.report({
        repository: this.observer.identity,
        defaultBranch: landing?.name ?? null,
        worktrees: changed.map(observed),
        present,
        sides,
        landed,
        pairs: looked.pairs,
        left,
        problem,
      });
    } catch (cause) {
      this.#putBack(looked.queued);
      throw cause;
    }
    for (const { path } of changed) this.#changed.delete(path);
    this.#pairs.reported(looked.marks);
    this.#retries.heard(looked.pairs, this.#parts.clock.monotonicMs());
    // The first time all are new, and wait to be compared anyway.
    if (this.#sides.size > 0) for (const side of sides) if (!this.#sides.has(side)) this.#welcome(side, looked);
    this.#sides = new Set(sides);
    this.#last.sides = listed;
    this.#last.left = left;
    this.#last.problem = problem;
  }

  /** Every side that can be compared, and those that are there with nothing left to land. */
  #sidesOf(members: readonly WatchedWorktree[]): { readonly sides: string[]; readonly landed: string[] } {
    const comparable = members.filter(({ snapshot }) => snapshot !== undefined);
    const [sides = [], landed = []] = [true, false].map((isAtWork) =>
      comparable.filter(({ path }) => this.#pairs.takesPart(path) === isAtWork).map(({ path }) => `worktree ${path}`),
    );
    const landing = defaultAsSide(this.#watched.landing, members);
    if (landing !== undefined) sides.push(sideIdentity(landing.side));
    for (const ref of this.#others.all) sides.push(`branch ${ref}`);
    return { sides, landed };
  }

  /** A side that was away: findings about it ended meanwhile, so what was said before that must be said again. */
  #welcome(side: string, looked: Looked): void {
    this.#pairs.repeat(side, looked.marks);
    if (side.startsWith("worktree ")) return this.#queueAll(side.slice("worktree ".length));
    const branch = side.slice("branch ".length);
    const name = isElsewhere(branch) ? branch : defaultBranchSide;
    for (const path of this.worktrees) this.#queue.put(path, name, false);
  }

  #putBack(queued: readonly Pair[]): void {
    for (const [one, other] of queued) this.#queue.put(one, other, false);
  }

  /** Measures how it stands to the default branch. Asked again only when one of the two moved. */
  async #measure(member: WatchedWorktree): Promise<void> {
    if (member.snapshot === undefined) return;
    const commit = this.landing?.commit;
    const key = `${member.facts?.head} ${commit} ${member.snapshot.tree}`;
    if (member.standingFor === key) return;
    member.standing = await this.observer.standing(member.snapshot, commit);
    member.standingFor = key;
  }
}
