// A digest over the rows of a table that is the same whatever the order they are read in: two databases need not sort text alike. It is the
// sum of the rows' SHA-256 hashes.

import type { Part } from "./parts.ts";
import { keyValues, readPage, type Row, type Side } from "./side.ts";
import { PageSize } from "./page-size.ts";

export interface TableDigest {
  readonly rows: number;
  readonly digest: string;
}

const modulus = 1n << 256n;

export async function digestOfPart(side: Side, part: Part, constellation: string): Promise<TableDigest> {
  const pages = new PageSize();
  let [sum, count] = [0n, 0];
  let after: Row | undefined;
  for (;;) {
    const rows = await readPage(side, part, { constellation, after, limit: pages.limit });
    for (const row of rows) {
      sum = (sum + BigInt(`0x${Bun.CryptoHasher.hash("sha256", textOf(part, row), "hex")}`)) % modulus;
      count += 1;
    }
    const last = rows.at(-1);
    if (last === undefined) return { rows: count, digest: sum.toString(16).padStart(64, "0") };
    pages.saw(rows);
    after = keyValues(part, last);
  }
}

/** Without the columns that begin anew on the other side. */
function textOf({ columns, fresh }: Part, row: Row): string {
  const said = row.map((value, at) => {
    if (Object.hasOwn(fresh, columns[at]?.name ?? "")) return "";
    return typeof value === "bigint" ? [String(value)] : value;
  });
  return JSON.stringify(said);
}
