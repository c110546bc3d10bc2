// Chooses how many rows are read at once, so that a page stays within some megabytes whatever the rows hold.

import type { Row } from "./side.ts";

const pageBytes = 2 * 1024 * 1024;
const mostRows = 2_000;

export class PageSize {
  /** Small at first: nobody knows what the rows of a table hold. */
  limit = 16;

  /** Holds so much that it should be written before more is read. */
  isFull(rows: readonly Row[]): boolean {
    return bytesOf(rows) >= pageBytes / 2;
  }

  saw(rows: readonly Row[]): void {
    const bytes = bytesOf(rows);
    const fitting = Math.floor((pageBytes * rows.length) / Math.max(1, bytes));
    this.limit = Math.max(1, Math.min(fitting, this.limit * 4, mostRows));
  }
}

const bytesOf = (rows: readonly Row[]): number =>
  rows.reduce((sum, row) => sum + row.reduce((all, one) => all + lengthOf(one), 0), 0);

const lengthOf = (value: Row[number]): number => (typeof value === "string" ? value.length : 8);
