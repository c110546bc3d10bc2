// Every repository that is watched over, in the process that does it. Answers what daemon/sensing-client.ts asks; reports go the other way.

import { existsSync, realpathSync } from "node:fs";
import type { TrustedPlace } from "../files/trusted-place.ts";
import type { GitOptions } from "../host/git/git.ts";
import { Git } from "../host/git/git.ts";
import { locate, notARepository } from "../host/git/repository/locate.ts";
import { identityAt, observe } from "../host/git/observer.ts";
import type { WatchBudget } from "../host/git/watch/watch-budget.ts";
import { Places } from "../host/git/places.ts";
import type { Place } from "../core/worktrees/register.ts";
import { messageOf, Refusal } from "../protocol/errors.ts";
import type { Enclose } from "../ports/confinement.ts";
import type { Clock } from "../ports/machine.ts";
import type { FactsWish } from "../protocol/check.ts";
import type { LookedState } from "../protocol/sensing-state.ts";
import type { RepositoryReport } from "../ports/sensing.ts";
import { type OpenLanguages, openLanguages } from "../languages/open-languages.ts";
import { clearGates, gateRunner } from "../host/gate/run-gate.ts";
import type { OpenToolchains } from "../host/toolchains/open-toolchains.ts";
import type { HeldClaim } from "../protocol/claims.ts";
import type { CompilerWish } from "../protocol/compilers.ts";
import type { GateRun } from "../ports/gate.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { OwnSide, PushedSide, SideToTake, TakenSide } from "../ports/sides.ts";
import { ownSides, type SidesSeen, takeOthers } from "./share-sides.ts";
import type { GateParts } from "../sensing/ask-gate.ts";
import type { LandedContracts, LookedContracts } from "../core/services/contract-outcome.ts";
import type { GeneratedState, RepositoryInterfaces } from "../core/services/repository-interfaces.ts";
import type { Declarations } from "../core/services/service.ts";
import type { NameUses } from "../core/services/find-uses.ts";
import type { ContractQuestion, GateTree } from "../sensing/calls.ts";
import { ContractAnswers } from "../sensing/contract-answers.ts";
import { gateCommand, type GateWish } from "../sensing/gate-command.ts";
import { PairPipeline } from "../sensing/pipeline.ts";
import { QuietQueue } from "../sensing/quiet-queue.ts";
import { openMemory, type RepositoryMemory } from "../sensing/repository-memory.ts";
import type { Asked } from "../sensing/slow-question.ts";
import { type AffectedTests, testsOf } from "../sensing/tests-of.ts";
import { keepFacts } from "./keep-facts.ts";
import { RepositoryWatcher } from "../sensing/watch.ts";
import { repositoryToolchains } from "./repository-toolchains.ts";

export interface HostParts {
  readonly git: GitOptions;
  /** The place of the private object directories. */
  readonly directory: string | TrustedPlace;
  /** About how much the private objects of one repository may take. */
  readonly maxBytes?: number;
  readonly clock: Clock;
  /** The interval between two questions to the origins. If it is 0 or missing, they are never asked. */
  readonly fetchEveryMs?: number;
  /** The place where the owner's compilers work, and what the owner says about them. Without it, they are not asked. */
  readonly compilers?: CompilerWish & { readonly directory: string | TrustedPlace };
  /** The place where gates run. */
  readonly gates: string | TrustedPlace;
  /** The way gates are confined. Without it, they are not. */
  readonly enclose?: Enclose | undefined;
  readonly report: (report: RepositoryReport) => Promise<void>;
  readonly gateRuns: GateRuns;
  /** Closed with the rest; its own when there are none. */
  readonly languages?: OpenLanguages;
  /** The place where what is known of files outlives the daemon. Without it, nothing does. */
  readonly facts?: FactsWish | undefined;
  /** Without, each worktree may have as many as it needs. */
  readonly watches?: WatchBudget;
  /** Hears how far it has come, whenever that changes. */
  readonly state?: (state: LookedState) => void;
  readonly log: (line: string) => void;
}

/** The daemon's knowledge of a repository that it has opened. */
export interface KnownOfRepository {
  readonly gate?: GateWish | undefined;
  readonly origin?: string | undefined;
}

/** The earlier results of gates. */
export interface GateRuns {
  get(tree: GateTree): Promise<GateRun | undefined>;
  set(tree: GateTree, run: GateRun): Promise<void>;
}

interface Watched {
  readonly watcher: RepositoryWatcher;
  readonly memory: RepositoryMemory;
  readonly toolchains: OpenToolchains | undefined;
  readonly paths: Set<string>;
}

/** A pair that takes longer is answered as far as it got. */
const deadlineMs = 30_000;
/** Nobody waits for the compiler. */
const compilerDeadlineMs = 60_000;

