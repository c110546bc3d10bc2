// Says what waits for each peer, and how old what it says of itself is.

import type { Store } from "../../store/open.ts";
import { allStreams, heldByEntry } from "./mesh.sql.ts";

export interface Lag {
  /** What the peer has not yet said that it took, and since when the first of it waits. */
  readonly items: number;
  readonly sinceMs: number | null;
  /** When the peer last said that what is known of it is how things are there. */
  readonly knownMs: number | null;
}

/** By entry. */
export async function lags({ db, constellation }: Pick<Store, "db" | "constellation">): Promise<Map<string, Lag>> {
  const held = new Map((await heldByEntry(db, constellation)).map((one) => [one.entry, one]));
  return new Map(
    (await allStreams(db, constellation)).map(({ entry, known_ms: knownMs }) => {
      const { items = 0, since } = held.get(entry) ?? {};
      return [entry, { items: Number(items), sinceMs: since === undefined ? null : Number(since), knownMs }];
    }),
  );
}
