// How far each file of records was taken in.

import type { Kysely } from "kysely";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { IntakePositionsTable } from "../../store/tables/records.ts";

type PositionKey = Pick<IntakePositionsTable, "constellation" | "file" | "inode">;

export async function positionsByInode(
  db: Kysely<Tables>,
  constellation: string,
  inode: number,
): Promise<IntakePositionsTable[]> {
  return await db
    .selectFrom("intake_positions")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("inode", "=", inode)
    .execute();
}

export async function putPosition(tx: Tx, row: IntakePositionsTable): Promise<void> {
  const { constellation: _, file: __, ...next } = row;
  await tx.db
    .insertInto("intake_positions")
    .values(row)
    .onConflict((conflict) => conflict.columns(["constellation", "file"]).doUpdateSet(next))
    .execute();
}

/** The file has a new name. A position that was kept under that name goes. */
export async function renamePosition(tx: Tx, { constellation, file, inode }: PositionKey, to: string): Promise<void> {
  await tx.db
    .deleteFrom("intake_positions")
    .where("constellation", "=", constellation)
    .where("file", "=", to)
    .execute();
  await tx.db
    .updateTable("intake_positions")
    .set({ file: to })
    .where("constellation", "=", constellation)
    .where("file", "=", file)
    .where("inode", "=", inode)
    .execute();
}

export async function deletePosition(tx: Tx, { constellation, file, inode }: PositionKey): Promise<void> {
  await tx.db
    .deleteFrom("intake_positions")
    .where("constellation", "=", constellation)
    .where("file", "=", file)
    .where("inode", "=", inode)
    .execute();
}
