// The default branch as the origin has it, watched over on real repositories: nobody pulls, and it counts all the same.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { until } from "../../test/kit/home.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { Scratch } from "../host/git/scratch.suite.ts";
import type { RepositoryReport } from "../ports/sensing.ts";
import { lookOnce } from "./once.ts";
import { pipelineOver } from "./pipeline.suite.ts";
import { FollowedOrigin } from "./followed-origin.ts";
import { RepositoryWatcher } from "./watch.ts";

const lines = (change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 12 }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join("");

let scratch: Scratch;
let watcher: RepositoryWatcher | undefined;
let reports: RepositoryReport[];
beforeEach(() => {
  scratch = new Scratch();
  reports = [];
});
afterEach(async () => {
  await watcher?.close();
  watcher = undefined;
  await scratch.close();
});

/** A bare origin, a clone with the worktrees `a`, `b` and `behind`, and somebody else's clone. */
function scene(): { origin: string; mine: string; a: string; b: string; other: string } {
  const origin = scratch.path("origin.git");
  scratch.git(scratch.root, "clone", "-q", "--bare", scratch.repository("first", { "x.txt": lines() }), origin);
  scratch.git(origin, "remote", "remove", "origin");
  for (const name of ["mine", "other"]) scratch.git(scratch.root, "clone", "-q", origin, scratch.path(name));
  const mine = scratch.path("mine");
  scratch.worktree(mine, "behind");
  const [a, b] = [scratch.worktree(mine, "a"), scratch.worktree(mine, "b")];
  scratch.commit(a, { "x.txt": lines({ 3: "a" }) });
  scratch.write(b, { "x.txt": lines({ 9: "b" }) });
  return { origin, mine, a, b, other: scratch.path("other") };
}

function push(from: string, files: Readonly<Record<string, string>>): string {
  const commit = scratch.commit(from, files);
  scratch.git(from, "push", "-q", "origin", "HEAD:main");
  return commit;
}

async function watch(path: string, everyMs: number): Promise<void> {
  const observer = await scratch.observe(path);
  const pipeline = pipelineOver(observer);
  watcher = new RepositoryWatcher({
    observer,
    judge: (...pair) => pipeline.judge(...pair),
    report: async (report) => void reports.push(structuredClone(report)),
    clock: systemClock,
    origin: { everyMs, address: () => undefined },
    log: () => undefined,
    pace: { fastestMs: 50, slowestMs: 400, listEveryMs: 50, defaultEveryMs: 200, gatherMs: 10, retryMs: 20 },
  });
}

/** The last word on every pair whose sides are there. */
function said(): { titles: string[]; open: string[] } {
  const last = new Map<string, RepositoryReport["pairs"][number]>();
  for (const { pairs, sides } of reports) {
    for (const pair of pairs) last.set(JSON.stringify([pair.ours, pair.theirs].map(nameOf)), pair);
    for (const key of last.keys())
      if (!(JSON.parse(key) as string[]).every((one) => sides.includes(one))) last.delete(key);
  }
  const alarms = [...last.values()]
    .flatMap(({ findings }) => findings)
    .filter(({ severity }) => severity !== "context");
  return {
    titles: alarms.map(({ title }) => title).sort(),
    open: [...last.values()].flatMap(({ open }) => open.map(({ why }) => why)),
  };
}

const nameOf = ({ worktree, branch }: { worktree: string | null; branch: string | null }): string =>
  worktree === null ? `branch ${branch}` : `worktree ${worktree}`;

async function become(...titles: string[]): Promise<void> {
  await until("the findings are so", said, (now) => now.titles.join("|") === titles.join("|") && now.open.length === 0);
}

const withMain = (label: string, commit: string): string =>
  `${label} and main at the origin (${commit.slice(0, 7)}) change the same lines of x.txt`;

