// One repository, watched over as long as it is registered: notices what changed in its worktrees, looks at the pairs that
// this concerns and at no others, and reports. One thing at a time, so that a report is never older than the one before.
//
// A worktree is looked at when a hook or the watch says so, and in any case when its time has come: soon after a change,
// ever more rarely while nothing happens. While it is watched, that look costs some stats and no process.

import { isAbsolute, relative } from "node:path";
import { pairKey } from "../core/findings/lifecycle.ts";
import { sideIdentity } from "../core/findings/pair-finding.ts";
import type { ReviewedSide } from "./review-pair.ts";
import { messageOf } from "../protocol/errors.ts";
import type {
  MergeOutcome,
  RepositoryObserver,
  Snapshot,
  SnapshotOptions,
  SnapshotOutcome,
  SnapshotPair,
} from "../ports/git.ts";
import type { Clock } from "../ports/machine.ts";
import type { LookedPair, RepositoryReport } from "../ports/sensing.ts";
import { judgePair, type Review } from "./judge-pair.ts";
import { hasLanded, onlyClaims, settle, unsettled } from "./landed.ts";
import { landingStampOf, listingOf } from "./listing.ts";
import {
  type DefaultBranch,
  defaultAsSide,
  type WatchedWorktree,
  newWatched,
  observed,
  see,
  sideOf,
  skip,
} from "./watched-worktree.ts";
import { type Pace, restAfterLook, usualPace } from "./pace.ts";
import { defaultBranchSide, type Pair, PairQueue } from "./pair-queue.ts";

export interface SenseParts {
  readonly observer: RepositoryObserver;
  readonly review: Review;
  /** Resolves when what was reported is durable. */
  readonly report: (report: RepositoryReport) => Promise<void>;
  readonly clock: Clock;
  /** Whether something is claimed by who works there: then it counts even with no work of its own. */
  readonly claims?: (worktree: string) => boolean;
  readonly log: (line: string) => void;
  readonly pace?: Partial<Pace>;
}

/** So many pairs are looked at before anything else may come first. */
const pairsAtOnce = 160;
const reviewsAtOnce = 4;

interface OpenPair {
  readonly ours: ReviewedSide;
  readonly theirs: ReviewedSide;
  readonly key: string;
  readonly mark: string;
  /** One of the two has landed and is here only for what it has claimed. */
  readonly isOver: boolean;
  readonly merge: MergeOutcome | undefined;
}

interface Looked {
  readonly pairs: readonly LookedPair[];
  /** What each pair was when it was looked at, by its key. */
  readonly marks: ReadonlyMap<string, string>;
  readonly queued: readonly Pair[];
}

export class RepositoryWatcher {
  readonly #parts: SenseParts;
  readonly #pace: Pace;
  readonly #members = new Map<string, WatchedWorktree>();
  readonly #queue = new PairQueue();
  /** What each pair was when it was last reported. */
  readonly #reported = new Map<string, string>();
  /** How often each pair was to be worked out anew: part of what it was, so that a look under way does not pass for one. */
  readonly #renewed = new Map<string, number>();
  readonly #changed = new Set<string>();
  /** Those of the last report. */
  #sides: ReadonlySet<string> = new Set();
  /** Take no part although they are there. */
  readonly #left = new Set<string>();
  /** Touched before they were known. */
  readonly #expected = new Set<string>();
  readonly #asked = { listingMs: -Infinity, worktreesMs: -Infinity, defaultMs: -Infinity };
  readonly #last = { sides: "", problem: null as string | null | undefined, listing: "", landing: "", failure: "" };
  #default: DefaultBranch | undefined;
  #problem: string | null = null;
  /** Those who wait for what they touched: before and during the round that takes it up. */
  #fresh: (() => void)[] = [];
  #awaited: (() => void)[] = [];
  #awake = new AbortController();
  #closed = false;
  readonly #ended: Promise<void>;

  constructor(parts: SenseParts) {
    this.#parts = parts;
    this.#pace = { ...usualPace, ...parts.pace };
    this.#last.problem = undefined;
    this.#ended = this.#run();
  }

  get observer(): RepositoryObserver {
    return this.#parts.observer;
  }

  /** Another clone, or a worktree that may be new. */
  async add(path: string): Promise<void> {
    this.#left.delete(path);
    await this.observer.add(path);
    this.#asked.worktreesMs = -Infinity;
    this.#wake();
  }

