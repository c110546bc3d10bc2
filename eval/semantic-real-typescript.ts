// Measures how often the TypeScript findings are right on real code: in a scratch clone of a real project one side refactors something, the
// other begins to use it (or something near it), git merges the two cleanly, and the native TypeScript compiler says whether the merge has
// errors that neither side has. constel is asked as `constel check` asks. Right is a file that was named and does not compile. The same is
// counted for the syntax alone, which is what there is where the compiler has no time.
//
//   bun eval/semantic-real-typescript.ts <checkout> [--rounds 60] [--seed 1] [--config tsconfig.json|none] [--only folder]… [--show]
//
// The checkout may have its packages installed (node_modules); they are used and not copied.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { applied, inputOf, mergeFiles } from "../src/languages/python/rules/scenario.suite.ts";
import { checkPair } from "../src/app/check-pair.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { errorsOf, fresh } from "../src/languages/typescript/cases/real/judge.ts";
import { Project, type Target } from "../src/languages/typescript/cases/real/project.ts";
import {
  type Refactored,
  type Refactoring,
  refactorings,
} from "../src/languages/typescript/cases/real/refactorings.ts";
import { RealScratch } from "../src/languages/typescript/cases/real/scratch.ts";
import { newUse, type Use } from "../src/languages/typescript/cases/real/uses.ts";
import { wilson } from "./replay.ts";
import { Dice } from "../src/languages/typescript/cases/random-project.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    config: { type: "string", default: "tsconfig.json" },
    only: { type: "string", multiple: true, default: [] },
    show: { type: "boolean", default: false },
  },
});
const [repository] = positionals;
if (repository === undefined) throw new Error("which repository?");

const isScripts = values.config === "none";
const tally = { rounds: 0, breaking: 0, right: 0, wrong: 0, missed: 0, silent: 0, incomplete: 0, seconds: 0 };
const alone = { right: 0, wrong: 0, missed: 0 };
const dropped = new Map<string, number>();
const drop = (why: string): void => void dropped.set(why, (dropped.get(why) ?? 0) + 1);

const languages = openLanguages();
const scratch = new RealScratch(repository, isScripts ? undefined : values.config, values.only);
// A run that is ended says what it has seen.
process.once("SIGTERM", () => {
  report();
  scratch.close();
  process.exit(1);
});
try {
  const project = new Project(scratch.directory, scratch.settings, scratch.tracked);
  const dice = new Dice(Number(values.seed) * 7919 + 13);
  const base = await errorsOf(scratch.directory);
  console.log(`${project.paths.length} files, ${project.targets.length} exports, ${base.size} errors to begin with`);
  const enough = Number(values.rounds);
  for (let attempt = 0; tally.rounds < enough && attempt < enough * 60; attempt += 1) {
    const target = dice.pick(project.targets);
    const refactoring = dice.pick(refactorings);
    const done = refactoring.make(project, target, dice);
    const use = done === undefined ? undefined : newUse(project, target, done.member, dice);
    if (done === undefined || use === undefined) drop("does not apply");
    else await round({ project, base, target, refactoring, done, use });
  }
} finally {
  languages.close();
  scratch.close();
}
report();

interface Round {
  readonly project: Project;
  readonly base: Awaited<ReturnType<typeof errorsOf>>;
  readonly target: Target;
  readonly refactoring: Refactoring;
  readonly done: Refactored;
  readonly use: Use;
}

