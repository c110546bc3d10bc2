// The wide measurements that stand by themselves, brought into the table: the languages' checkers against a compiler and an
// interpreter, and git's own merges of this repository's history.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkTypeScript, type TypeScriptPorts } from "../src/languages/typescript/rules/check-typescript.ts";
import { treesOf } from "../src/languages/typescript/rules/trees.suite.ts";
import { CompilerProcess } from "../src/languages/typescript/compiler/compiler-check.ts";
import { parseTypeScript } from "../src/languages/typescript/reader/parse-typescript.ts";
import type { Tally } from "./judge-scenarios.ts";
import { replay } from "./replay.ts";
import { examinerCases } from "../src/languages/typescript/cases/examiner/cases.ts";
import { mergedOnly } from "../src/languages/typescript/cases/oracle.ts";
import { combinations, type Scenario } from "../src/languages/typescript/cases/scenarios.ts";

/**
 * Judged by file, as semantic-typescript.ts does: the combinations by the syntax alone, the examiner's cases with the compiler, as
 * users have it. The quick set is every tenth.
 */
export async function semanticTypeScript(quick: boolean): Promise<Tally> {
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

/** Runs semantic-python.ts and adds up what it prints; undefined without python3, which is the judge. */
export async function semanticPython(quick: boolean): Promise<Tally | undefined> {
  if (Bun.which("python3") === null) return undefined;
  const script = join(import.meta.dir, "semantic-python.ts");
  const flags = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
  const child = Bun.spawn([process.execPath, ...flags, script, "--random", quick ? "60" : "400"], { stdout: "pipe" });
  const printed = await new Response(child.stdout).text();
  const tally: Tally = { cases: 0, right: 0, wrong: 0, missed: 0 };
  for (const line of printed.matchAll(/(\d+) scenarios,.*right (\d+), false alarms (\d+), missed (\d+)/g)) {
    const [cases = 0, right = 0, wrong = 0, missed = 0] = line.slice(1).map(Number);
    tally.cases += cases;
    tally.right += right;
    tally.wrong += wrong;
    tally.missed += missed;
  }
  if (tally.cases === 0) throw new Error(`semantic-python.ts said nothing that can be read: ${printed.slice(-500)}`);
  return tally;
}

/** Runs semantic-compiled.ts; undefined without the language's compiler, which is the judge. */
export async function semanticCompiled(language: string, quick: boolean): Promise<Tally | undefined> {
  const script = join(import.meta.dir, "semantic-compiled.ts");
  const flags = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
  const asked = ["--json", "--language", language, "--random", quick ? "24" : "400"];
  const child = Bun.spawn([process.execPath, ...flags, script, ...asked], { stdout: "pipe" });
  const printed = await new Response(child.stdout).text();
  const scores = Object.values(JSON.parse(printed) as Record<string, Tally | null>).filter((score) => score !== null);
  const sum = (of: keyof Tally): number => scores.reduce((total, score) => total + score[of], 0);
  if (scores.length === 0) return undefined;
  return { cases: sum("cases"), right: sum("right"), wrong: sum("wrong"), missed: sum("missed") };
}

/** undefined when this is no clone, or one without merges. */
export async function ownHistory(limit: number): Promise<Tally | undefined> {
  const top = join(import.meta.dir, "..");
  if (!existsSync(join(top, ".git"))) return undefined;
  const { merges, files } = await replay(top, { limit, mode: "committed" });
  if (merges === 0) return undefined;
  return { cases: merges, right: files.right, wrong: files.falseAlarms, missed: files.missed };
}
