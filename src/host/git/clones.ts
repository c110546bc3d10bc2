// The clones of one repository: where each is, what it is set to, and where its history is cut off.

import { join } from "node:path";
import { readSettings, type Settings } from "./allowed-settings.ts";
import type { Blobs } from "./blobs.ts";
import type { Git } from "./git.ts";
import { type Location, readSmall } from "./locate.ts";
import type { PrivateStore } from "./private-store.ts";

export interface Clone {
  readonly commonDirectory: string;
  /** Worktrees that led here, for those git itself cannot list. */
  readonly tops: Set<string>;
}

export class Clones {
  readonly #git: Git;
  readonly #store: PrivateStore;
  readonly #clones = new Map<string, Clone>();
  readonly #settings = new Map<string, { stamp: string; settings: Settings }>();

  constructor(git: Git, store: PrivateStore) {
    this.#git = git;
    this.#store = store;
  }

  get all(): Iterable<Clone> {
    return this.#clones.values();
  }

  has(commonDirectory: string): boolean {
    return this.#clones.has(commonDirectory);
  }

  /** True when its objects were not borrowed before. */
  add(location: Location): boolean {
    const known = this.#clones.get(location.commonDirectory);
    const clone = known ?? { commonDirectory: location.commonDirectory, tops: new Set() };
    if (location.top !== undefined) clone.tops.add(location.top);
    this.#clones.set(location.commonDirectory, clone);
    return this.#store.borrow(join(location.commonDirectory, "objects"));
  }

  /** Borrows again, for a clone may have come to borrow from yet another. */
  refresh(): boolean {
    let isNew = false;
    for (const clone of this.#clones.values()) {
      if (this.#store.borrow(join(clone.commonDirectory, "objects"))) isNew = true;
    }
    return isNew;
  }

  /** The settings of a worktree, read again when `stamp` (what they were read under) is another. */
  async settingsOf(gitDirectory: string, top: string, stamp: string): Promise<Settings> {
    const known = this.#settings.get(gitDirectory);
    if (known?.stamp === stamp) return known.settings;
    const settings = await readSettings(this.#git, gitDirectory, top);
    this.#settings.set(gitDirectory, { stamp, settings });
    return settings;
  }

  /**
   * The commits where history ends for want of their parents. A clone's cut does not count when another clone has the
   * commits beyond it.
   */
  async shallow(blobs: Blobs): Promise<string> {
    const cuts = new Set<string>();
    for (const clone of this.#clones.values()) {
      for (const line of (readSmall(join(clone.commonDirectory, "shallow")) ?? "").split("\n")) {
        if (/^[0-9a-f]{40,64}$/.test(line)) cuts.add(line);
      }
    }
    const kept: string[] = [];
    for (const commit of [...cuts].sort()) {
      const text = Buffer.from((await blobs.read(commit, 16 * 1024 * 1024)) ?? []).toString("latin1");
      const parents = [...text.slice(0, text.indexOf("\n\n")).matchAll(/^parent ([0-9a-f]+)$/gm)].map(
        (one) => one[1] ?? "",
      );
      const there = await Promise.all(parents.map((parent) => blobs.info(parent)));
      if (text === "" || there.includes(undefined)) kept.push(`${commit}\n`);
    }
    return kept.join("");
  }
}