async function round({ base, target, refactoring, done, use }: Round): Promise<void> {
  scratch.branch("refactored", done.edits);
  scratch.branch("using", use.edits);
  if (!scratch.merge("refactored", "using")) return drop("conflict in the text");
  const errors = fresh(await errorsOf(scratch.directory), base);
  if (errors.length > 0) {
    // Only what both sides are clean of is a matter of the merge.
    scratch.checkout("refactored");
    if (fresh(await errorsOf(scratch.directory), base).length > 0) return drop(`breaks by itself: ${refactoring.name}`);
    scratch.checkout("using");
    if (fresh(await errorsOf(scratch.directory), base).length > 0) return drop("breaks by itself: the use");
  }
  scratch.checkout("main");
  const started = performance.now();
  const request = { cwd: scratch.directory, ours: "refactored", theirs: "using", gate: false, gateCommand: undefined };
  const environment = { PATH: process.env["PATH"], HOME: scratch.directory };
  const { verdict } = await checkPair(
    { ...request, fetch: false, environment, signal: new AbortController().signal },
    languages,
  );
  tally.seconds += (performance.now() - started) / 1000;
  const said = verdict.findings
    .filter(({ kind }) => kind === "semantic")
    .flatMap(({ evidence }) => evidence.map(({ path, rule, message }) => ({ path, shown: `${rule}: ${message}` })));
  const named = new Set(said.map(({ path }) => path));
  const broken = new Set(errors.map(({ path }) => path));
  const read = await namedBySyntax(done, use);
  alone.right += [...read].filter((path) => broken.has(path)).length;
  alone.wrong += [...read].filter((path) => !broken.has(path)).length;
  alone.missed += [...broken].filter((path) => !read.has(path)).length;
  const wrong = [...named].filter((path) => !broken.has(path));
  const missed = [...broken].filter((path) => !named.has(path));
  tally.rounds += 1;
  tally.breaking += broken.size > 0 ? 1 : 0;
  tally.right += named.size - wrong.length;
  tally.wrong += wrong.length;
  tally.missed += missed.length;
  tally.silent += named.size + broken.size === 0 ? 1 : 0;
  tally.incomplete += verdict.complete ? 0 : 1;
  const what = `${refactoring.name} ${target.name}${done.member === undefined ? "" : `.${done.member}`} (${target.path}); ${use.name.slice(0, 300)}`;
  if (wrong.length + missed.length === 0) {
    if (values.show) console.log(`right ${broken.size > 0 ? "(breaks)" : "(silent)"}: ${what}`);
    return;
  }
  console.log(`${wrong.length > 0 ? "FALSE ALARM" : "MISSED"} ${what}`);
  for (const { path, shown } of said) console.log(`    said: ${path} ${shown}`);
  for (const { shown } of errors.slice(0, 8)) console.log(`    truth: ${shown}`);
  for (const note of verdict.notes.slice(0, 3)) console.log(`    note: ${note}`);
}

async function namedBySyntax(done: Refactored, use: Use): Promise<ReadonlySet<string>> {
  const base: Record<string, string> = {};
  for (const path of scratch.tracked) {
    const place = join(scratch.directory, path);
    if (path !== "" && statSync(place).isFile()) base[path] = readFileSync(place, "utf8");
  }
  const [ours, theirs] = [Object.fromEntries(done.edits), Object.fromEntries(use.edits)];
  const merged = mergeFiles(base, applied(base, ours), applied(base, theirs));
  if (merged === undefined) return new Set();
  const outcome = await languages.named("typescript")?.check(inputOf({ base, ours, theirs, merged }));
  return new Set((outcome?.conflicts ?? []).map((one) => one.use.path));
}

function report(): void {
  const { right, wrong, missed } = tally;
  const ratio = (part: number, all: number): string => (all === 0 ? "1.000" : (part / all).toFixed(3));
  const shown = (all: number): string =>
    wilson(right, all)
      .map((one) => one.toFixed(3))
      .join("–");
  console.log(`left out: ${[...dropped].map(([why, count]) => `${why} ${count}`).join(", ")}`);
  console.log(
    `${tally.rounds} merges, ${tally.breaking} break, ${tally.silent} rightly silent, ${tally.incomplete} not wholly looked at, ${(tally.seconds / Math.max(1, tally.rounds)).toFixed(1)} s a check; files: right ${right}, ` +
      `false alarms ${wrong}, missed ${missed}; precision ${ratio(right, right + wrong)} (${shown(right + wrong)}), ` +
      `recall ${ratio(right, right + missed)} (${shown(right + missed)})`,
  );
  const { right: read, wrong: wronged, missed: unread } = alone;
  console.log(
    `by the syntax alone: right ${read}, false alarms ${wronged}, missed ${unread}; recall ${ratio(read, read + unread)}`,
  );
}
