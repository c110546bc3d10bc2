// The processes that read repositories for the daemon (app/looker.ts): one for all of them, and one of its own for each repository that made the common one end. So whatever one of them
// holds, the others are looked at. Each is started when it is first asked something, and again after it ended; everything it knew it can see again.

import type { ProcessEnd } from "../host/process/budget/watched-process.ts";
import type { Subject } from "../ports/budget.ts";
import type { BudgetWish } from "../protocol/check.ts";
import { messageOf, Outage } from "../protocol/errors.ts";
import type { LookedState, SensingState } from "../protocol/sensing-state.ts";
import { endlessEnvironment } from "../settings/endless.ts";
import { sparingEngine } from "../settings/engine.ts";
import type { DaemonCalls, SensingCalls, SensingStart } from "../sensing/calls.ts";
import type { Answers, Link } from "../sensing/link.ts";
import { SetAsides } from "../sensing/set-aside.ts";
import { type Looker, startLooker } from "../app/start-looker.ts";
import type { Clock } from "../ports/machine.ts";

export interface LookersParts {
  readonly start: SensingStart;
  readonly budget: BudgetWish;
  readonly clock: Clock;
  readonly answers: Omit<Answers<DaemonCalls>, "state" | "unchecked" | "log">;
  /** A repository as people know it. */
  readonly called: (repository: string) => string;
  readonly log: (line: string) => void;
  /** These are no longer looked at. `isSoon`: nothing speaks against beginning anew at once. */
  readonly lost: (repositories: readonly string[], isSoon: boolean) => void;
  /** Something ran over its budget, or a contract was not compared in full: told once. */
  readonly overran: (unchecked: Unchecked) => void;
}

export type Unchecked = SensingState["unchecked"][number];

interface Running {
  readonly looker: Looker<SensingCalls>;
  readonly repositories: Set<string>;
  state: LookedState | undefined;
}

/** The one for all that have none of their own. No identity is empty. */
const common = "";
const closeWithinMs = 3_000;
/** A repository by itself has no need of all the watches. */
const shareOfWatches = 8;
/** So often a question is asked again whose process ended meanwhile. */
const mostAsked = 4;
/** As many as one can look at. */
const mostTold = 100;

export class Lookers {
  readonly #parts: LookersParts;
  readonly #running = new Map<string, Running>();
  readonly #apart = new Set<string>();
  readonly #setAside = new SetAsides();
  /** The things to be reported as not checked, by name. */
  readonly #unchecked = new Map<string, Unchecked>();
  /** Contracts that were not compared in full when they were last looked at, by repository and by what they were compared with. */
  readonly #inPart = new Map<string, readonly Unchecked[]>();
  #isClosed = false;

  constructor(parts: LookersParts) {
    this.#parts = parts;
  }

  /** The progress of all of them. Undefined before one began. */
  get state(): SensingState | undefined {
    const all = [...this.#running.values()];
    const states = all.flatMap(({ state }) => state ?? []);
    const unchecked = this.#allUnchecked();
    if (states.length === 0 && unchecked.length === 0) return undefined;
    const sum = (of: (one: LookedState) => number): number => states.reduce((total, one) => total + of(one), 0);
    return {
      helpers: states.flatMap(({ helpers }) => helpers),
      watches: {
        used: sum(({ watches }) => watches.used),
        most: Math.max(0, ...states.map(({ watches }) => watches.most)),
      },
      repositories: states.flatMap(({ repositories }) => repositories),
      processes: all.map(({ looker }) => ({ pid: looker.process.pid, rss_bytes: looker.process.rssBytes })),
      unchecked,
    };
  }

  /** Takes in why contracts were not compared, or not in full. `against` names the question: its earlier answer no longer counts. */
  lackContracts(repository: string, against: string, lacks: ReadonlyMap<string, string>): void {
    const key = JSON.stringify([repository, against]);
    const known = this.#inPart.get(key) ?? [];
    // Another question, or the one that ran over its budget, may have said so already.
    const told = new Set(
      this.#allUnchecked().flatMap((one) =>
        one.repository === repository && one.kind === "contract" ? [one.name] : [],
      ),
    );
    const now = [...lacks].slice(0, mostTold).map(([name, why]) => {
      const same = known.find((one) => one.name === name && one.why === why);
      return same ?? this.#described({ repository, kind: "contract", name, key: "" }, why);
    });
    if (now.length === 0) this.#inPart.delete(key);
    else this.#inPart.set(key, now);
    for (const one of now) if (!known.includes(one) && !told.has(one.name)) this.#parts.overran(one);
  }

  /** Asks whoever looks at the repository, or is to; without one, whoever looks at most of them. */
  async ask<Name extends keyof SensingCalls>(
    repository: string | undefined,
    name: Name,
    input: Parameters<SensingCalls[Name]>[0],
  ): Promise<ReturnType<SensingCalls[Name]>> {
    for (let ended = 1; ; ended += 1) {
      const running = this.#at(repository !== undefined && this.#apart.has(repository) ? repository : common);
      if (repository !== undefined) running.repositories.add(repository);
      try {
        return await running.looker.link.ask(name, input);
      } catch (cause) {
        // It was ended for another's question, or for this one, which is then refused.
        if (running.looker.end === undefined || ended === mostAsked) throw cause;
      }
    }
  }