test("what is pushed collides with work that touches it, and with nobody who is merely behind", async () => {
  const { mine, a, b, other } = scene();
  await watch(mine, 50);
  await become();
  const one = push(other, { "x.txt": lines({ 3: "theirs" }) });
  await become(withMain("a", one));
  const behind = reports.flatMap(({ worktrees }) => worktrees).findLast(({ path }) => path === b)?.behind;
  expect(behind).toBe(1);
  expect(reports.at(-1)?.landed.toSorted()).toEqual([`worktree ${scratch.path("behind")}`, `worktree ${mine}`]);
  const two = push(other, { "x.txt": lines({ 3: "theirs", 9: "theirs too" }) });
  await become(withMain("a", two), withMain("b", two));
  // Taken in by one, undone by the other.
  scratch.git(b, "checkout", "-q", ".");
  scratch.git(a, "fetch", "-q");
  scratch.tryGit(a, "rebase", "-q", "origin/main");
  scratch.commit(a, { "x.txt": lines({ 3: "a and theirs", 9: "theirs too" }) });
  scratch.git(a, "-c", "core.editor=true", "rebase", "--continue");
  await become();
}, 120_000);

test("work that was squashed at the origin does not collide with itself, even where the origin went on in its lines", async () => {
  const { mine, other } = scene();
  push(other, { "x.txt": lines({ 3: "a" }), "y.txt": "and something else\n" });
  const tip = push(other, { "x.txt": lines({ 3: "a, and more" }) });
  await watch(mine, 86_400_000);
  await until(
    "it was seen",
    () => reports.at(-1)?.landed ?? [],
    (landed) => landed.includes(`worktree ${scratch.path("a")}`),
  );
  expect(said().titles).toEqual([]);
  const observer = await scratch.observe(mine, { directory: scratch.path("once") });
  const pipeline = pipelineOver(observer);
  const { signal } = new AbortController();
  const request = { cwd: mine, branches: false, fetch: true, nowMs: 0, environment: {}, signal };
  const { report } = await lookOnce(observer, (...pair) => pipeline.judge(...pair), request);
  const alarms = report.pairs.flatMap(({ findings }) => findings).filter(({ severity }) => severity !== "context");
  expect(alarms).toEqual([]);
  expect(report.pairs.some(({ theirs }) => theirs.commit === tip)).toBe(true);
}, 120_000);

test("what a clone has heard since counts, and the origin is asked again soon", async () => {
  const { mine, other } = scene();
  await watch(mine, 86_400_000);
  await become();
  const tip = push(other, { "x.txt": lines({ 3: "theirs" }) });
  scratch.git(mine, "fetch", "-q");
  await become(withMain("a", tip));
}, 120_000);

test("while the origin cannot be asked that is open, and nothing that was found is over", async () => {
  const { mine, origin, other } = scene();
  const tip = push(other, { "x.txt": lines({ 3: "theirs" }) });
  await watch(mine, 50);
  await become(withMain("a", tip));
  renameSync(origin, `${origin}.away`);
  const now = await until("it is said", said, ({ open }) => open.length > 0);
  expect(now.open[0]).toMatch(/^main at the origin is as of [-\d]+ [:\d]+ UTC: it could not be asked \(/);
  expect(now.titles).toEqual([withMain("a", tip)]);
  // What a clone hears meanwhile, by whatever way, is newer than what we were told.
  scratch.git(mine, "update-ref", "refs/remotes/origin/main", "a");
  await until("what the clone has counts", said, ({ titles, open }) => titles.length === 0 && open.length > 0);
  renameSync(`${origin}.away`, origin);
  await become(withMain("a", tip));
}, 120_000);

test("closed while it waits for its turn, it waits for nobody and asks nothing", async () => {
  let asked = 0;
  const line = Promise.withResolvers<void>();
  const origin = new FollowedOrigin({
    observer: {
      defaultBranch: async () => undefined,
      askOrigin: async () => ({ kind: "told", branch: "main", commit: `${++asked}` }),
      fetchedMs: () => undefined,
    },
    clock: systemClock,
    everyMs: 1_000,
    address: () => undefined,
    inPlace: async (work) => {
      await line.promise;
      return await work();
    },
    changed: () => undefined,
  });
  await new Promise((resolve) => setImmediate(resolve));
  await origin.close();
  line.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(0);
});
