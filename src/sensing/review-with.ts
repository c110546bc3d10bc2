// The reviewers as sensing uses them: what they know of files and pairs is kept within bounds, per repository, and the
// repository's own constel.toml is read from the work that both sides share.

import { LRUCache } from "lru-cache";
import { type OpenLanguages, openLanguages } from "../languages/open-languages.ts";
import { readRepositoryConfig } from "../core/findings/repository-config.ts";
import { type ReviewedSide, reviewPair, type ReviewPorts } from "./review-pair.ts";
import { ReviewMemory } from "../core/findings/scene.ts";
import type { Reviewed } from "../core/findings/pair-finding.ts";
import type { OwnPatterns } from "../core/findings/exclusions.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { Review } from "./judge-pair.ts";

/** A pair that takes longer is answered as far as it got. */
const deadlineMs = 30_000;
/** Nobody waits for the compiler. */
const compilerDeadlineMs = 60_000;
/** Of what was found in pairs. */
const charactersKept = 300_000;
const patternsKept = 50;

export function reviewPorts(languages: OpenLanguages = openLanguages()): ReviewPorts {
  return {
    languages,
    cache: new LRUCache<string, Reviewed>({
      maxSize: charactersKept,
      sizeCalculation: (review) => 600 + JSON.stringify(review.findings).length,
    }),
    memory: new ReviewMemory(),
  };
}

/** The same with the compilers asked, and without the memory of what was said of pairs before. */
export function compiledPorts(ports: ReviewPorts): ReviewPorts {
  return {
    ...ports,
    asking: { checkouts: [], deadlineMs: compilerDeadlineMs },
    cache: { get: () => undefined, set: () => undefined },
  };
}

export function reviewWith(ports: ReviewPorts, observer: RepositoryObserver, limit?: AbortSignal): Review {
  const patterns = new LRUCache<string, OwnPatterns>({ max: patternsKept });
  return async (ours, theirs, merge) => {
    const base = merge.kind === "skipped" ? undefined : merge.bases[0];
    let own = base === undefined ? undefined : patterns.get(base);
    if (own === undefined && base !== undefined) {
      own = (await readRepositoryConfig(observer, base)).patterns;
      patterns.set(base, own);
    }
    const { asking } = ports;
    const signals = [AbortSignal.timeout(asking === undefined ? deadlineMs : deadlineMs + compilerDeadlineMs)];
    const signal = AbortSignal.any(limit === undefined ? signals : [...signals, limit]);
    return await reviewPair(withCheckouts(ports, [ours, theirs]), observer, ours, theirs, merge, {
      signal,
      ...(own === undefined ? {} : { patterns: own }),
    });
  };
}

/** Packages are read from a side's own checkout, where they are installed. */
function withCheckouts(ports: ReviewPorts, sides: readonly ReviewedSide[]): ReviewPorts {
  if (ports.asking === undefined) return ports;
  return { ...ports, asking: { ...ports.asking, checkouts: sides.flatMap(({ side }) => side.worktree ?? []) } };
}