  /** Whoever looks at the repository already; undefined where nobody does. */
  lookingAt(repository: string): Link<SensingCalls> | undefined {
    const running = this.#running.get(this.#apart.has(repository) ? repository : common);
    return running?.repositories.has(repository) === true ? running.looker.link : undefined;
  }

  get all(): Link<SensingCalls>[] {
    return [...this.#running.values()].map(({ looker }) => looker.link);
  }

  async forget(repository: string): Promise<void> {
    this.#setAside.forget(repository);
    for (const [name, one] of this.#unchecked) if (one.repository === repository) this.#unchecked.delete(name);
    for (const [key, [one]] of this.#inPart) if (one?.repository === repository) this.#inPart.delete(key);
    const own = this.#running.get(repository);
    await this.lookingAt(repository)?.ask("drop", { repository });
    this.#running.get(common)?.repositories.delete(repository);
    this.#apart.delete(repository);
    this.#running.delete(repository);
    await own?.looker.process.kill();
  }

  /** Closes them all. Work in progress can be seen again: a stop does not wait for a slow disk, nor for a question without an end. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const all = [...this.#running.values()];
    this.#running.clear();
    const inTime = new AbortController();
    const late = this.#parts.clock.sleep(closeWithinMs, inTime.signal);
    const closed = all.map(({ looker }) => looker.link.ask("close", {}).catch(() => undefined));
    await Promise.race([Promise.all(closed), late]);
    inTime.abort(); // a clock that still waits would keep the whole process
    await Promise.all(all.map(({ looker }) => looker.process.kill()));
  }

  #at(key: string): Running {
    if (this.#isClosed) throw new Outage("look at", "repositories", "the daemon is stopping", { mayRetry: true });
    const known = this.#running.get(key);
    if (known !== undefined) return known;
    const running = this.#begin(key);
    this.#running.set(key, running);
    return running;
  }

  #begin(key: string): Running {
    const { start, budget, answers, log } = this.#parts;
    const running: Running = {
      repositories: new Set(),
      state: undefined,
      looker: startLooker<SensingCalls, DaemonCalls>({
        budget,
        environment: start.environment,
        extra: { ...sparingEngine, ...endlessEnvironment() },
        answers: {
          ...answers,
          state: (state) => void (running.state = state),
          unchecked: ({ subject, why }) => this.#heardOf(subject, why),
          log: ({ line }) => log(line),
        },
        ended: (end) => this.#ended(key, running, end),
      }),
    };
    const isApart = key !== common;
    const own = { holdMs: budget.holdMs, setAside: this.#setAside.all, isOneByOne: isApart };
    const watches = isApart ? Math.floor(start.watches / shareOfWatches) : start.watches;
    // Its own place for gates: whoever begins clears what a killed one left.
    const gates = isApart ? below(start.gates, Bun.hash(key).toString(36)) : start.gates;
    running.looker.link.ask("start", { ...start, watches, gates, budget: own }).catch((cause: unknown) => {
      if (!this.#isClosed) log(`the process that reads repositories could not begin: ${messageOf(cause)}`);
    });
    return running;
  }

  #ended(key: string, running: Running, end: ProcessEnd | undefined): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
    if (this.#isClosed || end === undefined) return;
    const { subject, repositories } = this.#setAside.learn(end, this.#parts.clock.nowMs());
    this.#parts.log(
      `the process that reads repositories ended: ${end.why}${subject === undefined ? "" : ` (${subject.name})`}`,
    );
    const isNews = repositories.some((one) => !this.#apart.has(one));
    for (const one of repositories) this.#apart.add(one);
    if (subject !== undefined) {
      const repository = subject.repository ?? (repositories.length === 1 ? repositories[0] : undefined);
      this.#parts.overran(this.#keep({ ...subject, repository }, end.why));
    }
    this.#parts.lost([...running.repositories], subject !== undefined || isNews);
  }

  /** `why`: it is still set aside; undefined when another version of it was read. */
  #heardOf(subject: Subject, why: string | undefined): void {
    const name = nameOf(subject);
    if (why === undefined) this.#unchecked.delete(name);
    else if (!this.#unchecked.has(name)) this.#keep(subject, why);
  }

  /** What ran over its budget stands for the same contract without a comparison. */
  #allUnchecked(): Unchecked[] {
    const named = new Map([...this.#inPart.values()].flat().map((one) => [`${one.repository} ${one.name}`, one]));
    for (const { kind, repository, name } of this.#unchecked.values())
      if (kind === "contract") named.delete(`${repository} ${name}`);
    return [...this.#unchecked.values(), ...named.values()].slice(0, mostTold);
  }

  #described({ repository: where, kind, name }: Subject, why: string): Unchecked {
    const repository = where ?? null;
    const repository_name = repository === null ? null : this.#parts.called(repository);
    return { repository, repository_name, kind, name, why, at_ms: this.#parts.clock.nowMs() };
  }

  #keep(subject: Subject, why: string): Unchecked {
    const one = this.#described(subject, why);
    this.#unchecked.set(nameOf(subject), one);
    const [oldest] = this.#unchecked.keys();
    if (this.#unchecked.size > mostTold && oldest !== undefined) this.#unchecked.delete(oldest);
    return one;
  }
}

const nameOf = ({ kind, name }: Subject): string => `${kind} ${name}`;

function below(place: SensingStart["gates"], name: string): SensingStart["gates"] {
  return typeof place === "string" ? `${place}/${name}` : { ...place, relative: `${place.relative}/${name}` };
}
