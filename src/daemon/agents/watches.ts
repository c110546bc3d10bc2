// Hints that something in a directory changed. A hint makes a round come soon; rounds come without any, because watches are
// lost when a limit is met or a directory is replaced.

import { type FSWatcher, watch } from "node:fs";

export class Watches {
  readonly #noticed: () => void;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(noticed: () => void) {
    this.#noticed = noticed;
  }

  /** Watches these directories and no others. One that is not there yet is tried again at the next call. */
  keep(directories: Iterable<string>): void {
    const wanted = new Set(directories);
    for (const [path, watcher] of this.#watchers) {
      if (wanted.has(path)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    for (const path of wanted) if (!this.#watchers.has(path)) this.#add(path);
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
