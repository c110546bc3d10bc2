// Measures how well constel foresees collisions: one table, and exit code 1 below a bar.
//
//   bin/constel eval [--quick] [--json] [--show] [--seed N]
//   bin/constel eval replay <repository> [--limit N]

import { parseArgs } from "node:util";
import { scriptProgress } from "../bench/progress.ts";
import { contractCases } from "./contract-cases.ts";
import { judgeScenarios, type Tally } from "./judge-scenarios.ts";
import { languageCases } from "./language-cases.ts";
import { ownHistory } from "./own-history.ts";
import { describeScore, replay, type ReplayMode, wilson } from "./replay.ts";

interface Row {
  readonly what: string;
  readonly cases: number;
  readonly precision: number;
  readonly precisionInterval: readonly [number, number];
  readonly recall: number;
  readonly recallInterval: readonly [number, number];
  readonly f1: number;
  readonly bar: { readonly precision: number; readonly recall: number };
  readonly pass: boolean;
}

const exact = { precision: 1, recall: 1 };
/** A break that is called compatible reaches nobody. */
const contractBar = { precision: 0.95, recall: 0.99 };
const usual = { precision: 0.98, recall: 0.95 };

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    show: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    limit: { type: "string", default: "200" },
    mode: { type: "string", default: "committed" },
  },
});

process.exitCode = positionals[0] === "replay" ? await replayOne(positionals.slice(1)) : await evaluate();

async function evaluate(): Promise<number> {
  const started = performance.now();
  const { quick } = values;
  const progress = scriptProgress(values.json, "scenarios");
  const { tallies, mistakes: mistaken } = await judgeScenarios({ seeds: quick ? 2 : 12, first: Number(values.seed) });
  const rows: Row[] = [...tallies].map(([kind, tally]) =>
    rowOf(kind, tally, kind === "textual" || kind === "overlap" ? exact : usual),
  );
  const mistakes = [...mistaken];
  const absent: string[] = [];
  const measures = [...(await languageCases()).values()].flatMap(({ title, measures: own }) =>
    own.map((one) => ({ ...one, title })),
  );
  for (const [done, { title, what, isExact, judge, run }] of measures.entries()) {
    progress.tell(`${title}, ${what}`, { done: done + 1, total: measures.length + 2 });
    const measured = await run(quick);
    if (measured === undefined) absent.push(`${title} (${judge})`);
    else rows.push(rowOf(`semantic: ${title}, ${what}`, measured.tally, isExact ? exact : usual));
    mistakes.push(...(measured?.mistakes ?? []));
  }
  progress.tell("contracts", { done: measures.length + 1, total: measures.length + 2 });
  for (const { format, tally, mistakes: own } of await contractCases()) {
    rows.push(rowOf(`contract: ${format}, by the words of its specification`, tally, contractBar));
    mistakes.push(...own);
  }
  progress.tell("merges of this repository", { done: measures.length + 1, total: measures.length + 2 });
  const history = await ownHistory(quick ? 15 : 100);
  if (history !== undefined) rows.push(rowOf("textual: merges of this repository", history, exact));
  progress.end();
  const passed = rows.every(({ pass }) => pass);
  const seconds = (performance.now() - started) / 1000;
  if (values.json) console.log(JSON.stringify({ rows, mistakes, passed, seconds }));
  else {
    console.log(tableOf(rows));
    if (absent.length > 0)
      console.log(`\n!! NOT JUDGED, because the judge is not to be had here: ${absent.join(", ")}\n`);
    for (const { scenario, what } of values.show ? mistakes : mistakes.slice(0, 10))
      console.log(`  ${scenario}: ${what}`);
    console.log(`${passed ? "every bar held" : "BELOW A BAR"}; ${seconds.toFixed(1)} s`);
  }
  return passed ? 0 : 1;
}

async function replayOne(repositories: readonly string[]): Promise<number> {
  const results = [];
  for (const repository of repositories) {
    const result = await replay(repository, { limit: Number(values.limit), mode: values.mode as ReplayMode });
    results.push(result);
    if (!values.json) console.log(describeScore(result));
  }
  if (values.json) console.log(JSON.stringify(results));
  return results.every(({ merges, verdict, files }) => merges > 0 && verdict.f1 === 1 && files.f1 === 1) ? 0 : 1;
}

function rowOf(what: string, { cases, right, wrong, missed }: Tally, bar: Row["bar"]): Row {
  const [precision, recall] = [ratio(right, right + wrong), ratio(right, right + missed)];
  return {
    what,
    cases,
    precision,
    precisionInterval: wilson(right, right + wrong),
    recall,
    recallInterval: wilson(right, right + missed),
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    bar,
    pass: precision >= bar.precision && recall >= bar.recall,
  };
}

function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    String(row.cases),
    shown(row.precision, row.precisionInterval),
    shown(row.recall, row.recallInterval),
    row.f1.toFixed(3),
    `${row.bar.precision} / ${row.bar.recall}`,
    row.pass ? "pass" : "BELOW",
  ]);
  const all = [["kind", "cases", "precision [95 %]", "recall [95 %]", "F1", "bar", ""], ...cells];
  const widths = all[0]?.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function shown(value: number, [low, high]: readonly [number, number]): string {
  return `${value.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
