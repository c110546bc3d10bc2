// Tells listeners of committed events, each once and in the order of their chain. Where several daemons share a database
// (Postgres), commits of the others are heard of and fetched; a gap before our own is filled first, because reactions and
// live feeds remember only how far they came.

import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";
import { readEvents, type StoredEvent } from "./timeline.ts";

/** `types`: those of the events, each once: many listeners ask only whether one of a few is among them. */
export type CommitListener = (events: readonly StoredEvent[], types: ReadonlySet<string>) => void;

const pageRows = 1000;

export class CommitFeed {
  readonly #log: (problem: string, cause: unknown) => void;
  readonly #listeners = new Set<CommitListener>();
  #shared: { db: Kysely<Tables>; told: Map<string, number> } | undefined;
  #tail: Promise<void> = Promise.resolve();

  constructor(log: (problem: string, cause: unknown) => void) {
    this.#log = log;
  }

  add(listener: CommitListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** From now on others may extend the chains too; what is there already is not told. */
  async share(db: Kysely<Tables>): Promise<void> {
    const heads = await db.selectFrom("chain_heads").select(["constellation", "seq"]).execute();
    this.#shared = { db, told: new Map(heads.map((head) => [head.constellation, head.seq])) };
  }

  /** Our own commit. */
  committed(events: readonly StoredEvent[]): void {
    const last = events.at(-1);
    if (last === undefined) return;
    if (this.#shared === undefined) this.#tell(events);
    else this.advance(last.constellation, last.seq, events);
  }

  /** A chain has come as far as `seq`; `own` are its last events when we have them at hand. */
  advance(constellation: string, seq: number, own: readonly StoredEvent[] = []): void {
    this.#tail = this.#next(() => this.#catchUp(constellation, seq, own));
  }

  /** After the connection was made again: fetches whatever was missed. */
  catchUpAll(): void {
    this.#tail = this.#next(async () => {
      const heads = await this.#shared?.db.selectFrom("chain_heads").select(["constellation", "seq"]).execute();
      for (const head of heads ?? []) await this.#catchUp(head.constellation, head.seq, []);
    });
  }

  /** Resolves when everything heard of so far has been told. */
  settled(): Promise<void> {
    return this.#tail;
  }

  async #next(work: () => Promise<void>): Promise<void> {
    await this.#tail;
    try {
      await work();
    } catch (cause) {
      // The next commit that is heard of fetches from the same place.
      this.#log("committed events could not be read", cause);
    }
  }

  async #catchUp(constellation: string, seq: number, own: readonly StoredEvent[]): Promise<void> {
    if (this.#shared === undefined) return;
    const { db, told } = this.#shared;
    for (;;) {
      const afterSeq = told.get(constellation) ?? 0;
      if (afterSeq >= seq) return;
      const events =
        own[0]?.seq === afterSeq + 1 ? own : await readEvents(db, { constellation, afterSeq, limit: pageRows });
      const last = events.at(-1);
      if (last === undefined) return;
      told.set(constellation, last.seq);
      this.#tell(events);
    }
  }

  #tell(events: readonly StoredEvent[]): void {
    const types = new Set<string>();
    for (const { type } of events) types.add(type);
    for (const listener of this.#listeners) {
      try {
        listener(events, types);
      } catch (cause) {
        // A listener's bug must not stop the writer or the other listeners.
        this.#log("a commit listener threw", cause);
      }
    }
  }
}
