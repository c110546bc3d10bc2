// The row of TypeScript: its compiler's word on the merged tree against ours, file by file.

import type { Tally } from "../../../../eval/judge-scenarios.ts";
import { CompilerProcess } from "../compiler/compiler-check.ts";
import { parseTypeScript } from "../reader/parse-typescript.ts";
import { checkTypeScript, type TypeScriptPorts } from "../rules/check-typescript.ts";
import { treesOf } from "../rules/trees.suite.ts";
import { examinerCases } from "./examiner/cases.ts";
import { mergedOnly } from "./oracle.ts";
import { combinations, type Scenario } from "./scenarios.ts";

/**
 * Judged by file, as semantic-typescript.ts does: the combinations by the syntax alone, the examiner's cases with the compiler, as
 * users have it. The quick set is every tenth.
 */
export async function measureTypeScript(quick: boolean): Promise<Tally> {
  const tally: Tally = { cases: 0, right: 0, wrong: 0, missed: 0 };
  const compiler = new CompilerProcess();
  try {
    await judgeTypeScript(combinations(), quick, {}, tally);
    await judgeTypeScript(examinerCases(), quick, { compiler, compilerDeadlineMs: 120_000 }, tally);
  } finally {
    compiler.close();
  }
  return tally;
}

async function judgeTypeScript(
  scenarios: readonly Scenario[],
  quick: boolean,
  ports: Pick<TypeScriptPorts, "compiler" | "compilerDeadlineMs">,
  tally: Tally,
): Promise<void> {
  for (const [at, { sides }] of scenarios.entries()) {
    const trees = quick && at % 10 !== 0 ? undefined : treesOf(sides);
    if (trees === undefined) continue;
    const broken = new Set(mergedOnly(trees.files).map(({ path }) => path));
    const { conflicts } = await checkTypeScript(trees.input, { parse: parseTypeScript, cache: new Map(), ...ports });
    const named = new Set(conflicts.map(({ use }) => use.path));
    tally.cases += 1;
    tally.right += [...named].filter((path) => broken.has(path)).length;
    tally.wrong += [...named].filter((path) => !broken.has(path)).length;
    tally.missed += [...broken].filter((path) => !named.has(path)).length;
  }
}
