// Every question about what is open in pairs.

import type { Kysely } from "kysely";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { OpenPairsTable } from "../../store/tables/observed.ts";

export async function openPairsOf(
  db: Kysely<Tables>,
  constellation: string,
  repository?: string,
): Promise<OpenPairsTable[]> {
  let select = db.selectFrom("open_pairs").selectAll().where("constellation", "=", constellation);
  if (repository !== undefined) select = select.where("repository", "=", repository);
  return await select.orderBy("repository").orderBy("pair").execute();
}

export async function putOpenPair(tx: Tx, row: OpenPairsTable): Promise<void> {
  const { open, notes, ours_label, theirs_label } = row;
  await tx.db
    .insertInto("open_pairs")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["constellation", "repository", "pair"]).doUpdateSet({ open, notes, ours_label, theirs_label }),
    )
    .execute();
}

export async function removeOpenPairs(
  tx: Tx,
  constellation: string,
  repository: string,
  pairs: readonly string[],
): Promise<void> {
  for (let from = 0; from < pairs.length; from += 500) {
    await tx.db
      .deleteFrom("open_pairs")
      .where("constellation", "=", constellation)
      .where("repository", "=", repository)
      .where("pair", "in", pairs.slice(from, from + 500))
      .execute();
  }
}
