// Takes in what the floor wrote while nobody kept a database: the JSON lines in logs/. Rows are known by the record's id, so
// a file that was replaced and is read anew does no harm either.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type BadLine, type FloorRecord, readRecords, recordKinds, tryAppendRecord } from "../floor/records.ts";
import { messageOf } from "../protocol/errors.ts";
import { inHome } from "../settings/paths.ts";
import { listTrusted } from "../settings/trusted-files.ts";
import type { Tx } from "../store/group-commit.ts";
import type { LoopParts } from "./loop-parts.ts";
import { intakeRows } from "./intake-rows.ts";
import type { LoopDeclaration } from "./loops.ts";
import { takeInFile } from "./take-in-file.ts";

const everyMs = 2_000;
/** One transaction's worth: others who want to write wait for it. */
const sliceBytes = 256 * 1024;
const fileName = new RegExp(`^(?:${recordKinds.join("|")})-\\d{4}-\\d{2}-\\d{2}\\.jsonl$`);

export function intakeLoop(parts: LoopParts): LoopDeclaration {
  // Sizes seen last: an unchanged file costs one stat.
  const seen = new Map<string, number>();
  const noted = new Map<string, string>();
  // The records themselves wait in their files; that the database would not take them becomes a row when it does again.
  const noteOnce = (source: string, cause: unknown): void => {
    const problem = messageOf(cause);
    if (noted.get(source) === problem || source.startsWith("meta-db-errors")) return;
    noted.set(source, problem);
    const { settings, store, clock, random } = parts;
    const place = { home: settings.home, constellation: store.constellation, clock, random };
    tryAppendRecord(place, "meta-db-errors", { source, problem });
  };
  return {
    name: "intake",
    everyMs,
    async round(signal) {
      const { home } = parts.settings;
      const problems: unknown[] = [];
      for (const name of listTrusted(home, inHome.logs).filter((candidate) => fileName.test(candidate))) {
        const { size, ino } = lstatSync(join(home, inHome.logs, name));
        if (seen.get(name) === size || signal.aborted) continue;
        try {
          await takeIn(parts, name, ino);
          seen.set(name, size);
        } catch (cause) {
          problems.push(cause); // the other files are taken in all the same
          noteOnce(name, cause);
        }
      }
      if (problems.length > 0) throw problems[0];
      return undefined;
    },
  };
}

function takeIn({ settings, store }: LoopParts, name: string, inode: number): Promise<void> {
  return takeInFile(store, name, inode, (offset) => {
    const { records, badLines, nextOffset } = readRecords(settings.home, name, offset, sliceBytes);
    return {
      nextOffset,
      async write(tx) {
        for (const record of records) await insertOnce(tx, record, store.constellation);
        for (const bad of badLines) await insertBad(tx, name, bad, store.constellation);
      },
    };
  });
}

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
