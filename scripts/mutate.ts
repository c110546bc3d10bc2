// Plants N random mistakes in important files, one at a time, and prints those that the nearest tests did not notice:
//   bin/check --mutate N [--seed S] [--only path-prefix …] [--tests path …]
// Each is planted in a copy of the sources, and the tests nearest to the file (by imports) are run on it, or those that `--tests` names:
// what only whole stories reach has no near test. No mistake is planted twice in a run, so that a small file ends early. Not part of
// the check: a survivor is a place to look, and some mistakes change nothing that matters.

import { Glob } from "bun";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { nearestTests } from "./nearest-tests.ts";

const top = join(import.meta.dir, "..");
/** The places where a mistake loses work, forges something or calls the wrong thing safe. */
const important = [
  "src/core/",
  "src/files/",
  "src/floor/",
  "src/host/gate/",
  "src/host/harvest/",
  "src/host/workspace/",
  "src/daemon/",
  "src/protocol/",
  "src/sensing/",
  "src/store/",
];
const testsPerFile = 8;
const deadlineMs = 180_000;

interface Mutation {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly what: string;
}

const { count, seed, only, named } = readArguments(process.argv.slice(2));
const random = seeded(seed);
const sources = [...new Glob("src/**/*.ts").scanSync(top)].filter((path) => !/\.(test|suite)\.ts$|\.d\.ts$/.test(path));
const targets = sources.filter((path) => (only.length === 0 ? important : only).some((one) => path.startsWith(one)));
const nearest = named.length > 0 ? () => named : nearestTests(testsPerFile);
const planted = new Set<string>();
const copy = mkdtempSync(join(tmpdir(), "constel-mutate-"));
const survivors: string[] = [];
let killed = 0;
try {
  for (const name of ["src", "test", "eval", "scripts", "bin", "package.json", "tsconfig.json"])
    cpSync(join(top, name), join(copy, name), { recursive: true });
  linkPackages();
  if (named.length > 0 && !(await passes(named)))
    throw new Error(`the tests fail without any mistake planted: ${named.join(" ")}`);
  for (let at = 1; at <= count; at++) {
    const mutation = pick();
    if (mutation === undefined) break;
    const tests = nearest(mutation.path);
    const isKilled = tests.length > 0 && (await survives(mutation, tests)) === false;
    if (isKilled) killed += 1;
    else survivors.push(describe(mutation, tests));
    process.stdout.write(`${at}/${count} ${isKilled ? "killed  " : "SURVIVED"} ${mutation.path}: ${mutation.what}\n`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(`\nseed ${seed}: ${killed} killed, ${survivors.length} survived\n\n${survivors.join("\n\n")}\n`);

/** All but the quick program, which is built of the sources as they are: stories would run it and meet no mistake. */
function linkPackages(): void {
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(top, "node_modules")))
    if (name !== ".constel") symlinkSync(join(top, "node_modules", name), join(copy, "node_modules", name));
}

async function survives(mutation: Mutation, tests: readonly string[]): Promise<boolean> {
  const file = join(copy, mutation.path);
  const before = readFileSync(file, "utf8");
  writeFileSync(file, before.slice(0, mutation.start) + mutation.text + before.slice(mutation.end));
  try {
    return await passes(tests);
  } finally {
    writeFileSync(file, before);
  }
}

async function passes(tests: readonly string[]): Promise<boolean> {
  const bun = [process.execPath, "--no-env-file", "--config=/dev/null"];
  const child = Bun.spawn([...bun, "test", "--bail", "--timeout", "60000", ...tests.map((test) => `./${test}`)], {
    cwd: copy,
    stdout: "ignore",
    stderr: "ignore",
    timeout: deadlineMs,
  });
  return (await child.exited) === 0;
}

function pick(): Mutation | undefined {
  for (let tries = 0; tries < 200; tries++) {
    const path = targets[Math.floor(random() * targets.length)] ?? "";
    const found = mutationsOf(path, readFileSync(join(top, path), "utf8"));
    const chosen = found[Math.floor(random() * found.length)];
    const key = JSON.stringify(chosen);
    if (chosen === undefined || planted.has(key)) continue;
    planted.add(key);
    return chosen;
  }
  return undefined;
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;

/** The kinds of slips people make: a condition turned round, a bound off by one, a step forgotten. */
function mutationsOf(path: string, source: string): Mutation[] {
  const found: Mutation[] = [];
  const textOf = (node: Node): string => source.slice(node.start, node.end);
  const add = (node: Node, text: string, what: string): void => {
    const { start, end } = node;
    found.push({ path, start, end, text, what: `${what} at line ${source.slice(0, start).split("\n").length}` });
  };
  const swaps: Readonly<Record<string, string>> = {
    "&&": "||",
    "||": "&&",
    "??": "&&",
    "===": "!==",
    "!==": "===",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "+": "-",
    "-": "+",
  };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null || !("type" in node)) return;
    const one = node as Node;
    // Types and imports are not run.
    if (/^TS|^Import/.test(one.type)) return;
    const swapped = swaps[String(one["operator"])];
    if (swapped !== undefined && (one.type === "BinaryExpression" || one.type === "LogicalExpression")) {
      const [left, right] = [one["left"] as Node, one["right"] as Node];
      add(
        one,
        `(${textOf(left)}) ${swapped} (${textOf(right)})`,
        `\`${String(one["operator"])}\` became \`${swapped}\``,
      );
    }
    if (one.type === "IfStatement") add(one["test"] as Node, "false", "a condition is never met");
    if (one.type === "ExpressionStatement") add(one, ";", `\`${textOf(one).split("\n")[0]}\` is forgotten`);
    const answered = one.type === "ReturnStatement" ? (one["argument"] as Node | null) : null;
    if (answered !== null && textOf(answered) !== "undefined")
      add(one, "return undefined as never;", "nothing is answered");
    if (one.type === "Literal" && typeof one["value"] === "boolean")
      add(
        one,
        String(!(one["value"] as boolean)),
        `${String(one["value"])} became ${String(!(one["value"] as boolean))}`,
      );
    for (const [key, child] of Object.entries(one)) if (key !== "parent") visit(child);
  };
  visit(parseSync(path, source).program);
  return found;
}

function describe({ path, what, start, end }: Mutation, tests: readonly string[]): string {
  const source = readFileSync(join(top, path), "utf8");
  const from = source.lastIndexOf("\n", start) + 1;
  const until = source.indexOf("\n", end);
  const ran = tests.length === 0 ? "no test imports it; stories may still notice" : `ran ${tests.join(", ")}`;
  return `${path}: ${what}\n${source.slice(from, until)}\n  (${ran})`;
}

interface Arguments {
  readonly count: number;
  readonly seed: number;
  readonly only: readonly string[];
  readonly named: readonly string[];
}

function readArguments(words: readonly string[]): Arguments {
  const valuesOf = (flag: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  const number = (text: string | undefined, what: string): number => {
    if (!/^[1-9]\d*$/.test(text ?? ""))
      throw new Error(`${what} is a whole number above 0, not ${JSON.stringify(text)}`);
    return Number(text);
  };
  const [seed] = valuesOf("--seed");
  return {
    count: number(words[0], "N"),
    seed: seed === undefined ? Date.now() % 1_000_000 || 1 : number(seed, "--seed"),
    only: valuesOf("--only"),
    named: valuesOf("--tests"),
  };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
