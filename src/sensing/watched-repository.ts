// The worktrees of one repository as they are watched over, and the branch that their work lands on: which there are, how each
// was last seen, and when each is looked at next. What follows from a change is left to who listens.
//
// A worktree is looked at when a hook or the watch says so, and in any case when its time has come: soon after a change,
// ever more rarely while nothing happens. While it is watched, that look costs some stats and no process.

import { isAbsolute, relative } from "node:path";
import type { RepositoryObserver, SnapshotOptions, SnapshotOutcome } from "../ports/git.ts";
import type { Clock } from "../ports/machine.ts";
import { messageOf } from "../protocol/errors.ts";
import type { WatchedState } from "../protocol/sensing-state.ts";
import type { FollowedOrigin } from "./followed-origin.ts";
import { unaskedLanding } from "./landing-branch.ts";
import { landingStampOf, listingOf } from "./listing.ts";
import { type Pace, restAfterLook } from "./pace.ts";
import { type DefaultBranch, isUnread, newWatched, see, skip, type WatchedWorktree } from "./watched-worktree.ts";

export interface WatchedParts {
  readonly observer: RepositoryObserver;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly log: (line: string) => void;
  /** A worktree is different from before; `isUrgent` when somebody said that it would be. */
  readonly changed: (path: string, isUrgent: boolean) => void;
  readonly lost: (path: string) => void;
  /** The branch that work lands on is another, or has moved. */
  readonly landingMoved: () => void;
  /** The branch as the origin has it; without one, as a clone last heard of it. */
  readonly origin?: Pick<FollowedOrigin, "landing" | "hint"> | undefined;
  /** Something is due now. */
  readonly wake: () => void;
  /** Another worktree was looked at, or begins to be watched. */
  readonly progressed: () => void;
}

export class WatchedRepository {
  readonly #parts: WatchedParts;
  readonly #members = new Map<string, WatchedWorktree>();
  /** The same in a list, made once for the many questions of a round. */
  #all: readonly WatchedWorktree[] | undefined;
  /** Take no part although they are there. */
  readonly #left = new Set<string>();
  /** Touched before they were known. */
  readonly #expected = new Set<string>();
  readonly #asked = { listingMs: -Infinity, worktreesMs: -Infinity, landingMs: -Infinity };
  readonly #last = { listing: "", landing: "" };
  #landing: DefaultBranch | undefined;
  #problem: string | null = null;
  /** The number of worktrees that were there and are not any more. */
  #lost = 0;
  #closed = false;

  constructor(parts: WatchedParts) {
    this.#parts = parts;
  }

  get landing(): DefaultBranch | undefined {
    return this.#landing;
  }

  /** The reason why the repository as a whole cannot be observed. Null when it can. */
  get problem(): string | null {
    return this.#problem;
  }

