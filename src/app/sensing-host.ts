// Every repository that is watched over, in the thread that does it. Answers what daemon/sensing-client.ts asks; reports go the other way.

import { realpathSync } from "node:fs";
import type { TrustedPlace } from "../files/trusted-place.ts";
import type { GitOptions } from "../host/git/git.ts";
import { Git } from "../host/git/git.ts";
import { locate } from "../host/git/locate.ts";
import { identityAt, observe } from "../host/git/observer.ts";
import type { Place } from "../core/worktrees/register.ts";
import { messageOf, Refusal } from "../protocol/errors.ts";
import type { Clock } from "../ports/machine.ts";
import type { RepositoryReport } from "../ports/sensing.ts";
import type { TypeScriptCompiler } from "../languages/typescript/compiler/typescript-compiler.ts";
import type { ReviewPorts } from "../sensing/review-pair.ts";
import { clearGates, gateRunner } from "../host/gate/run-gate.ts";
import type { HeldClaim } from "../protocol/claims.ts";
import type { GateRun } from "../ports/gate.ts";
import { QuietQueue } from "../sensing/quiet-queue.ts";
import { withClaims } from "../sensing/review-claims.ts";
import { type GateWish, withGate } from "../sensing/review-gate.ts";
import { withTypes } from "../sensing/review-types.ts";
import { compilerHere } from "../languages/typescript/compiler/compiler-check.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { Review } from "../sensing/judge-pair.ts";
import { type AffectedTests, testsOf } from "../sensing/tests-of.ts";
import { RepositoryWatcher } from "../sensing/watch.ts";
import { compiledPorts, reviewPorts, reviewWith } from "../sensing/review-with.ts";

export interface SensesParts {
  readonly git: GitOptions;
  /** Where the private object directories are. */
  readonly directory: string | TrustedPlace;
  readonly clock: Clock;
  /** Where gates run. */
  readonly gates: string | TrustedPlace;
  readonly report: (report: RepositoryReport) => Promise<void>;
  readonly gateRuns: GateRuns;
  /** Closed with the rest; one of its own when there is none. */
  readonly compiler?: TypeScriptCompiler & { close(): void };
  readonly log: (line: string) => void;
}

/** What gates said before; `key` is made of command and tree. */
export interface GateRuns {
  get(repository: string, key: string): Promise<GateRun | undefined>;
  set(repository: string, key: string, run: GateRun): Promise<void>;
}

/** It holds some hundred megabytes: kept while there is work, and not while there is none. */
const compilerIdleMs = 60_000;
/** Behind what agents run, and yet not for ever behind it. */
const compilerNiceness = 5;

export class SensingHost {
  readonly #parts: SensesParts;
  readonly #senses = new Map<string, { sense: RepositoryWatcher; ports: ReviewPorts; paths: Set<string> }>();

  /** What is being opened or dropped, so that the next waits for it. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #claims = new Map<string, readonly HeldClaim[]>();
  readonly #gates = new Map<string, GateWish>();
  readonly #keeper: QuietQueue;
  readonly #compiling: QuietQueue;
  readonly #compiler: (TypeScriptCompiler & { close(): void }) | undefined;
  /** What a daemon that was killed left is out of the way before anything new is run. */
  readonly #cleared: Promise<void>;

  constructor(parts: SensesParts) {
    this.#parts = parts;
    this.#keeper = new QuietQueue(parts);
    this.#compiling = new QuietQueue(parts);
    this.#compiler = parts.compiler ?? compilerHere({ idleMs: compilerIdleMs, niceness: compilerNiceness });
    this.#cleared = clearGates(parts.gates);
  }

