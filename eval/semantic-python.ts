// Measures how well the Python checker foresees what breaks. The truth is Python itself: a scenario's trees are run, and a file that runs on
// both sides and fails in the merge is a conflict. Exit 1 below the bars. Without python3 it is skipped, and says so.
//   bun eval/semantic-python.ts [--seed N] [--random N] [--verbose]

import { parseArgs } from "node:util";
import { namedFiles } from "./named-files.ts";
import { applied, mergeFiles, run } from "../src/languages/python/rules/scenario.suite.ts";
import { matrix, type Scenario } from "../src/languages/python/cases/matrix.ts";
import { randomScenarios } from "../src/languages/python/cases/random.ts";

const bars = { precision: 0.98, recall: 0.95 };

interface Score {
  right: number;
  wrong: number;
  missed: number;
  scenarios: number;
  breaking: number;
  /** A side does not run by itself (an import loop, say), so nothing can be said about the merge. */
  aside: number;
}

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    random: { type: "string", default: "300" },
    verbose: { type: "boolean", default: false },
  },
});

if (Bun.which("python3") === null) {
  console.log("semantic-python: skipped, because python3 is not on this machine and the truth is to run the programs");
  process.exit(0);
}

const started = performance.now();
let failed = false;
for (const [name, scenarios] of [
  ["matrix", matrix()],
  ["random", randomScenarios(Number(options.seed), Number(options.random))],
] as const) {
  const score = await measure(scenarios);
  const precision = ratio(score.right, score.right + score.wrong);
  const recall = ratio(score.right, score.right + score.missed);
  const f1 = (2 * precision.value * recall.value) / (precision.value + recall.value || 1);
  console.log(
    `${name}: ${score.scenarios} scenarios, ${score.breaking} break, ${score.aside} set aside; right ${score.right}, false alarms ${score.wrong}, missed ${score.missed}`,
  );
  console.log(`  precision ${precision.text}  recall ${recall.text}  F1 ${f1.toFixed(3)}`);
  if (precision.value < bars.precision || recall.value < bars.recall || score.breaking === 0) failed = true;
}
console.log(
  `bars: precision ${bars.precision}, recall ${bars.recall}: ${failed ? "MISSED" : "held"}; ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
process.exit(failed ? 1 : 0);

async function measure(scenarios: readonly Scenario[]): Promise<Score> {
  const ready = scenarios.flatMap(({ id, scene }) => {
    const ours = applied(scene.base, scene.ours);
    const theirs = applied(scene.base, scene.theirs);
    const merged = mergeFiles(scene.base, ours, theirs);
    return merged === undefined ? [] : [{ id, scene: { ...scene, merged }, trees: { ours, theirs, merged } }];
  });
  const truth = await execute(ready.map(({ id, trees }) => ({ id, trees })));
  const score: Score = { right: 0, wrong: 0, missed: 0, scenarios: ready.length, breaking: 0, aside: 0 };
  const named = await namedFiles(
    ready.map(({ scene }) => scene),
    ["duplicate-definition"],
  );
  for (const [at, { id, scene }] of ready.entries()) {
    const ran = truth[id];
    if (ran === undefined) throw new Error(`no truth for ${id}`);
    const own = new Set([...ran.ours, ...ran.theirs]);
    if (own.size > 0 && id.startsWith("random")) {
      score.aside += 1;
      continue;
    }
    const broken = new Set(ran.merged.filter((path) => !own.has(path)));
    const said = named[at] ?? new Set<string>();
    if (broken.size > 0) score.breaking += 1;
    for (const path of said) {
      if (broken.has(path)) score.right += 1;
      else score.wrong += 1;
    }
    const missed = [...broken].filter((path) => !said.has(path));
    score.missed += missed.length;
    const wrong = [...said].filter((path) => !broken.has(path));
    if (options.verbose && (wrong.length > 0 || missed.length > 0)) {
      console.log(
        `  ${id}: false ${JSON.stringify(wrong)} missed ${JSON.stringify(missed)} own ${JSON.stringify([...own])}`,
      );
      for (const conflict of (await run(scene)).conflicts)
        console.log(`    said: ${conflict.rule} ${conflict.message}`);
      for (const path of [...wrong, ...missed]) console.log(`    ${path}:\n${scene.merged[path] ?? ""}`);
    }
  }
  return score;
}

async function execute(
  scenarios: readonly { id: string; trees: unknown }[],
): Promise<Record<string, Record<"ours" | "theirs" | "merged", string[]>>> {
  const child = Bun.spawn(
    ["python3", "-I", new URL("../src/languages/python/cases/truth.py", import.meta.url).pathname],
    {
      stdin: new Blob([JSON.stringify(scenarios)]),
      stdout: "pipe",
      stderr: "pipe",
      timeout: 120_000,
    },
  );
  const [out, complaints, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`the truth could not be run (exit ${code}): ${complaints.slice(-2000)}`);
  return JSON.parse(out) as Record<string, Record<"ours" | "theirs" | "merged", string[]>>;
}

/** A share with its 95 % Wilson interval. */
function ratio(part: number, whole: number): { value: number; text: string } {
  if (whole === 0) return { value: 1, text: "1.000 (of none)" };
  const z = 1.96;
  const p = part / whole;
  const centre = (p + (z * z) / (2 * whole)) / (1 + (z * z) / whole);
  const half = (z / (1 + (z * z) / whole)) * Math.sqrt((p * (1 - p)) / whole + (z * z) / (4 * whole * whole));
  return {
    value: p,
    text: `${p.toFixed(3)} [${(centre - half).toFixed(3)}, ${Math.min(1, centre + half).toFixed(3)}]`,
  };
}
