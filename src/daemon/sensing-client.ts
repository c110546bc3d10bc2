// Sensing as the daemon has it: which repositories are to be observed is read from the store, the looking is done in other processes (lookers.ts), and
// what they report is taken in here.

import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { gateRun, keepGateRun } from "../core/findings/gate-runs.ts";
import type { Context } from "../core/context.ts";
import { type LandedContracts, lacksIn } from "../core/services/contract-outcome.ts";
import type { ContractSight } from "../core/services/read-graph.ts";
import { recordedOrigin } from "../core/tasks/workspaces/recorded-origin.ts";
import { nameOfRepository, observedClones } from "../core/worktrees/list.ts";
import { forget, leaveClone, type Place, register } from "../core/worktrees/register.ts";
import { noteUnchecked } from "../core/worktrees/note-unchecked.ts";
import { takeIn } from "../core/worktrees/take-in.ts";
import type { HeldClaim } from "../protocol/claims.ts";
import { messageOf, Refusal } from "../protocol/errors.ts";
import type { BudgetWish } from "../protocol/check.ts";
import type { SensingState } from "../protocol/sensing-state.ts";
import type { SideObjects } from "../ports/sides.ts";
import type { RepositoryReport } from "../ports/sensing.ts";
import type { TrustedPlace } from "../files/trusted-place.ts";
import { transportVariables } from "../host/git/talk.ts";
import { readEnv } from "../settings/env.ts";
import { inHome } from "../settings/paths.ts";
import type { Round } from "./loops/react.ts";
import { type GatePair, gateWish } from "./loops/gate-wish.ts";
import { Lookers } from "./lookers.ts";
import type { StallMeter } from "./stall-meter.ts";
import type { SensingCalls, SensingStart } from "../sensing/calls.ts";
import type { Link } from "../sensing/link.ts";
import type { AffectedTests } from "../sensing/tests-of.ts";
import { tidyMemory } from "../sensing/tidy-memory.ts";

export interface SensingParts {
  readonly context: Pick<Context, "store" | "constellation" | "random" | "clock">;
  readonly start: SensingStart;
  readonly budget: BudgetWish;
  readonly meter?: StallMeter;
  /** The repositories whose gates are run on pairs. */
  readonly gates: readonly GatePair[];
  /** Tells whether an agent can see a place itself: for one that cannot, it is not looked at either. */
  readonly isInSight: (agent: string, path: string) => boolean;
  readonly log: (line: string) => void;
}

/** The time for which a path outside every observed repository is remembered as such: hooks of other projects ask at every edit. */
const strangerMs = 60_000;

export class SensingClient {
  readonly #parts: SensingParts;
  readonly #lookers: Lookers;
  /** The repository of each worktree, as last reported. */
  readonly #worktrees = new Map<string, string>();
  /** The name of each repository. */
  readonly #names = new Map<string, string>();
  readonly #strangers = new Map<string, number>();
  #claimed: readonly string[] = [];
  /** How often those who look at repositories began anew. */
  timesLost = 0;
  /** Of each repository that was looked at since the daemon began: how many pairs are still to be. */
  readonly #left = new Map<string, number>();
  readonly #tidy = tidyMemory();