const tellEveryMs = 250;

/** An edit asks for what it needs of all sides; what that many did not ask for is not needed by the next. */
const reportsBetweenForgetting = 200;

/** A compiler holds some hundred megabytes: kept while there is work, and not while there is none. */
const compilerIdleMs = 60_000;
/** Behind what agents run, and yet not for ever behind it. */
const compilerNiceness = 5;

export class SensingHost {
  readonly #parts: HostParts;
  readonly #watchers = new Map<string, Watched>();

  /** So many origins are asked side by side, however many repositories there are. */
  readonly #asking = new Places(8);
  /** The repositories that are being opened or dropped, so that the next request waits for them. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #claims = new Map<string, readonly HeldClaim[]>();
  readonly #gates = new Map<string, GateWish>();
  /** The origin of each repository, if we have a record of it. */
  readonly #origins = new Map<string, string>();
  readonly #contracts = new ContractAnswers();
  /** What was found out about our own work when it was last shown to others. */
  readonly #seen = new Map<string, SidesSeen>();
  readonly #gating: QuietQueue;
  readonly #compiling: QuietQueue;
  /** For all repositories: what is known of a file is the same wherever it stands. */
  readonly #languages: OpenLanguages;
  /** Done once the leftovers of a killed daemon are out of the way. Nothing new is run before. */
  readonly #cleared: Promise<void>;

