// Decides when the head file is written. Each commit of the group commit syncs one file already; syncing a second one after it would double
// what a caller waits, and beside each it still costs a tenth of a lone write (a third of a group of 64 on a busy machine). So a busy writer
// writes the head of the commit before beside a commit, once in a moment; it has that moment to get to the disk, and a commit waits for it
// only when it took longer. The last one follows when the writer has been quiet for that moment, and at closing. A power cut hides at most
// the loss of what was acknowledged within two such moments, and never calls something lost that was not acknowledged.

import type { Clock } from "../ports/machine.ts";
import type { DatabaseHead, HeadKeeper } from "./database-head.ts";

/** Shorter than a person can cut the power after an answer, longer than the pause between two writes of a busy writer. */
const quietMs = 20;

export class HeadWatch {
  readonly #options: { keeper: HeadKeeper; clock: Clock; log: (problem: string, cause: unknown) => void };
  readonly #closing = new AbortController();
  #acknowledged: DatabaseHead | undefined;
  #kept: DatabaseHead | undefined;
  #keptMs = -Infinity;
  #keeping: Promise<void> | undefined;
  #following: Promise<void> | undefined;

  constructor(keeper: HeadKeeper, clock: Clock, log: (problem: string, cause: unknown) => void) {
    this.#options = { keeper, clock, log };
  }

  /** Called before a commit; what it answers is waited for after it: a head that is not on the disk although the next is due. */
  beside(): Promise<void> | undefined {
    const isDue = this.#options.clock.monotonicMs() - this.#keptMs >= quietMs;
    if (!isDue || this.#acknowledged === this.#kept) return undefined;
    if (this.#keeping !== undefined) return this.#keeping;
    void this.#keep();
    return undefined;
  }

  acknowledged(head: DatabaseHead): void {
    this.#acknowledged = head;
    this.#following ??= this.#follow();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
    await this.#keep();
    this.#options.keeper.close();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted && this.#acknowledged !== this.#kept) {
      const before = this.#acknowledged;
      await this.#options.clock.sleep(quietMs, signal);
      if (before === this.#acknowledged && !signal.aborted) await this.#keep();
    }
    this.#following = undefined;
  }

  /** Resolves when what was acknowledged last is kept. One at a time: they are written to the same file. */
  async #keep(): Promise<void> {
    while (this.#keeping !== undefined) await this.#keeping;
    const head = this.#acknowledged;
    if (head === undefined || head === this.#kept) return;
    this.#kept = head;
    this.#keptMs = this.#options.clock.monotonicMs();
    this.#keeping = this.#put(head);
    await this.#keeping;
  }

  async #put(head: DatabaseHead): Promise<void> {
    try {
      await this.#options.keeper.put(head);
    } catch (cause) {
      // The commit is durable and is called so; a head that lags only tells less.
      this.#options.log("the head file could not be written", cause);
    } finally {
      this.#keeping = undefined;
    }
  }
}