  constructor(parts: SensingParts) {
    this.#parts = parts;
    const { context, start, budget, log } = parts;
    this.#lookers = new Lookers({
      start,
      budget,
      clock: context.clock,
      called: (repository) => this.#names.get(repository) ?? repository,
      log,
      answers: {
        report: (report) => this.#measured(() => this.#takeIn(report)),
        gateRun: (tree) => gateRun(context, tree),
        gateRan: ({ run, ...tree }) => keepGateRun(context, tree, run),
      },
      lost: (repositories, isSoon) => this.#lost(repositories, isSoon),
      overran: (unchecked) => this.#inBackground("note what was not checked", noteUnchecked(context, unchecked)),
    });
  }

  /** The progress of the looking. Undefined before it began. */
  get state(): SensingState | undefined {
    return this.#lookers.state;
  }

  pairsLeft = (repository: string): number | undefined => this.#left.get(repository);

  /** Keeps what is watched over in step with what is wanted. */
  get loop(): Round {
    return {
      round: async () => {
        for (const [repository, paths] of await observedClones(this.#parts.context)) {
          await this.#open(repository, paths);
        }
        return undefined;
      },
    };
  }

  /** `repo add`, and what a hook, agent or task says of its worktree. */
  async add(context: Context, input: { path: string; agent?: string | undefined; isOwnersWord: boolean }) {
    const { agent, isOwnersWord } = input;
    const askers = [context.actor, ...(agent === undefined ? [] : [agent])];
    this.#refuseOutOfSight(askers, input.path);
    const place = await this.#lookers.ask(undefined, "locate", { path: input.path });
    // As it was found: a link of the agent's own may lead elsewhere by now.
    this.#refuseOutOfSight(askers, place.top ?? place.path);
    const receipt = await register(context, { place, agent, isOwnersWord });
    if (receipt.observed) await this.#open(receipt.repository, [receipt.path]);
    if (place.top !== undefined && receipt.observed) this.#worktrees.set(place.top, receipt.repository);
    this.#strangers.clear();
    return receipt;
  }

  /** A clone whose work is over: it may stay on the disk, but takes no part any more. */
  async leave(context: Context, input: { path: string }): Promise<void> {
    const path = realOr(input.path);
    const repository = await leaveClone(context, path);
    this.#worktrees.delete(path);
    if (repository !== undefined) await this.#lookers.ask(repository, "leave", { repository, worktree: path });
  }

  async forget(context: Context, input: { repository: string }) {
    const receipt = await forget(context, input);
    for (const [path, repository] of this.#worktrees)
      if (repository === receipt.repository) this.#worktrees.delete(path);
    this.#left.delete(receipt.repository);
    await this.#lookers.forget(receipt.repository);
    return receipt;
  }

  /** An edit. What is in no observed repository is nobody's business. */
  async touch(
    asker: string,
    input: { path: string; files: readonly string[]; wait: boolean },
  ): Promise<{ observed: boolean }> {
    const place = await this.#placeOf(asker, input.path);
    if (place === undefined) return { observed: false };
    const done = this.#lookers.ask(place.repository, "touch", { ...place, files: input.files });
    if (input.wait) await done;
    else done.catch((cause: unknown) => this.#parts.log(`touch ${place.worktree}: ${messageOf(cause)}`));
    return { observed: true };
  }

  async tests(asker: string, input: { path: string }): Promise<AffectedTests> {
    const place = await this.#placeOf(asker, input.path);
    const found = place === undefined ? undefined : await this.#lookers.ask(place.repository, "tests", place);
    if (found !== undefined) return found;
    throw new Refusal("repository.unknown", `${input.path} is not in a watched worktree`, input);
  }

  /** The questions that the contracts' round asks of the process that looks. The answer is nothing while the repository was not opened. */
  get contracts(): ContractSight {
    const at = (repository: string): Link<SensingCalls> | undefined => this.#lookers.lookingAt(repository);
    return {
      declared: async (repository) => await at(repository)?.ask("declared", { repository }),
      contractChanges: async (repository, contracts, today) => {
        const seen = await at(repository)?.ask("contractChanges", { repository, contracts, today });
        if (seen !== undefined) this.#noteLacks(repository, "work", seen.outcomes);
        return seen;
      },
      usesOf: async (repository, worktree, names) =>
        await at(repository)?.ask("usesOf", { repository, worktree, names }),
      interfacesOf: async (repository) => await at(repository)?.ask("interfacesOf", { repository }),
      beganMs: async (repository, worktree) => await at(repository)?.ask("beganMs", { repository, worktree }),
      generatedIn: async (repository, worktree, paths) =>
        await at(repository)?.ask("generatedIn", { repository, worktree, paths }),
      namesInGenerated: async (repository, worktree, paths, names) =>
        await at(repository)?.ask("namesInGenerated", { repository, worktree, paths, names }),
      landedSince: async (repository, contracts, sinceMs, today) => {
        const seen = await at(repository)?.ask("landedSince", { repository, contracts, sinceMs, today });
        if (seen !== undefined) this.#noteLacks(repository, `landed ${contracts.join(" ")}`, seen.outcomes);
        return seen;
      },
    };
  }

  /** Sides that travel between machines. The answer is nothing while the repository was not opened. */
  get sides(): SideObjects {
    const at = (repository: string): Link<SensingCalls> | undefined => this.#lookers.lookingAt(repository);
    return {
      own: async (repository) => await at(repository)?.ask("ownSides", { repository }),
      push: async (repository, wish) => await at(repository)?.ask("pushSides", { repository, ...wish }),
      bundle: async (repository, { commit, onto }) =>
        await at(repository)?.ask("bundleSide", { repository, commit, onto }),
      take: async (repository, sides) => await at(repository)?.ask("takeSides", { repository, sides }),
    };
  }

  /** Something landed: what it collides with there is known before anybody pulls. */
  get landedLoop(): Round {
    return {
      round: async () => {
        await Promise.all(this.#lookers.all.map((link) => link.ask("originsMoved", {})));
        return undefined;
      },
    };
  }

  /** Tells what is claimed in each repository. If nothing is claimed there, nothing need be said unless something was. */
  async tellClaims(claims: ReadonlyMap<string, readonly HeldClaim[]>): Promise<void> {
    for (const repository of new Set([...claims.keys(), ...this.#claimed])) {
      await this.#lookers.ask(repository, "claims", { repository, claims: claims.get(repository) ?? [] });
    }
    this.#claimed = [...claims.keys()];
  }

  async close(): Promise<void> {
    this.#tidy.stop();
    await this.#lookers.close();
  }

  #refuseOutOfSight(askers: readonly string[], path: string): void {
    const blind = askers.find((asker) => !this.#parts.isInSight(asker, path));
    if (blind === undefined) return;
    throw new Refusal("confined.out-of-sight", `${blind} is confined and does not see ${path}`, { agent: blind, path });
  }

  async #placeOf(asker: string, path: string): Promise<{ repository: string; worktree: string } | undefined> {
    const real = realOr(path);
    if (!this.#parts.isInSight(asker, real)) return undefined;
    for (let at = real; ; at = dirname(at)) {
      const repository = this.#worktrees.get(at);
      if (repository !== undefined) return { repository, worktree: at };
      if (dirname(at) === at) break;
    }
    const nowMs = this.#parts.context.clock.monotonicMs();
    if ((this.#strangers.get(real) ?? -Infinity) > nowMs - strangerMs) return undefined;
    if (this.#strangers.size > 1_000) this.#strangers.clear();
    const wanted = await observedClones(this.#parts.context);
    if (wanted.size === 0) return undefined;
    let place: Place;
    try {
      place = await this.#lookers.ask(undefined, "locate", { path: real });
    } catch {
      this.#strangers.set(real, nowMs);
      return undefined;
    }
    if (place.top === undefined || !wanted.has(place.repository)) {
      this.#strangers.set(real, nowMs);
      return undefined;
    }
    // A worktree or clone of an observed repository that nobody has told us of.
    await this.#open(place.repository, [place.top]);
    return { repository: place.repository, worktree: place.top };
  }

  async #open(repository: string, paths: readonly string[]): Promise<void> {
    this.#names.set(repository, await nameOfRepository(this.#parts.context, repository));
    const gate = await gateWish(this.#parts.context, this.#parts.gates, repository);
    const origin = await recordedOrigin(this.#parts.context, repository);
    await this.#lookers.ask(repository, "open", { repository, paths, gate, origin });
  }

  /** Forgets how far they have come, which no longer holds. Claims there are told with the next claims. */
  #lost(repositories: readonly string[], isSoon: boolean): void {
    this.timesLost += 1;
    for (const repository of repositories) this.#left.delete(repository);
    if (isSoon) this.#inBackground("look again", this.loop.round(new AbortController().signal));
  }

  #noteLacks(repository: string, against: string, outcomes: LandedContracts["outcomes"]): void {
    const lacks = outcomes.flatMap(({ contract, result }) => {
      const why = lacksIn(result);
      return why === undefined ? [] : [[contract, why] as const];
    });
    this.#lookers.lackContracts(repository, against, new Map(lacks));
  }

  #measured(work: () => Promise<void>): Promise<void> {
    return this.#parts.meter?.during("what was seen of a repository", work) ?? work();
  }

  #inBackground(what: string, work: Promise<unknown>): void {
    work.catch((cause: unknown) => this.#parts.log(`${what}: ${messageOf(cause)}`));
  }

  async #takeIn(report: RepositoryReport): Promise<void> {
    const present = new Set(report.present);
    for (const [path, repository] of this.#worktrees) {
      if (repository === report.repository && !present.has(path)) this.#worktrees.delete(path);
    }
    for (const path of present) this.#worktrees.set(path, report.repository);
    await takeIn(this.#parts.context, report);
    this.#left.set(report.repository, report.left);
    this.#tidy.worked();
  }
}

/** Returns what git may know of our environment: where programs are, the user's own ignore file, and how the origin is reached. */
export function gitEnvironment(): SensingStart["environment"] {
  const environment = readEnv();
  const names = ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", ...transportVariables];
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

export function sensingDirectory(home: string): TrustedPlace {
  return { root: home, relative: inHome.observe };
}

/** A file that is not there yet has a directory that is. */
function realOr(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    try {
      return realpathSync(at);
    } catch {
      if (dirname(at) === at) return path;
    }
  }
}
