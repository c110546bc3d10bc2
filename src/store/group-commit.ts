// The one writer. Jobs that wait share one transaction, in the order of asking; a promise is kept only when the commit is on
// the disk. A job that throws is undone alone. When the database is locked by somebody else, the whole batch is undone and
// tried again, so jobs must be safe to run twice: they touch only their transaction.
//
// A job that throws is undone by its savepoint. Most jobs do not throw, and those that do mostly refuse before they write,
// so a batch is first run without savepoints (two statements less a job, which on Postgres are two round trips). Only when
// a job threw after writing is the batch undone and run again with a savepoint for each.
//
// The way of a change: `doors/cli/commands/timeline.ts` makes one call, `client/socket.ts` carries it
// (`doors/cli/reach/start-daemon.ts` starts the daemon first where there is none), `daemon/door/serve.ts` checks the input, and the
// verb (`core/timeline/announce.ts`) writes in a job that this file commits before anybody is answered.

import type { Kysely } from "kysely";
import type { Clock, Random } from "../ports/machine.ts";
import { nextTurn } from "../ports/turns.ts";
import type { Head, Writer } from "./engine.ts";
import { type SignEvents, signEvents } from "./event-signatures.ts";
import { isLockError, isStorageFailure, notWritten } from "./errors.ts";
import type { HeadWatch } from "./head-watch.ts";
import type { TableName, Tables } from "./tables.ts";
import type { EventsTable } from "./tables/timeline.ts";
import { type NewEvent, nextRow, type StoredEvent, storedEvent } from "./timeline.ts";

export interface Tx {
  readonly db: Kysely<Tables>;
  /** The moment of the batch; every row of a job shares it. */
  readonly nowMs: number;
  /** Appends to the timeline. The event can be read in the table once the job's batch is committed, not inside the job. */
  record(event: NewEvent): Promise<StoredEvent>;
  /** Signs with the constellation's key; undefined where there is none. */
  sign(bytes: Uint8Array): string | undefined;
  /** A plain insert with its statement kept ready: several times cheaper than building it, for rows written all the time. */
  insert<Table extends TableName>(table: Table, row: Tables[Table]): Promise<void>;
}

export type Job<T> = (tx: Tx) => Promise<T>;

export interface GroupCommitOptions {
  readonly writer: Writer;
  readonly constellation: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly committed: (events: readonly StoredEvent[]) => void;
  /** Signs the events of each batch; without it they are not signed. */
  readonly sign?: SignEvents | undefined;
  /** Keeps the head outside of the database, where the writer counts its writes. */
  readonly head?: HeadWatch | undefined;
}

interface Waiting {
  readonly job: Job<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly cause: unknown };

/** Larger batches gain little and make the first caller wait for the last. */
const largestBatch = 256;
/**
 * Clients that were answered just now ask again in a moment: while fewer wait than lately came together, a batch gives them so many turns more. Who writes alone
 * does not wait, and a burst that is over is forgotten within a hundred batches.
 */
