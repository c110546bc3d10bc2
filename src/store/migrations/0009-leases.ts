// One daemon acts for a constellation: who holds it, until when, and the number that each new holder counts up (postgres-lease.ts).

import { sql } from "kysely";
import { columnsOf, type Migration } from "./migration.ts";

export const leases: Migration = {
  version: 9,
  name: "leases",
  async up(db) {
    await sql`alter table chain_heads add column epoch bigint not null default 0`.execute(db);
    await sql`alter table chain_heads add column holder text`.execute(db);
    await sql`alter table chain_heads add column held_until_ms bigint not null default 0`.execute(db);
  },
  async verify(db, dialect) {
    const found = await columnsOf(db, dialect, "chain_heads");
    const missing = columns.filter((column) => !found.includes(column));
    if (missing.length > 0) throw new Error(`chain_heads lacks ${missing.join(", ")}`);
  },
  async down(db) {
    for (const column of columns) await sql`alter table chain_heads drop column ${sql.ref(column)}`.execute(db);
  },
};

const columns = ["epoch", "holder", "held_until_ms"];
