// The row of TypeScript: its compiler's word on the merged tree against ours, file by file.

import type { Tally } from "../../../../eval/judge-scenarios.ts";
import { namedFiles } from "../../../../eval/named-files.ts";
import type { Files } from "../../../../eval/scenarios/scenario.ts";
import { treesOf } from "../rules/trees.suite.ts";
import { examinerCases } from "./examiner/cases.ts";
import { mergedOnly } from "./oracle.ts";
import { combinations } from "./scenarios.ts";

/** Judged by file, as semantic-typescript.ts does, and asked as users ask. The quick set is every tenth. */
export async function measureTypeScript(quick: boolean): Promise<Tally> {
  const tally: Tally = { cases: 0, right: 0, wrong: 0, missed: 0 };
  const judged = [...combinations(), ...examinerCases()].flatMap(({ sides }, at) => {
    const trees = quick && at % 10 !== 0 ? undefined : treesOf(sides);
    if (trees === undefined) return [];
    const base = Object.fromEntries(Object.entries(sides.base).filter(([, text]) => text !== null)) as Files;
    return [{ scene: { ...sides, base }, broken: new Set(mergedOnly(trees.files).map(({ path }) => path)) }];
  });
  const said = await namedFiles(judged.map(({ scene }) => scene));
  for (const [at, { broken }] of judged.entries()) {
    const named = said[at] ?? new Set();
    tally.cases += 1;
    tally.right += [...named].filter((path) => broken.has(path)).length;
    tally.wrong += [...named].filter((path) => !broken.has(path)).length;
    tally.missed += [...broken].filter((path) => !named.has(path)).length;
  }
  return tally;
}
