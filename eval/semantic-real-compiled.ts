// Measures how often the findings for Go, Java and Rust are right on real code: one side refactors a declaration of a real checkout, the
// other begins to use it (copies of real functions that use it, calls that its parameters suggest) or something near it. Both sides compile,
// git merges them cleanly, and the real compiler says which of the new pieces of code the merge breaks. constel is asked by the syntax
// alone, or with the second opinion of the compiler (--toolchain).
//
//   bun eval/semantic-real-compiled.ts <checkout> --language go|java|rust [--rounds 40] [--seed 1] [--folder src/main/java]
//     [--edition 2021] [--feature std]… [--tests] [--toolchain] [--show] [--json]

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { type CompilerError, openJudge } from "../src/languages/compiled/cases/real/judge-real.ts";
import type { Piece } from "../src/languages/compiled/cases/real/piece.ts";
import { readPieces, type RealLanguage } from "../src/languages/compiled/cases/real/read-pieces.ts";
import { type Ground, refactor, type Refactored } from "../src/languages/compiled/cases/real/refactor-real.ts";
import type { Block } from "../src/languages/compiled/cases/real/block.ts";
import { blockAt, testsOf, usesOf, withBlocks } from "../src/languages/compiled/cases/real/use-real.ts";
import type { Files } from "../src/languages/compiled/cases/judge-trees.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { inputOf, mergeFiles } from "../src/languages/python/rules/scenario.suite.ts";
import { Dice } from "../src/languages/typescript/cases/random-project.ts";
import { askToolchain } from "./ask-toolchain.ts";
import { wilson } from "./replay.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: "string", default: "go" },
    rounds: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    /** Only what is below is read and compiled. */
    folder: { type: "string", default: "" },
    edition: { type: "string", default: "2021" },
    feature: { type: "string", multiple: true, default: [] },
    /** Rust: what is added is copies of tests, and the tests are compiled. */
    tests: { type: "boolean", default: false },
    /** Prints every false alarm and every miss. */
    show: { type: "boolean", default: false },
    /** With the second opinion of the compiler, asked as `check` asks it. */
    toolchain: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

interface Score {
  rounds: number;
  pairs: number;
  breaking: number;
  right: number;
  false: number;
  missed: number;
  /** Of those that were missed: named as not checked. */
  named: number;
  /** A side did not compile by itself, or git would not merge. */
  aside: number;
}

const language = values.language as RealLanguage;
const extension = { go: ".go", java: ".java", rust: ".rs" }[language];
const asked = values.toolchain ? askToolchain(language) : undefined;
const checker = asked ?? openLanguages().named(language);
const score: Score = { rounds: 0, pairs: 0, breaking: 0, right: 0, false: 0, missed: 0, named: 0, aside: 0 };
const byKind = new Map<string, { broke: number; found: number; false: number }>();
const [checkout = "."] = positionals;
const judge = openJudge(language, values.edition, values.feature, values.tests);
// A run that is ended says what it has seen.
process.once("SIGTERM", () => {
  report();
  judge.close();
  asked?.close();
  process.exit(1);
});
try {
  await measure();
} finally {
  judge.close();
  asked?.close();
}
report();

async function measure(): Promise<void> {
  const files = read(checkout);
  const pieces: Piece[] = [];
  const isSeen = await judge.sees(files);
  for (const [path, text] of Object.entries(files))
    if (path.endsWith(extension) && isSeen(path)) pieces.push(...(await readPieces(language, path, text)));
  const errors = await judge.errors(files);
  if (errors.length > 0) throw new Error(`the checkout does not compile: ${JSON.stringify(errors.slice(0, 3))}`);
  const ground: Ground = { language, files, pieces, judge };
  // Of little else would a copy of a test say anything.
  const inTests = new Set(pieces.flatMap(({ kind, text }) => (kind === "test" ? (text.match(/\w+/g) ?? []) : [])));
  const dice = new Dice(Number(values.seed) * 7919);
  for (let turn = 0; turn < 4; turn += 1) dice.next();
  for (let tries = 0; score.rounds < Number(values.rounds) && tries < Number(values.rounds) * 8; tries += 1) {
    // Each kind of declaration has its turn, for most are functions.
    const kind = dice.pick([
      "function",
      "function",
      "function",
      "function",
      "field",
      "type",
      "constant",
      "interface",
      "variant",
      "constructor",
    ]);
    const some = pieces.filter((one) => one.kind === kind && (!values.tests || inTests.has(one.name)));
    if (some.length === 0) continue;
    const target = dice.pick(some);
    const changed = await refactor(ground, target, dice);
    if (changed === undefined) {
      score.aside += 1;
      continue;
    }
    score.rounds += 1;
    await round(ground, target, changed, dice);
  }
}

