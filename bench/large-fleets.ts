// Many worktrees of one repository in one daemon: how long until all were seen and compared, how soon an edit that nobody tells of is
// seen in a worktree that has no watches, and what the daemon holds. One run of a fleet serves all of its entries.

import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { totals } from "../src/protocol/sensing-state.ts";
import { callerOf, Fleet, megabytes, startDaemon, withDaemon } from "./fleet.ts";
import { ascending, type Entry, percentile } from "./harness.ts";
import { parserAlone } from "./symbols.ts";

interface Size {
  readonly worktrees: number;
  readonly files: number;
}

interface Seen {
  /** From `repo add` until every pair was compared. */
  readonly firstLookSeconds: number;
  readonly watches: { readonly used: number; readonly most: number };
  readonly rss: { readonly first: number; readonly most: number };
  readonly editSeconds: readonly number[];
  readonly statusSeconds: number;
  /** The parser alone over what the worktrees changed; Python's share, a third of the files, is left out. */
  readonly parseSeconds: number;
}

const fleets = new Map<string, Promise<Seen>>();

async function seen(size: Size): Promise<Seen> {
  const key = `${size.worktrees} of ${size.files}`;
  const run = fleets.get(key) ?? look(size);
  fleets.set(key, run);
  return await run;
}

async function look({ worktrees, files }: Size): Promise<Seen> {
  using fleet = new Fleet(files, worktrees);
  console.error(`${worktrees} worktrees of ${files} files are made`);
  // A first `git status` reads every file and notes in the index that it did: ours is to find it as git did.
  const giveBack = fleet.worktrees.map(keptIndex);
  const statusStarted = performance.now();
  for (const path of fleet.worktrees) fleet.git(path, "status", "--porcelain");
  const statusSeconds = (performance.now() - statusStarted) / 1000;
  for (const back of giveBack) back();
  const parseStarted = performance.now();
  for (const [name, path] of fleet.worktrees.entries()) parseChanged(fleet, name, path);
  const parseSeconds = (performance.now() - parseStarted) / 1000;
  startDaemon(fleet);
  const started = performance.now();
  return await withDaemon(fleet, async (pid) => {
    const caller = callerOf(fleet);
    const rss: number[] = [];
    let watches = { used: 0, most: 0 };
    let comparedMs: number | undefined;
    for (;;) {
      const { sensing } = await caller.call("daemon.status", {});
      rss.push(megabytes(pid));
      if (sensing !== null) {
        const now = totals(sensing);
        ({ watches } = sensing);
        if (now.looked >= worktrees && now.pairs_waiting === 0) comparedMs ??= performance.now();
        // Watching goes on after that; an edit meanwhile is heard where it has begun.
        if (comparedMs !== undefined && now.watched + now.polled >= worktrees) break;
      }
      await Bun.sleep(100);
    }
    const firstLookSeconds = (comparedMs - started) / 1000;
    const editSeconds = await untoldEdits(fleet, caller, 10);
    rss.push(megabytes(pid));
    const { sensing } = await caller.call("daemon.status", {});
    if (sensing !== null) watches = { used: Math.max(watches.used, sensing.watches.used), most: sensing.watches.most };
    const held = { first: rss.at(-2) ?? 0, most: Math.max(...rss) };
    return { firstLookSeconds, watches, rss: held, editSeconds, statusSeconds, parseSeconds };
  });
}

/** Puts the index of a worktree back as it is now, its time included. */
function keptIndex(worktree: string): () => void {
  const gitDirectory = readFileSync(join(worktree, ".git"), "utf8")
    .replace(/^gitdir: /, "")
    .trim();
  const path = join(gitDirectory, "index");
  const [content, { atime, mtime }] = [readFileSync(path), statSync(path)];
  return () => {
    writeFileSync(path, content);
    utimesSync(path, atime, mtime);
  };
}

function parseChanged(fleet: Fleet, name: number, worktree: string): void {
  for (let own = 0; own < 10; own++) {
    const path = fleet.pathOf(fleet.ownFile(name, own));
    if (path.endsWith(".ts")) parserAlone(path, readFileSync(join(worktree, path), "utf8"));
  }
}

/** An edit collides with a neighbour's and is undone, each time in another worktree; nobody says so. */
async function untoldEdits(fleet: Fleet, caller: ReturnType<typeof callerOf>, rounds: number): Promise<number[]> {
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const name = Math.floor(((round + 0.5) / rounds) * (fleet.worktrees.length - 1));
    const path = fleet.worktrees[name] ?? "";
    const started = performance.now();
    fleet.write(path, fleet.ownFile(name + 1, 3), `${name} was here, round ${round}`);
    for (;;) {
      const { findings } = await caller.call("finding.list", {});
      if (findings.some(({ ours, theirs }) => [ours.worktree, theirs.worktree].includes(path))) break;
      if (performance.now() - started > 60_000) break;
      await Bun.sleep(20);
    }
    took.push((performance.now() - started) / 1000);
  }
  return took.sort(ascending);
}

const noteOf = ({ firstLookSeconds, watches, rss, editSeconds, statusSeconds }: Seen): string =>
  [
    `first look ${firstLookSeconds.toFixed(1)} s (git status of each: ${statusSeconds.toFixed(1)} s)`,
    `untold edit seen after ${percentile(editSeconds, 0.5).toFixed(2)} s, at worst ${percentile(editSeconds, 1).toFixed(2)} s`,
    `RSS ${rss.first} MB after the first look, ${rss.most} MB at most`,
    `${watches.used} of ${watches.most} watches`,
  ].join("; ");

const fifty: Size = { worktrees: 50, files: 1_500 };
const twoHundred: Size = { worktrees: 200, files: 3_000 };

export const largeFleetEntries: readonly Entry[] = [
  {
    name: "first-look-50",
    what: "from `repo add` until all pairs of 50 worktrees of 1,500 files are compared",
    floorIs: "one `git status` each, and the parser alone on the TypeScript that they changed",
    bar: 2,
    better: "lower",
    lane: "full",
    measure: async () => {
      const found = await seen(fifty);
      const floor = found.statusSeconds + found.parseSeconds;
      return { value: found.firstLookSeconds, floor, unit: "s", note: noteOf(found) };
    },
  },
  entry(fifty, {
    name: "memory-50-worktrees",
    what: "largest RSS of the daemon over 50 worktrees of 1,500 files, first look and ten edits",
    most: 200,
    unit: "MB",
    of: ({ rss }) => rss.most,
  }),
  entry(twoHundred, {
    name: "memory-200-worktrees",
    what: "the same over 200 worktrees of 3,000 files",
    most: 400,
    unit: "MB",
    of: ({ rss }) => rss.most,
  }),
  entry(twoHundred, {
    name: "edit-seen-200-worktrees",
    what: "an edit that nobody tells of until its finding is open (worst of ten), 200 worktrees of 3,000 files",
    most: 5,
    unit: "s",
    of: ({ editSeconds }) => percentile(editSeconds, 1),
  }),
];

interface Figure {
  readonly name: string;
  readonly what: string;
  /** The bar itself, which stands in for a floor. */
  readonly most: number;
  readonly unit: "MB" | "s";
  readonly of: (found: Seen) => number;
}

function entry(size: Size, { name, what, most, unit, of }: Figure): Entry {
  return {
    name,
    what,
    floorIs: `the ${most} ${unit} of the bar`,
    bar: 1,
    better: "lower",
    lane: "full",
    measure: async () => {
      const found = await seen(size);
      return { value: of(found), floor: most, unit, note: noteOf(found) };
    },
  };
}