  /** Which repository and worktree a path is in. */
  async locate(path: string): Promise<Place> {
    const location = await locate(new Git(this.#parts.git), path);
    const repository = "reason" in location ? undefined : await identityAt(path, this.#parts.git);
    if ("reason" in location || repository === undefined) {
      throw new Refusal("git.not-a-repository", `${path} is in no git repository`, { path });
    }
    return { repository, path: realpathSync(path), top: location.top };
  }

  /** Watches over a repository through these paths. Tells of what cannot be opened instead of failing. */
  async open(repository: string, paths: readonly string[], gate?: GateWish): Promise<void> {
    await this.#inTurn(repository, () => this.#open(repository, paths, gate));
  }

  async #open(repository: string, paths: readonly string[], gate: GateWish | undefined): Promise<void> {
    if (gate === undefined) this.#gates.delete(repository);
    else this.#gates.set(repository, gate);
    const problems: string[] = [];
    for (const path of paths) {
      const known = this.#senses.get(repository);
      if (known?.paths.has(path) === true) continue;
      try {
        if (known === undefined) await this.#begin(repository, path);
        else {
          await known.sense.add(path);
          known.paths.add(path);
        }
      } catch (cause) {
        problems.push(messageOf(cause));
      }
    }
    if (this.#senses.has(repository) || problems.length === 0) return;
    // No way in: nothing of it is there to collide.
    const problem = problems.join("; ").slice(0, 500);
    const none = { defaultBranch: null, worktrees: [], present: [], sides: [], landed: [], pairs: [] };
    await this.#parts.report({ repository, ...none, problem });
  }

  /** A worktree takes no part any more, until it is opened again. */
  async leave(repository: string, path: string): Promise<void> {
    await this.#inTurn(repository, async () => {
      const known = this.#senses.get(repository);
      known?.paths.delete(path);
      known?.sense.leave(path);
    });
  }

  /** Somebody edited there: the pairs it concerns are looked at now. */
  async touch(repository: string, worktree: string, files: readonly string[]): Promise<void> {
    await this.#senses.get(repository)?.sense.touch(worktree, files);
  }

  /** undefined when there is no such worktree, or it could not be looked at. */
  async tests(repository: string, worktree: string): Promise<AffectedTests | undefined> {
    const known = this.#senses.get(repository);
    const work = known?.sense.workOf(worktree);
    if (known === undefined || work === undefined) return undefined;
    return await testsOf(known.ports, known.sense.observer, work.snapshot, work.landing);
  }

  /** What is claimed there now: the pairs of those who hold something new, or no longer, are looked at again. */
  claims(repository: string, claims: readonly HeldClaim[]): void {
    const before = this.#claims.get(repository) ?? [];
    this.#claims.set(repository, claims);
    const known = new Set(before.map((claim) => JSON.stringify(claim)));
    const now = new Set(claims.map((claim) => JSON.stringify(claim)));
    const other = [...claims, ...before].filter(
      (one) => !known.has(JSON.stringify(one)) || !now.has(JSON.stringify(one)),
    );
    for (const path of new Set(other.map(({ worktree }) => worktree)))
      this.#senses.get(repository)?.sense.recheck(path);
  }

  async drop(repository: string): Promise<void> {
    await this.#inTurn(repository, () => this.#drop(repository));
  }

  async #drop(repository: string): Promise<void> {
    const known = this.#senses.get(repository);
    this.#senses.delete(repository);
    this.#claims.delete(repository);
    this.#gates.delete(repository);
    this.#keeper.forget(`${repository}\0`);
    this.#compiling.forget(`${repository}\0`);
    await known?.sense.close();
  }

  async close(): Promise<void> {
    await Promise.all([this.#keeper.close(), this.#compiling.close()]);
    this.#compiler?.close();
    const known = new Set([...this.#senses.keys(), ...this.#turns.keys()]);
    await Promise.all([...known].map((repository) => this.drop(repository)));
  }

  /** Opened from two sides at once, a repository would be looked at twice, over one private directory. */
  async #inTurn(repository: string, work: () => Promise<void>): Promise<void> {
    const before = this.#turns.get(repository);
    const turn = (async () => {
      await before;
      await work();
    })();
    const settled = turn.catch(() => undefined);
    this.#turns.set(repository, settled);
    try {
      await turn;
    } finally {
      if (this.#turns.get(repository) === settled) this.#turns.delete(repository);
    }
  }

  async #begin(repository: string, path: string): Promise<void> {
    const { git, clock, directory, report, log } = this.#parts;
    const observer = await observe(path, { ...git, clock, directory });
    if (observer.identity !== repository) {
      await observer.close();
      throw new Refusal("git.not-a-repository", `${path} is now ${observer.identity}: add it again`, { path });
    }
    const ports = reviewPorts();
    const landing = (): Snapshot | undefined => this.#senses.get(repository)?.sense.landing;
    const claims = (): readonly HeldClaim[] => this.#claims.get(repository) ?? [];
    const plain = reviewWith(ports, observer);
    const typed = this.#typed(plain, ports, observer);
    const claimed = withClaims(typed, { observer, memory: ports.memory, claims, landing });
    const review = this.#gated(claimed, observer, landing);
    const holds = (path: string): boolean => claims().some(({ worktree }) => worktree === path);
    const sense = new RepositoryWatcher({ observer, review, report, clock, claims: holds, log });
    this.#senses.set(repository, { sense, ports, paths: new Set([path]) });
  }

  #typed(review: Review, ports: ReviewPorts, observer: RepositoryObserver): Review {
    const compiler = this.#compiler;
    if (compiler === undefined) return review;
    const asked = compiledPorts(ports, compiler);
    return withTypes(review, {
      observer,
      memory: ports.memory,
      keeper: this.#compiling,
      compiled: (signal) => reviewWith(asked, observer, signal),
      recheck: (one, other) => this.#senses.get(observer.identity)?.sense.recheck(one, other),
      log: this.#parts.log,
    });
  }

  #gated(review: Review, observer: RepositoryObserver, landing: () => Snapshot | undefined): Review {
    const { git, gates, gateRuns, log } = this.#parts;
    const repository = observer.identity;
    const runner = gateRunner({ observer, ...git, directory: gates });
    return withGate(review, {
      observer,
      keeper: this.#keeper,
      runner: {
        run: async (request) => {
          await this.#cleared;
          return await runner.run(request);
        },
      },
      cache: {
        get: (key) => gateRuns.get(repository, key),
        set: (key, run) => gateRuns.set(repository, key, run),
      },
      wish: () => this.#gates.get(repository),
      landing,
      recheck: (one, other) => this.#senses.get(repository)?.sense.recheck(one, other),
      log,
    });
  }
}
