// Some columns of a list instead of whole rows. A table shows a few of them, and a thousand whole tasks are half a megabyte that is written,
// sent and read for nothing. An operation that can be asked so names its list (`rows`) and has a field `columns`; both come from the shape of a row,
// so that neither can name what is not there.

import { z } from "zod";
import type { Operation } from "./operation.ts";

/** The field: at least one column of the row, each by its name. Without the field, rows are whole. */
export function columnsOf<Row extends z.ZodObject>(row: Row) {
  return { columns: z.array(row.keyof()).min(1).max(100).optional() };
}

/** The answer with nothing but the columns that were asked for in each row of its list. Whoever answers operations ends here. */
export function onlyColumns({ rows }: Pick<Operation, "rows">, input: unknown, answer: unknown): unknown {
  const columns = (input as { readonly columns?: readonly string[] } | undefined)?.columns;
  if (rows === undefined || columns === undefined) return answer;
  const whole = answer as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  return { ...whole, [rows]: (whole[rows] ?? []).map((row) => pick(row, columns)) };
}

function pick(row: Readonly<Record<string, unknown>>, columns: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const column of columns) picked[column] = row[column];
  return picked;
}
