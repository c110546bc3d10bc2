// The default branch as the origin has it, asked again and again in the background: what is watched never waits for the network.
// A question is asked when somebody says that the branch may have moved, and in any case when its time has come.

import type { KnownBranch, OriginAnswer, RepositoryObserver } from "../ports/git.ts";
import type { Clock } from "../ports/machine.ts";
import { messageOf } from "../protocol/errors.ts";
import { clockTime, landingBranch, type LandingBranch, type OriginWord, shortOf } from "./landing-branch.ts";

export interface OriginParts {
  readonly observer: Pick<RepositoryObserver, "defaultBranch" | "askOrigin" | "fetchedMs">;
  readonly clock: Clock;
  readonly everyMs: number;
  /** Returns the origin's address, from our own record. */
  readonly address: () => string | undefined;
  /** Runs the work when there is room for it. */
  readonly inPlace?: <T>(work: () => Promise<T>) => Promise<T>;
  /** The answer is another than before. */
  readonly changed: () => void;
}

/** An origin that has not spoken by then is looked at as one that cannot be asked. */
const deadlineMs = 60_000;
/** A clone's note of the origin may change every second; a harvest says more, and is followed at once. */
const hintGapMs = 5_000;
/** So long the first look waits for the first word, so that most repositories are compared once and not twice. */
const firstWordMs = 2_000;

export class FollowedOrigin {
  readonly #parts: OriginParts;
  readonly #closing = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  readonly #ended: Promise<void>;
  #awake = new AbortController();
  #dueMs = -Infinity;
  #askedMs = -Infinity;
  #knownMs: number | undefined;
  #word: OriginWord | undefined;

  constructor(parts: OriginParts) {
    this.#parts = parts;
    this.#ended = this.#run();
  }

  /** Returns the branch that work lands on, as far as the origin and the clones have said. */
  async landing(): Promise<LandingBranch | undefined> {
    if (this.#word === undefined) {
      const late = new AbortController();
      const signal = AbortSignal.any([late.signal, this.#closing.signal]);
      await Promise.race([this.#first.promise, this.#parts.clock.sleep(firstWordMs, signal)]);
      late.abort();
    }
    const { branch, isOld } = landingBranch(await this.#parts.observer.defaultBranch(), this.#word);
    if (isOld) this.hint();
    return branch;
  }

  /** The branch may have moved; `isSure` when somebody pushed there. */
  hint(isSure = false): void {
    this.#dueMs = isSure ? -Infinity : Math.min(this.#dueMs, this.#askedMs + hintGapMs);
    this.#awake.abort();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#awake.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { clock, everyMs } = this.#parts;
    while (!this.#closing.signal.aborted) {
      this.#awake = new AbortController();
      const restMs = this.#dueMs - clock.monotonicMs();
      if (restMs > 0) {
        await clock.sleep(restMs, this.#awake.signal);
        continue;
      }
      this.#askedMs = clock.monotonicMs();
      this.#dueMs = Infinity;
      await this.#ask();
      // One that takes long to say no is asked less often. A hint that came meanwhile has made it due.
      const tookMs = clock.monotonicMs() - this.#askedMs;
      this.#dueMs = Math.min(this.#dueMs, clock.monotonicMs() + Math.max(everyMs, 4 * tookMs));
    }
  }

  async #ask(): Promise<void> {
    const { observer, clock, address, changed } = this.#parts;
    const before = JSON.stringify(this.#word);
    try {
      const local = await observer.defaultBranch();
      const branch = local === undefined ? undefined : shortOf(local.name);
      const signal = this.#closing.signal;
      const wish = { branch, orHead: true, address: address(), deadlineMs, signal };
      const answer = await this.#inPlace(() => observer.askOrigin(wish));
      if (answer === undefined || signal.aborted) return;
      this.#take(answer, local, clock.nowMs());
    } catch (cause) {
      if (this.#closing.signal.aborted) return;
      this.#take({ kind: "failed", why: messageOf(cause) }, undefined, clock.nowMs());
    } finally {
      this.#first.resolve();
    }
    if (JSON.stringify(this.#word) !== before) changed();
  }

  /** undefined when it is closed before there was room: nobody waits then for origins of others that do not answer. */
  async #inPlace(ask: () => Promise<OriginAnswer>): Promise<OriginAnswer | undefined> {
    const { inPlace } = this.#parts;
    if (inPlace === undefined) return await ask();
    const { signal } = this.#closing;
    let isUnderWay = false;
    const givenUp = Promise.withResolvers<undefined>();
    signal.addEventListener("abort", () => isUnderWay || givenUp.resolve(undefined), { once: true });
    const turn = inPlace(async () => {
      if (signal.aborted) return undefined;
      isUnderWay = true;
      return await ask();
    });
    return await Promise.race([turn, givenUp.promise]);
  }

  #take(answer: OriginAnswer, local: KnownBranch | undefined, nowMs: number): void {
    const before = this.#word;
    if (answer.kind === "told") {
      this.#knownMs = nowMs;
      this.#word = { ...answer, localWas: local?.commit };
    } else if (answer.kind === "failed") {
      const last = before?.kind === "told" ? before : before?.kind === "failed" ? before.last : undefined;
      const heardMs = local === undefined ? undefined : this.#parts.observer.fetchedMs(shortOf(local.name));
      const knownMs = Math.max(this.#knownMs ?? 0, heardMs ?? 0);
      // What a clone has heard since is newer than the origin's last word to us.
      const isNewest = last !== undefined && !landingBranch(local, last).isOld;
      const known = knownMs === 0 ? undefined : clockTime(knownMs);
      this.#word = { ...answer, last: isNewest ? last : undefined, known };
    } else this.#word = { kind: "none" };
  }
}
