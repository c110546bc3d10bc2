// Takes in what the floor wrote while nobody kept a database: the JSON lines in logs/. Rows are known by the record's id, so
// a file that was replaced and is read anew does no harm either.
//
// Every command leaves a line (`floor/records.ts`): one append, no daemon. How far a file was taken in is stored in the transaction of
// its rows (`take-in-file.ts`); `record-files.ts` sets large files aside and removes old ones; `intake-rows.ts` says which row a
// record becomes.

import { type FloorRecord, readRecords, recordKinds, tryAppendRecord } from "../../floor/records.ts";
import { scanForAll } from "../../host/secrets/shapes.ts";
import { withoutSecrets } from "../../ports/secrets.ts";
import { messageOf } from "../../protocol/errors.ts";
import { tidyDaemonLog } from "../daemon-log.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import { intakeRows } from "./intake-rows.ts";
import { insertBad, insertOnce } from "./intake.sql.ts";
import type { Round } from "../loops/react.ts";
import { type RecordFile, RecordFiles } from "./record-files.ts";
import { takeInFile } from "./take-in-file.ts";

/** Nothing shorter is a key that the scanner knows. */
const shortestKey = 16;
/** One transaction's worth: others who want to write wait for it. */
const sliceBytes = 256 * 1024;

export function intakeLoop(parts: LoopParts): Round {
  const files = new RecordFiles(parts, recordKinds);
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
    async round(signal) {
      const problems: unknown[] = [];
      for (const file of files.grown()) {
        if (signal.aborted) continue;
        try {
          await takeIn(parts, file);
          files.takenIn(file);
        } catch (cause) {
          problems.push(cause); // the other files are taken in all the same
          noteOnce(file.name, cause);
        }
      }
      if (problems.length > 0) throw problems[0];
      await files.tidy();
      tidyDaemonLog(parts.settings.home, parts.settings.config["logs.max_bytes"]);
      return undefined;
    },
  };
}

function takeIn({ settings, store }: LoopParts, file: RecordFile): Promise<void> {
  const { name } = file;
  return takeInFile(store, file, async (offset) => {
    const { records, badLines, nextOffset } = readRecords(settings.home, name, offset, sliceBytes);
    const kept = await Promise.all(records.map(withoutKeys));
    return {
      nextOffset,
      async write(tx) {
        await insertOnce(
          tx,
          kept.flatMap((record) => intakeRows(record, store.constellation) ?? []),
        );
        for (const bad of badLines) await insertBad(tx, name, bad, store.constellation);
      },
    };
  });
}

/** A command hides the secrets it can tell by their look; the daemon can afford to look for the rest. */
async function withoutKeys(record: FloorRecord): Promise<FloorRecord> {
  const argv = record["argv"];
  if (record.kind !== "invocations" || !Array.isArray(argv)) return record;
  const hide = async (word: unknown): Promise<unknown> =>
    typeof word === "string" && word.length >= shortestKey ? withoutSecrets(word, await scanForAll(word)) : word;
  return { ...record, argv: await Promise.all(argv.map(hide)) };
}