  all(): readonly WatchedWorktree[] {
    return (this.#all ??= [...this.#members.values()]);
  }

  get(path: string): WatchedWorktree | undefined {
    return this.#members.get(path);
  }

  close(): void {
    this.#closed = true;
  }

  /** Another clone, or a worktree that may be new. */
  async add(path: string): Promise<void> {
    this.#left.delete(path);
    await this.#parts.observer.add(path);
    this.#asked.worktreesMs = -Infinity;
  }

  leave(path: string): void {
    this.#left.add(path);
    if (this.#members.has(path)) this.#lose(path);
  }

  touch(worktree: string, files: readonly string[]): void {
    const member = this.#members.get(worktree);
    if (member === undefined) {
      this.#expected.add(worktree);
      this.#asked.worktreesMs = -Infinity;
      return;
    }
    const inside = files.map((file) => (isAbsolute(file) ? relative(worktree, file) : file));
    if (files.length === 0) member.touched = "everything";
    else if (member.touched !== "everything") {
      member.touched = new Set([...(member.touched ?? []), ...inside.filter((file) => !file.startsWith(".."))]);
    }
    member.dueMs = -Infinity;
  }

  /** Looks at all that is due. */
  async look(): Promise<void> {
    const nowMs = this.#parts.clock.monotonicMs();
    const before = this.#lost;
    await this.#lookAtDue();
    // One that was moved is found at its new place before anybody hears that it is gone from the old one.
    if (this.#lost !== before) await this.#lookAtDue();
    if (nowMs - this.#asked.landingMs < this.#parts.pace.defaultEveryMs) return;
    this.#asked.landingMs = nowMs;
    await this.#findLanding();
  }

  async #lookAtDue(): Promise<void> {
    await this.#list();
    const nowMs = this.#parts.clock.monotonicMs();
    const due = this.all().filter((member) => member.dueMs <= nowMs && !waitsForWatch(member));
    const [polls, told] = [due.filter(isOnlyPolled), due.filter((member) => !isOnlyPolled(member))];
    await Promise.all(told.map((member) => this.#lookAt(member)));
    await this.#poll(polls);
  }

  /** Those that wait longest first, until one has changed, which is compared before the others are asked; they stay due. */
  async #poll(members: readonly WatchedWorktree[]): Promise<void> {
    const { clock } = this.#parts;
    const untilMs = clock.monotonicMs() + pollAtOnceMs;
    for (const member of members.toSorted((one, other) => one.dueMs - other.dueMs)) {
      const isNew = await this.#lookAt(member);
      if (isNew || clock.monotonicMs() >= untilMs) return;
    }
  }

  get progress(): Omit<WatchedState, "repository" | "pairs_waiting"> {
    const members = this.all();
    const polled = members.filter(({ isWatched, polledMs }) => isWatched && polledMs !== undefined);
    return {
      worktrees: members.length,
      looked: members.filter(({ snapshot, skipped }) => snapshot !== undefined || skipped !== undefined).length,
      watched: members.filter(({ isWatched, polledMs }) => isWatched && polledMs === undefined).length,
      polled: polled.length,
      // In whole seconds: it is told when it is different.
      poll_ms:
        polled.length === 0 ? null : 1_000 * Math.ceil(Math.max(...polled.map(({ everyMs }) => everyMs)) / 1_000),
    };
  }

  /** The branch that work lands on may be another than it was. */
  askForLanding(): void {
    this.#asked.landingMs = -Infinity;
    this.#parts.wake();
  }

  /** Returns how long nothing is due. 0 when something can be done now. */
  restMs(): number {
    const members = this.all();
    if (members.some(isToWatch)) return 0;
    const { clock, pace } = this.#parts;
    const dueMs = Math.min(this.#asked.listingMs + pace.listEveryMs, ...members.map((member) => member.dueMs));
    return Math.max(1, dueMs - clock.monotonicMs());
  }

  /** Lists the worktrees there are, and where they land. git is asked when there is a reason, and now and then. */
  async #list(): Promise<void> {
    const { observer, clock, pace } = this.#parts;
    const nowMs = clock.monotonicMs();
    const everyMs = this.#problem === null ? pace.askEveryMs : pace.defaultEveryMs;
    const isDue = nowMs - this.#asked.worktreesMs >= everyMs;
    if (!isDue && nowMs - this.#asked.listingMs < pace.listEveryMs) return;
    this.#asked.listingMs = nowMs;
    const landing = landingStampOf(this.#members.values(), this.#landing?.name);
    if (landing !== this.#last.landing) {
      this.#asked.landingMs = -Infinity;
      // Somebody fetched or pushed. The first time it only became known.
      if (this.#last.landing !== "") this.#parts.origin?.hint();
    }
    this.#last.landing = landing;
    // Read before git is asked: a worktree that comes in between is then new at the next reading.
    const listing = listingOf(this.#members.values());
    if (!isDue && listing === this.#last.listing) return;
    // When that fails those that are known are looked at meanwhile; where none is, nothing was looked at, and it is asked again.
    if (this.#members.size > 0) this.#asked.worktreesMs = nowMs;
    const { found, skipped } = await observer.worktrees();
    this.#asked.worktreesMs = nowMs;
    // Looking at it says why.
    const unread = skipped.filter(isUnread);
    const there = new Set([...found, ...unread].map(({ path }) => path));
    for (const path of there) this.#meet(path, nowMs);
    this.#expected.clear();
    // What is known and not listed may be on its way out: looking at it says.
    for (const member of this.#members.values()) if (!there.has(member.path)) member.dueMs = -Infinity;
    const bad = skipped.find(({ reason }) => reason === "gone" || reason === "corrupt");
    this.#problem = found.length > 0 || bad === undefined ? null : `${bad.path}: ${bad.detail}`;
    this.#last.listing = listing;
  }

  #meet(path: string, nowMs: number): void {
    if (this.#members.has(path) || this.#left.has(path)) return;
    const member = newWatched(path);
    member.metMs = nowMs;
    if (this.#expected.has(path)) member.touched = "everything";
    // One that comes while we are here comes because somebody begins to work.
    if (this.#last.listing !== "") member.activeMs = nowMs;
    this.#members.set(path, member);
    this.#all = undefined;
  }

  async #findLanding(): Promise<void> {
    const { observer, origin } = this.#parts;
    const found = origin === undefined ? await unaskedLanding(observer) : await origin.landing();
    const before = this.#landing;
    const isSame = before?.name === found?.name && before?.snapshot.commit === found?.commit;
    const said = (branch: typeof before | typeof found): string => JSON.stringify([branch?.open, branch?.notes]);
    if (isSame && said(before) === said(found)) return;
    const snapshot = found === undefined || isSame ? before?.snapshot : await observer.snapshotOf(found.commit);
    this.#landing =
      found === undefined || snapshot === undefined
        ? undefined
        : { name: found.name, snapshot, open: found.open, notes: found.notes };
    this.#parts.landingMoved();
    // A worktree that stands on it moved with it, and should be seen to before either is compared.
    const isOnIt = ({ facts }: WatchedWorktree): boolean =>
      !isSame && facts?.branch === found?.name && facts?.head !== found?.commit;
    await Promise.all(
      this.all()
        .filter(isOnIt)
        .map((member) => this.#lookAt(member)),
    );
  }

  /** Tells whether it is different from before. */
  async #lookAt(member: WatchedWorktree): Promise<boolean> {
    const { clock, pace, log, changed } = this.#parts;
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
      this.#lose(path);
      return true;
    }
    const isNew = outcome.kind === "taken" ? see(member, outcome, nowMs) : skip(member, outcome, nowMs);
    if (isNew && outcome.kind === "skipped" && outcome.reason === "failed") log(`${path}: ${outcome.detail}`);
    if (isNew) {
      changed(path, touched !== undefined);
      // A commit or a fetch may have moved the branch that work lands on.
      if (headBefore !== undefined && headBefore !== member.facts?.head) this.#asked.landingMs = -Infinity;
    }
    if (outcome.kind === "taken") member.polledMs = outcome.polledMs;
    if ((isNew && !isFirst) || touched !== undefined) member.activeMs = nowMs;
    const restMs = restAfterLook(member, this.#members.values(), pace, { nowMs, tookMs: nowMs - startedMs });
    // A touch that came meanwhile has made it due.
    if (member.touched === undefined) member.dueMs = nowMs + restMs;
    if (isFirst || isNew) this.#parts.progressed();
    return isNew;
  }

  /** The others do not suffer from one worktree at which a look fails, and it has its next turn like them. */
  async #snapshot(path: string, options: SnapshotOptions): Promise<SnapshotOutcome> {
    try {
      return await this.#parts.observer.snapshot(path, options);
    } catch (cause) {
      return { kind: "skipped", path, reason: "failed", detail: messageOf(cause) };
    }
  }

  #lose(path: string): void {
    this.#members.delete(path);
    this.#all = undefined;
    this.#lost += 1;
    // The list of worktrees may hold nothing else now.
    this.#asked.worktreesMs = -Infinity;
    this.#parts.lost(path);
  }

  /** Starts watching worktrees: one, and more while there is time, so that an edit is heard of while many pairs wait. */
  async watchSome(): Promise<void> {
    const { clock } = this.#parts;
    const untilMs = clock.monotonicMs() + watchAtOnceMs;
    for (;;) {
      const member = this.all().find(isToWatch);
      if (member === undefined || this.#closed) return;
      await this.#watch(member);
      if (clock.monotonicMs() >= untilMs) return;
    }
  }

  async #watch(member: WatchedWorktree): Promise<void> {
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
      this.#parts.wake();
    };
    await this.#parts.observer.watch(path, () => {
      if (isGathering) return;
      isGathering = true;
      setTimeout(gathered, this.#parts.pace.gatherMs);
    });
    // Looks for what happened while the watch was set up.
    member.dueMs = -Infinity;
    this.#parts.progressed();
  }
}

/** Pairs that wait are not held up longer than this by asking for the times of files. */
const pollAtOnceMs = 50;
/** Nor by beginning to watch. */
const watchAtOnceMs = 50;

/** Nobody says that something changed there; it is its turn. */
const isOnlyPolled = ({ polledMs, touched }: WatchedWorktree): boolean =>
  polledMs !== undefined && touched === undefined;

const isToWatch = ({ isWatched, snapshot }: WatchedWorktree): boolean => !isWatched && snapshot !== undefined;

/** It was read once, and its watch names what has changed since: git need not read it a second time. Whoever says that something happened is heard. */
const waitsForWatch = (member: WatchedWorktree): boolean =>
  isToWatch(member) && member.polledMs === undefined && member.dueMs > -Infinity;
