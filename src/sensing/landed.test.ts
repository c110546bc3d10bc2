// Work that has landed leaves the pairs by itself, and comes back when it changes: on real repositories.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { until } from "../../test/kit/home.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { Scratch } from "../host/git/scratch.suite.ts";
import type { HeldClaim } from "../protocol/claims.ts";
import type { RepositoryReport } from "../ports/sensing.ts";
import { lookOnce } from "./once.ts";
import { RepositoryWatcher } from "./watch.ts";
import { pipelineOver } from "./pipeline.suite.ts";

const lines = (change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 12 }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join("");

let scratch: Scratch;
let sense: RepositoryWatcher | undefined;
let reports: RepositoryReport[];
let claims: HeldClaim[];

beforeEach(() => {
  scratch = new Scratch();
  sense = undefined;
  reports = [];
  claims = [];
});
afterEach(async () => {
  await sense?.close();
  await scratch.close();
});

async function open(path: string, pace = {}): Promise<RepositoryWatcher> {
  const observer = await scratch.observe(path);
  const pipeline = pipelineOver(observer, { claims: { held: () => claims, landing: () => sense?.landing } });
  sense = new RepositoryWatcher({
    observer,
    judge: (ours, theirs, merge) => pipeline.judge(ours, theirs, merge),
    report: async (report) => void reports.push(structuredClone(report)),
    clock: systemClock,
    claims: (worktree) => claims.some((claim) => claim.worktree === worktree),
    log: () => undefined,
    pace: { fastestMs: 50, slowestMs: 400, listEveryMs: 50, defaultEveryMs: 200, gatherMs: 10, retryMs: 20, ...pace },
  });
  return sense;
}

/** The findings that are open, as they would be stored: the last word on each pair, while both sides are there. */
function titles(): string[] {
  const said = new Map<string, readonly string[]>();
  for (const { pairs, sides } of reports) {
    for (const { ours, theirs, findings } of pairs) {
      const key = JSON.stringify([ours, theirs].map((side) => side.worktree ?? side.branch));
      said.set(
        key,
        findings.filter(({ severity }) => severity !== "context").map(({ title }) => title),
      );
    }
    for (const key of said.keys()) {
      const isThere = (side: string): boolean => sides.includes(`worktree ${side}`) || sides.includes(`branch ${side}`);
      if (!(JSON.parse(key) as string[]).every(isThere)) said.delete(key);
    }
  }
  return [...said.values()].flat().sort();
}

async function become(expected: readonly string[]): Promise<void> {
  await until("the findings are so", titles, (now) => now.join("|") === expected.join("|"));
}

const same = (one: string, other: string): string => `${one} and ${other} change the same lines of x.txt`;

function scene(): { main: string; a: string; b: string } {
  const main = scratch.repository("main", { "x.txt": lines(), "y.txt": lines() });
  const [a, b] = [scratch.worktree(main, "a"), scratch.worktree(main, "b")];
  scratch.commit(a, { "x.txt": lines({ 3: "a" }) });
  scratch.write(b, { "x.txt": lines({ 3: "b" }) });
  return { main, a, b };
}

