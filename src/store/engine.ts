// Defines what the store needs of a database, beyond SQL that both understand: one writing connection with its transaction, the place of the
// chain head, and a way to read beside it. sqlite-engine.ts and postgres-engine.ts are the two.

import type { Kysely } from "kysely";
import type { HeldLease, LeaseWish } from "./lease.ts";
import type { Dialect, Tables } from "./tables.ts";
import type { EventSignaturesTable, EventsTable } from "./tables/timeline.ts";

type Maybe<T> = T | Promise<T>;

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

export interface LockedHead extends Head {
  /** The first event of the chain that was signed; null while none was. */
  readonly signed_since: number | null;
}

/** The one writing connection. The group commit is its only user. */
export interface Writer {
  /** Statements inside the open transaction. */
  readonly db: Kysely<Tables>;
  /** Set by the group commit before a job; cleared by any statement after which the job cannot simply be forgotten. */
  untouched: boolean;
  begin(): Maybe<void>;
  commit(): Maybe<void>;
  /** Leaves no transaction open, whatever the state. */
  rollback(): Maybe<void>;
  savepoint(): Maybe<void>;
  release(): Maybe<void>;
  rollbackToSavepoint(): Maybe<void>;
  /** Reads the head of a chain, and holds it until the transaction ends so that nobody else can extend the chain. */
  lockHead(constellation: string): Maybe<LockedHead>;
  /** Appends to the chain and moves its head, in as few statements as the database allows. */
  append(events: readonly EventsTable[], head: Head, signature?: EventSignaturesTable): Maybe<void>;
  /** Counts the jobs that wrote, inside their transaction, where a head file is kept. Undefined when nothing changed. */
  countWrites?(jobs: number): number | undefined;
  /** A plain insert with its statement kept ready: the fast way for rows that are written all the time. */
  insert(table: string, row: Readonly<Record<string, unknown>>): Maybe<void>;
}

export interface Engine {
  readonly dialect: Dialect;
  readonly reads: Kysely<Tables>;
  readonly writer: Writer;
  /** Hears of commits made by other processes, where the database can tell; `connected` each time that link is made. */
  listen?(heard: (constellation: string, seq: number) => void, connected: () => void): Promise<void>;
  /**
   * Makes this the one daemon that writes for the constellation; from then on each write compares the epoch. Refused while another has it. Absent
   * where only one daemon can have the database.
   */
  hold?(constellation: string, wish: LeaseWish): Promise<HeldLease>;
  close(): Promise<void>;
}
