// Measures how often the TypeScript checker is right, judged by the TypeScript compiler on the merged tree: an error there that neither side
// has alone is a conflict. Prints precision, recall and F1 with 95 % Wilson intervals, and fails below the bars. Usage: bun
// eval/semantic-typescript.ts [--show] [--seed N] [--random N] [--combinations N] [--only special|combinations|examiner|random]

import { parseArgs } from "node:util";
import { checkTypeScript } from "../src/languages/typescript/rules/check-typescript.ts";
import { treesOf } from "../src/languages/typescript/rules/trees.suite.ts";
import { CompilerProcess } from "../src/languages/typescript/compiler/compiler-check.ts";
import { parseTypeScript } from "../src/languages/typescript/reader/parse-typescript.ts";
import type { SemanticConflict } from "../src/ports/semantic.ts";
import type { TypeScriptSummary } from "../src/languages/typescript/facts.ts";
import { examinerCases } from "../src/languages/typescript/cases/examiner/cases.ts";
import { mergedOnly, type Diagnosis } from "../src/languages/typescript/cases/oracle.ts";
import { Dice, randomScenario } from "../src/languages/typescript/cases/random-project.ts";
import { specialCases } from "../src/languages/typescript/cases/special-cases.ts";
import { combinations, type Scenario } from "../src/languages/typescript/cases/scenarios.ts";

const bars = { precision: 0.98, recall: 0.95 };

interface Tally {
  right: number;
  wrong: number;
  missed: number;
  quiet: number;
}

const { values } = parseArgs({
  options: {
    show: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    random: { type: "string", default: "150" },
    combinations: { type: "string", default: "350" },
    only: { type: "string" },
  },
});

const compiler = new CompilerProcess();
/** The compiler's word on a scenario, asked once for all lanes. */
const truths = new Map<Scenario, readonly Diagnosis[]>();

async function judge(scenario: Scenario, tally: Tally, withCompiler: boolean): Promise<void> {
  const trees = treesOf(scenario.sides);
  if (trees === undefined) return;
  const truth = truths.get(scenario) ?? mergedOnly(trees.files);
  truths.set(scenario, truth);
  const cache = new Map<string, TypeScriptSummary>();
  const ports = { parse: parseTypeScript, cache, ...(withCompiler ? { compiler } : {}) };
  const { conflicts } = await checkTypeScript(trees.input, ports);
  const wrong = conflicts.filter((one) => !truth.some((error) => matches(one, error)));
  const missed = truth.filter((error) => !conflicts.some((one) => matches(one, error)));
  tally.right += conflicts.length - wrong.length;
  tally.wrong += wrong.length;
  tally.missed += missed.length;
  if (truth.length === 0 && conflicts.length === 0) tally.quiet += 1;
  if (!values.show || wrong.length + missed.length === 0) return;
  console.log(`${wrong.length > 0 ? "FALSE ALARM" : "MISSED"}  ${scenario.name}`);
  for (const one of conflicts) console.log(`    said: ${one.rule} ${one.use.path}:${one.use.line} ${one.message}`);
  for (const one of truth) console.log(`    truth: ${describe(one)}`);
}

/** One finding stands for all errors one name gives in one file; otherwise it must be the same line. */
function matches(conflict: SemanticConflict, error: Diagnosis): boolean {
  if (conflict.use.path !== error.path) return false;
  const name = conflict.symbol.slice(conflict.symbol.lastIndexOf(".") + 1);
  // The compiler names neither of two definitions of one thing, and points at both.
  if (conflict.rule === "duplicate-definition" && error.code === 2393) return true;
  return (
    conflict.use.line === error.line ||
    new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(`${error.message} ${error.text}`)
  );
}

function describe(one: Diagnosis): string {
  return `${one.path}:${one.line} TS${one.code} ${one.message.split("\n")[0]} | ${one.text}`;
}

function wilson(hits: number, all: number): [number, number] {
  if (all === 0) return [0, 1];
  const z = 1.96;
  const p = hits / all;
  const middle = (p + (z * z) / (2 * all)) / (1 + (z * z) / all);
  const half = (z * Math.sqrt((p * (1 - p)) / all + (z * z) / (4 * all * all))) / (1 + (z * z) / all);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

function interval(hits: number, all: number): string {
  return wilson(hits, all)
    .map((one) => one.toFixed(3))
    .join("–");
}

function report(name: string, { right, wrong, missed, quiet }: Tally, gate: boolean): boolean {
  const precision = right + wrong === 0 ? 1 : right / (right + wrong);
  const recall = right + missed === 0 ? 1 : right / (right + missed);
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const passed = precision >= bars.precision && recall >= bars.recall;
  console.log(
    `${name}: right ${right}, false alarms ${wrong}, missed ${missed}, rightly silent ${quiet}; ` +
      `precision ${precision.toFixed(3)} (${interval(right, right + wrong)}), recall ${recall.toFixed(3)} (${interval(right, right + missed)}), F1 ${f1.toFixed(3)}: ${passed ? "pass" : gate ? "BELOW THE BARS" : "shown, not gated"}`,
  );
  return passed;
}

const started = performance.now();

async function lane(
  name: string,
  scenarios: readonly Scenario[],
  withCompiler: boolean,
  gate = true,
): Promise<boolean> {
  const tally: Tally = { right: 0, wrong: 0, missed: 0, quiet: 0 };
  for (const scenario of scenarios) await judge(scenario, tally, withCompiler);
  return report(`${name} (${scenarios.length})`, tally, gate);
}

const first = Number(values.seed);

/** So many of them, spread by the seed; the whole table takes longer than a gate should. */
function sample(all: readonly Scenario[], count: number): readonly Scenario[] {
  if (count >= all.length) return all;
  const dice = new Dice(first * 7919 + 13);
  const left = [...all];
  return Array.from({ length: count }, () => left.splice(dice.below(left.length), 1)).flat();
}

const random = Array.from({ length: Number(values.random) }, (_, index) => randomScenario(first + index));
const results: boolean[] = [];
if (values.only === undefined || values.only === "special") {
  results.push(await lane("special cases, symbols alone", specialCases(), false));
}
if (values.only === undefined || values.only === "combinations")
  results.push(await lane("combinations, symbols alone", sample(combinations(), Number(values.combinations)), false));
if (values.only === undefined || values.only === "examiner") {
  const cases = examinerCases();
  await lane("examiner's cases, symbols alone", cases, false, false);
  results.push(await lane("examiner's cases, with the compiler", cases, true));
  for (const one of cases.filter((each) => each.breaks !== (truths.get(each)?.length ?? 0) > 0)) {
    results.push(false);
    console.log(`${one.name}: the compiler says that this ${one.breaks ? "does not break" : "breaks"}`);
  }
}
if (values.only === undefined || values.only === "random") {
  // What types decide is beyond the symbols alone; their figure is shown, the bar is for what users get.
  await lane("random projects, symbols alone", random, false, false);
  results.push(await lane("random projects, with the compiler", random, true));
}
compiler.close();
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exitCode = results.every(Boolean) ? 0 : 1;
