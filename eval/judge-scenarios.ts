// Grows the scenarios, puts all of them into one real repository (one history each), reviews every pair through the same
// function as the program, and counts by kind. A kind that was expected and told is right; told and not expected, a false
// alarm of that kind; expected and not told, missed.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLanguages } from "../src/languages/open-languages.ts";
import type { ReviewedSide } from "../src/sensing/merged-pair.ts";
import { PairPipeline } from "../src/sensing/pipeline.ts";
import { openMemory, type RepositoryMemory } from "../src/sensing/repository-memory.ts";
import { systemClock } from "../src/host/clock/system-clock.ts";
import { gateRunner } from "../src/host/gate/run-gate.ts";
import { observe } from "../src/host/git/observer.ts";
import { chance } from "../src/host/git/scratch.suite.ts";
import { systemProcesses } from "../src/host/process/run.ts";
import type { PairVerdict } from "../src/protocol/findings.ts";
import type { RepositoryObserver } from "../src/ports/git.ts";
import { languageCases } from "./language-cases.ts";
import { dependencyDrift } from "./scenarios/dependency-drift.ts";
import { duplicateWork } from "./scenarios/duplicate-work.ts";
import { migrationOrder } from "./scenarios/migration-order.ts";
import { quiet } from "./scenarios/quiet.ts";
import { type Change, type Scenario, seedOf, type Template, withNoise } from "./scenarios/scenario.ts";
import { staleTypes } from "./scenarios/stale-types.ts";
import { textual } from "./scenarios/textual.ts";

export interface Tally {
  cases: number;
  right: number;
  wrong: number;
  missed: number;
}

export interface Mistake {
  readonly scenario: string;
  readonly what: string;
}

export async function judgeScenarios(options: { seeds: number; first: number }): Promise<{
  tallies: ReadonlyMap<string, Tally>;
  mistakes: readonly Mistake[];
}> {
  return await inRepository(await grownScenarios(options), judgeAll);
}