  readonly #closing = new AbortController();
  #isTelling = false;
  #reports = 0;
  /** The last thing it told of how far it has come. */
  #told = "";

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#gating = new QuietQueue(parts);
    this.#compiling = new QuietQueue(parts);
    const { memoryBytes } = parts.compilers ?? {};
    const compiler = {
      idleMs: compilerIdleMs,
      niceness: compilerNiceness,
      changed: () => this.#tell(),
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
    };
    this.#languages = parts.languages ?? openLanguages({ compiler, shelf: keepFacts(parts.facts) });
    this.#cleared = clearGates(parts.gates);
  }

  /** Finds the repository and worktree that a path is in. */
  async locate(path: string): Promise<Place> {
    const location = await locate(new Git(this.#parts.git), path);
    if ("reason" in location) throw notARepository(path, location);
    const repository = await identityAt(path, this.#parts.git);
    if (repository === undefined) {
      throw new Refusal("git.not-a-repository", `${path} is not in a git repository`, { path });
    }
    return { repository, path: realpathSync(path), top: location.top };
  }

  /** Watches over a repository through these paths. Tells of what cannot be opened instead of failing. */
  async open(repository: string, paths: readonly string[], known: KnownOfRepository = {}): Promise<void> {
    await this.#inTurn(repository, () => this.#open(repository, paths, known));
  }

  async #open(repository: string, paths: readonly string[], { gate, origin }: KnownOfRepository): Promise<void> {
    if (gate === undefined) this.#gates.delete(repository);
    else this.#gates.set(repository, gate);
    if (origin === undefined) this.#origins.delete(repository);
    else this.#origins.set(repository, origin);
    const problems: string[] = [];
    for (const path of paths) {
      const known = this.#watchers.get(repository);
      if (known?.paths.has(path) === true) continue;
      try {
        if (known === undefined) await this.#begin(repository, path);
        else {
          await known.watcher.add(path);
          known.paths.add(path);
        }
      } catch (cause) {
        problems.push(messageOf(cause));
      }
    }
    if (this.#watchers.has(repository) || problems.length === 0) return;
    // No way in. Where it is not there any more, nothing of it can collide; where it only cannot be read, nobody knows.
    const problem = problems.join("; ").slice(0, 500);
    const none = { defaultBranch: null, worktrees: [], present: [], sides: [], landed: [], pairs: [], left: 0 };
    const isThere = paths.some((path) => existsSync(path));
    await this.#parts.report({ repository, ...none, problem, ...(isThere ? { isUnlooked: true } : {}) });
  }

  /** A worktree takes no part any more, until it is opened again. */
  async leave(repository: string, path: string): Promise<void> {
    await this.#inTurn(repository, async () => {
      const known = this.#watchers.get(repository);
      known?.paths.delete(path);
      known?.watcher.leave(path);
    });
  }

  /** Somebody edited there: the pairs it concerns are looked at now. */
  async touch(repository: string, worktree: string, files: readonly string[]): Promise<void> {
    await this.#watchers.get(repository)?.watcher.touch(worktree, files);
    // A caller that waited may ask next how far everything else has come.
    this.#tell();
  }

  /** Something was pushed to one of the origins: all are asked, for one question each costs little. */
  originsMoved(): void {
    for (const { watcher } of this.#watchers.values()) watcher.originMoved();
  }

  /** undefined when there is no such worktree, or it could not be looked at. */
  async tests(repository: string, worktree: string): Promise<AffectedTests | undefined> {
    const known = this.#watchers.get(repository);
    const work = known?.watcher.workOf(worktree);
    if (known === undefined || work === undefined) return undefined;
    return await testsOf(known.memory, known.watcher.observer, work.snapshot, work.landing);
  }

  /** The services that its files declare; undefined when that is not known now. */
  async declared(repository: string): Promise<Declarations | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    return watcher === undefined ? undefined : await this.#contracts.declared(watcher);
  }

  async contractChanges(repository: string, asked: ContractQuestion): Promise<LookedContracts | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    return watcher === undefined ? undefined : await this.#contracts.changes(watcher, asked);
  }

  async usesOf(repository: string, worktree: string, names: readonly string[]): Promise<NameUses | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    return watcher === undefined ? undefined : await this.#contracts.uses(watcher, worktree, names);
  }

  async interfacesOf(repository: string): Promise<RepositoryInterfaces | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    return watcher === undefined ? undefined : await this.#contracts.interfaces(watcher);
  }

  async ownSides(repository: string): Promise<readonly OwnSide[] | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    return watcher === undefined ? undefined : await ownSides(watcher, this.#sidesSeen(repository));
  }

  async pushSides(
    repository: string,
    wish: Parameters<RepositoryObserver["sides"]["push"]>[0],
  ): Promise<readonly PushedSide[] | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    const address = this.#origins.get(repository);
    return watcher && (await this.#asking.run(() => watcher.observer.sides.push(wish, address)));
  }

  async bundleSide(
    repository: string,
    side: Pick<OwnSide, "commit" | "onto">,
  ): Promise<{ readonly content: string } | { readonly why: string } | undefined> {
    const made = await this.#watchers.get(repository)?.watcher.observer.sides.bundle(side);
    return made === undefined || "why" in made ? made : { content: Buffer.from(made.content).toString("base64") };
  }

  async takeSides(repository: string, sides: readonly SideToTake[]): Promise<readonly TakenSide[] | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    const address = this.#origins.get(repository);
    return watcher && (await this.#asking.run(() => takeOthers(watcher, sides, address)));
  }

  #sidesSeen(repository: string): SidesSeen {
    const seen: SidesSeen = this.#seen.get(repository) ?? new Map();
    this.#seen.set(repository, seen);
    return seen;
  }

  async beganMs(repository: string, worktree: string): Promise<number | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    return watcher === undefined ? undefined : await this.#contracts.beganMs(watcher, worktree);
  }

  async generatedIn(
    repository: string,
    worktree: string,
    paths: readonly string[],
  ): Promise<GeneratedState | "gone" | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    return watcher === undefined ? undefined : await this.#contracts.generated(watcher, worktree, paths);
  }

  async namesInGenerated(
    repository: string,
    worktree: string,
    asked: { readonly paths: readonly string[]; readonly names: readonly string[] },
  ): Promise<string[] | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    return watcher === undefined ? undefined : await this.#contracts.namesInGenerated(watcher, worktree, asked);
  }

  async landedSince(
    repository: string,
    asked: ContractQuestion & { readonly sinceMs: number },
  ): Promise<LandedContracts | undefined> {
    const watcher = this.#watchers.get(repository)?.watcher;
    return watcher === undefined ? undefined : await this.#contracts.landed(watcher, asked);
  }

  /** Takes the claims held there now. If somebody holds something new, or no longer holds it, their pairs are looked at again. */
  claims(repository: string, claims: readonly HeldClaim[]): void {
    const before = this.#claims.get(repository) ?? [];
    this.#claims.set(repository, claims);
    const known = new Set(before.map((claim) => JSON.stringify(claim)));
    const now = new Set(claims.map((claim) => JSON.stringify(claim)));
    const other = [...claims, ...before].filter(
      (one) => !known.has(JSON.stringify(one)) || !now.has(JSON.stringify(one)),
    );
    for (const path of new Set(other.map(({ worktree }) => worktree)))
      this.#watchers.get(repository)?.watcher.recheck(path);
  }

  async drop(repository: string): Promise<void> {
    await this.#inTurn(repository, () => this.#drop(repository));
  }

  async #drop(repository: string): Promise<void> {
    const known = this.#watchers.get(repository);
    this.#watchers.delete(repository);
    this.#claims.delete(repository);
    this.#gates.delete(repository);
    this.#origins.delete(repository);
    this.#seen.delete(repository);
    this.#gating.forget(`${repository}\0`);
    this.#compiling.forget(`${repository}\0`);
    this.#progressed();
    await known?.watcher.close();
    known?.toolchains?.close();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#gating.close(), this.#compiling.close()]);
    const known = new Set([...this.#watchers.keys(), ...this.#turns.keys()]);
    await Promise.all([...known].map((repository) => this.drop(repository)));
    this.#languages.close(); // last: whoever still looks would open them again
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
    const { git, clock, directory, maxBytes, watches, report, log, fetchEveryMs = 0 } = this.#parts;
    const limit = maxBytes === undefined ? {} : { maxBytes };
    const sides = (): number | undefined => this.#watchers.get(repository)?.watcher.worktrees.length;
    const observer = await observe(path, { ...git, clock, directory, watches, sides, ...limit });
    if (observer.identity !== repository) {
      await observer.close();
      throw new Refusal("git.not-a-repository", `${path} is now ${observer.identity}: add it again`, { path });
    }
    const memory = openMemory(this.#languages, sides);
    const landing = (): Snapshot | undefined => this.#watchers.get(repository)?.watcher.landing;
    const claims = (): readonly HeldClaim[] => this.#claims.get(repository) ?? [];
    const toolchains = this.#toolchains(repository, observer);
    const pipeline = new PairPipeline({
      observer,
      memory,
      compilers: {
        asked: this.#later(repository, this.#compiling),
        deadlineMs: compilerDeadlineMs,
        checkouts: async () => this.#watchers.get(repository)?.watcher.worktrees ?? [],
        ...(toolchains === undefined ? {} : { toolchains }),
      },
      claims: { held: claims, landing },
      gate: this.#gate(observer, landing),
      deadlineMs,
      log,
    });
    const address = (): string | undefined => this.#origins.get(repository);
    const watcher = new RepositoryWatcher({
      observer,
      judge: (ours, theirs, merge) => pipeline.judge(ours, theirs, merge),
      report: async (made) => {
        await report(made);
        if (++this.#reports % reportsBetweenForgetting === 0) this.#languages.forgetUnasked();
      },
      clock,
      claims: (path) => claims().some(({ worktree }) => worktree === path),
      origin:
        fetchEveryMs > 0 ? { everyMs: fetchEveryMs, address, inPlace: (work) => this.#asking.run(work) } : undefined,
      log,
      progressed: () => this.#progressed(),
    });
    this.#watchers.set(repository, { watcher, memory, toolchains, paths: new Set([path]) });
    this.#progressed();
  }

  #toolchains(repository: string, observer: RepositoryObserver): OpenToolchains | undefined {
    const { compilers, git } = this.#parts;
    if (compilers === undefined) return undefined;
    const checkouts = (): readonly string[] => this.#watchers.get(repository)?.watcher.worktrees ?? [];
    return repositoryToolchains({ ...git, observer, compilers, checkouts, directory: compilers.directory });
  }

  /** Tells how far it has come, in a moment: what happens meanwhile is told with it. */
  #progressed(): void {
    if (this.#parts.state === undefined || this.#isTelling) return;
    this.#isTelling = true;
    void this.#tellSoon();
  }

  async #tellSoon(): Promise<void> {
    await this.#parts.clock.sleep(tellEveryMs, this.#closing.signal);
    this.#isTelling = false;
    if (!this.#closing.signal.aborted) this.#tell();
  }

  #tell(): void {
    const { state, watches } = this.#parts;
    const now: LookedState = {
      helpers: [...this.#languages.pids],
      watches: { used: watches?.used ?? 0, most: watches?.most ?? 0 },
      repositories: [...this.#watchers.values()].map(({ watcher }) => watcher.progress),
    };
    if (JSON.stringify(now) === this.#told) return;
    this.#told = JSON.stringify(now);
    state?.(now);
  }

  /** Nobody waits here: what takes long is asked when both sides are quiet, and the pair looked at again. */
  #later(repository: string, queue: QuietQueue): Asked {
    const recheck = (one: string, other: string): void => this.#watchers.get(repository)?.watcher.recheck(one, other);
    return { when: "later", queue, recheck };
  }

  #gate(observer: RepositoryObserver, landing: () => Snapshot | undefined): GateParts {
    const { git, gates, enclose, gateRuns, log } = this.#parts;
    const repository = observer.identity;
    const runner = gateRunner({ observer, ...git, enclose, directory: gates });
    return {
      asked: this.#later(repository, this.#gating),
      isChoosy: true,
      command: gateCommand({ observer, wish: () => this.#gates.get(repository), landing, log }),
      runner: {
        run: async (request) => {
          await this.#cleared;
          return await runner.run(request);
        },
      },
      cache: {
        get: (subject) => gateRuns.get({ repository, ...subject }),
        set: (subject, run) => gateRuns.set({ repository, ...subject }, run),
      },
    };
  }
}
