// Measures what the daemon holds after many edits. RSS is that of the daemon's process, in which the thread that looks at repositories is
// counted; the git processes it keeps are its children and are told apart in the note.

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inHome } from "../src/settings/paths.ts";
import { callerOf, Fleet, megabytes, settled, withDaemon } from "./fleet.ts";
import type { Entry } from "./harness.ts";

interface Readings {
  readonly edits: number;
  /** After each tenth of the edits, while they come one upon the other. */
  readonly own: readonly number[];
  /** The reading when nothing happens any more. */
  readonly rest: number;
  /** The space that constel's data about the worktrees takes on the disk, in MB, after each tenth of the edits. */
  readonly disk: readonly number[];
  readonly children: number;
}

const runs = new Map<number, Promise<Readings>>();

/** One run serves both entries. */
async function readings(edits: number): Promise<Readings> {
  const run = runs.get(edits) ?? edit(edits, 1_000, 10);
  runs.set(edits, run);
  return await run;
}

async function edit(edits: number, files: number, worktrees: number): Promise<Readings> {
  using fleet = new Fleet(files, worktrees);
  return await withDaemon(fleet, async (pid) => {
    await settled(fleet);
    const caller = callerOf(fleet);
    const own: number[] = [];
    const disk: number[] = [];
    for (let edit = 1; edit <= edits; edit++) {
      const name = edit % worktrees;
      const file = fleet.ownFile(name, edit % 10);
      const path = fleet.worktrees[name] ?? "";
      fleet.write(path, file, `edit ${edit}`);
      await caller.call("worktree.touch", { path, files: [fleet.pathOf(file)], wait: true });
      if (edit % Math.ceil(edits / 10) !== 0) continue;
      own.push(megabytes(pid));
      disk.push(diskMegabytes(join(fleet.env.CONSTEL_HOME, inHome.observe)));
      console.error(`${edit} edits: ${own.at(-1)} MB, ${disk.at(-1)} MB on the disk`);
    }
    await Bun.sleep(10_000);
    const rest = megabytes(pid);
    return { edits, own, rest, disk, children: childrenOf(pid).reduce((sum, child) => sum + megabytes(child), 0) };
  });
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(pid);
      } catch {
        return false; // ended meanwhile
      }
    })
    .map(Number);
}

/** Blocks, not bytes: small files are what fills a disk. */
function diskMegabytes(directory: string): number {
  const blocks = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => lstatSync(join(directory, name), { throwIfNoEntry: false })?.blocks ?? 0)
    .reduce((sum, one) => sum + one, 0);
  return Math.round((blocks * 512) / 1_048_576);
}

const noteOf = ({ edits, own, rest, disk, children }: Readings): string =>
  `${edits} edits, MB after each tenth: ${own.join(" ")}; at rest ${rest}; on the disk: ${disk.join(" ")} MB; git processes at the end: ${children} MB`;

export const memoryEntries: readonly Entry[] = [
  {
    name: "memory-10000-edits",
    what: "largest RSS of the daemon over 10,000 edits in 10 worktrees (2,000 without --full)",
    floorIs: "the 150 MB of the bar",
    bar: 1,
    better: "lower",
    lane: "full",
    measure: async (rounds) => {
      const found = await readings(rounds * 100);
      return { value: Math.max(...found.own), floor: 150, unit: "MB", note: noteOf(found) };
    },
  },
  {
    name: "memory-at-rest",
    what: "RSS of the daemon ten seconds after the same edits",
    floorIs: "the 150 MB of the bar, which is for a daemon that idles",
    bar: 1,
    better: "lower",
    lane: "full",
    measure: async (rounds) => {
      const { rest } = await readings(rounds * 100);
      return { value: rest, floor: 150, unit: "MB" };
    },
  },
  {
    name: "memory-growth",
    what: "RSS of the daemon in the last fifth of the same edits",
    floorIs: "its RSS in the second fifth",
    bar: 1.1,
    better: "lower",
    lane: "full",
    measure: async (rounds) => {
      const { own } = await readings(rounds * 100);
      return { value: Math.max(...own.slice(-2)), floor: Math.max(...own.slice(2, 4)), unit: "MB" };
    },
  },
];
