// Writes the rows that records become. One that is known by its id stays as it is.

import type { BadLine } from "../../floor/records.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { IntakeRow } from "./intake-rows.ts";

/** Far below what both databases take as parameters. */
const rowsInAStatement = 200;

/** All rows of a table go in one statement: building one takes longer than running it. */
export async function insertOnce(tx: Tx, rows: readonly IntakeRow[]): Promise<void> {
  for (const [table, ofTable] of Map.groupBy(rows, (row) => row.table)) {
    for (let from = 0; from < ofTable.length; from += rowsInAStatement) {
      await tx.db
        .insertInto(table)
        .values(ofTable.slice(from, from + rowsInAStatement).map(({ values }) => values) as never)
        .onConflict((conflict) => conflict.column("id" as never).doNothing())
        .execute();
    }
  }
}

export async function insertBad(tx: Tx, name: string, bad: BadLine, constellation: string): Promise<void> {
  await tx.db
    .insertInto("source_errors")
    .values({
      id: `bad_${constellation}_${name}_${bad.offset}`,
      constellation,
      at_ms: tx.nowMs,
      source: name,
      line: bad.offset,
      problem: `not a record: ${bad.text.slice(0, 200)}`,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
