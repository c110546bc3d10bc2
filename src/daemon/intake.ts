// Takes in what the floor wrote while nobody kept a database: the JSON lines in logs/. How far each file was read is stored
// in the same transaction as the rows, and rows are known by id, so a record is taken in once, whatever dies when.

import { statSync } from "node:fs";
import { join } from "node:path";
import { type BadLine, type FloorRecord, readRecords, recordKinds } from "../floor/records.ts";
import { inHome } from "../settings/paths.ts";
import { listTrusted } from "../settings/trusted-files.ts";
import type { Store } from "../store/open.ts";
import type { LoopParts } from "./compose.ts";
import { intakeRows } from "./intake-rows.ts";
import type { LoopDeclaration } from "./loops.ts";

const everyMs = 2_000;
const fileName = new RegExp(`^(?:${recordKinds.join("|")})-\\d{4}-\\d{2}-\\d{2}\\.jsonl$`);

export function intakeLoop(parts: LoopParts): LoopDeclaration {
  // Sizes seen last: an unchanged file costs one stat.
  const seen = new Map<string, number>();
  return {
    name: "intake",
    everyMs,
    async round(signal) {
      const { home } = parts.settings;
      for (const name of listTrusted(home, inHome.logs).filter((candidate) => fileName.test(candidate))) {
        const { size, ino } = statSync(join(home, inHome.logs, name));
        if (seen.get(name) === size || signal.aborted) continue;
        await takeIn(parts, name, ino);
        seen.set(name, size);
      }
      return undefined;
    },
  };
}

/** Reads one file from where it was left, a few megabytes at a time. */
async function takeIn({ settings, store }: LoopParts, name: string, inode: number): Promise<void> {
  for (;;) {
    const position = await store.db
      .selectFrom("intake_positions")
      .selectAll()
      .where("file", "=", name)
      .executeTakeFirst();
    const from = position !== undefined && position.inode === inode ? position.offset_bytes : 0;
    const read = readRecords(settings.home, name, from);
    if (read.nextOffset === from) return;
    await store.write(async (tx) => {
      for (const record of read.records) await insertOnce(tx, record, store.constellation);
      for (const bad of read.badLines) await insertBad(tx, name, bad, store.constellation);
      await tx.db
        .insertInto("intake_positions")
        .values({ file: name, inode, offset_bytes: read.nextOffset, updated_ms: tx.nowMs })
        .onConflict((conflict) =>
          conflict.column("file").doUpdateSet({ inode, offset_bytes: read.nextOffset, updated_ms: tx.nowMs }),
        )
        .execute();
    });
  }
}

type Tx = Parameters<Parameters<Store["write"]>[0]>[0];

async function insertOnce(tx: Tx, record: FloorRecord, constellation: string): Promise<void> {
  const row = intakeRows(record, constellation);
  if (row === undefined) return;
  await tx.db
    .insertInto(row.table)
    .values(row.values as never)
    .onConflict((conflict) => conflict.column("id" as never).doNothing())
    .execute();
}

async function insertBad(tx: Tx, name: string, bad: BadLine, constellation: string): Promise<void> {
  await tx.db
    .insertInto("source_errors")
    .values({
      id: `bad_${name}_${bad.offset}`,
      constellation,
      at_ms: tx.nowMs,
      source: name,
      line: bad.offset,
      problem: `not a record: ${bad.text.slice(0, 200)}`,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
