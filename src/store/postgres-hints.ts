// Tells other daemons over the same database that there is something new: one notification for all commits of a short time, sent beside the
// transactions. (A transaction that notifies itself waits for every other that does: the server lets only one of them commit at a time.)
// A hint may be lost; whoever listens also looks by itself now and then.

import type { Clock } from "../ports/machine.ts";
import type { Head } from "./engine.ts";
import { PostgresPool } from "./postgres-pool.ts";

const hintEveryMs = 15;

export class PostgresHints {
  readonly #pool: PostgresPool;
  readonly #channel: string;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  /** The newest that was committed and not yet told, by constellation. */
  readonly #untold = new Map<string, number>();
  #telling: Promise<void> | undefined;

  constructor(url: string, channel: string, clock: Clock) {
    // A hint need not be on the disk.
    this.#pool = new PostgresPool(url, { max: 1, isForHints: true });
    this.#channel = channel;
    this.#clock = clock;
  }

  committed(constellation: string, { seq }: Head): void {
    this.#untold.set(constellation, seq);
    this.#telling ??= this.#tell().finally(() => (this.#telling = undefined));
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await this.#telling;
    await this.#pool.end();
  }

  async #tell(): Promise<void> {
    while (this.#untold.size > 0) {
      const hints = [...this.#untold].map(([constellation, seq]) => `${seq} ${constellation}`);
      this.#untold.clear();
      const notify = "select pg_notify($1, hint) from json_array_elements_text($2::text::json) as hint";
      await this.#pool.ask((sql) => sql.unsafe(notify, [this.#channel, JSON.stringify(hints)])).catch(() => {});
      await this.#clock.sleep(hintEveryMs, this.#ending.signal);
    }
  }
}