const turnsMore = 2;
const forgets = 0.95;
const retries = 5;
const firstRetryMs = 100;
const longestRetryMs = 3000;

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;
  #count = 0;
  /** The number of writes that came together lately. */
  #usual = 0;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Counts the batches that were committed. */
  get count(): number {
    return this.#count;
  }

  write<T>(job: Job<T>): Promise<T> {
    if (this.#closed) return Promise.reject(notWritten(new Error("the store is closed")));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ job, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Refuses new jobs and waits for those that were taken. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // Everybody who can ask in this turn of the event loop gets into the batch.
    await nextTurn();
    while (this.#waiting.length > 0) {
      for (let turn = 0; turn < turnsMore && this.#waiting.length < this.#usual; turn++) await nextTurn();
      const batch = this.#waiting.splice(0, largestBatch);
      this.#usual = Math.max(batch.length, this.#usual * forgets);
      await this.#settle(batch);
      await nextTurn();
    }
    this.#draining = undefined;
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    let savepoints = false;
    for (let attempt = 0; ; attempt++) {
      const run = new Batch(this.#options, savepoints);
      try {
        await run.commit(batch);
      } catch (cause) {
        if (cause === needsSavepoints) {
          savepoints = true;
          attempt--;
          continue;
        }
        if (isLockError(cause) && attempt < retries) {
          await this.#options.clock.sleep(this.#delayMs(attempt));
          continue;
        }
        const refusal = notWritten(cause, { attempts: attempt + 1 });
        for (const waiting of batch) waiting.reject(refusal);
        return;
      }
      this.#count += 1;
      const { head, constellation } = this.#options;
      if (run.writes !== undefined) head?.acknowledged({ constellation, ...run.head, writes: run.writes });
      run.answer(batch);
      if (run.events.length > 0) this.#options.committed(run.events);
      return;
    }
  }

  /** Doubles each time up to the cap; half of it is left to chance, so that two who collided do not meet again. */
  #delayMs(attempt: number): number {
    const full = Math.min(longestRetryMs, firstRetryMs * 2 ** attempt);
    return full / 2 + (full / 2) * this.#options.random.fraction();
  }
}

/** Thrown by a batch without savepoints when one of its jobs would have to be undone alone. */
const needsSavepoints = Symbol("needs savepoints");

/** One try at one transaction. */
class Batch {
  readonly #options: GroupCommitOptions;
  readonly #savepoints: boolean;
  readonly #outcomes: Outcome[] = [];
  readonly #rows: EventsTable[] = [];
  readonly events: StoredEvent[] = [];
  #head: Head = { seq: 0, hash: "" };
  #jobsThatWrote = 0;
  /** The number of writes that the database has counted with this batch. Undefined when it changed nothing. */
  writes: number | undefined;

  constructor(options: GroupCommitOptions, savepoints: boolean) {
    this.#options = options;
    this.#savepoints = savepoints;
  }

  async commit(batch: readonly Waiting[]): Promise<void> {
    const { writer, constellation, clock } = this.#options;
    try {
      await writer.begin();
      const { signed_since: since, ...head } = await writer.lockHead(constellation);
      this.#head = head;
      const nowMs = clock.nowMs();
      for (const { job } of batch) this.#outcomes.push(await this.#run(job, nowMs));
      if (this.#rows.length > 0) {
        const { sign } = this.#options;
        await writer.append(this.#rows, this.#head, sign && signEvents(this.#rows, since, sign));
      }
      this.writes = writer.countWrites?.(this.#jobsThatWrote);
      const kept = this.writes === undefined ? undefined : this.#options.head?.beside();
      await writer.commit();
      await kept;
    } catch (cause) {
      await writer.rollback();
      throw cause;
    }
  }

  get head(): Head {
    return this.#head;
  }

  answer(batch: readonly Waiting[]): void {
    batch.forEach((waiting, index) => {
      const outcome = this.#outcomes[index];
      if (outcome === undefined) waiting.reject(new Error("a job without an outcome"));
      else if ("cause" in outcome) waiting.reject(outcome.cause);
      else waiting.resolve(outcome.value);
    });
  }

  async #run(job: Job<unknown>, nowMs: number): Promise<Outcome> {
    const { writer } = this.#options;
    const before = { head: this.#head, rows: this.#rows.length };
    const tx = new JobTx(this, writer, nowMs, this.#options.sign);
    if (this.#savepoints) await writer.savepoint();
    writer.untouched = true;
    try {
      const value = await job(tx);
      tx.over = true;
      if (!writer.untouched || this.#rows.length > before.rows) this.#jobsThatWrote++;
      if (this.#savepoints) await writer.release();
      return { value };
    } catch (cause) {
      tx.over = true;
      // What breaks the transaction itself is everybody's failure.
      if (isLockError(cause) || isStorageFailure(cause)) throw cause;
      if (this.#savepoints) await writer.rollbackToSavepoint();
      else if (!writer.untouched) throw needsSavepoints;
      this.#head = before.head;
      this.#rows.length = before.rows;
      this.events.length = before.rows;
      return { cause };
    }
  }

  record(event: NewEvent, nowMs: number): StoredEvent {
    const row = nextRow(event, this.#head, {
      constellation: this.#options.constellation,
      nowMs,
      random: this.#options.random,
    });
    this.#head = { seq: row.seq, hash: row.hash };
    this.#rows.push(row);
    const stored = storedEvent(row);
    this.events.push(stored);
    return stored;
  }
}

/** SQLite has answered by then: nobody waits for a promise of their own. */
const done = Promise.resolve();

class JobTx implements Tx {
  readonly #batch: Batch;
  readonly #writer: Writer;
  readonly nowMs: number;
  readonly sign: SignEvents;
  over = false;

  constructor(batch: Batch, writer: Writer, nowMs: number, sign: SignEvents | undefined) {
    this.#batch = batch;
    this.sign = sign ?? (() => undefined);
    this.#writer = writer;
    this.nowMs = nowMs;
  }

  get db(): Kysely<Tables> {
    this.#check();
    return this.#writer.db;
  }

  async record(event: NewEvent): Promise<StoredEvent> {
    this.#check();
    return this.#batch.record(event, this.nowMs);
  }

  insert<Table extends TableName>(table: Table, row: Tables[Table]): Promise<void> {
    try {
      this.#check();
      return this.#writer.insert(table, row as unknown as Record<string, unknown>) ?? done;
    } catch (cause) {
      return Promise.reject(cause as Error);
    }
  }

  #check(): void {
    if (this.over) throw new Error("the transaction of this job is over");
  }
}