async function round(ground: Ground, target: Piece, changed: Refactored, dice: Dice): Promise<void> {
  const { files, pieces } = ground;
  const all = values.tests
    ? testsOf(files, pieces, target, dice, score.rounds * 100)
    : usesOf(language, files, pieces, target, dice, score.rounds * 100);
  const { blocks: sound } = await peeled(all, (some) => withBlocks(files, some));
  score.aside += all.length - sound.length;
  const merging = sound.filter((one) => mergeFiles(files, changed.files, withBlocks(files, [one])) !== undefined);
  const judged = await peeled(merging, (some) => mergeFiles(files, changed.files, withBlocks(files, some)));
  if (judged.isLost) {
    score.aside += merging.length;
    return;
  }
  for (const block of merging) {
    const isBroken = judged.broken.has(block.number);
    const theirs = withBlocks(files, [block]);
    const [ours, other] = block.number % 2 === 0 ? [changed.files, theirs] : [theirs, changed.files];
    const merged = mergeFiles(files, ours, other);
    if (merged === undefined || checker === undefined) continue;
    const outcome = await checker.check(
      inputOf({ base: files, ours: sideOf(files, ours), theirs: sideOf(files, other), merged }),
    );
    const isSaid = outcome.conflicts.some(({ use }) => use.path === block.path || merged[block.path] === undefined);
    if (isBroken && !isSaid && outcome.unsure?.some(({ path }) => path === block.path) === true) score.named += 1;
    count(
      target,
      changed,
      block,
      isBroken,
      isSaid,
      judged.broken.get(block.number),
      outcome.conflicts.map((one) => one.message),
    );
  }
}

/** Takes out the blocks that errors stand in, until what is left compiles. */
async function peeled(
  all: readonly Block[],
  make: (blocks: readonly Block[]) => Files | undefined,
): Promise<{ blocks: readonly Block[]; broken: ReadonlyMap<number, CompilerError>; isLost: boolean }> {
  const broken = new Map<number, CompilerError>();
  let blocks = all;
  for (;;) {
    const tree = make(blocks);
    if (tree === undefined) return { blocks: [], broken, isLost: true };
    const errors = await judge.errors(tree);
    if (errors.length === 0) return { blocks, broken, isLost: false };
    const before = broken.size;
    for (const error of errors) {
      const number = blockAt(tree[error.path] ?? "", error.line);
      if (number !== undefined && !broken.has(number)) broken.set(number, error);
    }
    if (broken.size === before) return { blocks: [], broken, isLost: true };
    blocks = blocks.filter((one) => !broken.has(one.number));
  }
}

function count(
  target: Piece,
  changed: Refactored,
  block: Block,
  isBroken: boolean,
  isSaid: boolean,
  error: CompilerError | undefined,
  messages: readonly string[],
): void {
  score.pairs += 1;
  const key = `${changed.name} of ${target.kind}`;
  const own = byKind.get(key) ?? { broke: 0, found: 0, false: 0 };
  byKind.set(key, own);
  if (isBroken) {
    score.breaking += 1;
    own.broke += 1;
  }
  if (isBroken && isSaid) {
    score.right += 1;
    own.found += 1;
  } else if (isBroken) score.missed += 1;
  else if (isSaid) {
    score.false += 1;
    own.false += 1;
  }
  if (values.show && isBroken !== isSaid) {
    console.log(
      `${isBroken ? "MISSED" : "FALSE"} ${key}: ${target.path} ${target.holder}.${target.name}; ${block.kind} in ${block.path}`,
    );
    console.log(`  ${isBroken ? error?.message : messages.join(" | ")}`);
    console.log(block.text.slice(0, 1_500).replaceAll(/^/gm, "    "));
  }
}

function report(): void {
  const ratio = (part: number, whole: number): string => {
    const [low, high] = wilson(part, whole);
    return `${(whole === 0 ? 1 : part / whole).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
  };
  if (values.json) {
    console.log(
      JSON.stringify({ checkout, language, seed: values.seed, ...score, byKind: Object.fromEntries(byKind) }),
    );
    return;
  }
  for (const [key, { broke, found, false: wrong }] of [...byKind].sort())
    console.log(`  ${key}: ${found} of ${broke} found${wrong === 0 ? "" : `, ${wrong} FALSE`}`);
  console.log(
    `${checkout}, seed ${values.seed}: ${score.rounds} refactorings, ${score.pairs} merges, ${score.breaking} break, ${score.false} false alarms, ${score.missed} missed, ${score.named} of them named as not checked (${score.aside} set aside)`,
  );
  console.log(
    `  precision ${ratio(score.right, score.right + score.false)}  recall ${ratio(score.right, score.breaking)}`,
  );
}

/** Sources without tests, and what says where modules are. */
function read(directory: string): Files {
  const found: Record<string, string> = {};
  const root = join(directory, values.folder);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = relative(directory, join(entry.parentPath, entry.name));
    const isSource =
      path.endsWith(extension) &&
      !/_test\.go$|(^|\/)(test|tests|testdata|examples|_examples|benches|fuzz|benchmarks|cmd|target|[._][^/]*)\/|package-info|module-info/.test(
        path,
      );
    const isManifest = /(^|\/)(go\.mod|Cargo\.toml)$|^[^/]+\.md$/.test(path) && !path.includes("/.git/");
    if (entry.isFile() && (isSource || isManifest)) found[path] = readFileSync(join(directory, path), "utf8");
  }
  return found;
}

function sideOf(base: Files, side: Files): Record<string, string | null> {
  const change: Record<string, string | null> = {};
  for (const path of new Set([...Object.keys(base), ...Object.keys(side)]))
    if (base[path] !== side[path]) change[path] = side[path] ?? null;
  return change;
}
