// Puts the rows of one constellation back from a dump of a Postgres database. The dump's tables are in a schema of their own by then; here the rows that stand
// are kept aside in another, taken out, and those of the dump put in their place: one transaction. Rows of other constellations stay.

import { sql } from "kysely";
import { Refusal } from "../protocol/errors.ts";
import type { DatabaseHead } from "./database-head.ts";
import { clearConstellation } from "./moving/clear.ts";
import { type Part, partsOfSchema } from "./moving/parts.ts";
import { openSide, type Side } from "./moving/side.ts";
import { genesisHash } from "./timeline.ts";

/** The head of the chain in the tables of a schema; refused where they are not of this program's schema version. */
export async function headInSchema(
  url: string,
  { schema, constellation, known, backup }: { schema: string; constellation: string; known: number; backup: string },
): Promise<DatabaseHead> {
  const side = await openSide(url);
  try {
    const version = await sql<{ version: number | null }>`select max(version) as version
      from ${sql.id(schema, "schema_migrations")}`.execute(side.db);
    const found = version.rows[0]?.version ?? 0;
    if (found !== known)
      throw new Refusal(
        found < known ? "store.older-schema" : "store.newer-schema",
        `${backup} has schema version ${found}; this constel puts back dumps of ${known}`,
        { schema: found, known },
      );
    const head = await sql<{ seq: number; hash: string }>`select seq, hash from ${sql.id(schema, "chain_heads")}
      where constellation = ${constellation}`.execute(side.db);
    const { seq, hash } = head.rows[0] ?? { seq: 0, hash: genesisHash };
    return { constellation, writes: 0, seq, hash };
  } finally {
    await side.close();
  }
}

/** Nobody may write for the constellation meanwhile. */
export async function putRowsBack(
  url: string,
  { from, keep, constellation }: { readonly from: string; readonly keep: string; readonly constellation: string },
): Promise<void> {
  const parts = await partsOfSchema();
  const side = await openSide(url);
  try {
    await side.transaction(async () => {
      const held = await sql<{
        epoch: number;
      }>`select epoch from chain_heads where constellation = ${constellation} for update`.execute(side.db);
      await sql`create schema ${sql.id(keep)}`.execute(side.db);
      for (const part of parts)
        await sql`create table ${sql.id(keep, part.table)} as select * from ${sql.table(part.table)} as t
          where ${part.isOf(constellation)}`.execute(side.db);
      await clearConstellation(side, parts, constellation);
      for (const part of parts) await copyFrom(side, part, { from, constellation });
      // A daemon that sleeps may not find its own number again.
      await sql`update chain_heads set epoch = ${held.rows[0]?.epoch ?? 0}, holder = null, held_until_ms = 0
        where constellation = ${constellation}`.execute(side.db);
      await sql`drop schema ${sql.id(from)} cascade`.execute(side.db);
    });
  } finally {
    await side.close();
  }
}

async function copyFrom(
  side: Side,
  part: Part,
  { from, constellation }: { from: string; constellation: string },
): Promise<void> {
  const columns = sql.join(part.columns.map(({ name }) => sql.id(name)));
  if (part.table === "chain_heads") await clearConstellation(side, [part], constellation);
  await sql`insert into ${sql.table(part.table)} (${columns}) select ${columns} from ${sql.id(from, part.table)} as t
    where ${part.isOf(constellation)}`.execute(side.db);
}

export async function dropSchema(url: string, schema: string): Promise<void> {
  const side = await openSide(url);
  try {
    await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(side.db);
  } finally {
    await side.close();
  }
}

/** The schema that the tables of a connection are in. */
export async function currentSchema(url: string): Promise<string> {
  const side = await openSide(url);
  try {
    const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(side.db);
    return rows[0]?.name ?? "public";
  } finally {
    await side.close();
  }
}
