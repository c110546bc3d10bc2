// Runs test files, each in a process of its own, some at a time:
//   bun scripts/run-tests.ts --reports DIR [--workers N] [--patience MS] [--silence MS] PATH…
// Bun's own `--parallel` gives no result at all when one of its workers stands still, and its time limit for a test is kept by the very
// loop that stands still. Here a file that says nothing for `--silence` is ended and run once more, loudly. A file that fails beside
// others is run once more alone at the end: both results are told. More than a few such files are no accident, and stay red.

import { Glob, type Subprocess } from "bun";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** So many files may fail beside others and pass alone: one in a hundred. */
const mostAccidents = 6;
/** With fewer files, the longest are plain to see. */
const enoughToCompare = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    reports: { type: "string" },
    workers: { type: "string", default: "3" },
    patience: { type: "string", default: "120000" },
    silence: { type: "string", default: "300000" },
  },
});
const reports = values.reports ?? fail("--reports is missing");
const [workers, patienceMs, silenceMs] = [values.workers, values.patience, values.silence].map(wholeNumber) as [
  number,
  number,
  number,
];

interface Outcome {
  readonly end: "passed" | "failed" | "stood still";
  readonly text: string;
}

interface Taken {
  readonly path: string;
  readonly seconds: number;
  /** Of the file and of every process that it waited for. */
  readonly cpuSeconds: number;
}

/** Nothing of the directory it runs in decides how Bun runs. */
const bare = ["--no-env-file", "--config=/dev/null"];
const running = new Set<Subprocess>();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    for (const child of running) child.kill("SIGKILL");
    process.exit(signal === "SIGINT" ? 130 : 143);
  });

const files = positionals.flatMap(filesBelow);
if (files.length === 0) fail(`no test file below ${positionals.join(" ")}`);
const waiting = files.map((path, at) => ({ path, report: join(reports, `${process.pid}-${at}.xml`) }));
const again: typeof waiting = [];
const queue = [...waiting];
const taken: Taken[] = [];
await Promise.all(Array.from({ length: workers }, takeTurns));
if (files.length >= enoughToCompare) tellLongest();
process.exitCode = (await runAgain()) ? 0 : 1;

async function takeTurns(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const outcome = await run(next);
    process.stdout.write(outcome.text);
    if (outcome.end !== "passed") again.push(next);
    if (outcome.end === "stood still")
      console.log(`!! ${next.path} said nothing for ${silenceMs / 1000} s and was ended`);
  }
}

/** Returns true if every file that did not pass the first time passes alone. */
async function runAgain(): Promise<boolean> {
  if (again.length > mostAccidents) {
    console.log(`!! ${again.length} files did not pass: too many to be an accident, so none is run again`);
    return false;
  }
  let isGreen = true;
  for (const file of again) {
    console.log(`!! again, alone: ${file.path}`);
    const outcome = await run(file);
    process.stdout.write(outcome.text);
    console.log(`!! ${file.path} did not pass beside others; alone it ${outcome.end}`);
    if (outcome.end !== "passed") isGreen = false;
  }
  return isGreen;
}

function tellLongest(): void {
  const sum = (of: (each: Taken) => number): string => taken.reduce((all, each) => all + of(each), 0).toFixed(0);
  console.log(
    `\n${taken.length} files: ${sum((each) => each.seconds)} s, of these ${sum((each) => each.cpuSeconds)} s of CPU. The longest:`,
  );
  for (const { path, seconds, cpuSeconds } of taken.toSorted((one, other) => other.seconds - one.seconds).slice(0, 25))
    console.log(`${seconds.toFixed(1).padStart(8)} s ${cpuSeconds.toFixed(1).padStart(8)} s of CPU  ${path}`);
}

async function run({ path, report }: { readonly path: string; readonly report: string }): Promise<Outcome> {
  rmSync(report, { force: true });
  const sinceMs = performance.now();
  const child = Bun.spawn(
    [
      process.execPath,
      ...bare,
      "test",
      `--timeout=${patienceMs}`,
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      path,
    ],
    { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  running.add(child);
  let hasStoodStill = false;
  const end = (): void => {
    hasStoodStill = true;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(end, silenceMs);
  const chunks: string[] = [];
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      chunks.push(decoder.decode(chunk, { stream: true }));
      clearTimeout(timer);
      timer = setTimeout(end, silenceMs);
    }
  };
  // What the file started and left behind may hold the pipes open: its end is the end of its process.
  void read(child.stdout);
  const spoken = read(child.stderr);
  const code = await child.exited;
  await Promise.race([spoken, Bun.sleep(1_000)]);
  clearTimeout(timer);
  running.delete(child);
  const cpuSeconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
  taken.push({ path, seconds: (performance.now() - sinceMs) / 1000, cpuSeconds });
  return { end: hasStoodStill ? "stood still" : code === 0 ? "passed" : "failed", text: chunks.join("") };
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return [...new Glob("**/*.test.ts").scanSync(path)].sort().map((name) => `${path.replace(/\/$/, "")}/${name}`);
}

function wholeNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : fail(`not a whole number: ${text}`);
}

function fail(problem: string): never {
  console.error(`run-tests: ${problem}`);
  process.exit(2);
}
