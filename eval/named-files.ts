// Finds which files the program names as broken, for evals whose judge is a compiler: each scene is planted in a real repository and put
// through the pipeline as `constel check` puts a pair through it, so that what is measured is what users get.

import { freshMemory, inRepository, review } from "./judge-scenarios.ts";
import type { Change, Files, Scenario } from "./scenarios/scenario.ts";

export interface PlantedScene {
  readonly base: Files;
  readonly ours: Change;
  readonly theirs: Change;
}

/** Evidence has the file where its side has it; the sentence has it where the merge does, which differs when the other side moved it. */
const inMerge = (message: string): string | undefined => /^([^\s:]+\.\w+):\d+\b/.exec(message)?.[1];

/** For each scene the files of its semantic findings, without those of the rules that do not count; what git cannot merge has none. */
export async function namedFiles(
  scenes: readonly PlantedScene[],
  without: readonly string[] = [],
): Promise<ReadonlySet<string>[]> {
  if (scenes.length === 0) return [];
  const scenarios = scenes.map(({ base, ours, theirs }, at): Scenario => ({
    kind: "semantic",
    name: `scene ${at}`,
    base,
    ours,
    theirs,
    expect: [],
  }));
  return await inRepository(scenarios, async (observer, planted, root) => {
    const memory = freshMemory();
    const named: ReadonlySet<string>[] = [];
    try {
      for (const [at, scenario] of planted.entries()) {
        const { findings } = await review(observer, memory, scenario, at, root);
        const told = findings.filter(({ kind, severity }) => kind === "semantic" && severity !== "context");
        const evidence = told.flatMap((one) => one.evidence).filter(({ rule }) => !without.includes(rule));
        named.push(new Set(evidence.map(({ path, message }) => inMerge(message) ?? path)));
      }
    } finally {
      memory.languages.close();
    }
    return named;
  });
}
