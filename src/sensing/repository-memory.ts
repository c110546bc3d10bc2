// Keeps what is known of one repository between its pairs, within bounds: trees and changes, what was said of pairs of trees, and what its
// languages know of files. Losing any of it costs time, nothing else.

import type { OwnPatterns } from "../core/findings/exclusions.ts";
import type { Reviewed } from "../core/findings/pair-finding.ts";
import { ReviewMemory } from "../core/findings/scene.ts";
import type { OpenLanguages } from "../languages/open-languages.ts";
import type { OpenPart } from "../protocol/findings.ts";
import { Bounded } from "../ports/bounded.ts";
import { keptFiles, keptForPairs, type Sides } from "../ports/kept-for-sides.ts";

/** The settings in a repository's constel.toml, or word that it cannot be understood. */
export interface OwnSettings {
  readonly patterns: OwnPatterns;
  readonly open: readonly OpenPart[];
}

export interface RepositoryMemory {
  /** Shared by all repositories of a process. */
  readonly languages: OpenLanguages;
  readonly trees: ReviewMemory;
  /** The results that follow from two trees and the way they merge. Plain JSON. */
  readonly reviews: Pick<Bounded<Reviewed>, "get" | "set">;
  /** The settings in a repository's constel.toml at a commit. */
  readonly settings: Bounded<OwnSettings>;
  /** Records whether others can see the difference between two texts of a file, by their blobs. */
  readonly visible: Bounded<boolean>;
}

/** In bytes: a pair without findings takes some 600, and to review it again some milliseconds. 200 worktrees have 20,000 pairs. */
const reviewsBytes = 16_000_000;

const bytesOfReview = ({ findings }: Reviewed): number => 600 + JSON.stringify(findings).length;

/** `sides`: how many worktrees are watched; undefined for one look. */
export function openMemory(languages: OpenLanguages, sides?: Sides): RepositoryMemory {
  return {
    languages,
    trees: new ReviewMemory(sides),
    reviews: new Bounded(reviewsBytes, bytesOfReview, keptForPairs(sides)),
    settings: new Bounded(50),
    visible: new Bounded(20_000, undefined, keptFiles(sides)),
  };
}