describe("work that has landed", () => {
  test("takes no part beside the branch that has it, and takes part again when it changes", async () => {
    const { main, a } = scene();
    await open(main);
    await become([same("a", "b")]);
    scratch.git(main, "merge", "-q", "--ff-only", "a");
    await become([same("b", "main")]);
    expect(reports.at(-1)?.landed).toEqual([`worktree ${a}`]);
    scratch.write(a, { "x.txt": lines({ 3: "a again" }) });
    await become([same("a", "b"), same("b", "main")]);
    scratch.git(a, "checkout", "-q", ".");
    await become([same("b", "main")]);
  });

  test("a fresh worktree says nothing that the branch it was made from does not say", async () => {
    const { main } = scene();
    scratch.commit(main, { "x.txt": lines({ 3: "landed" }) });
    scratch.worktree(main, "fresh");
    await open(main);
    await become([same("a", "b"), same("a", "main"), same("b", "main")]);
    expect(reports.at(-1)?.sides).not.toContain(`worktree ${scratch.path("fresh")}`);
  });

  test("squashed on the way it has landed too, and stays so while the branch goes on in the same lines", async () => {
    const { main, a } = scene();
    scratch.commit(main, { "y.txt": lines({ 9: "meanwhile" }) });
    await open(main);
    await become([same("a", "b")]);
    scratch.git(main, "merge", "-q", "--squash", "a");
    scratch.git(main, "commit", "-qm", "squashed");
    await become([same("b", "main")]);
    const landed = scratch.git(main, "rev-parse", "HEAD").trim();
    const head = scratch.commit(main, { "x.txt": lines({ 3: "main went on" }), "y.txt": lines({ 9: "meanwhile" }) });
    const isThere = ({ worktrees }: RepositoryReport): boolean => worktrees.some((one) => one.head === head);
    await until("the branch was seen as it is now", () => reports.some(isThere), Boolean);
    const sinceThen = reports.slice(reports.findIndex(isThere)).flatMap(({ pairs }) => pairs);
    expect(sinceThen.filter(({ ours, theirs }) => [ours.worktree, theirs.worktree].includes(a))).toEqual([]);
    await become([same("b", "main")]);
    expect(reports.at(-1)?.landed).toEqual([`worktree ${a}`]);
    // The branch is taken back behind it: then it has not landed.
    scratch.git(main, "reset", "-q", "--hard", `${landed}~1`);
    await become([same("a", "b")]);
  });

  test("a branch that moves without any worktree telling so is noticed by its ref", async () => {
    const { main } = scene();
    scratch.git(main, "checkout", "-q", "--detach");
    await open(main, { defaultEveryMs: 600_000, askEveryMs: 600_000, slowestMs: 600_000, fastestMs: 600_000 });
    await become([same("a", "b")]);
    scratch.git(main, "update-ref", "refs/heads/main", "refs/heads/a");
    await become([same("b", "main")]);
  });

  test("what it has claimed still counts, and nothing else of it", async () => {
    const { main, a, b } = scene();
    const id = "claim_1";
    await open(main);
    await become([same("a", "b")]);
    claims = [{ id, holder: "agent1", patterns: ["/x.txt"], severity: "high", reason: "", worktree: a, own: [a] }];
    scratch.git(main, "merge", "-q", "--ff-only", "a");
    const claim = "b edits x.txt, which agent1 (a) has claimed";
    await become([same("b", "main"), claim]);
    claims = [];
    sense?.recheck(a);
    await become([same("b", "main")]);
    expect(reports.at(-1)?.sides.toSorted()).toEqual([`worktree ${b}`, `worktree ${main}`]);
  });

  test("a rebase that stands on the branch for a moment has landed nothing", async () => {
    const { main, a } = scene();
    scratch.commit(main, { "y.txt": lines({ 9: "meanwhile" }) });
    await open(main);
    await become([same("a", "b")]);
    // It stops before the first commit of its own, with the files of the branch.
    scratch.git(a, "-c", "sequence.editor=sed -i 1ibreak", "rebase", "-q", "-i", "main");
    await sense?.touch(a, []);
    // A report of what was still to be compared may come after it, and has no worktrees.
    const isRebasing = ({ worktrees }: RepositoryReport): boolean => worktrees.some((one) => one.operation !== null);
    await until("the rebase is seen", () => reports.some(isRebasing), Boolean);
    expect(reports.at(-1)?.sides).toContain(`worktree ${a}`);
    expect(reports.at(-1)?.landed).toEqual([]);
    expect(titles()).toEqual([same("a", "b")]);
  });

  test("one look knows the same rule", async () => {
    const { main, a } = scene();
    scratch.commit(main, { "y.txt": lines({ 9: "meanwhile" }) });
    scratch.git(main, "merge", "-q", "--squash", "a");
    scratch.git(main, "commit", "-qm", "squashed");
    const observer = await scratch.observe(main);
    const request = { cwd: main, branches: false, environment: {}, signal: new AbortController().signal };
    const pipeline = pipelineOver(observer);
    const { report } = await lookOnce(observer, (...pair) => pipeline.judge(...pair), {
      ...request,
      fetch: false,
      nowMs: 0,
    });
    reports.push(report);
    expect(titles()).toEqual([same("main", "b")]);
    expect(report.landed).toEqual([`worktree ${a}`]);
  });

  test("a worktree whose only work cannot be looked at has not landed", async () => {
    const top = scratch.repository("r", { "f.txt": lines() });
    const a = scratch.worktree(top, "a");
    scratch.repository("a/inner", { "y.txt": "y\n" });
    const observer = await scratch.observe(top);
    const pipeline = pipelineOver(observer);
    const signal = new AbortController().signal;
    const request = { cwd: top, environment: {}, branches: false, fetch: false, signal, nowMs: 0 };
    const { report } = await lookOnce(observer, (...pair) => pipeline.judge(...pair), request);
    const said = report.pairs.flatMap(({ open }) => open.map(({ why }) => why));
    expect([report.landed, said]).toEqual([[], ["inner (a) is a repository of its own, and was left out"]]);
    expect(report.sides).toContain(`worktree ${a}`);
  });
});
