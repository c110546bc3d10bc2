// Measures how well the checkers of the compiled languages foresee what breaks. The truth is the compiler: both sides of a random merge must
// compile, and a file that does not in the merge is a conflict. Exit 1 below the bars. Without its compiler a language is left out, and that
// is said.
//   bun eval/semantic-compiled.ts [--language NAME] [--seed N] [--random N] [--moves N] [--toolchain] [--verbose] [--json]

import { parseArgs } from "node:util";
import { inputOf, mergeFiles, type Scene } from "../src/languages/python/rules/scenario.suite.ts";
import type { CompiledCases, Files, Judge } from "../src/languages/compiled/cases/judge-trees.ts";
import { mergeByGit } from "../src/languages/compiled/cases/merge-by-git.ts";
import { type RandomMerge, randomMerges, randomMoves } from "../src/languages/compiled/cases/random.ts";
import { askToolchain, type AskedToolchain } from "./ask-toolchain.ts";
import { languageCases } from "./language-cases.ts";
import { namedFiles } from "./named-files.ts";
import { wilson } from "./replay.ts";

const bars = { precision: 0.98, recall: 0.95 };

const { values: options } = parseArgs({
  options: {
    /** All compiled ones unless said. */
    language: { type: "string", multiple: true },
    seed: { type: "string", default: "1" },
    random: { type: "string", default: "200" },
    /** Merges in which a side also moves files; a quarter as many unless said. */
    moves: { type: "string" },
    /** With the second opinion of the compiler, asked as `check` asks it. */
    toolchain: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

interface Score {
  cases: number;
  right: number;
  wrong: number;
  missed: number;
  breaking: number;
  /** A side does not compile by itself, so nothing can be said about the merge. */
  aside: number;
  tookMs: number;
}

const scores: Record<string, Score | null> = {};
let failed = false;
for (const [language, { compiled }] of await languageCases()) {
  if (compiled === undefined || options.language?.includes(language) === false) continue;
  const judge = compiled.judge();
  if (judge === undefined) {
    scores[language] = null;
    if (!options.json)
      console.log(`${language}: LEFT OUT, because its compiler is not on this machine and it is the judge`);
    continue;
  }
  const seed = Number(options.seed);
  const moves = Number(options.moves ?? Math.ceil(Number(options.random) / 4));
  const sets = {
    [language]: { merges: randomMerges(seed, Number(options.random)), merge: mergeFiles },
    [`${language}, files moved`]: { merges: randomMoves(seed, moves), merge: mergeByGit },
  };
  for (const [name, { merges, merge }] of Object.entries(sets)) {
    if (merges.length > 0) tell(name, await measure(language, compiled, judge, merges, merge));
  }
}
if (options.json) console.log(JSON.stringify(scores));
else console.log(`bars: precision ${bars.precision}, recall ${bars.recall}: ${failed ? "MISSED" : "held"}`);
process.exit(failed ? 1 : 0);

function tell(name: string, score: Score): void {
  scores[name] = score;
  const [precision, recall] = [
    ratio(score.right, score.right + score.wrong),
    ratio(score.right, score.right + score.missed),
  ];
  if (precision.value < bars.precision || recall.value < bars.recall || score.breaking === 0) failed = true;
  if (options.json) return;
  console.log(
    `${name}: ${score.cases} merges, ${score.breaking} break, ${score.aside} set aside; right ${score.right}, false alarms ${score.wrong}, missed ${score.missed}`,
  );
  console.log(`  precision ${precision.text}  recall ${recall.text}  ${(score.tookMs / 1000).toFixed(1)} s`);
}

async function measure(
  language: string,
  { render, isDear }: CompiledCases,
  judge: Judge,
  merges: readonly RandomMerge[],
  merge: typeof mergeFiles,
): Promise<Score> {
  const started = performance.now();
  const asked = options.toolchain ? askToolchain(language) : undefined;
  const score: Score = { cases: 0, right: 0, wrong: 0, missed: 0, breaking: 0, aside: 0, tookMs: 0 };
  const scenes: {
    id: string;
    change: string;
    ours: Files;
    theirs: Files;
    merged: Files;
    scene: Required<Scene>;
  }[] = [];
  for (const { id, change, ...projects } of merges) {
    const [base, ours, theirs] = [render(projects.base), render(projects.ours), render(projects.theirs)];
    const merged = merge(base, ours, theirs);
    if (merged === undefined) continue;
    const scene = { base, ours: sideOf(base, ours), theirs: sideOf(base, theirs), merged };
    scenes.push({ id, change, ours, theirs, merged, scene });
  }
  // The owner's compiler is asked about trees in memory; without it a pair goes the way that `check` goes.
  const named =
    asked === undefined
      ? await namedFiles(scenes.map(({ scene }) => scene))
      : await namedBy(
          asked,
          scenes.map(({ scene }) => scene),
        );
  asked?.close();
  // A name that both sides define breaks wherever the compiler meets it first.
  const ready = scenes.map((one, at) => ({ ...one, said: named[at] ?? new Set<string>() }));
  // Where the compiler starts anew for each tree, the sides are asked about only where something broke or was said; where neither is so,
  // nothing can be held against anybody.
  const first = await judge(
    ready.flatMap(({ merged, ours, theirs }) => (isDear === true ? [merged] : [merged, ours, theirs])),
  );
  const verdicts = ready.map((one, at) => ({
    ...one,
    broken: first[isDear === true ? at : at * 3] ?? new Set<string>(),
    at,
  }));
  const doubtful = verdicts.filter(({ broken, said }) => broken.size > 0 || said.size > 0);
  const sides =
    isDear === true
      ? await judge(doubtful.flatMap(({ ours, theirs }) => [ours, theirs]))
      : doubtful.flatMap(({ at }) => first.slice(at * 3 + 1, at * 3 + 3));
  score.cases = ready.length;
  for (const [at, { id, change, merged, said, broken: truth }] of doubtful.entries()) {
    if ((sides[at * 2]?.size ?? 0) + (sides[at * 2 + 1]?.size ?? 0) > 0) {
      score.aside += 1;
      if (options.verbose)
        console.log(
          `  ${id} (${change}): set aside, ours ${[...(sides[at * 2] ?? [])]} theirs ${[...(sides[at * 2 + 1] ?? [])]}`,
        );
      continue;
    }
    if (truth.size > 0) score.breaking += 1;
    const [wrong, missed] = [
      [...said].filter((path) => !truth.has(path)),
      [...truth].filter((path) => !said.has(path)),
    ];
    score.right += said.size - wrong.length;
    score.wrong += wrong.length;
    score.missed += missed.length;
    if (options.verbose && wrong.length + missed.length > 0) {
      console.log(`  ${id} (${change}): false ${JSON.stringify(wrong)} missed ${JSON.stringify(missed)}`);
      for (const path of [...wrong, ...missed]) console.log(`--- ${path}:\n${merged[path] ?? ""}`);
    }
  }
  score.tookMs = performance.now() - started;
  return score;
}

async function namedBy(asked: AskedToolchain, scenes: readonly Scene[]): Promise<ReadonlySet<string>[]> {
  const named: ReadonlySet<string>[] = [];
  for (const scene of scenes) {
    const { conflicts } = await asked.check(inputOf(scene));
    named.push(new Set(conflicts.map(({ use }) => use.path)));
  }
  return named;
}

function sideOf(base: Files, side: Files): Record<string, string | null> {
  const change: Record<string, string | null> = {};
  for (const path of new Set([...Object.keys(base), ...Object.keys(side)]))
    if (base[path] !== side[path]) change[path] = side[path] ?? null;
  return change;
}

function ratio(part: number, whole: number): { value: number; text: string } {
  const value = whole === 0 ? 1 : part / whole;
  const [low, high] = wilson(part, whole);
  return { value, text: `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]` };
}
