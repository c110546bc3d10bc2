// Finds what changed in a worktree that cannot be watched, by the times and sizes of its files: those of the snapshot, and
// the directories they are in, where new names show. Some two microseconds a file and no process, so that it can be
// done every second where somebody is at work. Ignored trees are never entered; a hint, like the watch, never the truth.

import { readdirSync } from "node:fs";
import type { Clock } from "../../../ports/machine.ts";
import { absent, notThere, restamp, timesOf } from "./file-times.ts";
import { type Directories, FollowedPaths } from "./followed-paths.ts";
import { fileName, pathFromBytes } from "../objects/path-text.ts";
import { heavy, maxNamedPaths } from "./watch.ts";

/** More than this many names outside the snapshot are not worth remembering. */
const maxStrangers = 10_000;

export class StatPoll {
  readonly #top: string;
  readonly #clock: Clock;
  /** Shared with the other worktrees of the repository. */
  #paths = new FollowedPaths(new Uint8Array());
  #stamps = new Float64Array();
  /** New directories with nothing in them that counts yet. */
  readonly #strangers = new Map<string, Float64Array>();
  /** New files that were named and not followed since: git has no use for them. */
  readonly #declined = new Map<string, number>();
  /** Not in the snapshot, and to be named at the next call. */
  readonly #owed = new Set<string>();
  #costMs = 0;

  constructor(top: string, clock: Clock) {
    this.#top = top;
    this.#clock = clock;
  }

  /** The processor time that the last `take` used. */
  get costMs(): number {
    return this.#costMs;
  }

  /** The files that it follows, and the directories they are in. */
  get followed(): FollowedPaths {
    return this.#paths;
  }

  /** Those of the files that it follows. */
  get directories(): Directories {
    return this.#paths.sorted;
  }

  /** Returns what changed since the last call: nothing, some paths, or possibly anything. */
  take(): readonly string[] | "everything" {
    const started = process.threadCpuUsage();
    const named = new Set(this.#owed);
    this.#owed.clear();
    const changed: string[] = [];
    const nowMs = this.#clock.nowMs();
    const { all, directories, names } = this.#paths;
    names.each(this.#top, (index, changedMs, stamp) => {
      // Nearly always nothing happened, and this is done for every file: no call for that.
      if (this.#stamps[index] === stamp || !restamp(this.#stamps, index, changedMs, stamp, nowMs)) return;
      const path = all[index] ?? "";
      if (directories.has(path)) changed.push(path);
      else named.add(path);
    });
    for (const [path, stamp] of this.#strangers) {
      if (!this.#restampStranger(path, stamp)) continue;
      if (stamp[0] === absent) this.#strangers.delete(path);
      else changed.push(path);
      named.add(path);
    }
    for (const directory of changed) this.#list(directory, named);
    const { user, system } = process.threadCpuUsage(started);
    this.#costMs = (user + system) / 1000;
    const isOdd = [...named].some((path) => /(^|\/)\.git(ignore|attributes)$/.test(path));
    return isOdd || named.size > maxNamedPaths ? "everything" : [...named];
  }

  /** Tells whether these are files that it follows already, and are there. */
  covers(paths: readonly string[]): boolean {
    return paths.every((path) => {
      const at = this.#paths.indexOf(path);
      return at !== -1 && !this.#paths.directories.has(path) && this.#stamps[at] !== absent;
    });
  }

  /**
   * Follows these files and no others. What is new is named at the next call: it may have changed since it was read. With `readMs`, the time when
   * a look at everything began, only what may have changed since then is. Returns these paths, or "everything" for many.
   */
  follow(paths: FollowedPaths, readMs?: number): readonly string[] | "everything" {
    if (paths === this.#paths) return [];
    const stamps = new Float64Array(paths.all.length).fill(Number.NaN);
    for (const [to, path] of paths.all.entries()) {
      const from = this.#paths.indexOf(path);
      if (from !== -1) stamps[to] = this.#stamps[from] ?? Number.NaN;
      this.#strangers.delete(path);
      this.#declined.delete(path);
    }
    this.#paths = paths;
    this.#stamps = stamps;
    return readMs === undefined ? "everything" : this.#meet(readMs);
  }

  /** Takes down how everything is that has not changed since it was read. */
  #meet(readMs: number): readonly string[] | "everything" {
    const { all, directories, names, within } = this.#paths;
    const fresh = new Set<string>();
    const moved: string[] = [];
    const listed: string[] = [];
    names.each(this.#top, (index, changedMs, stamp, links) => {
      if (!Number.isNaN(this.#stamps[index])) return;
      const path = all[index] ?? "";
      if (changedMs === absent || changedMs >= readMs) {
        fresh.add(path);
        // Another may have been moved to its place, and with it files whose own times say nothing.
        if (directories.has(path)) moved.push(path === "" ? "" : `${path}/`);
        return;
      }
      this.#stamps[index] = stamp;
      // A directory has two links and one for each below it: where that is so, all below it are known.
      if (directories.has(path) && links !== 2 + (within.get(path) ?? 0)) listed.push(path);
    });
    if (moved.length > 0) {
      for (const [index, path] of all.entries()) {
        if (!moved.some((above) => path.startsWith(above))) continue;
        this.#stamps[index] = Number.NaN;
        fresh.add(path);
      }
    }
    for (const directory of listed) this.#list(directory, fresh, readMs);
    for (const path of fresh) if (this.#paths.indexOf(path) === -1) this.#owed.add(path);
    return fresh.size > maxNamedPaths ? "everything" : [...fresh];
  }

  #restampStranger(path: string, stamp: Float64Array): boolean {
    const now = timesOf(fileName(this.#top, path)) ?? notThere;
    return restamp(stamp, 0, now.changedMs, now.stamp, this.#clock.nowMs());
  }

  /** Names what is new in a directory and changed since then, and goes into new directories. */
  #list(directory: string, named: Set<string>, sinceMs = -Infinity): void {
    const names = namesIn(directory === "" ? this.#top : fileName(this.#top, directory));
    // It may be a file now.
    if (names === undefined && directory !== "") named.add(directory);
    for (const name of names ?? []) {
      const path = directory === "" ? name : `${directory}/${name}`;
      if (heavy.has(name) || this.#strangers.has(path) || this.#paths.indexOf(path) !== -1) continue;
      const stat = timesOf(fileName(this.#top, path));
      if (stat === undefined || this.#declined.get(path) === stat.changedMs) continue;
      if (stat.changedMs >= sinceMs) named.add(path);
      if (this.#strangers.size + this.#declined.size >= maxStrangers) continue;
      if (!stat.isDirectory) this.#declined.set(path, stat.changedMs);
      else {
        const stamp = new Float64Array(1);
        this.#restampStranger(path, stamp);
        this.#strangers.set(path, stamp);
        // What lies in one that was moved here has times of its own.
        this.#list(path, named, stat.changedMs >= sinceMs ? -Infinity : sinceMs);
      }
    }
  }
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