  /** Its work is over: it may stay on the disk, but collides with nobody. */
  leave(path: string): void {
    this.#left.add(path);
    if (this.#members.has(path)) this.#lose(path);
    this.#wake();
  }

  /** Somebody edited there. Resolves when the pairs it concerns were looked at and reported. */
  touch(worktree: string, files: readonly string[]): Promise<void> {
    const member = this.#members.get(worktree);
    if (member === undefined) {
      this.#expected.add(worktree);
      this.#asked.worktreesMs = -Infinity;
    } else {
      const inside = files.map((file) => (isAbsolute(file) ? relative(worktree, file) : file));
      if (files.length === 0) member.touched = "everything";
      else if (member.touched !== "everything") {
        member.touched = new Set([...(member.touched ?? []), ...inside.filter((file) => !file.startsWith(".."))]);
      }
      member.dueMs = -Infinity;
    }
    const done = new Promise<void>((resolve) => this.#fresh.push(resolve));
    this.#wake();
    return done;
  }

  /** A worktree's work as it was last seen, and what it lands on. */
  workOf(worktree: string): { snapshot: Snapshot; landing: Snapshot | undefined } | undefined {
    const snapshot = this.#members.get(worktree)?.snapshot;
    return snapshot === undefined ? undefined : { snapshot, landing: this.#default?.snapshot };
  }

  /** What work lands on. */
  get landing(): Snapshot | undefined {
    return this.#default?.snapshot;
  }

  /** Something beside the trees is different for this side (and the other, else any): what is said of it is worked out anew. */
  recheck(path: string, other?: string): void {
    const others = other === undefined ? [...this.#members.keys(), defaultBranchSide] : [other];
    const named = (one: string): string =>
      one === defaultBranchSide ? `branch ${this.#default?.name}` : `worktree ${one}`;
    for (const one of others) {
      // Also of sides that cannot be compared at the moment: when they can be recheck, this still holds.
      const key = JSON.stringify([named(path), named(one)].sort());
      this.#renewed.set(key, (this.#renewed.get(key) ?? 0) + 1);
      this.#queue.put(path, one, true);
    }
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#ended;
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
        await this.#round();
        restMs = this.#restMs();
        this.#last.failure = "";
      } catch (cause) {
        const failure = messageOf(cause);
        if (failure !== this.#last.failure) this.#parts.log(`${this.observer.identity}: ${failure}`);
        this.#last.failure = failure;
        restMs = this.#pace.retryMs;
      }
      if (restMs > 0 && !this.#closed) await this.#parts.clock.sleep(restMs, this.#awake.signal);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #round(): Promise<void> {
    this.#awaited.push(...this.#fresh);
    this.#fresh = [];
    await this.#list();
    const nowMs = this.#parts.clock.monotonicMs();
    const due = [...this.#members.values()].filter((member) => member.dueMs <= nowMs);
    await Promise.all(due.map((member) => this.#lookAt(member)));
    if (nowMs - this.#asked.defaultMs >= this.#pace.defaultEveryMs) {
      this.#asked.defaultMs = nowMs;
      await this.#findDefault();
    }
    await this.#report(await this.#lookAtPairs(this.#queue.take(pairsAtOnce)));
    if (this.#queue.hasUrgent) return;
    for (const resolve of this.#awaited) resolve();
    this.#awaited = [];
    if (this.#queue.size === 0) await this.#watchOne();
  }

  #restMs(): number {
    const members = [...this.#members.values()];
    if (this.#queue.size > 0 || this.#fresh.length > 0 || members.some(isToWatch)) return 0;
    const dueMs = Math.min(this.#asked.listingMs + this.#pace.listEveryMs, ...members.map((member) => member.dueMs));
    return Math.max(1, dueMs - this.#parts.clock.monotonicMs());
  }

  /** Which worktrees there are, and where they land. git is asked when there is a reason, and now and then. */
  async #list(): Promise<void> {
    const nowMs = this.#parts.clock.monotonicMs();
    const everyMs = this.#problem === null ? this.#pace.askEveryMs : this.#pace.defaultEveryMs;
    const isDue = nowMs - this.#asked.worktreesMs >= everyMs;
    if (!isDue && nowMs - this.#asked.listingMs < this.#pace.listEveryMs) return;
    this.#asked.listingMs = nowMs;
    const landing = landingStampOf(this.#members.values(), this.#default?.name);
    if (landing !== this.#last.landing) this.#asked.defaultMs = -Infinity;
    this.#last.landing = landing;
    // Read before git is asked: a worktree that comes in between is then new at the next reading.
    const listing = listingOf(this.#members.values());
    if (!isDue && listing === this.#last.listing) return;
    this.#asked.worktreesMs = nowMs;
    const { found, skipped } = await this.observer.worktrees();
    // One that cannot be read now is one all the same: looking at it says why.
    const unread = skipped.filter(
      ({ reason }) => reason === "corrupt" || reason === "unreadable" || reason === "timed-out",
    );
    const there = new Set([...found, ...unread].map(({ path }) => path));
    for (const path of there) {
      if (this.#members.has(path) || this.#left.has(path)) continue;
      const member = newWatched(path);
      if (this.#expected.has(path)) member.touched = "everything";
      // One that comes while we are here comes because somebody begins to work.
      if (this.#last.listing !== "") member.activeMs = nowMs;
      this.#members.set(path, member);
    }
    this.#expected.clear();
    // What is known and not listed may be on its way out: looking at it says.
    for (const member of this.#members.values()) if (!there.has(member.path)) member.dueMs = -Infinity;
    const bad = skipped.find(({ reason }) => reason === "gone" || reason === "corrupt");
    this.#problem = found.length > 0 || bad === undefined ? null : `${bad.path}: ${bad.detail}`;
    this.#last.listing = listing;
  }

  async #findDefault(): Promise<void> {
    const found = await this.observer.defaultBranch();
    const before = this.#default;
    if (before?.name === found?.name && before?.snapshot.commit === found?.commit) return;
    const snapshot = found === undefined ? undefined : await this.observer.snapshotOf(found.commit);
    this.#default = found === undefined || snapshot === undefined ? undefined : { name: found.name, snapshot };
    for (const path of this.#members.keys()) {
      this.#queue.put(path, defaultBranchSide, false);
      this.#changed.add(path);
    }
    // Who stands on it moved with it, and should be seen to before either is compared.
    const isOnIt = ({ facts }: WatchedWorktree): boolean =>
      facts?.branch === found?.name && facts?.head !== found?.commit;
    await Promise.all([...this.#members.values()].filter(isOnIt).map((member) => this.#lookAt(member)));
  }

  async #lookAt(member: WatchedWorktree): Promise<void> {
    const { clock } = this.#parts;
    const { touched, path } = member;
    const startedMs = clock.monotonicMs();
    const headBefore = member.facts?.head;
    const isFirst = member.snapshot === undefined && member.skipped === undefined;
    member.touched = undefined;
    // Until this look is done it is not due again; a touch that comes meanwhile makes it so.
    member.dueMs = Infinity;
    const options = touched === "everything" ? { full: true } : touched === undefined ? {} : { touched: [...touched] };
    const outcome = await this.#snapshot(path, options);
    const nowMs = clock.monotonicMs();
    if (outcome.kind === "skipped" && (outcome.reason === "gone" || outcome.reason === "foreign")) {
      return this.#lose(path);
    }
    const isNew = outcome.kind === "taken" ? see(member, outcome, nowMs) : skip(member, outcome, nowMs);
    if (isNew && outcome.kind === "skipped" && outcome.reason === "failed")
      this.#parts.log(`${path}: ${outcome.detail}`);
    if (isNew) {
      const isUrgent = touched !== undefined;
      this.#changed.add(path);
      this.#queueAll(path, isUrgent);
      // A commit or a fetch may have moved the branch that work lands on.
      if (headBefore !== undefined && headBefore !== member.facts?.head) this.#asked.defaultMs = -Infinity;
    }
    if (outcome.kind === "taken") member.polledMs = outcome.polledMs;
    if ((isNew && !isFirst) || touched !== undefined) member.activeMs = nowMs;
    const restMs = restAfterLook(member, this.#members.values(), this.#pace, { nowMs, tookMs: nowMs - startedMs });
    // A touch that came meanwhile has made it due.
    if (member.touched === undefined) member.dueMs = nowMs + restMs;
  }

  /** The others do not suffer from one worktree at which a look fails, and it has its next turn like them. */
  async #snapshot(path: string, options: SnapshotOptions): Promise<SnapshotOutcome> {
    try {
      return await this.observer.snapshot(path, options);
    } catch (cause) {
      return { kind: "skipped", path, reason: "failed", detail: messageOf(cause) };
    }
  }

  #lose(path: string): void {
    this.#members.delete(path);
    this.#changed.delete(path);
    // The list of worktrees may hold nothing else now.
    this.#asked.worktreesMs = -Infinity;
    for (const known of [this.#reported, this.#renewed]) {
      for (const key of known.keys()) if (isAbout(key, `worktree ${path}`)) known.delete(key);
    }
  }

  #queueAll(path: string, isUrgent = false): void {
    for (const other of [...this.#members.keys(), defaultBranchSide]) this.#queue.put(path, other, isUrgent);
  }

  async #lookAtPairs(queued: readonly Pair[]): Promise<Looked> {
    const landing = this.#default;
    const toSettle = unsettled(this.#members.values(), landing);
    const possible = this.#openPairs(queued);
    const snapshots = possible.map(({ ours, theirs }) => ({ ours: ours.snapshot, theirs: theirs.snapshot }));
    // In one go: whether work has landed comes out of the same merges.
    const asked = [...snapshots, ...toSettle.map(({ pair }) => pair)];
    const merges = asked.length === 0 ? [] : await this.observer.merge(asked);
    for (const [at, { member, pair }] of toSettle.entries()) {
      if (landing !== undefined) await this.#settle(member, landing, pair, merges[possible.length + at]);
    }
    const open = this.#openPairs(queued, new Map(possible.map(({ key }, at) => [key, merges[at]])));
    const pairs: LookedPair[] = [];
    // A few side by side: while git answers for one, another is worked out.
    for (let from = 0; from < open.length; from += reviewsAtOnce) {
      const group = open.slice(from, from + reviewsAtOnce).map(async ({ ours, theirs, merge, isOver }) => {
        const outcome = merge ?? { kind: "skipped", reason: "failed", detail: "git gave no answer" };
        const looked = await judgePair(this.#parts.review, ours, theirs, outcome, this.#parts.log);
        return isOver ? onlyClaims(looked) : looked;
      });
      pairs.push(...(await Promise.all(group)));
    }
    return { pairs, marks: new Map(open.map(({ key, mark }) => [key, mark])), queued };
  }

  /** Those of the pairs that can be compared, and are not what they were when they were last reported. */
  #openPairs(queued: readonly Pair[], merges?: ReadonlyMap<string, MergeOutcome | undefined>): OpenPair[] {
    const open: OpenPair[] = [];
    const sides = this.#sidesOf(new Set(queued.flat()));
    for (const [one, other] of queued) {
      const ours = sides.get(one);
      const theirs = sides.get(other);
      if (ours === undefined || theirs === undefined) continue;
      const key = pairKey(ours.side, theirs.side);
      const isOver = ours.isOver || theirs.isOver;
      const seen = [ours, theirs].map(({ side }) => `${side.commit} ${side.label}`);
      const mark = [...seen, this.#renewed.get(key) ?? 0, isOver].join("\n");
      if (this.#reported.get(key) !== mark) open.push({ ours, theirs, mark, key, isOver, merge: merges?.get(key) });
    }
    return open;
  }

  async #settle(member: WatchedWorktree, landing: DefaultBranch, pair: SnapshotPair, merge: MergeOutcome | undefined) {
    const before = member.landed?.work;
    await settle(this.observer, member, landing, { pair, outcome: merge });
    // It leaves the others, or comes back to them: what was said of it before is not what holds now.
    if (before !== member.landed?.work) this.#queueAll(member.path);
  }

  #isOver(path: string): boolean {
    const member = this.#members.get(path);
    return member !== undefined && hasLanded(member, this.#members.values(), this.#default);
  }

  /** Those of them that can be compared. */
  #sidesOf(paths: ReadonlySet<string>): Map<string, ReviewedSide & { readonly isOver: boolean }> {
    const all = [...this.#members.values()];
    const sides = new Map<string, ReviewedSide & { readonly isOver: boolean }>();
    for (const path of paths) {
      const member = this.#members.get(path);
      const isOver = this.#isOver(path);
      if (isOver && this.#parts.claims?.(path) !== true) continue;
      const side = path === defaultBranchSide ? defaultAsSide(this.#default, all) : member && sideOf(member, all);
      if (side !== undefined) sides.set(path, { ...side, isOver });
    }
    return sides;
  }

  #takesPart(member: WatchedWorktree): boolean {
    return !this.#isOver(member.path) || this.#parts.claims?.(member.path) === true;
  }

  async #report(looked: Looked): Promise<void> {
    const members = [...this.#members.values()];
    // Before every worktree was seen once, what is missing is not gone.
    if (members.some(({ snapshot, skipped }) => snapshot === undefined && skipped === undefined)) {
      return this.#putBack(looked);
    }
    const landing = defaultAsSide(this.#default, members);
    const comparable = members.filter(({ snapshot }) => snapshot !== undefined);
    const [sides = [], landed = []] = [true, false].map((isAtWork) =>
      comparable.filter((one) => this.#takesPart(one) === isAtWork).map(({ path }) => `worktree ${path}`),
    );
    if (landing !== undefined) sides.push(sideIdentity(landing.side));
    const present = members.map(({ path }) => path);
    const listed = [...sides, ...present].join("\n");
    const changed = members.filter(({ path }) => this.#changed.has(path));
    const isQuiet = changed.length + looked.pairs.length === 0;
    if (isQuiet && listed === this.#last.sides && this.#problem === this.#last.problem) return;
    try {
      for (const member of changed) await this.#measure(member);
      await this.#parts.report({
        repository: this.observer.identity,
        defaultBranch: this.#default?.name ?? null,
        worktrees: changed.map(observed),
        present,
        sides,
        landed,
        pairs: looked.pairs,
        problem: this.#problem,
      });
    } catch (cause) {
      this.#putBack(looked);
      throw cause;
    }
    for (const { path } of changed) this.#changed.delete(path);
    for (const [key, mark] of looked.marks) this.#reported.set(key, mark);
    // The first time all are new, and wait to be compared anyway.
    if (this.#sides.size > 0) for (const side of sides) if (!this.#sides.has(side)) this.#welcome(side, looked);
    this.#sides = new Set(sides);
    this.#last.sides = listed;
    this.#last.problem = this.#problem;
  }

  /** A side that was away: findings about it ended meanwhile, so what was said before that must be said again. */
  #welcome(side: string, looked: Looked): void {
    for (const key of this.#reported.keys()) {
      if (isAbout(key, side) && !looked.marks.has(key)) this.#reported.delete(key);
    }
    if (side.startsWith("worktree ")) this.#queueAll(side.slice("worktree ".length));
    else for (const path of this.#members.keys()) this.#queue.put(path, defaultBranchSide, false);
  }

  #putBack({ queued }: Looked): void {
    for (const [one, other] of queued) this.#queue.put(one, other, false);
  }

  /** How it stands to the default branch, asked again only when one of the two moved. */
  async #measure(member: WatchedWorktree): Promise<void> {
    if (member.snapshot === undefined) return;
    const commit = this.#default?.snapshot.commit;
    const key = `${member.facts?.head} ${commit} ${member.snapshot.tree}`;
    if (member.standingFor === key) return;
    member.standing = await this.observer.standing(member.snapshot, commit);
    member.standingFor = key;
  }

  /** Starts watching one worktree more; in turn, because the first look at each costs most. */
  async #watchOne(): Promise<void> {
    const member = [...this.#members.values()].find(isToWatch);
    if (member === undefined) return;
    member.isWatched = true;
    const { path } = member;
    let isGathering = false;
    const gathered = (): void => {
      isGathering = false;
      const now = this.#members.get(path);
      if (now === undefined || this.#closed) return;
      // The watch itself knows which paths; this only says that it is time.
      now.touched ??= new Set();
      now.dueMs = -Infinity;
      this.#wake();
    };
    await this.observer.watch(path, () => {
      if (isGathering) return;
      isGathering = true;
      setTimeout(gathered, this.#pace.gatherMs);
    });
    // What happened while the watch was set up.
    member.dueMs = -Infinity;
  }
}

const isAbout = (key: string, side: string): boolean => (JSON.parse(key) as string[]).includes(side);

const isToWatch = ({ isWatched, snapshot }: WatchedWorktree): boolean => !isWatched && snapshot !== undefined;
