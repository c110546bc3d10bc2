// The reviewers as sensing uses them: what they know of files and pairs is kept within bounds, per repository, and the
// repository's own constel.toml is read from the work that both sides share.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { repositoryConfigOrNotes } from "../core/findings/repository-config.ts";
import { type ReviewedSide, reviewPair, type ReviewPorts } from "./review-pair.ts";
import { ReviewMemory } from "../core/findings/scene.ts";
import type { Reviewed } from "../core/findings/pair-finding.ts";
import type { OwnPatterns } from "../core/findings/exclusions.ts";
import { compiledLanguages } from "../languages/compiled-languages.ts";
import { parsePython } from "../languages/python/reader/summarise.ts";
import { parseTypeScript } from "../languages/typescript/reader/parse-typescript.ts";
import { surfaceOf } from "../languages/typescript/reader/surface.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { PythonSummary } from "../languages/python/facts.ts";
import type { SourceSummary } from "../languages/compiled/facts.ts";
import type { TypeScriptCompiler } from "../languages/typescript/compiler/typescript-compiler.ts";
import type { TypeScriptSummary } from "../languages/typescript/facts.ts";
import type { Review } from "./judge-pair.ts";

/** A pair that takes longer is answered as far as it got. */
const deadlineMs = 30_000;
/** Nobody waits for the compiler. */
const compilerDeadlineMs = 60_000;
/**
 * What is kept, counted in what takes the room: declarations, uses and other entries of summaries (some 300 bytes each, and
 * a file has fewer than a hundred), and characters of what was found. Losing one costs half a millisecond.
 */
const entriesKept = 12_000;
const charactersKept = 300_000;

export function reviewPorts(): ReviewPorts {
  const python = new Bounded<PythonSummary>(entriesKept, entriesOf);
  return {
    typescript: { parse: parseTypeScript, cache: new Bounded<TypeScriptSummary>(entriesKept, entriesOf) },
    python: {
      parse: parsePython,
      cache: { get: (blob) => python.get(blob), set: (blob, summary) => void python.set(blob, summary) },
    },
    compiled: compiledLanguages(() => new Bounded<SourceSummary>(entriesKept, entriesOf)),
    cache: new Bounded<Reviewed>(charactersKept, (review) => 600 + JSON.stringify(review.findings).length),
    memory: new ReviewMemory(),
  };
}

/** The same with the compiler, and a memory of its own for what it said of pairs. */
export function compiledPorts(ports: ReviewPorts, compiler: TypeScriptCompiler): ReviewPorts {
  return {
    ...ports,
    typescript: { ...ports.typescript, compiler, compilerDeadlineMs, surfaceOf },
    cache: { get: () => undefined, set: () => undefined },
  };
}

export function reviewWith(ports: ReviewPorts, observer: RepositoryObserver, limit?: AbortSignal): Review {
  const settings = new Bounded<{ patterns: OwnPatterns | undefined; notes: readonly string[] }>(50, () => 1);
  return async (ours, theirs, merge) => {
    const base = merge.kind === "skipped" ? undefined : merge.bases[0];
    let own = base === undefined ? undefined : settings.get(base);
    if (own === undefined && base !== undefined) {
      const { config, notes } = await repositoryConfigOrNotes(observer, base);
      own = { patterns: config?.findings, notes };
      settings.set(base, own);
    }
    const { compiler } = ports.typescript;
    const signals = [AbortSignal.timeout(compiler === undefined ? deadlineMs : deadlineMs + compilerDeadlineMs)];
    const signal = AbortSignal.any(limit === undefined ? signals : [...signals, limit]);
    const verdict = await reviewPair(
      compiler === undefined ? ports : withPackages(ports, [ours, theirs]),
      observer,
      ours,
      theirs,
      merge,
      {
        signal,
        ...(own?.patterns === undefined ? {} : { patterns: own.patterns }),
      },
    );
    if (own === undefined || own.notes.length === 0) return verdict;
    return { ...verdict, complete: false, notes: [...verdict.notes, ...own.notes] };
  };
}

/** Packages are read from a side's own checkout, where they are installed. */
function withPackages(ports: ReviewPorts, sides: readonly ReviewedSide[]): ReviewPorts {
  const packagesFrom = sides
    .flatMap(({ side }) => side.worktree ?? [])
    .find((path) => existsSync(join(path, "node_modules")));
  return packagesFrom === undefined ? ports : { ...ports, typescript: { ...ports.typescript, packagesFrom } };
}

/** How many things a summary lists, itself included. */
function entriesOf(summary: TypeScriptSummary | PythonSummary | SourceSummary): number {
  let count = 10;
  for (const part of Object.values(summary)) {
    if (typeof part === "object" && part !== null)
      count += Array.isArray(part) ? part.length : Object.keys(part).length;
  }
  return count;
}

/** A map that forgets what was not asked for longest, when all of it weighs too much. */
class Bounded<Value> {
  readonly #values = new Map<string, { value: Value; weight: number }>();
  readonly #limit: number;
  readonly #weigh: (value: Value) => number;
  #weight = 0;

  constructor(limit: number, weigh: (value: Value) => number) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get(key: string): Value | undefined {
    const known = this.#values.get(key);
    if (known === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, known);
    return known.value;
  }

  set(key: string, value: Value): void {
    this.#remove(key);
    const weight = this.#weigh(value);
    this.#values.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#limit || oldest === key) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0;
    this.#values.delete(key);
  }
}
