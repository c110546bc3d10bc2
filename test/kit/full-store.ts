// A database with rows of a constellation in every table of the schema, whatever tables there are.

import { systemClock, systemRandom } from "../../src/host/clock/system-clock.ts";
import type { Migration } from "../../src/store/migrations/migration.ts";
import { openStore } from "../../src/store/open.ts";
import { type Part, partsOfSchema } from "../../src/store/moving/parts.ts";
import { insertRows, openSide, type Value } from "../../src/store/moving/side.ts";

/** Kept by the store itself. */
const ofTheChain = new Set(["events", "event_signatures", "chain_heads"]);

export async function fillEveryTable(
  url: string,
  constellation: string,
  {
    events = 30,
    rows = 3,
    migrations,
  }: { readonly events?: number; readonly rows?: number; readonly migrations?: readonly Migration[] } = {},
): Promise<void> {
  const more = migrations === undefined ? {} : { migrations };
  const store = await openStore({
    url,
    backupDirectory: "/nonexistent",
    clock: systemClock,
    random: systemRandom,
    constellation,
    sign: () => "ed25519:test",
    ...more,
  });
  for (let n = 0; n < events; n += 100)
    await store.write(async (tx) => {
      for (let one = n; one < Math.min(events, n + 100); one++)
        await tx.record({ type: "one.done", actor: "test", data: { one, text: "ä✓'\"\\\n" } });
    });
  await store.close();
  const side = await openSide(url);
  try {
    const parts = (await partsOfSchema(migrations)).filter(({ table }) => !ofTheChain.has(table));
    await side.transaction(async () => {
      for (const part of parts)
        await insertRows(
          side,
          part,
          Array.from({ length: rows }, (_, row) =>
            part.columns.map(({ name, kind }) => valueOf(part, { name, kind, row, constellation })),
          ),
        );
    });
  } finally {
    await side.close();
  }
}

interface Cell {
  readonly name: string;
  readonly kind: "text" | "integer";
  readonly row: number;
  readonly constellation: string;
}

function valueOf({ table }: Part, { name, kind, row, constellation }: Cell): Value {
  if (name === "constellation") return constellation;
  if (table === "meta" && name === "key")
    return row === 0 ? `anchored:${constellation}` : `telegram:${constellation}:${row}`;
  if (table === "task_leases" && name === "name") return `lease${row} ${constellation}`;
  // Beyond what a number of JavaScript holds exactly.
  if (kind === "integer") return 2n ** 53n + 1n + BigInt(row);
  return `${name} ${row} of ${constellation}: ä✓ '"\\ \n \u{1f600}`;
}
