// Every repository that is watched over, in the thread that does it. Answers what sensing.ts asks; reports go the other way.

import { realpathSync } from "node:fs";
import type { GitOptions } from "../../host/git/git.ts";
import { Git } from "../../host/git/git.ts";
import { locate } from "../../host/git/locate.ts";
import { identityOf, observe } from "../../host/git/observer.ts";
import type { Place } from "../../core/worktrees/register.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";
import type { Clock } from "../../protocol/ports.ts";
import type { RepositoryReport } from "../../protocol/sensing.ts";
import type { ReviewPorts } from "../../core/conflicts/review-pair.ts";
import { type AffectedTests, testsOf } from "./tests-of.ts";
import { RepositorySense } from "./repository-sense.ts";
import { reviewPorts, reviewWith } from "./review-with.ts";

export interface SensesParts {
  readonly git: GitOptions;
  /** Where the private object directories are. */
  readonly directory: string;
  readonly clock: Clock;
  readonly report: (report: RepositoryReport) => Promise<void>;
  readonly log: (line: string) => void;
}

export class Senses {
  readonly #parts: SensesParts;
  readonly #senses = new Map<string, { sense: RepositorySense; ports: ReviewPorts; paths: Set<string> }>();

  constructor(parts: SensesParts) {
    this.#parts = parts;
  }

  /** Which repository and worktree a path is in. */
  async locate(path: string): Promise<Place> {
    const location = await locate(new Git(this.#parts.git), path);
    const repository = "reason" in location ? undefined : await identityOf(path, this.#parts.git);
    if ("reason" in location || repository === undefined) {
      throw new Refusal("git.not-a-repository", `${path} is in no git repository`, { path });
    }
    return { repository, path: realpathSync(path), top: location.top };
  }

  /** Watches over a repository through these paths. Tells of what cannot be opened instead of failing. */
  async open(repository: string, paths: readonly string[]): Promise<void> {
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
    const none = { defaultBranch: null, worktrees: [], present: [], sides: [], pairs: [] };
    await this.#parts.report({ repository, ...none, problem });
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

  async drop(repository: string): Promise<void> {
    const known = this.#senses.get(repository);
    this.#senses.delete(repository);
    await known?.sense.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#senses.keys()].map((repository) => this.drop(repository)));
  }

  async #begin(repository: string, path: string): Promise<void> {
    const { git, clock, directory, report, log } = this.#parts;
    const observer = await observe(path, { ...git, clock, directory });
    if (observer.identity !== repository) {
      await observer.close();
      throw new Refusal("git.not-a-repository", `${path} is now ${observer.identity}: add it again`, { path });
    }
    const ports = reviewPorts();
    const review = reviewWith(ports, observer);
    const sense = new RepositorySense({ observer, review, report, clock, log });
    this.#senses.set(repository, { sense, ports, paths: new Set([path]) });
  }
}
