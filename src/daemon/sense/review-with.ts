// The reviewers as sensing uses them: what they know of files and pairs is kept within bounds, per repository, and the
// repository's own constel.toml is read from the work that both sides share.

import { readRepositoryConfig } from "../../core/conflicts/repository-config.ts";
import { reviewPair, type ReviewPorts } from "../../core/conflicts/review-pair.ts";
import { ReviewMemory } from "../../core/conflicts/review/scene.ts";
import type { Reviewed } from "../../core/conflicts/review/semantic.ts";
import type { OwnPatterns } from "../../core/conflicts/exclusions.ts";
import { compiledLanguages } from "../../host/parse/compiled-languages.ts";
import { parsePython } from "../../host/parse/python/summarise.ts";
import { parseTypeScript } from "../../host/parse/typescript/parse-typescript.ts";
import type { RepositoryObserver } from "../../protocol/git.ts";
import type { PythonSummary } from "../../protocol/python-summary.ts";
import type { SourceSummary } from "../../protocol/source-summary.ts";
import type { TypeScriptSummary } from "../../protocol/typescript-summary.ts";
import type { Review } from "./judge-pair.ts";

/** A pair that takes longer is answered as far as it got. */
const deadlineMs = 30_000;
/** More than what the files at work lead to in a large fleet; a summary takes some ten kilobytes. */
const summariesKept = 1_500;
const reviewsKept = 500;

export function reviewPorts(): ReviewPorts {
  const python = new Bounded<PythonSummary>(summariesKept);
  return {
    typescript: { parse: parseTypeScript, cache: new Bounded<TypeScriptSummary>(summariesKept) },
    python: {
      parse: parsePython,
      cache: { get: (blob) => python.get(blob), set: (blob, summary) => void python.set(blob, summary) },
    },
    compiled: compiledLanguages(() => new Bounded<SourceSummary>(summariesKept)),
    cache: new Bounded<Reviewed>(reviewsKept),
    memory: new ReviewMemory(),
  };
}

export function reviewWith(ports: ReviewPorts, observer: RepositoryObserver): Review {
  const patterns = new Bounded<OwnPatterns>(50);
  return async (ours, theirs, merge) => {
    const base = merge.kind === "skipped" ? undefined : merge.bases[0];
    let own = base === undefined ? undefined : patterns.get(base);
    if (own === undefined && base !== undefined) {
      own = (await readRepositoryConfig(observer, base)).patterns;
      patterns.set(base, own);
    }
    const signal = AbortSignal.timeout(deadlineMs);
    return await reviewPair(ports, observer, ours, theirs, merge, {
      signal,
      ...(own === undefined ? {} : { patterns: own }),
    });
  };
}

/** A map that forgets what was not asked for longest. */
class Bounded<Value> {
  readonly #values = new Map<string, Value>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#limit) return;
    const [oldest] = this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
  }
}
