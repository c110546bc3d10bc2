// Pairs of changes written by hand, class by class, each with near misses: one side changes a text of the library in one place, the
// other adds a file. `constel eval` has a row for each language, a test runs them one by one, and eval/semantic-pairs.ts asks the
// real compilers whether each says what it should.

import type { Mistake } from "../../../../eval/judge-scenarios.ts";
import type { Measure } from "../../../../eval/language-cases.ts";
import { runCompiled } from "../scene.suite.ts";
import type { Files } from "./judge-trees.ts";

export interface Pair {
  readonly name: string;
  readonly breaks: boolean;
  readonly base: Files;
  readonly ours: Readonly<Record<string, string>>;
  readonly theirs: Readonly<Record<string, string>>;
}

/** Pairs on one library: each changes it from one text to another. */
export function pairsOn(base: Files, library: string, place: (use: string) => Record<string, string>): MakePair {
  return (name, breaks, [from, to], use) => {
    const text = base[library] ?? "";
    if (!text.includes(from)) throw new Error(`${name}: the library has no ${from}`);
    return { name, breaks, base, ours: { [library]: text.replace(from, to) }, theirs: place(use) };
  };
}

/** Pairs in one file that both sides change: the other one adds what it uses after the text `place`. */
export function pairsIn(base: Files, path: string, place: string): MakePair {
  return (name, breaks, change, use) => {
    const text = base[path] ?? "";
    const { ours } = pairsOn(base, path, () => ({}))(name, breaks, change, use);
    return { name, breaks, base, ours, theirs: { [path]: text.replace(place, `${place}${use}\n`) } };
  };
}

export type MakePair = (
  name: string,
  breaks: boolean,
  change: readonly [from: string, to: string],
  use: string,
) => Pair;

/** What is said of a pair: the rules, one for each finding. */
export async function saidOf(language: string, { base, ours, theirs }: Pair): Promise<string[]> {
  const { conflicts } = await runCompiled(language, { base, ours, theirs });
  return conflicts.map(({ rule }) => rule);
}

/** The row of a language in the table of the eval. */
export function writtenByHand(language: string, pairs: readonly Pair[]): Measure {
  return {
    what: "classes of real code, written by hand",
    isExact: true,
    judge: "nobody: what is right is written down",
    async run() {
      const tally = { cases: pairs.length, right: 0, wrong: 0, missed: 0 };
      const mistakes: Mistake[] = [];
      for (const pair of pairs) {
        const isSaid = (await saidOf(language, pair)).length > 0;
        if (isSaid && pair.breaks) tally.right += 1;
        else if (isSaid) tally.wrong += 1;
        else if (pair.breaks) tally.missed += 1;
        if (isSaid !== pair.breaks)
          mistakes.push({ scenario: `${language}: ${pair.name}`, what: isSaid ? "false alarm" : "missed" });
      }
      return { tally, mistakes };
    },
  };
}
