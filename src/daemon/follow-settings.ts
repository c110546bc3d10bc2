// The daemon keeps to config.toml as it stands: when the file comes to say something else, the daemon begins anew with it. While it cannot
// be understood, the daemon goes on with what it read before and takes nothing on for the owner, because the file may have been
// meant to forbid it.

import { ThisTurn } from "../ports/this-turn.ts";
import { statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../ports/machine.ts";
import { messageOf, Refusal } from "../protocol/errors.ts";
import type { Operation } from "../protocol/operation.ts";
import { inHome } from "../settings/paths.ts";
import type { Settings } from "../settings/settings.ts";

/** One stat each time. */
const lookEveryMs = 500;
/** A file that was changed so lately may still be in the middle of being written. */
const restMs = 100;

export interface FollowParts {
  /** The settings that the daemon runs with. */
  readonly running: Settings;
  /** Reads them again. */
  readonly load: () => Promise<Settings>;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

export class FollowedSettings {
  readonly #parts: FollowParts;
  readonly #changed = Promise.withResolvers<Settings>();
  /** Of the file as it was last read; empty before the first look, which compares whatever is there. */
  #stamp = "";
  #problem: string | undefined;
  #isChanged = false;
  #looking: Promise<void> | undefined;
  readonly #thisTurn = new ThisTurn<true>();

  constructor(parts: FollowParts) {
    this.#parts = parts;
  }

  /** Settles when the file says something else than the daemon runs with. */
  get changed(): Promise<Settings> {
    return this.#changed.promise;
  }

  /** The reason why the file cannot be understood as it stands now. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Looks now and then, until it has changed or the daemon ends. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#isChanged) {
      await this.look();
      await this.#parts.clock.sleep(lookEveryMs, signal);
    }
  }

  /** Whoever asks while somebody looks waits for the same look. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** Makes sure that the owner's request is carried out by the settings that stand in the file, or not at all. */
  refuseUnlessFollowed({ name, may, effect }: Pick<Operation, "name" | "may" | "effect">): Promise<void> | undefined {
    if (effect === "reads" || may === "everybody" || name === "daemon.stop") return undefined;
    if (this.#thisTurn.get("looked") === undefined) return this.#lookAndRefuse();
    this.#refuse();
    return undefined;
  }

  async #lookAndRefuse(): Promise<void> {
    await this.look();
    this.#thisTurn.set("looked", true);
    this.#refuse();
  }

  #refuse(): void {
    if (this.#problem !== undefined)
      throw new Refusal("config.malformed", `${this.#problem}; until it is fixed the daemon changes nothing for you`);
    if (this.#isChanged)
      throw new Refusal("daemon.begins-anew", "config.toml was changed, and the daemon is restarting with it");
  }

  async #look(): Promise<void> {
    if (this.#isChanged) return;
    const stamp = await this.#restingStamp();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    const before = this.#problem;
    try {
      const now = await this.#parts.load();
      this.#problem = undefined;
      if (isDeepStrictEqual(now.config, this.#parts.running.config)) return;
      this.#isChanged = true;
      this.#changed.resolve(now);
    } catch (cause) {
      this.#problem = messageOf(cause);
      if (this.#problem !== before) this.#parts.log(`settings: ${this.#problem}; going on with what was read before`);
    }
  }

  /** A few tries: somebody who never stops writing is read in the middle of it. */
  async #restingStamp(): Promise<string> {
    const { clock } = this.#parts;
    for (let tries = 0; ; tries++) {
      const { stamp, changedMs } = this.#stat();
      const age = clock.nowMs() - changedMs;
      if (stamp === this.#stamp || age < 0 || age >= restMs || tries === 10) return stamp;
      await clock.sleep(restMs - age);
    }
  }

  /** A link is followed, as the reader of the file does. */
  #stat(): { stamp: string; changedMs: number } {
    try {
      const path = join(this.#parts.running.home, inHome.config);
      const found = statSync(path, { throwIfNoEntry: false, bigint: true });
      if (found === undefined) return { stamp: "none", changedMs: 0 };
      return { stamp: `${found.ino} ${found.ctimeNs} ${found.size}`, changedMs: Number(found.ctimeNs / 1_000_000n) };
    } catch (cause) {
      return { stamp: `unreadable: ${messageOf(cause)}`, changedMs: 0 };
    }
  }
}
