// Defines a scenario: three states of a small repository, and which kinds of finding two people would want to hear of. Each template is
// grown with several seeds, so that names, places and unrelated edits differ.

import type { LiveClaim } from "../../src/protocol/claims.ts";
import type { KindName } from "../../src/core/findings/kinds.ts";

export type Files = Readonly<Record<string, string>>;
/** The changes that a side makes to the base; null deletes. */
export type Change = Readonly<Record<string, string | null>>;

export interface Scenario {
  readonly kind: KindName;
  readonly name: string;
  readonly base: Files;
  readonly ours: Change;
  readonly theirs: Change;
  /** Kinds that must be told above `context`; empty for a near miss, which must stay silent. */
  readonly expect: readonly KindName[];
  readonly gate?: string;
  readonly claims?: readonly LiveClaim[];
}

export interface Seed {
  pick<T>(items: readonly T[]): T;
  below(limit: number): number;
  /** A name of two words that occurs nowhere else: `parse`, `invoice` → `parseInvoice7`. */
  name(): string;
}

export type Grow = (seed: Seed) => Omit<Scenario, "kind" | "name">;

export interface Template {
  readonly kind: KindName;
  readonly name: string;
  readonly grow: Grow;
}

/** Work that has nothing to do with the matter: both sides touch files of their own, and one they share far apart. */
export function withNoise(scenario: Scenario, seed: Seed): Scenario {
  const shared = `shared/notes-${seed.below(100)}.md`;
  const lines = Array.from({ length: 40 }, (_, at) => `note ${at} ${seed.name()}`);
  const edited = (at: number): string => lines.map((line, index) => (index === at ? `${line} seen` : line)).join("\n");
  const own = (side: string): Change => ({ [`work/${side}-${seed.below(1000)}.md`]: `${seed.name()}\n` });
  return {
    ...scenario,
    base: { [shared]: lines.join("\n"), ...scenario.base },
    ours: { [shared]: edited(2), ...own("ours"), ...scenario.ours },
    theirs: { [shared]: edited(35), ...own("theirs"), ...scenario.theirs },
  };
}

const verbs = ["parse", "render", "load", "merge", "build", "fetch", "score", "index", "trim", "split"];
const nouns = ["Invoice", "Report", "Session", "Ledger", "Packet", "Region", "Widget", "Cursor", "Digest", "Branch"];

export function seedOf(chance: { pick<T>(items: readonly T[]): T; below(limit: number): number }): Seed {
  let made = 0;
  return {
    pick: (items) => chance.pick(items),
    below: (limit) => chance.below(limit),
    name: () => {
      made += 1;
      return `${chance.pick(verbs)}${chance.pick(nouns)}${chance.below(90) + 10}${String.fromCharCode(96 + (made % 26 || 1))}`;
    },
  };
}

/** `parseInvoice7` as Python writes it. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const numbered = (count: number, text: (at: number) => string): string =>
  `${Array.from({ length: count }, (_, at) => text(at + 1)).join("\n")}\n`;