/** Plants the scenarios as histories of one repository of its own, which is gone afterwards. */
export async function inRepository<T>(
  scenarios: readonly Scenario[],
  judge: (observer: RepositoryObserver, scenarios: readonly Scenario[], root: string) => Promise<T>,
): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "constel-eval-")));
  try {
    plant(root, scenarios);
    const observer = await observe(join(root, "r"), {
      processes: systemProcesses,
      environment: environment(root),
      clock: systemClock,
      directory: join(root, "observe"),
    });
    try {
      return await judge(observer, scenarios, root);
    } finally {
      await observer.close();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Every template, grown with so many seeds. */
export async function grownScenarios({ seeds, first }: { seeds: number; first: number }): Promise<Scenario[]> {
  const semantic = [...(await languageCases()).values()].flatMap(({ templates }) => templates);
  const templates = [
    ...textual,
    ...semantic,
    ...migrationOrder,
    ...dependencyDrift,
    ...duplicateWork,
    ...staleTypes,
    ...quiet,
  ];
  return grow(templates, first, seeds);
}

function grow(templates: readonly Template[], first: number, seeds: number): Scenario[] {
  const scenarios: Scenario[] = [];
  for (const [at, { kind, name, grow: make }] of templates.entries()) {
    for (let seed = first; seed < first + seeds; seed++) {
      const from = seedOf(chance(seed * 1000 + at));
      scenarios.push(withNoise({ kind, name: `${name} (seed ${seed})`, ...make(from) }, from));
    }
  }
  return scenarios;
}

async function judgeAll(
  observer: RepositoryObserver,
  scenarios: readonly Scenario[],
  root: string,
): Promise<{ tallies: Map<string, Tally>; mistakes: Mistake[] }> {
  const tallies = new Map<string, Tally>();
  const tally = (kind: string): Tally => {
    const known = tallies.get(kind) ?? { cases: 0, right: 0, wrong: 0, missed: 0 };
    tallies.set(kind, known);
    return known;
  };
  const mistakes: Mistake[] = [];
  const memory = freshMemory();
  for (const [at, scenario] of scenarios.entries()) {
    const { findings } = await review(observer, memory, scenario, at, root);
    const told = new Set(findings.filter(({ severity }) => severity !== "context").map(({ kind }) => kind));
    tally(scenario.kind).cases += 1;
    const expected: readonly string[] = scenario.expect;
    for (const kind of told) {
      if (expected.includes(kind)) tally(kind).right += 1;
      else {
        tally(kind).wrong += 1;
        const titles = findings.filter((one) => one.kind === kind).map(({ title }) => title);
        mistakes.push({ scenario: scenario.name, what: `false alarm: ${kind}: ${titles.join("; ")}` });
      }
    }
    for (const kind of scenario.expect) {
      if (told.has(kind)) continue;
      tally(kind).missed += 1;
      mistakes.push({ scenario: scenario.name, what: `missed: ${kind}` });
    }
  }
  return { tallies, mistakes };
}

/** Stands for the checkouts that the sides of a scenario would have: claims hold between checkouts. */
export const placeOf = (at: number, side: "ours" | "theirs"): string => `/eval/${at}/${side}`;

/** The sides of the scenario planted at that place. */
export async function sidesOf(
  observer: RepositoryObserver,
  { name }: Scenario,
  at: number,
): Promise<{ readonly ours: ReviewedSide; readonly theirs: ReviewedSide }> {
  const side = async (label: "ours" | "theirs"): Promise<ReviewedSide> => {
    const snapshot = await observer.snapshotOf(`refs/heads/${at}-${label}`);
    if (snapshot === undefined) throw new Error(`${name}: there is no ${label}`);
    const { commit, tree } = snapshot;
    return { side: { label, worktree: placeOf(at, label), branch: `${at}-${label}`, commit, tree }, snapshot };
  };
  return { ours: await side("ours"), theirs: await side("theirs") };
}

/** The pipeline as `constel check --gate` drives it, with the scenario's claims held as in a constellation. */
export function pipelineFor(
  observer: RepositoryObserver,
  memory: RepositoryMemory,
  scenario: Scenario,
  at: number,
  root: string,
): PairPipeline {
  const { gate: command, claims } = scenario;
  const runner = gateRunner({ observer, processes: systemProcesses, environment: environment(root) });
  const cache = { get: () => undefined, set: () => undefined };
  const worktree = placeOf(at, "theirs");
  const held = (claims ?? []).map((claim) => ({ ...claim, worktree, own: [worktree] }));
  const gate =
    command === undefined
      ? {}
      : {
          gate: {
            asked: { when: "now" },
            isChoosy: false,
            runner,
            cache,
            command: async () => ({ command, deadlineMs: 20_000, settleMs: 0 }),
          } as const,
        };
  return new PairPipeline({
    observer,
    memory,
    compilers: { asked: { when: "now" }, deadlineMs: 60_000 },
    claims: { held: () => held, landing: () => undefined },
    deadlineMs: 60_000,
    log: (line) => {
      if (line.startsWith("bug")) throw new Error(`${scenario.name}: ${line}`);
    },
    ...gate,
  });
}

/** Returns what the program says of the pair of the scenario planted at that place. */
export async function review(
  observer: RepositoryObserver,
  memory: RepositoryMemory,
  scenario: Scenario,
  at: number,
  root: string,
): Promise<PairVerdict> {
  const { ours, theirs } = await sidesOf(observer, scenario, at);
  const [merge] = await observer.merge([{ ours: ours.snapshot, theirs: theirs.snapshot }]);
  if (merge === undefined || merge.kind === "skipped") throw new Error(`${scenario.name}: ${merge?.detail}`);
  return await pipelineFor(observer, memory, scenario, at, root).judge(ours, theirs, merge);
}

export function freshMemory(): RepositoryMemory {
  return openMemory(openLanguages());
}

/** One `git fast-import` for everything: a history per scenario, three commits each. */
function plant(root: string, scenarios: readonly Scenario[]): void {
  git(root, "", "init", "-q", "r");
  const parts: string[] = [];
  let mark = 0;
  const commit = (branch: string, from: number | undefined, files: Change): number => {
    mark += 1;
    parts.push(
      `commit refs/heads/${branch}\nmark :${mark}\ncommitter A <a@example.org> ${1_700_000_000 + mark} +0000\n`,
    );
    parts.push("data 1\nx\n");
    if (from !== undefined) parts.push(`from :${from}\n`);
    for (const [path, text] of Object.entries(files)) {
      if (text === null) parts.push(`D ${path}\n`);
      else parts.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
    }
    parts.push("\n");
    return mark;
  };
  for (const [at, scenario] of scenarios.entries()) {
    const base = commit(`${at}-base`, undefined, scenario.base);
    commit(`${at}-ours`, base, scenario.ours);
    commit(`${at}-theirs`, base, scenario.theirs);
  }
  git(join(root, "r"), parts.join(""), "fast-import", "--quiet");
}

function git(directory: string, input: string, ...args: string[]): void {
  const env = { ...environment(directory), GIT_CONFIG_NOSYSTEM: "1" };
  const run = Bun.spawnSync(["git", ...args], { cwd: directory, env, stdin: Buffer.from(input) });
  if (run.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr.toString()}`);
}

function environment(home: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: home };
}
