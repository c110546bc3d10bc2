// The same pair through `check`, `try` and the daemon's watcher: one verdict, or the part that is still open is named. Over all
// scenarios of the eval, each grown once, or with CONSTEL_VERDICT_SEEDS from CONSTEL_FIRST_SEED on, with their claims and gates, and
// over the examiner's cases: every fourth, or all with CONSTEL_VERDICT_SEEDS. And every line that is shown as a side's is that side's.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { examinerCases } from "../src/languages/python/cases/examiner.ts";
import { grownScenarios, inRepository, placeOf } from "../eval/judge-scenarios.ts";
import type { Scenario } from "../eval/scenarios/scenario.ts";
import { checkPair } from "../src/app/check-pair.ts";
import { type OpenLanguages, openLanguages } from "../src/languages/open-languages.ts";
import { gateRunner } from "../src/host/gate/run-gate.ts";
import { systemProcesses } from "../src/host/process/run.ts";
import type { GateRun } from "../src/ports/gate.ts";
import type { HeldClaim } from "../src/protocol/claims.ts";
import { FakeClock } from "../src/ports/fake-clock.ts";
import type { RepositoryObserver, SnapshotOutcome, WorktreeFacts } from "../src/ports/git.ts";
import type { PairVerdict } from "../src/protocol/findings.ts";
import { plainFacts } from "../src/sensing/facts.suite.ts";
import { lookOnce } from "../src/sensing/once.ts";
import { PairPipeline } from "../src/sensing/pipeline.ts";
import { QuietQueue } from "../src/sensing/quiet-queue.ts";
import { openMemory } from "../src/sensing/repository-memory.ts";
import type { Asked } from "../src/sensing/slow-question.ts";
import { RepositoryWatcher } from "../src/sensing/watch.ts";

const deadlineMs = 120_000;
/** What a gate says of one side alone is logged too. */
const log = (line: string): void => {
  if (line.startsWith("bug")) throw new Error(line);
};

const sides = ["ours", "theirs"] as const;
type Places = Readonly<Record<(typeof sides)[number], string>>;

/** Claims hold between checkouts, so their sides need real ones; the others are compared as branches. */
function placesOf({ claims }: Scenario, at: number, root: string): Places {
  if (claims === undefined) return { ours: placeOf(at, "ours"), theirs: placeOf(at, "theirs") };
  const [ours = "", theirs = ""] = sides.map((side) => {
    const path = join(root, `${at}-${side}`);
    const run = Bun.spawnSync(["git", "-C", join(root, "r"), "worktree", "add", "-q", path, `${at}-${side}`]);
    if (run.exitCode !== 0) throw new Error(run.stderr.toString());
    return path;
  });
  return { ours, theirs };
}

/** The claims of a scenario are held by whoever works on its second side. */
function heldIn({ claims = [] }: Scenario, { theirs }: Places): readonly HeldClaim[] {
  return claims.map((claim) => ({ ...claim, worktree: theirs, own: [theirs] }));
}

