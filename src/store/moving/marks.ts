// What a database remembers of a move, in its table `meta`: that a constellation is being moved from here or was, and that one is arriving here
// or has arrived. A store is not opened for a constellation that is on its way, nor where only the copy that was left behind is.

import { sql } from "kysely";
import { Refusal } from "../../protocol/errors.ts";
import type { Untyped } from "../migrations/migration.ts";

export interface LeavingMark {
  /** The same on both sides. */
  readonly id: string;
  readonly state: "moving" | "moved";
  /** The name of the other database, without a password. */
  readonly to: string;
  readonly at_ms: number;
}

export interface ArrivingMark {
  readonly id: string;
  readonly state: "arriving" | "arrived";
  readonly from: string;
  readonly at_ms: number;
  /** Tables that are wholly there. */
  readonly done: readonly string[];
  /** The table that is being copied, and the key of the last row that is there; integers as text. */
  readonly table?: string | undefined;
  readonly after?: readonly (string | null)[] | undefined;
  /** Its arrival stands on the timeline. */
  readonly told?: boolean;
}

const leavingKey = (constellation: string): string => `moved:${constellation}`;
const arrivingKey = (constellation: string): string => `arrived:${constellation}`;

export const readLeaving = (db: Untyped, constellation: string): Promise<LeavingMark | undefined> =>
  read<LeavingMark>(db, leavingKey(constellation));

export const readArriving = (db: Untyped, constellation: string): Promise<ArrivingMark | undefined> =>
  read<ArrivingMark>(db, arrivingKey(constellation));

/** In one statement each, so that nobody finds the mark gone. */
export const writeLeaving = (db: Untyped, constellation: string, mark: LeavingMark): Promise<void> =>
  put(db, leavingKey(constellation), mark);

export const writeArriving = (db: Untyped, constellation: string, mark: ArrivingMark): Promise<void> =>
  put(db, arrivingKey(constellation), mark);

export async function clearLeaving(db: Untyped, constellation: string): Promise<void> {
  await sql`delete from meta where key = ${leavingKey(constellation)}`.execute(db);
}

export async function clearArriving(db: Untyped, constellation: string): Promise<void> {
  await sql`delete from meta where key = ${arrivingKey(constellation)}`.execute(db);
}

/** The refusal to write for a constellation that is on its way, or that was moved elsewhere. */
export async function whyMoved(db: Untyped, constellation: string): Promise<Refusal | undefined> {
  const leaving = await readLeaving(db, constellation);
  const facts = { constellation };
  if (leaving?.state === "moved") {
    const at = new Date(leaving.at_ms).toISOString().slice(0, 19);
    return new Refusal(
      "store.moved",
      `the constellation "${constellation}" was moved to ${leaving.to} (${at}Z); this is the copy that was left behind, and nothing is written to it`,
      { ...facts, to: leaving.to },
    );
  }
  if (leaving !== undefined)
    return new Refusal("store.moving", `the constellation "${constellation}" is being moved to ${leaving.to}`, {
      ...facts,
      to: leaving.to,
    });
  const arriving = await readArriving(db, constellation);
  if (arriving?.state === "arriving")
    return new Refusal(
      "store.moving",
      `the constellation "${constellation}" is being moved here from ${arriving.from} and is not whole yet`,
      { ...facts, from: arriving.from },
    );
  return undefined;
}

async function read<Mark>(db: Untyped, key: string): Promise<Mark | undefined> {
  const { rows } = await sql<{ value: string }>`select value from meta where key = ${key}`.execute(db);
  return rows[0] === undefined ? undefined : (JSON.parse(rows[0].value) as Mark);
}

async function put(db: Untyped, key: string, mark: LeavingMark | ArrivingMark): Promise<void> {
  await sql`insert into meta (key, value) values (${key}, ${JSON.stringify(mark)})
    on conflict (key) do update set value = excluded.value`.execute(db);
}
