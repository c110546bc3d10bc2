// Keeps what we share in our own record: a team's other constellations read it there, and the mesh tells peers of it from there.

import type { PublishedSide, SideRecord } from "../../ports/sides.ts";
import type { SharedSidesTable } from "../../store/tables/sharing.ts";
import type { Context } from "../context.ts";
import {
  putBundle,
  putSide,
  removeShared,
  removeSide,
  sharedRepositories,
  sidesOf,
  updateShared,
} from "./sides.sql.ts";

/** Others take us for silent some minutes after the last sign of life. */
const signEveryMs = 60_000;

export function ownSides({ store, clock }: Pick<Context, "store" | "clock">): SideRecord {
  const { constellation } = store;
  return {
    async publish(repository, sides) {
      const before = await sidesOf(store.db, constellation, repository);
      const rows = sides.map((side) => asRow(constellation, repository, side));
      const fresh = rows.filter((row) => !before.some((one) => one.key === row.key && isSame(one, row)));
      const gone = before.filter(({ key }) => !rows.some((row) => row.key === key));
      const shared = (await sharedRepositories(store.db, constellation)).find((one) => one.repository === repository);
      if (shared === undefined) return;
      if (fresh.length + gone.length === 0 && clock.nowMs() - shared.heard_ms < signEveryMs) return;
      await store.write(async (tx) => {
        for (const row of fresh) await putSide(tx, { ...row, at_ms: tx.nowMs });
        for (const { key } of gone) await removeSide(tx, constellation, repository, key);
        await updateShared(tx, constellation, repository, { heard_ms: tx.nowMs });
      });
    },
    async withdraw(repository) {
      await store.write((tx) => removeShared(tx, constellation, repository));
    },
    async bring(repository, key, bundle) {
      const content = Buffer.from(bundle).toString("base64");
      await store.write((tx) => putBundle(tx, { constellation, repository, key, content }));
    },
  };
}

function asRow(constellation: string, repository: string, side: PublishedSide): Omit<SharedSidesTable, "at_ms"> {
  const { key, ref, commit, route, detail, words } = side;
  return { constellation, repository, key, ref, commit_id: commit, route, detail, ...words };
}

const isSame = (one: SharedSidesTable, row: Omit<SharedSidesTable, "at_ms">): boolean =>
  (Object.keys(row) as (keyof typeof row)[]).every((column) => one[column] === row[column]);
