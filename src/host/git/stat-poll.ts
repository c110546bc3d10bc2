// Finds what changed in a worktree that cannot be watched, by the times and sizes of its files: those of the snapshot, and
// the directories they are in, where new names show. Some two microseconds a file and no process, so that it can be
// done every second where somebody is at work. Ignored trees are never entered; a hint, like the watch, never the truth.

import { lstatSync, readdirSync, type Stats } from "node:fs";
import type { Clock } from "../../ports/machine.ts";
import { fileName, pathFromBytes } from "./path-text.ts";
import { heavy, maxNamedPaths } from "./watch.ts";

/** Each entry has three numbers: when its node changed, when its content did, and its size. */
const width = 3;
/** A file that was written this recently may be written again without its times showing it: it is named once more. */
const settleMs = 50;
/** More than this many names outside the snapshot are not worth remembering. */
const maxStrangers = 10_000;

export class StatPoll {
  readonly #top: string;
  readonly #clock: Clock;
  /** Sorted, directories without a slash at the end; the top is the empty name. */
  #paths: readonly string[] = [];
  #directories: ReadonlySet<string> = new Set();
  #stamps = new Float64Array();
  /** New directories with nothing in them that counts yet. */
  readonly #strangers = new Map<string, Float64Array>();
  /** New files that were named and not followed since: git has no use for them. */
  readonly #declined = new Map<string, number>();
  #costMs = 0;

  constructor(top: string, clock: Clock) {
    this.#top = top;
    this.#clock = clock;
  }

  /** What the last `take` took. */
  get costMs(): number {
    return this.#costMs;
  }

  /** What changed since the last call: nothing, some paths, or possibly anything. */
  take(): readonly string[] | "everything" {
    const startedMs = this.#clock.monotonicMs();
    const named = new Set<string>();
    const changed: string[] = [];
    for (const [at, path] of this.#paths.entries()) {
      if (!this.#restamp(path, this.#stamps, at * width)) continue;
      if (this.#directories.has(path)) changed.push(path);
      else named.add(path);
    }
    for (const [path, stamp] of this.#strangers) {
      if (!this.#restamp(path, stamp, 0)) continue;
      if (stamp[0] === absent) this.#strangers.delete(path);
      else changed.push(path);
      named.add(path);
    }
    for (const directory of changed) this.#list(directory, named);
    this.#costMs = this.#clock.monotonicMs() - startedMs;
    const isOdd = [...named].some((path) => /(^|\/)\.git(ignore|attributes)$/.test(path));
    return isOdd || named.size > maxNamedPaths ? "everything" : [...named];
  }

  /** Whether these are files that it follows already, and are there. */
  covers(paths: readonly string[]): boolean {
    return paths.every((path) => {
      const at = this.#indexOf(path);
      return at !== -1 && !this.#directories.has(path) && this.#stamps[at * width] !== absent;
    });
  }

  /** Follows these files and no others. What is new is named at the next call: it may have changed since it was read. */
  follow(files: Iterable<string>): void {
    const directories = new Set([""]);
    const paths = new Set(files);
    for (const path of paths) {
      for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
        const directory = path.slice(0, end);
        if (directories.has(directory)) break;
        directories.add(directory);
      }
    }
    const all = [...directories, ...paths].sort();
    const stamps = new Float64Array(all.length * width).fill(Number.NaN);
    for (const [to, path] of all.entries()) {
      const from = this.#indexOf(path);
      if (from !== -1) stamps.set(this.#stamps.subarray(from * width, (from + 1) * width), to * width);
      this.#strangers.delete(path);
      this.#declined.delete(path);
    }
    this.#paths = all;
    this.#directories = directories;
    this.#stamps = stamps;
  }

  #indexOf(path: string): number {
    let [low, high] = [0, this.#paths.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#paths[middle] ?? "") < path) low = middle + 1;
      else high = middle;
    }
    return this.#paths[low] === path ? low : -1;
  }

  /** Takes down how a file is now; true when that is not how it was. */
  #restamp(path: string, stamps: Float64Array, at: number): boolean {
    const stat = statOf(path === "" ? this.#top : fileName(this.#top, path));
    const [changedMs, writtenMs, size] = stat?.times ?? [absent, 0, 0];
    const isSame = stamps[at] === changedMs && stamps[at + 1] === writtenMs && stamps[at + 2] === size;
    if (isSame) return false;
    // NaN is like nothing, so that it is named again.
    const isFresh = changedMs > this.#clock.nowMs() - settleMs;
    stamps.set(isFresh ? [Number.NaN, 0, 0] : [changedMs, writtenMs, size], at);
    return true;
  }

  /** Names what is new in a directory, and goes into new directories. */
  #list(directory: string, named: Set<string>): void {
    const names = namesIn(directory === "" ? this.#top : fileName(this.#top, directory));
    // It may be a file now.
    if (names === undefined && directory !== "") named.add(directory);
    for (const name of names ?? []) {
      const path = directory === "" ? name : `${directory}/${name}`;
      if (heavy.has(name) || this.#strangers.has(path) || this.#indexOf(path) !== -1) continue;
      const stat = statOf(fileName(this.#top, path));
      if (stat === undefined || this.#declined.get(path) === stat.times[0]) continue;
      named.add(path);
      if (this.#strangers.size + this.#declined.size >= maxStrangers) continue;
      if (!stat.isDirectory) this.#declined.set(path, stat.times[0]);
      else {
        const stamp = new Float64Array(width);
        this.#restamp(path, stamp, 0);
        this.#strangers.set(path, stamp);
        this.#list(path, named);
      }
    }
  }
}

const absent = -1;

interface Stamp {
  readonly times: readonly [changedMs: number, writtenMs: number, size: number];
  readonly isDirectory: boolean;
}

function statOf(path: string | Buffer): Stamp | undefined {
  let stat: Stats | undefined;
  try {
    stat = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // behind a directory that we may not enter, or below what is now a file
  }
  return stat && { times: [stat.ctimeMs, stat.mtimeMs, stat.size], isDirectory: stat.isDirectory() };
}

/** undefined when it is gone, not a directory any more, or not ours to read. */
function namesIn(directory: string | Buffer): string[] | undefined {
  let names: Buffer[];
  try {
    names = readdirSync(directory, { encoding: "buffer" });
  } catch {
    return undefined;
  }
  return names.map(pathFromBytes);
}