/** The repository as if nothing were checked out but the two sides of one scenario. */
function onlySides(observer: RepositoryObserver, at: number, root: string, places: Places): RepositoryObserver {
  const branches = new Map(sides.map((side) => [places[side], `${at}-${side}`]));
  const clone = join(root, "r/.git");
  const factsOf = (path: string, head: string): WorktreeFacts =>
    plainFacts(path, { gitDirectory: clone, commonDirectory: clone, branch: branches.get(path), head });
  const snapshot = async (path: string): Promise<SnapshotOutcome> => {
    const taken = await observer.snapshotOf(`refs/heads/${branches.get(path)}`);
    if (taken === undefined) throw new Error(`${path}: there is no such branch`);
    return { kind: "taken", snapshot: taken, facts: factsOf(path, taken.commit), isNew: true, polledMs: undefined };
  };
  const own: Partial<RepositoryObserver> = {
    worktrees: async () => ({ found: [...branches.keys()].map((path) => factsOf(path, "")), skipped: [] }),
    snapshot,
    defaultBranch: async () => undefined,
    watch: async () => ({ kind: "watching" }),
    close: async () => undefined,
  };
  return new Proxy(observer, {
    get: (target, key) => {
      const value: unknown = Reflect.get(own, key) ?? Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

interface Seen {
  readonly observer: RepositoryObserver;
  readonly languages: OpenLanguages;
  readonly held: readonly HeldClaim[];
  readonly gate: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

function pipelineOf({ observer, languages, held, gate: command, environment }: Seen, asked: Asked): PairPipeline {
  const runs = new Map<string, GateRun>();
  const gate =
    command === undefined
      ? {}
      : {
          gate: {
            asked,
            isChoosy: false,
            runner: gateRunner({ observer, processes: systemProcesses, environment }),
            cache: {
              get: ({ tree }: { tree: string }) => runs.get(tree),
              set: ({ tree }: { tree: string }, run: GateRun) => void runs.set(tree, run),
            },
            command: async () => ({ command, deadlineMs, settleMs: 0 }),
          },
        };
  return new PairPipeline({
    observer,
    memory: openMemory(languages),
    compilers: { asked, deadlineMs },
    claims: { held: () => held, landing: () => undefined },
    deadlineMs,
    log,
    ...gate,
  });
}

/** It never runs a gate. */
async function tried(seen: Seen): Promise<PairVerdict> {
  const { observer } = seen;
  const pipeline = pipelineOf({ ...seen, gate: undefined }, { when: "now" });
  const request = {
    cwd: "/",
    branches: false,
    fetch: false,
    nowMs: 0,
    environment: {},
    signal: new AbortController().signal,
  };
  const { report } = await lookOnce(observer, (...pair) => pipeline.judge(...pair), request);
  const [verdict] = report.pairs;
  if (verdict === undefined) throw new Error("no pair was compared");
  return verdict;
}

/**
 * Returns what the watcher says first, and what it says when nothing is on its way any more. Its time goes on when it has nothing else to
 * do.
 */
async function watched(seen: Seen): Promise<{ readonly first: PairVerdict; readonly last: PairVerdict }> {
  const { observer, held } = seen;
  const clock = new FakeClock();
  const queue = new QuietQueue({ clock, log });
  const said: PairVerdict[] = [];
  let heard = Promise.withResolvers<PairVerdict>();
  const asked: Asked = { when: "later", queue, recheck: (one, other) => watcher.recheck(one, other) };
  const pipeline = pipelineOf(seen, asked);
  const watcher = new RepositoryWatcher({
    observer,
    judge: (...pair) => pipeline.judge(...pair),
    report: async ({ pairs }) => {
      said.push(...pairs);
      const [newest] = pairs.slice(-1);
      if (newest !== undefined) heard.resolve(newest);
    },
    clock,
    claims: (path) => held.some(({ worktree }) => worktree === path),
    log,
  });
  try {
    for (;;) {
      const newest = await heard.promise;
      if (!newest.open.some(({ isComing }) => isComing)) break;
      heard = Promise.withResolvers();
      // The queue waits until both sides were quiet for long enough, and for a gate that needs no quiet it does not wait.
      const next = { isHeard: false };
      void heard.promise.then(() => (next.isHeard = true));
      while (!next.isHeard && clock.sleeping < 2) await new Promise((resolve) => setImmediate(resolve));
      if (!next.isHeard) clock.advance(2_000);
    }
    const [first, last] = [said[0], said.at(-1)];
    if (first === undefined || last === undefined) throw new Error("nothing was reported");
    return { first, last };
  } finally {
    await queue.close();
    await watcher.close();
  }
}

/** Returns what is said, without what only one of them can know: commits' places, and the order of what is equally bad. */
function essence({ findings, open, complete, notes }: PairVerdict): object {
  const told = findings.map(({ kind, severity, title, files, evidence }) => ({
    kind,
    severity,
    title,
    files,
    evidence,
  }));
  return { complete, notes, open: open.map(({ what, why }) => `${what}: ${why}`).sort(), told: told.sort(byTitle) };
}

const byTitle = (one: { title: string }, other: { title: string }): number => (one.title < other.title ? -1 : 1);

/** Lines that are shown as a side's and are not there. */
function untrue(root: string, at: number, { findings }: PairVerdict): string[] {
  const lies: string[] = [];
  for (const { title, evidence } of findings) {
    for (const side of ["ours", "theirs"] as const) {
      for (const { path, line, text } of evidence.flatMap((one) => one[side])) {
        const run = Bun.spawnSync(["git", "-C", join(root, "r"), "show", `${at}-${side}:${path}`]);
        const lines = run.stdout.toString().split("\n");
        const isThere = text.split("\n").every((shown, offset) => {
          if (shown === "…" || shown === "") return true;
          const there = (lines[line - 1 + offset] ?? "").trim();
          return there === shown.trim() || (shown.endsWith("…") && there.startsWith(shown.slice(0, -1).trim()));
        });
        if (run.exitCode !== 0 || !isThere) lies.push(`${title}: ${side} ${path}:${line}: ${text}`);
      }
    }
  }
  return lies;
}

/** Every fourth at first sight; which ones goes on with the seed. */
function examined(first: number, isWhole: boolean): Scenario[] {
  const cases = examinerCases().filter((_, at) => isWhole || at % 4 === first % 4);
  return cases.map(({ breaks, ...rest }) => ({
    kind: "semantic",
    ...rest,
    expect: breaks === null ? [] : ["semantic"],
  }));
}

test("check, try and the watcher say the same of every pair, and show only lines that are there", async () => {
  const languages = openLanguages();
  const first = Number(process.env["CONSTEL_FIRST_SEED"] ?? 1);
  const seeds = process.env["CONSTEL_VERDICT_SEEDS"];
  try {
    const grown = await grownScenarios({ first, seeds: Number(seeds ?? 1) });
    const all = [...grown, ...examined(first, seeds !== undefined)];
    await inRepository(all, async (observer, scenarios, root) => {
      const environment = { PATH: process.env["PATH"], HOME: root };
      const told = new Set<string>();
      let alarms = 0;
      for (const [at, scenario] of scenarios.entries()) {
        const { name, gate } = scenario;
        const places = placesOf(scenario, at, root);
        const held = heldIn(scenario, places);
        const words = held.length > 0 ? places : ({ ours: `${at}-ours`, theirs: `${at}-theirs` } satisfies Places);
        const { signal } = new AbortController();
        const request = { cwd: join(root, "r"), ...words, environment, fetch: false, signal };
        const check = async (command: string | undefined): Promise<PairVerdict> => {
          const wish = { ...request, gate: command !== undefined, gateCommand: command };
          return (await checkPair({ ...wish, claims: async () => ({ held }) }, languages)).verdict;
        };
        const checked = await check(gate);
        const seen = { observer: onlySides(observer, at, root, places), languages, held, gate, environment };
        const said = essence(checked);
        const plain = gate === undefined ? said : essence(await check(undefined));
        expect({ name, said: essence(await tried(seen)) }).toEqual({ name, said: plain });
        const { first: early, last } = await watched(seen);
        expect({ name, said: essence(last) }).toEqual({ name, said });
        if (JSON.stringify(essence(early)) !== JSON.stringify(said))
          expect({ name, isOpen: early.open.some(({ what }) => what === "types" || what === "gate") }).toEqual({
            name,
            isOpen: true,
          });
        expect({ name, untrue: untrue(root, at, checked) }).toEqual({ name, untrue: [] });
        alarms += checked.findings.length;
        for (const { kind } of checked.findings) told.add(kind);
      }
      expect(alarms).toBeGreaterThan(scenarios.length / 2);
      // All that the eval has scenarios for.
      expect([...new Set(scenarios.flatMap(({ expect: kinds }) => kinds))].filter((kind) => !told.has(kind))).toEqual(
        [],
      );
    });
  } finally {
    languages.close();
  }
}, 7_200_000);
