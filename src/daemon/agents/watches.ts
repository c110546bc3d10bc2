// Hints that something in a directory changed. A hint makes a round come soon; rounds come without any, because watches are
// lost when a limit is met or a directory is replaced.

import { type FSWatcher, watch } from "node:fs";

export class Watches {
  readonly #noticed: () => void;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(noticed: () => void) {
    this.#noticed = noticed;
  }

  /**
   * Watches these directories and no others. One that is not there yet is tried again at the next call. True when all of them were watched
   * already, so that whatever happened since the last call was noticed.
   */
  keep(directories: Iterable<string>): boolean {
    const wanted = new Set(directories);
    for (const [path, watcher] of this.#watchers) {
      if (wanted.has(path)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    const missing = [...wanted].filter((path) => !this.#watchers.has(path));
    for (const path of missing) this.#add(path);
    return missing.length === 0;
  }

  close(): void {
    this.keep([]);
  }

  #add(path: string): void {
    try {
      const watcher = watch(path, { persistent: false }, (_, name) => {
        // A dot-temp is a file on its way: its rename or link follows.
        if (name?.startsWith(".") !== true) this.#noticed();
      });
      watcher.on("error", () => {
        watcher.close();
        this.#watchers.delete(path);
      });
      this.#watchers.set(path, watcher);
    } catch {
      // not there, or no watches left: the rounds find it
    }
  }
}
