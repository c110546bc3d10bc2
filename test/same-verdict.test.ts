// The same pair through `check`, `try` and the daemon's watcher: one verdict, or the part that is still open is named. Over all
// scenarios of the eval, each grown once, or with CONSTEL_VERDICT_SEEDS from CONSTEL_FIRST_SEED on. And every line that is shown as
// a side's is that side's.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { grownScenarios, inRepository, placeOf } from "../eval/judge-scenarios.ts";
import type { Scenario } from "../eval/scenarios/scenario.ts";
import { checkPair } from "../src/app/check-pair.ts";
import { type OpenLanguages, openLanguages } from "../src/languages/open-languages.ts";
import { FakeClock } from "../src/ports/fake-clock.ts";
import type { RepositoryObserver, SnapshotOutcome, WorktreeFacts } from "../src/ports/git.ts";
import type { PairVerdict } from "../src/protocol/findings.ts";
import { lookOnce } from "../src/sensing/once.ts";
import { PairPipeline } from "../src/sensing/pipeline.ts";
import { QuietQueue } from "../src/sensing/quiet-queue.ts";
import { openMemory } from "../src/sensing/repository-memory.ts";
import type { Asked } from "../src/sensing/slow-question.ts";
import { RepositoryWatcher } from "../src/sensing/watch.ts";

const deadlineMs = 120_000;
const log = (line: string): void => {
  throw new Error(line);
};

/** The repository as if nothing were checked out but the two sides of one scenario. */
function onlySides(observer: RepositoryObserver, at: number, root: string): RepositoryObserver {
  const branches = new Map((["ours", "theirs"] as const).map((side) => [placeOf(at, side), `${at}-${side}`]));
  const factsOf = (path: string, head: string): WorktreeFacts => ({
    path,
    gitDirectory: join(root, "r/.git"),
    commonDirectory: join(root, "r/.git"),
    branch: branches.get(path),
    head,
    upstream: undefined,
    operation: undefined,
    isMain: false,
    isShallow: false,
    isSparse: false,
    isLocked: false,
  });
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

function pipelineOf(observer: RepositoryObserver, languages: OpenLanguages, asked: Asked): PairPipeline {
  return new PairPipeline({
    observer,
    memory: openMemory(languages),
    compilers: { asked, deadlineMs },
    deadlineMs,
    log,
  });
}

async function tried(observer: RepositoryObserver, languages: OpenLanguages): Promise<PairVerdict> {
  const pipeline = pipelineOf(observer, languages, { when: "now" });
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

/** What the watcher says first, and when nothing is on its way any more. Its time goes on when it has nothing else to do. */
async function watched(
  observer: RepositoryObserver,
  languages: OpenLanguages,
): Promise<{ readonly first: PairVerdict; readonly last: PairVerdict }> {
  const clock = new FakeClock();
  const queue = new QuietQueue({ clock, log });
  const said: PairVerdict[] = [];
  let heard = Promise.withResolvers<PairVerdict>();
  const asked: Asked = { when: "later", queue, recheck: (one, other) => watcher.recheck(one, other) };
  const pipeline = pipelineOf(observer, languages, asked);
  const watcher = new RepositoryWatcher({
    observer,
    judge: (...pair) => pipeline.judge(...pair),
    report: async ({ pairs }) => {
      said.push(...pairs);
      const [newest] = pairs.slice(-1);
      if (newest !== undefined) heard.resolve(newest);
    },
    clock,
    log,
  });
  try {
    for (;;) {
      const newest = await heard.promise;
      if (!newest.open.some(({ isComing }) => isComing)) break;
      heard = Promise.withResolvers();
      // The queue waits until both sides were quiet for long enough.
      while (clock.sleeping < 2) await new Promise((resolve) => setImmediate(resolve));
      clock.advance(2_000);
    }
    const [first, last] = [said[0], said.at(-1)];
    if (first === undefined || last === undefined) throw new Error("nothing was reported");
    return { first, last };
  } finally {
    await queue.close();
    await watcher.close();
  }
}

/** What is said, without what only one of them can know: commits' places, and the order of what is equally bad. */
function essence({ findings, open, complete }: PairVerdict): object {
  const told = findings.map(({ kind, severity, title, files, evidence }) => ({
    kind,
    severity,
    title,
    files,
    evidence,
  }));
  return { complete, open: open.map(({ what, why }) => `${what}: ${why}`).sort(), told: told.sort(byTitle) };
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

test("check, try and the watcher say the same of every pair, and show only lines that are there", async () => {
  const languages = openLanguages();
  // A gate is run where the owner asks for it, and claims are known to the daemon alone: both are other questions.
  const plain = ({ gate: _gate, claims: _claims, ...scenario }: Scenario): Scenario => scenario;
  try {
    const grown = await grownScenarios({
      first: Number(process.env["CONSTEL_FIRST_SEED"] ?? 1),
      seeds: Number(process.env["CONSTEL_VERDICT_SEEDS"] ?? 1),
    });
    await inRepository(grown.map(plain), async (observer, scenarios, root) => {
      const environment = { PATH: process.env["PATH"], HOME: root };
      let alarms = 0;
      for (const [at, { name }] of scenarios.entries()) {
        const request = { cwd: join(root, "r"), ours: `${at}-ours`, theirs: `${at}-theirs`, environment };
        const { signal } = new AbortController();
        const checked = await checkPair(
          { ...request, fetch: false, gate: false, gateCommand: undefined, signal },
          languages,
        );
        const sides = onlySides(observer, at, root);
        const said = essence(checked.verdict);
        expect({ name, said: essence(await tried(sides, languages)) }).toEqual({ name, said });
        const { first, last } = await watched(sides, languages);
        expect({ name, said: essence(last) }).toEqual({ name, said });
        if (JSON.stringify(essence(first)) !== JSON.stringify(said))
          expect({ name, isOpen: first.open.some(({ what }) => what === "types") }).toEqual({ name, isOpen: true });
        expect({ name, untrue: untrue(root, at, checked.verdict) }).toEqual({ name, untrue: [] });
        alarms += checked.verdict.findings.length;
      }
      expect(alarms).toBeGreaterThan(scenarios.length / 2);
    });
  } finally {
    languages.close();
  }
}, 7_200_000);
