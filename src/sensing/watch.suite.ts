// A sense over real repositories, of which the reports are kept.

import { until } from "../../test/kit/home.ts";
import { sideIdentity } from "../core/findings/pair-finding.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import type { ObserverOptions } from "../host/git/observer.ts";
import { Scratch } from "../host/git/scratch.suite.ts";
import type { PairVerdict } from "../protocol/findings.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { Clock } from "../ports/machine.ts";
import type { RepositoryReport } from "../ports/sensing.ts";
import { RepositoryWatcher } from "./watch.ts";
import { pipelineOver } from "./pipeline.suite.ts";

export const lines = (change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 12 }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join("");

export class Watched {
  readonly reports: RepositoryReport[] = [];
  readonly log: string[] = [];
  reviews = 0;
  /** So many judgements fail. */
  failures = 0;
  failing = false;
  clock: Clock = systemClock;
  /** Hears of each pair that was judged. */
  judged = (): void => undefined;
  sense: RepositoryWatcher | undefined;
  options: Partial<ObserverOptions> = {};

  async open(scratch: Scratch, path: string, pace = {}, toDraft = asItIs): Promise<RepositoryWatcher> {
    const observer = toDraft(await scratch.observe(path, this.options));
    const pipeline = pipelineOver(observer);
    this.sense = new RepositoryWatcher({
      observer,
      judge: async (...pair) => {
        this.reviews += 1;
        if (this.failures-- > 0) throw new Error("a judge is not himself today");
        const verdict = await pipeline.judge(...pair);
        this.judged();
        return verdict;
      },
      report: async (report) => {
        if (this.failing) throw new Error("the store is full");
        this.reports.push(structuredClone(report));
      },
      clock: this.clock,
      log: (line) => void this.log.push(line),
      pace: {
        fastestMs: 50,
        slowestMs: 400,
        polledMs: 20,
        listEveryMs: 50,
        defaultEveryMs: 200,
        gatherMs: 10,
        retryMs: 20,
        ...pace,
      },
    });
    return this.sense;
  }

  /** Returns what is said of each pair now, by the last report about it. Nothing is said of sides that are no longer there. */
  get verdicts(): Map<string, PairVerdict> {
    const now = new Map<string, PairVerdict>();
    for (const { pairs, sides } of this.reports) {
      for (const pair of pairs) now.set(`${pair.ours.label} ${pair.theirs.label}`, pair);
      for (const [key, { ours, theirs }] of now) {
        if (!sides.includes(sideIdentity(ours)) || !sides.includes(sideIdentity(theirs))) now.delete(key);
      }
    }
    return now;
  }

  async allSeen(paths: readonly string[]): Promise<void> {
    await until("all seen", () => paths.every((path) => this.seen(path)), Boolean);
  }

  titles(): string[] {
    return [...this.verdicts.values()].flatMap(({ findings }) =>
      findings.filter(({ severity }) => severity !== "context").map(({ title }) => title),
    );
  }

  seen(path: string): boolean {
    return this.reports.some(({ worktrees }) => worktrees.some((one) => one.path === path && one.tree !== null));
  }
}

const asItIs = (observer: RepositoryObserver): RepositoryObserver => observer;

/** The observer with one ability in another form. */
export function dressed<Key extends keyof RepositoryObserver>(
  observer: RepositoryObserver,
  key: Key,
  form: RepositoryObserver[Key],
): RepositoryObserver {
  return new Proxy(observer, {
    get(target, name) {
      if (name === key) return form;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A repository with worktrees a, b, c. */
export function scene(scratch: Scratch): { main: string; a: string; b: string; c: string } {
  const main = scratch.repository("main", { "x.txt": lines(), "y.txt": lines() });
  return { main, a: scratch.worktree(main, "a"), b: scratch.worktree(main, "b"), c: scratch.worktree(main, "c") };
}
