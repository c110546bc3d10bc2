// Measures how right the Python checker is on real code. One side refactors a real repository with all uses, the other adds uses of its own;
// pyright judges each side by itself and the two together, and shares no code with the checker. A pair whose merge has errors that neither
// side has is a conflict; pairs that git cannot merge are left out.
//
//   npm install pyright        (in a directory of its own, which is no part of this project)
//   bun eval/semantic-real-python.ts <repository> --tools <that directory> [--rounds 40] [--seed 1] [--only TEXT] [--minutes N] [--verbose]
//     [--toolchain] [--pairs N]

import { parseArgs } from "node:util";
import { chance } from "../src/host/git/scratch.suite.ts";
import { refactorings } from "../src/languages/python/cases/real/refactor.ts";
import { type Judged, openGround } from "../src/languages/python/cases/real/ground.ts";
import { wilson } from "./replay.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tools: { type: "string" },
    rounds: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    minutes: { type: "string", default: "600" },
    /** constel has pyright's second opinion too. */
    toolchain: { type: "boolean", default: false },
    pairs: { type: "string", default: "100" },
    verbose: { type: "boolean", default: false },
  },
});
const [repository] = positionals;
if (repository === undefined || options.tools === undefined) {
  console.error(
    "semantic-real-python: needs a repository, and --tools, a directory where `npm install pyright` was run",
  );
  process.exit(2);
}
for (const program of ["python3", "node", "git"]) {
  if (Bun.which(program) !== null) continue;
  console.error(`semantic-real-python: NOT MEASURED, because ${program} is not on this machine`);
  process.exit(2);
}

const score = { right: 0, wrong: 0, missed: 0, silent: 0, doubled: 0 };
/** The same pairs by the syntax alone, where pyright's second opinion is asked for too. */
const alone = { right: 0, wrong: 0, missed: 0, silent: 0 };
const tried = { rounds: 0, unsound: 0, impossible: 0 };
const kinds = Object.entries(refactorings).filter(([name]) => name.includes(options.only));
const ground = await openGround(repository, {
  tools: options.tools,
  second: options.toolchain,
  pairs: Number(options.pairs),
});
// A run that is ended says what it has seen.
process.once("SIGTERM", () => {
  report();
  void ground.close().finally(() => process.exit(1));
});
try {
  const until = performance.now() + Number(options.minutes) * 60_000;
  for (let round = 0; round < Number(options.rounds) && performance.now() < until; round++) {
    const draw = chance(Number(options.seed) * 7919 + round);
    const [kind, attempt] = draw.pick(kinds);
    const judged = await ground.round(attempt, draw, round);
    if (judged === "impossible" || judged === "unsound") {
      tried[judged] += 1;
      if (options.verbose) console.log(`${kind}: ${judged}`);
      continue;
    }
    tried.rounds += 1;
    for (const pair of judged) count(kind, pair);
  }
} finally {
  await ground.close();
}

report();

function report(): void {
  const pairs = score.right + score.wrong + score.missed + score.silent;
  console.log(
    `${tried.rounds} refactorings (${tried.impossible} could not be made, ${tried.unsound} were not sound), ${pairs} pairs, ${score.right + score.missed} break`,
  );
  console.log(
    `right ${score.right}, false alarms ${score.wrong}, missed ${score.missed}, rightly silent ${score.silent}; more than one finding ${score.doubled}`,
  );
  console.log(
    `precision ${share(score.right, score.right + score.wrong)}  recall ${share(score.right, score.right + score.missed)}`,
  );
  if (options.toolchain)
    console.log(
      `by the syntax alone: right ${alone.right}, false alarms ${alone.wrong}, missed ${alone.missed}; precision ${share(alone.right, alone.right + alone.wrong)}  recall ${share(alone.right, alone.right + alone.missed)}`,
    );
}

function verdictOf(isBroken: boolean, isSaid: boolean): keyof typeof alone {
  if (isBroken) return isSaid ? "right" : "missed";
  return isSaid ? "wrong" : "silent";
}

function count(kind: string, { what, how, broken, said, saidAlone, text }: Judged): void {
  if (said.length > 1) score.doubled += 1;
  const verdict = verdictOf(broken.length > 0, said.length > 0);
  score[verdict] += 1;
  const without = verdictOf(broken.length > 0, saidAlone.length > 0);
  alone[without] += 1;
  if (without !== verdict) console.log(`${without} by the syntax alone: ${kind}: ${what}; the other: ${how}`);
  const disagree = verdict === "missed" || verdict === "wrong";
  if (!disagree && said.length < 2 && !options.verbose) return;
  console.log(`${disagree ? verdict.toUpperCase() : verdict}: ${kind}: ${what}; the other: ${how}`);
  for (const { path, line, rule, message } of broken)
    console.log(`    pyright: ${path}:${line} ${rule}: ${message.split("\n").join(" ")}`);
  for (const title of said) console.log(`    constel: ${title}`);
  if (disagree)
    console.log(
      text
        .split("\n")
        .map((line) => `    | ${line}`)
        .join("\n"),
    );
}

function share(part: number, whole: number): string {
  if (whole === 0) return "of none";
  const [low, high] = wilson(part, whole);
  return `${(part / whole).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}
