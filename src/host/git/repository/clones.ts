// The clones of one repository: where each is, what it is set to, and where its history is cut off.

import { join } from "node:path";
import {
  isSharedByWorktrees,
  listSettings,
  type Settings,
  settingsFrom,
  type SettingsList,
} from "./allowed-settings.ts";
import type { Blobs } from "../objects/blobs.ts";
import type { Git } from "../git.ts";
import { type Location, readSmall } from "./locate.ts";
import type { PrivateStore } from "../objects/private-store.ts";
import { timeOf } from "../watch/stamp.ts";

export interface Clone {
  readonly commonDirectory: string;
  /** Worktrees that led here, for those git itself cannot list. */
  readonly tops: Set<string>;
}

/** So long the settings of one worktree count for the others of its clone: a fleet is looked at all at once. */
const sharedMs = 10_000;

export class Clones {
  readonly #git: Git;
  readonly #store: PrivateStore;
  readonly #clones = new Map<string, Clone>();
  readonly #settings = new Map<string, { stamp: string; settings: Settings }>();

  readonly #lists = new Map<string, { stamp: string; untilMs: number; list: SettingsList }>();
  readonly #nowMs: () => number;

  constructor(git: Git, store: PrivateStore, nowMs: () => number) {
    this.#git = git;
    this.#store = store;
    this.#nowMs = nowMs;
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
  async settingsOf(gitDirectory: string, commonDirectory: string, top: string, stamp: string): Promise<Settings> {
    const known = this.#settings.get(gitDirectory);
    if (known?.stamp === stamp) return known.settings;
    const settings = await this.readSettings(gitDirectory, commonDirectory, top);
    this.#settings.set(gitDirectory, { stamp, settings });
    return settings;
  }

  /** Read now, or just before for another worktree of the same clone when all of them have the same. */
  async readSettings(gitDirectory: string, commonDirectory: string, top: string): Promise<Settings> {
    const stamp = timeOf(join(commonDirectory, "config"));
    const known = this.#lists.get(commonDirectory);
    if (known?.stamp === stamp && this.#nowMs() < known.untilMs) return settingsFrom(known.list, this.#git.home, top);
    const list = await listSettings(this.#git, gitDirectory);
    if (isSharedByWorktrees(list)) {
      this.#lists.set(commonDirectory, { stamp, untilMs: this.#nowMs() + sharedMs, list });
    }
    return settingsFrom(list, this.#git.home, top);
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
